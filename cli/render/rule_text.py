"""One rule's page: what it says in words, the statements behind it, and its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.text import print_text
from cli.strings import say
from engine.base import KnowledgeBase
from engine.language import Rule
from engine.words import Phrase, Words

if TYPE_CHECKING:
    from rich.console import Console


def print_rule(console: Console, base: KnowledgeBase, rule: Rule, language: str) -> None:
    """The whole page."""
    words = Words(base)
    console.print(Text(rule.title[language], style="bold"))
    console.print(Text(rule.id, style="dim"))
    if rule.house:
        print_text(console, say("rules.house-rule", language, place=str(rule.place)), style="dim")
    console.print(Text(rule.because[language]))
    _heading(console, "when", language)
    _phrase(console, words.condition(rule.when), language, 1)
    _heading(console, "then", language)
    for text in words.conclusions(rule.then):
        _line(console, text[language], 1)
    _defeaters(console, words, rule, language)
    _rows(console, base, rule, language)
    if rule.cases:
        _heading(console, "cases", language)
    for case in rule.cases:
        _line(console, say(f"rules.case-{case.outcome}", language, name=case.name), 1)


def _heading(console: Console, key: str, language: str) -> None:
    console.print()
    console.print(Text(say(f"rules.{key}", language), style="bold"))


def _line(console: Console, text: str, depth: int) -> None:
    print_text(console, text, indent=2 * depth, hanging=2)


def _phrase(console: Console, phrase: Phrase, language: str, depth: int) -> None:
    _line(console, phrase.text[language], depth)
    for part in phrase.parts:
        _phrase(console, part, language, depth + 1)


def _defeaters(console: Console, words: Words, rule: Rule, language: str) -> None:
    base = words.base
    names = base.ordered.defeaters.get(rule.id, ())
    if names:
        _heading(console, "defeated-by", language)
    for name in names:
        title = words.rule_title(base.rules[name])[language]
        _line(console, say("rules.named", language, title=title, id=name), 1)


def _rows(console: Console, base: KnowledgeBase, rule: Rule, language: str) -> None:
    _heading(console, "rows", language)
    for row_id in rule.source:
        row = base.guidance.rows[row_id]
        document = base.guidance.document_of(row_id)[language]
        where = say("rules.row", language, id=row_id, document=document, section=row.section)
        _line(console, where, 1)
        _line(console, row.statement[language], 2)
