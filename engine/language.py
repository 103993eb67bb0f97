"""The rule language: a rule is data.

A condition is a test on one fact, or `all`, `any`, `none` of several, or `known`. There is no expression language: what
compares two facts is a computed fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Literal, TypeAlias

from engine.faults import Place
from engine.values import Text, Value

Comparison = Literal["at_least", "more_than", "at_most", "less_than"]
COMPARISONS: tuple[Comparison, ...] = ("at_least", "more_than", "at_most", "less_than")
Outcome = Literal["fires", "silent", "undecided", "defeated"]
OUTCOMES: tuple[Outcome, ...] = ("fires", "silent", "undecided", "defeated")


@dataclass(frozen=True, slots=True)
class Is:
    """The fact holds one of these words (or yes, or no)."""

    fact: str
    values: tuple[str | bool, ...]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Compares:
    """The fact's number stands so to the limit."""

    fact: str
    comparison: Comparison
    limit: float
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Known:
    """The fact is known, whatever its value: true or false, never unknown, and so for advice alone."""

    fact: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class All:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Any:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class NoneOf:
    """Each condition is known to be false: silence never satisfies it."""

    conditions: tuple[Condition, ...]


Leaf: TypeAlias = Is | Compares | Known
Condition: TypeAlias = Leaf | All | Any | NoneOf


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a rule says for (`supports`) or against a route."""

    route: str
    strength: str
    supports: bool


@dataclass(frozen=True, slots=True)
class Conclusion:
    """All that a rule concludes when it fires and is not defeated."""

    infers: Mapping[str, Value] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    excludes: tuple[str, ...] = ()
    defeats: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    advises: tuple[str, ...] = ()

    @property
    def moves_route(self) -> bool:
        """Whether it can bear on the route by itself: infers, weighs or excludes."""
        return bool(self.infers or self.evidence or self.excludes)


@dataclass(frozen=True, slots=True)
class Case:
    """A small example beside the rule: the facts, and what the rule must do with them."""

    name: str
    given: Mapping[str, Value]
    outcome: Outcome
    place: Place


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement of the guidance as a rule. `house`: it was laid over the base's own rules by whoever uses them."""

    id: str
    title: Text
    source: tuple[str, ...]
    when: Condition
    then: Conclusion
    because: Text
    cases: tuple[Case, ...]
    place: Place
    beyond: str = ""
    otherwise_of: str | None = None
    house: bool = False


def leaves(condition: Condition) -> Iterator[Leaf]:
    """Every test of the condition, in the order in which it is written."""
    if isinstance(condition, All | Any | NoneOf):
        for part in condition.conditions:
            yield from leaves(part)
    else:
        yield condition


def facts_read(condition: Condition) -> tuple[str, ...]:
    """The paths of the facts that the condition reads, each once, in order."""
    return tuple(dict.fromkeys(leaf.fact for leaf in leaves(condition)))


@dataclass(frozen=True, slots=True)
class Signed:
    """A test that must be true, or must be known to be false."""

    leaf: Leaf
    wanted: bool


def signed_leaves(condition: Condition, wanted: bool = True) -> tuple[Signed, ...]:
    """Every test of the condition in the order in which it is written, with what it must be; each once."""
    if isinstance(condition, All | Any | NoneOf):
        inner = wanted != isinstance(condition, NoneOf)
        parts = (signed for part in condition.conditions for signed in signed_leaves(part, inner))
        return tuple(dict.fromkeys(parts))
    return (Signed(condition, wanted),)


def branches(condition: Condition, wanted: bool = True) -> tuple[tuple[Signed, ...], ...]:
    """The condition as alternatives, each a tuple of tests that must all hold; none is pushed down to the tests.

    The number of alternatives is the product of the sizes of `any` groups: the knowledge base bounds it.
    """
    if isinstance(condition, All):
        return _product(condition.conditions, wanted) if wanted else _sum(condition.conditions, wanted)
    if isinstance(condition, Any):
        return _sum(condition.conditions, wanted) if wanted else _product(condition.conditions, wanted)
    if isinstance(condition, NoneOf):
        return _product(condition.conditions, False) if wanted else _sum(condition.conditions, True)
    return ((Signed(condition, wanted),),)


def branch_count(condition: Condition, wanted: bool = True) -> int:
    """At most so many alternatives `branches` gives: counted without making them, for there may be too many to make."""
    if isinstance(condition, All | Any | NoneOf):
        inner = wanted != isinstance(condition, NoneOf)
        counts = [branch_count(part, inner) for part in condition.conditions]
        return sum(counts) if wanted == isinstance(condition, Any) else prod(counts)
    return 1


def _sum(conditions: tuple[Condition, ...], wanted: bool) -> tuple[tuple[Signed, ...], ...]:
    return tuple(branch for part in conditions for branch in branches(part, wanted))


def _product(conditions: tuple[Condition, ...], wanted: bool) -> tuple[tuple[Signed, ...], ...]:
    found: tuple[tuple[Signed, ...], ...] = ((),)
    for part in conditions:
        found = tuple(_joined(before, after) for before in found for after in branches(part, wanted))
    return tuple(dict.fromkeys(found))


def _joined(before: tuple[Signed, ...], after: tuple[Signed, ...]) -> tuple[Signed, ...]:
    return tuple(dict.fromkeys(before + after))
