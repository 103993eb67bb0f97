"""Reads conditions and the values of facts from the nodes of a knowledge file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.faults import LANGUAGES, Fault, FaultError, Report, did_you_mean, nearest
from engine.language import COMPARISONS, All, Any, Compares, Comparison, Condition, Is, Known, NoneOf
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, Sequence
from engine.values import Interval, Text, Value
from engine.vocabulary import FactType, Vocabulary

_GROUPS: Mapping[str, Callable[[tuple[Condition, ...]], Condition]] = {"all": All, "any": Any, "none": NoneOf}
NOTHING = All(())
"""Stands where a condition could not be read; the report then holds a fault."""


class ConditionReader:
    """Reads against one vocabulary; what is wrong goes to the report."""

    def __init__(self, vocabulary: Vocabulary, report: Report) -> None:
        self.vocabulary = vocabulary
        self.report = report

    def condition(self, node: Node | None) -> Condition:
        """The condition of a node; a node that is missing was reported where it was looked for."""
        if node is None:
            return NOTHING
        if not isinstance(node, MappingNode) or len(node.entries) != 1:
            self.report.add("one-condition", node.place)
            return NOTHING
        key, value = node.entries[0]
        if key.text in _GROUPS:
            return self._group(key, value)
        if key.text == "known":
            return self._known(value)
        fact = self.fact(key)
        return self._leaf(fact, key, value) if fact else NOTHING

    def _group(self, key: Scalar, value: Node) -> Condition:
        if not isinstance(value, Sequence) or not value.items:
            self.report.add("expected-list", value.place, key=key.text)
            return NOTHING
        return _GROUPS[key.text](tuple(self.condition(item) for item in value.items))

    def _known(self, node: Node) -> Condition:
        if not isinstance(node, Scalar):
            self.report.add("expected-text", node.place, key="known")
            return NOTHING
        fact = self.fact(node)
        return Known(fact.path, node.place) if fact else NOTHING

    def fact(self, key: Scalar) -> FactType | None:
        """The fact that a scalar names, or None for an unknown one."""
        fact = self.vocabulary.facts.get(key.text)
        if fact is None:
            hint = did_you_mean(self.vocabulary.suggestion(key.text))
            self.report.add("unknown-fact", key.place, typed=key.text, hint=hint)
        return fact

    def _leaf(self, fact: FactType, key: Scalar, node: Node) -> Condition:
        if fact.kind == "number" and isinstance(node, MappingNode) and node.entries:
            tests = tuple(self._comparison(fact, name, value) for name, value in node.entries)
            return tests[0] if len(tests) == 1 else All(tests)
        if fact.kind == "number":
            self.report.add("number-needs-comparison", node.place, fact=fact.path, known=list(COMPARISONS))
            return NOTHING
        items = node.items if isinstance(node, Sequence) else (node,)
        if not items:
            self.report.add("expected-list", node.place, key=fact.path)
        read = [self.value(fact, item) for item in items]
        return Is(fact.path, tuple(v for v in read if isinstance(v, str | bool)), key.place)

    def _comparison(self, fact: FactType, name: Scalar, node: Node) -> Condition:
        comparison = _comparison_named(name.text)
        if comparison is None:
            hint = did_you_mean(nearest(name.text, COMPARISONS))
            self.report.add("unknown-key", name.place, typed=name.text, hint=hint, known=list(COMPARISONS))
            return NOTHING
        limit = self.value(fact, node)
        if isinstance(limit, Interval):
            self.report.add("expected-number-of", node.place, key=name.text)
        return Compares(fact.path, comparison, limit if isinstance(limit, float) else 0.0, name.place)

    def value(self, fact: FactType, node: Node) -> Value | None:
        """The value that a node gives to a fact; reports one outside the fact's type, and returns None for it."""
        given: object = list(node.items) if isinstance(node, Sequence) else node
        try:
            value = fact.read(given)
        except FaultError as error:
            for fault in error.faults:
                self.report.add("value-outside-type", node.place, fact=fact.path, reason=_reason(fault))
            return None
        if value is None:
            self.report.add("value-outside-type", node.place, fact=fact.path, reason=fact.expected())
        return value


def _comparison_named(word: str) -> Comparison | None:
    return next((name for name in COMPARISONS if name == word), None)


def _reason(fault: Fault) -> Text:
    return {code: replace(fault, place=None).text(code) for code in LANGUAGES}
