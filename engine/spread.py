"""How sure a verdict is over facts told as ranges: in which share of them each route comes out, and which tells most.

No value of a range is taken to be likelier than another, and what was not told stays unknown throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from engine.case_columns import Cases
from engine.column_logic import Column
from engine.columns import ColumnReasoner
from engine.values import Interval, Value, is_finite
from engine.vocabulary import FactType, Vocabulary

POINTS = 127
"""How many points the ranges are tried at; a prime, as the lattice wants it."""
_GENERATOR = 106
"""Of the generators of this lattice the one whose first twelve axes lie most evenly, two by two."""
STRETCHES = 4


@dataclass(frozen=True)
class Stretch:
    """A piece of one range, both ends included, and the share of its points, 0 to 1, in which each route comes out.

    None among the routes stands for no route.
    """

    low: float
    high: float
    routes: Mapping[str | None, float]


@dataclass(frozen=True)
class RangeTold:
    """A fact told as a range, cut into stretches from low to high.

    `tells` is the share of the doubt about the route, 0 to 1, that goes once it is known which stretch it is. Doubt
    is Gini's impurity: the chance that two points drawn at random have different routes.
    """

    path: str
    tells: float
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class Spread:
    """The share of the points, 0 to 1, in which each route comes out, most first, and the ranges, most telling first.

    `points` counts those that were judged: a point that no profile could hold is left out.
    """

    points: int
    routes: Mapping[str | None, float]
    ranges: tuple[RangeTold, ...]


def spread(reasoner: ColumnReasoner, facts: Mapping[str, Value]) -> Spread | None:
    """How the routes share the ranges among the told facts; None where no fact was told as a range with an end."""
    types = _ranged(reasoner.base.vocabulary, facts)
    cases = points(reasoner, facts)
    if not types or not cases.size:
        return None
    judged = reasoner.judge(cases, "route")
    routes = [judged.routes[code] if code >= 0 else None for code in judged.route.tolist()]
    found = [_range(fact, facts[fact.path], cases.columns[fact.path].low, routes) for fact in types]
    return Spread(len(routes), _shares(routes), tuple(sorted(found, key=lambda one: -one.tells)))


def points(reasoner: ColumnReasoner, facts: Mapping[str, Value]) -> Cases:
    """The facts at points that lie evenly in all their ranges, but for those that no profile could hold.

    They are a lattice, and the same in every process.
    """
    types = _ranged(reasoner.base.vocabulary, facts)
    placed = {fact.path: _placed(fact, facts[fact.path], axis) for axis, fact in enumerate(types)}
    columns = {path: Column(True, at, at) for path, at in placed.items()}
    cases = Cases(POINTS, {**reasoner.varied(facts, [{}]).columns, **columns})
    return cases.taken(_is_possible(cases, reasoner.base.vocabulary.told()))


def _ranged(vocabulary: Vocabulary, facts: Mapping[str, Value]) -> list[FactType]:
    """The facts that were told as a range with an end."""
    found = [fact for fact in vocabulary.told() if isinstance(facts.get(fact.path), Interval)]
    return [fact for fact in found if is_finite(facts[fact.path])]


def _placed(fact: FactType, told: Value, axis: int) -> Any:
    """Where the points lie in the range of one fact: an array of POINTS numbers, as evenly as they can."""
    assert isinstance(told, Interval)
    steps = np.arange(POINTS) * pow(_GENERATOR, axis, POINTS) % POINTS
    shares = (steps + 0.5) / POINTS
    if fact.whole:
        return np.floor(told.low + shares * (told.high - told.low + 1))
    return told.low + shares * (told.high - told.low)


def _is_possible(cases: Cases, facts: Sequence[FactType]) -> Any:
    """Which points a profile could hold: no fact below the one that it must not be below."""
    found = np.ones(cases.size, dtype=bool)
    for fact in facts:
        if fact.not_below and {fact.path, fact.not_below} <= cases.columns.keys():
            found &= np.asarray(cases.columns[fact.path].high >= cases.columns[fact.not_below].low)
    return found


def _range(fact: FactType, told: Value, values: Any, routes: Sequence[str | None]) -> RangeTold:
    assert isinstance(told, Interval)
    ends = _stretches(fact, told)
    place = np.searchsorted([low for low, _ in ends], values, side="right") - 1
    inside = [[route for route, at in zip(routes, place.tolist(), strict=True) if at == n] for n in range(len(ends))]
    pieces = [(Stretch(*end, _shares(found)), len(found)) for end, found in zip(ends, inside, strict=True) if found]
    doubt = _doubt(_shares(routes))
    left = sum(_doubt(piece.routes) * count for piece, count in pieces) / len(routes)
    return RangeTold(fact.path, 1 - left / doubt if doubt else 0.0, tuple(piece for piece, _ in pieces))


def _stretches(fact: FactType, told: Interval) -> list[tuple[float, float]]:
    """Both ends of each stretch; of whole numbers no two stretches share one."""
    if fact.whole:
        count = int(told.high - told.low) + 1
        pieces = min(STRETCHES, count)
        starts = [told.low + number * count // pieces for number in range(pieces + 1)]
        return [(low, following - 1) for low, following in pairwise(starts)]
    width = (told.high - told.low) / STRETCHES
    return list(pairwise([*(told.low + number * width for number in range(STRETCHES)), told.high]))


def _shares(routes: Sequence[str | None]) -> dict[str | None, float]:
    """The share of each route, most first; of equal shares the first that was met."""
    counts = {route: routes.count(route) for route in dict.fromkeys(routes)}
    return {route: count / len(routes) for route, count in sorted(counts.items(), key=lambda item: -item[1])}


def _doubt(shares: Mapping[str | None, float]) -> float:
    return 1 - sum(share**2 for share in shares.values())
