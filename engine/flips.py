"""Which changes of one told fact, and of two, change the route: all of them, and none larger than it need be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, takewhile
from typing import TypeAlias

import numpy as np

from engine import typed_numbers
from engine.classes import Bearing, bearings, class_of, numbers_of, words_of
from engine.columns import ColumnReasoner
from engine.limits import Asked, Edge, Limit, limits, typed_within
from engine.values import Value, bounds

CANNOT_BE = -2
"""Stands for a route where the facts cannot be together, or two rules infer different values of one fact."""
NEARLY = 0.9
"""From this share of the way on that a number has to go by itself, it makes no pair with another change."""
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
class _Try:
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
class _Run:
    """Neighboring values of a fact with one effect, leading away from what was told.

    `before` is the number just before them, `after` the one just after them, neither with the effect; None at an end.
    """

    tries: Sequence[_Try]
    before: float | None = None
    after: float | None = None

    @property
    def path(self) -> str:
        return self.tries[0].path


_Runs: TypeAlias = tuple[Sequence[_Run], int]
"""A run for each fact of a flip, and the code of the route that they lead to."""


class FlipFinder:
    """Looks for flips of one case. `fixed`: the facts that cannot change; those that name a unit never do."""

    def __init__(self, reasoner: ColumnReasoner, facts: Mapping[str, Value], fixed: Iterable[str] = ()) -> None:
        self.reasoner = reasoner
        self.facts = dict(facts)
        kept = frozenset(fixed)
        bearing = bearings(reasoner.base)
        self.bearings = {p: b for p, b in bearing.items() if p not in kept and not b.fact.names_unit}
        told = reasoner.base.vocabulary.told()
        self._floors = [(fact.path, fact.not_below) for fact in told if fact.not_below]

    @cached_property
    def route(self) -> int:
        """The code of the route that the case takes now, -1 for none."""
        return self._routes([{}])[0]

    @cached_property
    def singles(self) -> tuple[Flip, ...]:
        """Every change of one fact that changes the route, the smallest first."""
        found = [runs for path, tries in self._tries.items() for runs in self._runs(tries, self._single_routes[path])]
        return tuple(self._flips(found, to_the_end=True))

    def pairs(self, most: int | None = None) -> tuple[list[Flip], int]:
        """The changes of two facts that change the route, the smallest first, and how many there are in all.

        None holds a change that changes the route by itself. At most `most` are worked out. Of names only those take
        part that some test asks for: all others differ in what is computed of them alone.
        """
        found = sorted(self._pairs(), key=lambda runs: sum(run.tries[0].distance for run in runs[0]))
        flips = [flip for flip in self._flips(found, to_the_end=False) if not self._is_nearly_single(flip)]
        return flips[:most], len(flips)

    def _is_nearly_single(self, flip: Flip) -> bool:
        """Whether one of the two changes comes so near to what it needs by itself that the other is hardly one."""
        for change in flip.changes:
            told = change.before
            for single in (one.changes[0] for one in self.singles):
                if single.path == change.path and isinstance(single.value, float) and told is not None:
                    (low, high), value = _ends(told), _ends(change.value)[0]
                    start = high if single.value > high else low
                    if (value - start) * (single.value - start) > 0 and (value - start) / (
                        single.value - start
                    ) >= NEARLY:
                        return True
        return False

    @cached_property
    def _tries(self) -> Mapping[str, Sequence[_Try]]:
        return {path: self._values(bearing) for path, bearing in self.bearings.items()}

    @cached_property
    def _single_routes(self) -> Mapping[str, Sequence[int]]:
        routes = iter(self._routes([{one.path: one.value} for ones in self._tries.values() for one in ones]))
        return {path: [next(routes) for _ in ones] for path, ones in self._tries.items()}

    # Runs of one fact

    def _runs(self, tries: Sequence[_Try], routes: Sequence[int]) -> Iterator[_Runs]:
        """The nearest run of each other route on each side; of words each is a run of its own."""
        for side in (1, 0, -1):
            here = [place for place, one in enumerate(tries) if one.side == side]
            runs = _neighbors([tries[place] for place in here], [routes[place] for place in here])
            seen: set[int] = set()
            for one, route in runs:
                if self._is_other(route) and (route not in seen or not self._is_number(one.path)):
                    seen.add(route)
                    yield [self._from_told(one)], route

    def _is_other(self, route: int) -> bool:
        return route not in (self.route, CANNOT_BE)

    def _is_number(self, path: str) -> bool:
        return self.bearings[path].fact.kind == "number"

    def _from_told(self, run: _Run) -> _Run:
        """The run, beginning after what was told where no other number lies between."""
        side = run.tries[0].side
        if run.before is not None or side == 0:
            return run
        return _Run(run.tries, _ends(self.facts[run.path])[side > 0], run.after)

    # Runs of two facts

    def _pairs(self) -> list[_Runs]:
        tries = {path: ones for path in self.bearings if (ones := list(self._quiet(path)))}
        both = [(a, b) for one, other in combinations(tries, 2) for a in tries[one] for b in tries[other]]
        routes = self._routes([{a.path: a.value, b.path: b.value} for a, b in both])
        alike: dict[tuple[object, ...], list[tuple[_Try, _Try]]] = {}
        for (a, b), route in zip(both, routes, strict=True):
            if self._is_other(route):
                alike.setdefault((route, *self._kind(a), *self._kind(b)), []).append((a, b))
        return [
            ([self._run_to(one, tries[one.path], pair, found) for one in pair], int(str(kind[0])))
            for kind, found in alike.items()
            for pair in found
            if not any(_is_nearer(other, pair) for other in found)
        ]

    def _quiet(self, path: str) -> Iterator[_Try]:
        """Values of a fact that leave the route as it is, by themselves: of numbers the nearest of each class.

        Of numbers that formulas read the furthest ones too, since what is computed of them may move all the way.
        """
        bearing, told = self.bearings[path], self.facts.get(path)
        if not self._is_number(path):
            yield from self._rows[path] if bearing.tests or bearing.fact.kind != "name" else ()
            return
        for side in (1, 0, -1):
            row = [one for one in self._rows[path] if one.side == side]
            classes = [class_of(bearing, one.value) for one in row]
            before = None if told is None else class_of(bearing, told)
            for one, here, following in zip(row, classes, [*classes[1:], None][: len(row)], strict=True):
                if here != before or (bearing.feeds and here != following):
                    yield one
                before = here

    @cached_property
    def _rows(self) -> Mapping[str, Sequence[_Try]]:
        """The values of each fact that leave the route as it is by themselves, and those just before one that does not.

        Nearest to what was told first.
        """
        edges = [one for flip in self.singles for one in self._just_before(flip.changes[0])]
        tried = zip(edges, self._routes([{one.path: one.value} for one in edges]), strict=True)
        each = [
            (one, r) for p, ones in self._tries.items() for one, r in zip(ones, self._single_routes[p], strict=True)
        ]
        found: dict[str, list[_Try]] = {path: [] for path in self.bearings}
        for one, route in (*each, *tried):
            if route == self.route and one not in found[one.path]:
                found[one.path].append(one)
        return {path: sorted(ones, key=lambda one: one.distance) for path, ones in found.items()}

    def _just_before(self, change: Change) -> Iterator[_Try]:
        """The typed numbers next to those that change the route."""
        whole = self.bearings[change.path].fact.whole
        if change.low and change.low.closed:
            low = change.low.number
            yield self._try(change.path, low - 1 if whole else typed_numbers.before(low))
        if change.high and change.high.closed:
            high = change.high.number
            yield self._try(change.path, high + 1 if whole else typed_numbers.after(high))

    def _kind(self, one: _Try) -> tuple[object, ...]:
        """What two values have in common when one of them is only further away than the other."""
        return (one.path, one.side) if self._is_number(one.path) else (one.path, one.value)

    def _run_to(
        self, one: _Try, tries: Sequence[_Try], pair: tuple[_Try, _Try], alike: Sequence[tuple[_Try, _Try]]
    ) -> _Run:
        """The value and those further out that do the same beside the other value of the pair; the number before."""
        if not self._is_number(one.path):
            return _Run([one])
        other = next(two for two in pair if two is not one)
        same = {two for two in tries if two.side == one.side and any(set(p) == {two, other} for p in alike)}
        row = [two for two in tries if two.side == one.side]
        place = row.index(one)
        further = list(takewhile(lambda two: two in same, row[place:]))
        return self._from_told(_Run(further, row[place - 1].number if place else None))

    # Values

    def _values(self, bearing: Bearing) -> list[_Try]:
        """Values to be tried for a fact; of numbers on each side those nearest to what was told first."""
        path, told = bearing.fact.path, self.facts.get(bearing.fact.path)
        if bearing.fact.kind != "number":
            return [self._try(path, value) for value in words_of(bearing) if value != told]
        tries = [self._try(path, number) for number in numbers_of(bearing, told) if number != told]
        return [one for one in tries if one.side >= 0] + [one for one in reversed(tries) if one.side < 0]

    def _try(self, path: str, value: Value) -> _Try:
        told = self.facts.get(path)
        if told is None or not self._is_number(path):
            return _Try(path, value, 0, FROM_UNKNOWN if told is None else FROM_WORD)
        (low, high), number = _ends(told), _ends(value)[0]
        side = 1 if number > high else -1 if number < low else 0
        return _Try(path, value, side, _share(number, high if side > 0 else low) if side else 0.0)

    def _routes(self, changes: Sequence[Mapping[str, Value]]) -> list[int]:
        """The code of the route under each of these changes."""
        if not changes:
            return []
        judged = self.reasoner.judge(self.reasoner.varied(self.facts, changes), "route")
        found = np.where(judged.conflict, CANNOT_BE, judged.route).tolist()
        return [CANNOT_BE if self._is_odd(change) else code for change, code in zip(changes, found, strict=True)]

    def _is_odd(self, change: Mapping[str, Value]) -> bool:
        """Whether a fact would stand below the one that it may not be below."""
        for path, floor in self._floors:
            if path in change or floor in change:
                value, least = (change.get(name, self.facts.get(name)) for name in (path, floor))
                if value is not None and least is not None and _ends(value)[0] < _ends(least)[1]:
                    return True
        return False

    # Limits

    def _flips(self, found: Sequence[_Runs], to_the_end: bool) -> list[Flip]:
        """The flips of these runs with exact limits; where numbers further on no longer do, only if asked for."""
        changes: list[list[Change]] = [[] for _ in found]
        for turn in range(max((len(runs) for runs, _ in found), default=0)):
            here = [place for place, (runs, _) in enumerate(found) if turn < len(runs)]
            near = self._limits(found, changes, here, turn, near=True)
            far = self._limits(found, changes, here, turn, near=False) if to_the_end else {}
            for place in here:
                changes[place].append(self._change(found[place][0][turn], near.get(place), far.get(place), to_the_end))
        made = [
            Flip(tuple(parts), self._name(route), sum(self._try(part.path, part.value).distance for part in parts))
            for parts, (_, route) in zip(changes, found, strict=True)
        ]
        return sorted(made, key=lambda flip: flip.distance)

    def _limits(
        self, found: Sequence[_Runs], done: Sequence[Sequence[Change]], here: Sequence[int], turn: int, near: bool
    ) -> Mapping[int, Limit]:
        """The near or the far limit of the run of each flip whose turn it is, where it has one.

        The other fact of a pair has the value that was worked out for it, or else the one that was tried.
        """
        edges: dict[int, Edge] = {}
        for place in here:
            run = found[place][0][turn]
            outside, inside = (run.before, run.tries[0]) if near else (run.after, run.tries[-1])
            if outside is not None:
                bearing = self.bearings[run.path]
                edges[place] = Edge(inside.number, outside, bearing.fact.whole, bearing.feeds)
        places = list(edges)
        others = {
            place: {
                **{run.path: run.tries[0].value for run in found[place][0]},
                **{change.path: change.value for change in done[place]},
            }
            for place in places
        }

        def hold(asked: Asked) -> list[bool]:
            each = [(places[number], value) for number, value in asked]
            changes = [{**others[place], found[place][0][turn].path: value} for place, value in each]
            return [r == found[place][1] for r, (place, _) in zip(self._routes(changes), each, strict=True)]

        return dict(zip(places, limits(list(edges.values()), hold), strict=True))

    def _change(self, run: _Run, near: Limit | None, far: Limit | None, to_the_end: bool) -> Change:
        first, last = run.tries[0], run.tries[-1]
        told = self.facts.get(run.path)
        if not self._is_number(run.path):
            return Change(run.path, told, first.value)
        if not to_the_end:
            far = Limit.at(last.number) if last is not first and not self._is_last(last) else None
        value = typed_within(near, last.number) if near else typed_within(far, first.number) if far else first.number
        low, high = (near, far) if first.side >= 0 else (far, near)
        return Change(run.path, told, value, low, high)

    def _is_last(self, one: _Try) -> bool:
        """Whether no number further out is tried."""
        return max(self._tries[one.path], key=lambda two: two.side * one.side * two.distance).value == one.value

    def _name(self, code: int) -> str | None:
        return self.reasoner.base.routes.routes[code].id if code >= 0 else None


def _neighbors(tries: Sequence[_Try], routes: Sequence[int]) -> Iterator[tuple[_Run, int]]:
    """The values in runs of one route; words stand alone."""
    start = 0
    for end in range(1, len(tries) + 1):
        is_number = isinstance(tries[start].value, float)
        if is_number and end < len(tries) and routes[end] == routes[start]:
            continue
        before = tries[start - 1].number if is_number and start else None
        after = tries[end].number if is_number and end < len(tries) else None
        yield _Run(tries[start:end], before, after), routes[start]
        start = end


def _is_nearer(other: tuple[_Try, _Try], pair: tuple[_Try, _Try]) -> bool:
    """Whether one of the two changes is smaller and neither is larger."""
    return other != pair and all(one.distance <= two.distance for one, two in zip(other, pair, strict=True))


def _ends(value: Value) -> tuple[float, float]:
    assert not isinstance(value, str | bool)
    return bounds(value)


def _share(number: float, told: float) -> float:
    """How far the number is from the told one, as a share of the larger of the two."""
    return abs(number - told) / max(abs(number), abs(told))
