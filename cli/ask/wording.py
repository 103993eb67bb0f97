"""What a question says in one language, whatever it looks like: head, choices, hint, and why it is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cli.ask.dialogue import Question
from cli.strings import say
from engine.base import KnowledgeBase
from engine.language import Rule, facts_read
from engine.vocabulary import FactType

UNKNOWN_KEY = "-"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list: what is typed to choose it, what it is called, what choosing it means."""

    key: str
    label: str
    implies: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a fact is asked for: its help, and the rules that read it, each as a line with its rows."""

    help: str
    lead: str
    rules: tuple[str, ...]


def head(question: Question, language: str) -> str:
    """Where one is: number, group and fact."""
    group, title = question.group.title[language], question.fact.title[language]
    return say("ask.question-of", language, number=question.number, count=question.count, group=group, title=title)


def entries(fact: FactType, language: str) -> tuple[Entry, ...]:
    """The choices in their order, "don't know" last; no choices for numbers and names."""
    unknown = Entry(UNKNOWN_KEY, say("ask.dont-know", language), say("ask.dont-know-implies", language))
    if fact.kind == "flag":
        return (Entry("1", fact.show(True, language)), Entry("2", fact.show(False, language)), unknown)
    numbered = enumerate(fact.choices, start=1)
    listed = tuple(Entry(str(n), c.label[language], c.implies.get(language, "")) for n, c in numbered)
    return (*listed, unknown) if listed else ()


def hint(fact: FactType, language: str) -> str:
    """What a typed value looks like; empty for a fact that has a list."""
    if fact.kind == "name":
        return say("ask.hint-name", language, example=fact.example)
    if fact.unit is None:
        return ""
    return say("ask.hint-number", language, unit=fact.unit.title[language], example=fact.example)


def place_of(question: Question) -> int:
    """The place among the entries of the answer so far; the last, "don't know", where there is none."""
    values = question.fact.values
    return len(values) if question.answer is None else values.index(question.answer)


def why(base: KnowledgeBase, fact: FactType, language: str) -> Why:
    """The rules that read the fact itself, or a fact that is computed from it."""
    read = _computed_from(base, fact.path)
    rules = [rule for rule in base.written if read & set(facts_read(rule.when))]
    key = "ask.read-by" if rules else "ask.read-by-none"
    return Why(fact.help[language], say(key, language), tuple(_rule_line(rules, language)))


def _rule_line(rules: Iterable[Rule], language: str) -> Iterable[str]:
    for rule in rules:
        yield say("ask.rule", language, title=rule.title[language], rows=", ".join(rule.source))


def _computed_from(base: KnowledgeBase, path: str) -> set[str]:
    """The fact and every fact that is computed from it."""
    found = {path}
    for formula in base.formulas:
        if found & set(formula.inputs):
            found.add(formula.fact)
    return found
