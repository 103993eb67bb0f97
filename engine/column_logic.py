"""And, or, not and the rest on columns of truths, whatever library holds the columns.

A truth of three values is a pair of plain columns, is true and is false, so that no library's own idea of a missing
value matters. A Python bool stands for a column that is the same in every case, and is folded away; all else needs
`&`, `|`, `~` and comparisons alone, which NumPy arrays and expressions of data frames have alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from engine import language
from engine.language import Compares, Condition, Is, Known, Leaf

Flags: TypeAlias = Any
"""A column of yes or no, or one Python bool for all cases."""
Numbers: TypeAlias = Any
"""A column of numbers, or one Python number for all cases."""


class Choosing(Protocol):
    """What a library of columns needs beside its operators."""

    def chosen(self, condition: Flags, one: Numbers, other: Numbers) -> Numbers:
        """`one` where the condition holds, else `other`."""
        ...

    def may_hold(self, flags: Flags) -> bool:
        """Whether there may be a case in which these hold; no wherever the library can tell cheaply."""
        ...


@dataclass(frozen=True, slots=True)
class Column:
    """One fact over many cases: whether it is known, and its lowest and highest value; 0 where it is unknown.

    A word, yes or no has its code in both. `final`: nothing more exact will be told of the fact, so that no test on it
    waits for anything; formulas may still be given a part of a range.
    """

    known: Flags
    low: Numbers
    high: Numbers
    final: Flags = False


ABSENT = Column(False, 0.0, 0.0)
"""A fact that is unknown in every case."""


@dataclass(frozen=True, slots=True)
class Truths:
    """Where a condition is true and where it is false; it is unknown everywhere else."""

    true: Flags
    false: Flags

    @property
    def unknown(self) -> Flags:
        return negated(either(self.true, self.false))


def both(one: Flags, other: Flags) -> Flags:
    if one is False or other is False:
        return False
    if one is True:
        return other
    return one if other is True else one & other


def either(one: Flags, other: Flags) -> Flags:
    if one is True or other is True:
        return True
    if one is False:
        return other
    return one if other is False else one | other


def negated(one: Flags) -> Flags:
    return (not one) if isinstance(one, bool) else ~one


def every(flags: Iterable[Flags]) -> Flags:
    found: Flags = True
    for one in flags:
        found = both(found, one)
    return found


def some(flags: Iterable[Flags]) -> Flags:
    found: Flags = False
    for one in flags:
        found = either(found, one)
    return found


def leaf_truths(leaf: Leaf, column: Column, codes: Iterable[float], is_word: bool) -> Truths:
    """One test on one fact; `codes` are those of the words that it wants."""
    if isinstance(leaf, Known):
        return Truths(column.known, negated(column.known))
    if isinstance(leaf, Is):
        same = some(column.low == code for code in codes)
        return Truths(both(column.known, same), both(column.known, negated(same)))
    if is_word:
        return Truths(False, column.known)
    always, never = _compared(leaf, column)
    return Truths(both(column.known, always), both(column.known, never))


def _compared(leaf: Compares, column: Column) -> tuple[Flags, Flags]:
    low, high, limit = column.low, column.high, leaf.limit
    if leaf.comparison == "at_least":
        return low >= limit, high < limit
    if leaf.comparison == "more_than":
        return low > limit, high <= limit
    if leaf.comparison == "at_most":
        return high <= limit, low > limit
    return high < limit, low >= limit


class Conditions(Protocol):
    """Where each test of a condition is true and false."""

    def leaf(self, leaf: Leaf) -> Truths: ...


def condition_truths(condition: Condition, tests: Conditions) -> Truths:
    """Kleene's and, or, not over the tests of a condition."""
    if isinstance(condition, language.All | language.Any | language.NoneOf):
        parts = [condition_truths(part, tests) for part in condition.conditions]
        if isinstance(condition, language.Any):
            return Truths(some(part.true for part in parts), every(part.false for part in parts))
        if isinstance(condition, language.NoneOf):
            return Truths(every(part.false for part in parts), some(part.true for part in parts))
        return Truths(every(part.true for part in parts), some(part.false for part in parts))
    return tests.leaf(condition)
