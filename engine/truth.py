"""A condition on a set of facts: true, false or unknown (Kleene's three values).

A fact that is not there is unknown. A range is true of a test when all of it is, false when none of it is, and unknown
when it straddles the limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from engine.language import All, Any, Compares, Condition, Is, Known, Leaf
from engine.values import Facts, Interval, Value, bounds


class Truth(Enum):
    FALSE = "false"
    UNKNOWN = "unknown"
    TRUE = "true"

    def __invert__(self) -> Truth:
        return _NOT[self]

    @staticmethod
    def of(value: bool) -> Truth:
        return Truth.TRUE if value else Truth.FALSE


_NOT = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN}


def truth(condition: Condition, facts: Facts) -> Truth:
    """Whether the condition holds on the facts."""
    if isinstance(condition, All):
        return _all(truth(part, facts) for part in condition.conditions)
    if isinstance(condition, Any):
        return ~_all(~truth(part, facts) for part in condition.conditions)
    if isinstance(condition, Is | Compares | Known):
        return leaf_truth(condition, facts.get(condition.fact))
    return _all(~truth(part, facts) for part in condition.conditions)


def leaf_truth(leaf: Leaf, value: Value | None) -> Truth:
    """Whether one test holds on one value; None is an unknown fact."""
    if isinstance(leaf, Known):
        return Truth.of(value is not None)
    if value is None:
        return Truth.UNKNOWN
    if isinstance(leaf, Is):
        return Truth.of(any(_same(value, wanted) for wanted in leaf.values))
    if isinstance(value, str | bool):
        return Truth.FALSE
    return _compared(leaf, value)


def _same(value: Value, wanted: str | bool) -> bool:
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _compared(leaf: Compares, value: float | Interval) -> Truth:
    low, high = bounds(value)
    limit = leaf.limit
    always, never = {
        "at_least": (low >= limit, high < limit),
        "more_than": (low > limit, high <= limit),
        "at_most": (high <= limit, low > limit),
        "less_than": (high < limit, low >= limit),
    }[leaf.comparison]
    if always or never:
        return Truth.of(always)
    return Truth.UNKNOWN


def _all(truths: Iterable[Truth]) -> Truth:
    found = Truth.TRUE
    for one in truths:
        if one is Truth.FALSE:
            return Truth.FALSE
        if one is Truth.UNKNOWN:
            found = Truth.UNKNOWN
    return found
