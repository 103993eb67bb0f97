"""What flips are made of: changes of one fact, and the values that are tried for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.limits import Limit
from engine.values import Value, bounds

CANNOT_BE = -2
"""Stands for a route where the facts cannot be together, or two rules infer different values of one fact."""
FROM_UNKNOWN, FROM_WORD = 0.5, 0.75
"""How far it is from an unknown fact to a known one, and from one word to another; a number goes by its share."""


@dataclass(frozen=True)
class Change:
    """One fact changed to `value`: of all that have this effect the one nearest to what was told, as it is typed.

    Of a number `low` and `high` bound the others around it that have it too, None where nothing bounds them; of a
    word both are None. `before` is None where nothing was told.
    """

    path: str
    before: Value | None
    value: Value
    low: Limit | None = None
    high: Limit | None = None


@dataclass(frozen=True)
class Flip:
    """Changes that together lead to `route`, None for no route; none of them changes the route without the other."""

    changes: tuple[Change, ...]
    route: str | None
    distance: float

    @property
    def facts(self) -> Mapping[str, Value]:
        return {change.path: change.value for change in self.changes}


@dataclass(frozen=True)
class Try:
    """A value for a fact; `side` is 1 above what was told, -1 below it, 0 where there is no such thing."""

    path: str
    value: Value
    side: int
    distance: float

    @property
    def number(self) -> float:
        assert isinstance(self.value, float), self.path
        return self.value


@dataclass(frozen=True)
class Run:
    """Neighboring values of a fact with one effect, leading away from what was told.

    `before` is the number just before them, `after` the one just after them, neither with the effect; None at an end.
    """

    tries: Sequence[Try]
    before: float | None = None
    after: float | None = None

    @property
    def path(self) -> str:
        return self.tries[0].path


Runs: TypeAlias = tuple[Sequence[Run], int]
"""A run for each fact of a flip, and the code of the route that they lead to."""


def ends(value: Value) -> tuple[float, float]:
    """The lowest and the highest number that a told number or range can be."""
    assert not isinstance(value, str | bool)
    return bounds(value)


def share(number: float, told: float) -> float:
    """How far the number is from the told one, as a share of the larger of the two."""
    return abs(number - told) / max(abs(number), abs(told))
