"""The third reading of a rule: in words, in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.advising import outlined
from engine.base import KnowledgeBase
from engine.faults import LANGUAGES, messages, shown
from engine.language import All, Any, Compares, Conclusion, Condition, Is, Known, Leaf, NoneOf, Rule
from engine.values import Text, Value


@dataclass(frozen=True)
class Phrase:
    """A condition in words: a test, or a heading over its parts."""

    text: Text
    parts: tuple[Phrase, ...] = ()


def say(key: str, /, **params: object) -> Text:
    """The engine's sentence in every language; parameters may themselves be texts in every language."""
    return {
        code: messages(code)[key].format_map({name: shown(value, code) for name, value in params.items()})
        for code in LANGUAGES
    }


class Words:
    """Puts the rules of one knowledge base into words."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base

    def rule_title(self, rule: Rule) -> Text:
        """The rule's title, with the mark of a house rule where it is one."""
        return say("house-title", title=rule.title) if rule.house else rule.title

    def condition(self, condition: Condition) -> Phrase:
        """The condition as it is written, group by group."""
        if isinstance(condition, All | Any | NoneOf):
            key = {All: "word-all", Any: "word-any", NoneOf: "word-none"}[type(condition)]
            return Phrase(say(key), tuple(self.condition(part) for part in condition.conditions))
        return Phrase(self.test(condition, negated=False))

    def test(self, leaf: Leaf, negated: bool) -> Text:
        """One test in words; `negated` for a test that must be known to be false."""
        fact = self.title(leaf.fact)
        if isinstance(leaf, Known):
            return say("word-unknown" if negated else "word-known", fact=fact)
        if isinstance(leaf, Is):
            values = {
                c: messages(c)["word-or"].join(self._label(leaf.fact, v, c) for v in leaf.values) for c in LANGUAGES
            }
            return say("word-not" if negated else "word-is", fact=fact, values=values)
        return say(
            f"word-{_turned(leaf) if negated else leaf.comparison}",
            fact=fact,
            limit=self.value(leaf.fact, leaf.limit),
        )

    def title(self, path: str) -> Text:
        return self.base.vocabulary.facts[path].title

    def value(self, path: str, value: Value) -> Text:
        return {code: self.base.vocabulary.facts[path].show(value, code) for code in LANGUAGES}

    def _label(self, path: str, value: Value, language: str) -> str:
        return self.base.vocabulary.facts[path].show(value, language)

    def route(self, name: str) -> Text:
        return self.base.routes.route(name).title

    def conclusions(self, then: Conclusion) -> Iterator[Text]:
        """Everything that the rule concludes, one sentence each."""
        for path, value in then.infers.items():
            yield say("word-infers", fact=self.title(path), value=self.value(path, value))
        for item in then.evidence:
            key = "word-supports" if item.supports else "word-opposes"
            yield say(key, route=self.route(item.route), strength=self.strength(item.strength))
        for route in then.excludes:
            yield say("word-excludes", route=self.route(route))
        for rule in then.defeats:
            yield say("word-defeats", rule=self.rule_title(self.base.rules[rule]))
        for route, form in then.forms.items():
            title = self.base.routes.form_title(route, form)
            yield say("word-form", route=self.route(route), form=title)
        for item_id in then.advises:
            yield say("word-advises", text=outlined(self.base.advice[item_id], self.base.vocabulary))

    def strength(self, name: str) -> Text:
        """The strength in words; a base with strengths of its own shows their names."""
        return {c: messages(c).get(f"strength-{name}", name) for c in LANGUAGES}


def _turned(leaf: Compares) -> str:
    opposite: Mapping[str, str] = {
        "at_least": "less_than",
        "less_than": "at_least",
        "more_than": "at_most",
        "at_most": "more_than",
    }
    return opposite[leaf.comparison]
