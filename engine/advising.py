"""Advice that speaks of the case: an item's text may name facts in braces, and is filled with their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.faults import LANGUAGES, Report
from engine.guidance import Advice
from engine.language import All, Any, Condition, Known, NoneOf, Rule
from engine.values import Facts, Text
from engine.vocabulary import Vocabulary

_PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)*)\}")


def placeholders(advice: Advice) -> tuple[str, ...]:
    """The facts that the item's text names, in any language."""
    found = (path for code in LANGUAGES for path in _PLACEHOLDER.findall(advice.text[code]))
    return tuple(dict.fromkeys(found))


def filled(advice: Advice, vocabulary: Vocabulary, facts: Facts) -> Text:
    """The item's text with the values of this case; every fact that it names is known."""
    return {code: _fill(advice.text[code], vocabulary, facts, code) for code in LANGUAGES}


def _fill(text: str, vocabulary: Vocabulary, facts: Facts, language: str) -> str:
    return _PLACEHOLDER.sub(lambda found: vocabulary.facts[found[1]].show(facts[found[1]], language).strip(), text)


def outlined(advice: Advice, vocabulary: Vocabulary) -> Text:
    """The item's text with the titles of the facts that it names, for a reader without a case."""
    return {code: _outline(advice.text[code], vocabulary, code) for code in LANGUAGES}


def _outline(text: str, vocabulary: Vocabulary, language: str) -> str:
    return _PLACEHOLDER.sub(lambda found: f"<{vocabulary.facts[found[1]].title[language]}>", text)


def check_placeholders(
    advice: Mapping[str, Advice], rules: Iterable[Rule], vocabulary: Vocabulary, report: Report
) -> None:
    """Every fact that an item names exists, and every rule that advises the item requires the fact to be known."""
    named = {item.id: placeholders(item) for item in advice.values()}
    for item in advice.values():
        for path in named[item.id]:
            if path not in vocabulary.facts:
                report.add("placeholder-unknown", item.place, advice=item.id, fact=path)
    for rule in rules:
        sure = required(rule.when)
        for item_id in rule.then.advises:
            for path in named.get(item_id, ()):
                if path not in sure:
                    report.add("placeholder-not-required", rule.place, rule=rule.id, advice=item_id, fact=path)


def required(condition: Condition) -> frozenset[str]:
    """The facts that are surely known wherever the condition is true."""
    if isinstance(condition, All):
        return frozenset().union(*(required(part) for part in condition.conditions))
    if isinstance(condition, Any):
        first, *others = [required(part) for part in condition.conditions]
        return first.intersection(*others)
    if isinstance(condition, NoneOf):
        parts = [part for part in condition.conditions if not isinstance(part, All | Any | NoneOf | Known)]
        return frozenset(part.fact for part in parts)
    return frozenset({condition.fact})
