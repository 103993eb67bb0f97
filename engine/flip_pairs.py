"""Pairs of changes that only together change the route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, takewhile

from engine import typed_numbers
from engine.classes import class_of
from engine.flip_parts import Change, Flip, Run, Runs, Try, ends
from engine.flip_tries import Tries

NEARLY = 0.9
"""From this share of the way on that a number has to go by itself, it makes no pair with another change."""


class PairSearch:
    """Looks for pairs of changes. `singles`: the changes that change the route by themselves."""

    def __init__(self, tries: Tries, singles: Sequence[Flip]) -> None:
        self.tries = tries
        self.singles = singles

    def runs(self) -> list[Runs]:
        """The pairs, none of them with a smaller one of its kind; their exact limits are still to be found."""
        tries = {path: ones for path in self.tries.bearings if (ones := list(self._quiet(path)))}
        both = [(a, b) for one, other in combinations(tries, 2) for a in tries[one] for b in tries[other]]
        routes = self.tries.routes([{a.path: a.value, b.path: b.value} for a, b in both])
        alike: dict[tuple[object, ...], list[tuple[Try, Try]]] = {}
        for (a, b), route in zip(both, routes, strict=True):
            if self.tries.is_other(route):
                alike.setdefault((route, *self._kind(a), *self._kind(b)), []).append((a, b))
        return [
            ([self._run_to(one, tries[one.path], pair, found) for one in pair], int(str(kind[0])))
            for kind, found in alike.items()
            for pair in found
            if not any(_is_nearer(other, pair) for other in found)
        ]

    def _quiet(self, path: str) -> Iterator[Try]:
        """Values of a fact that leave the route as it is, by themselves: of numbers the nearest of each class.

        Of numbers that formulas read the furthest ones too, since what is computed of them may move all the way.
        """
        bearing, told = self.tries.bearings[path], self.tries.facts.get(path)
        if not self.tries.is_number(path):
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
    def _rows(self) -> Mapping[str, Sequence[Try]]:
        """The values of each fact that leave the route as it is by themselves, and those just before one that does not.

        Nearest to what was told first.
        """
        edges = [one for flip in self.singles for one in self._just_before(flip.changes[0])]
        tried = zip(edges, self.tries.routes([{one.path: one.value} for one in edges]), strict=True)
        each = [
            (one, r)
            for p, ones in self.tries.values.items()
            for one, r in zip(ones, self.tries.single_routes[p], strict=True)
        ]
        found: dict[str, list[Try]] = {path: [] for path in self.tries.bearings}
        for one, route in (*each, *tried):
            if route == self.tries.route and one not in found[one.path]:
                found[one.path].append(one)
        return {path: sorted(ones, key=lambda one: one.distance) for path, ones in found.items()}

    def _just_before(self, change: Change) -> Iterator[Try]:
        """The typed numbers next to those that change the route."""
        whole = self.tries.bearings[change.path].fact.whole
        if change.low and change.low.closed:
            low = change.low.number
            yield self.tries.try_(change.path, low - 1 if whole else typed_numbers.before(low))
        if change.high and change.high.closed:
            high = change.high.number
            yield self.tries.try_(change.path, high + 1 if whole else typed_numbers.after(high))

    def _kind(self, one: Try) -> tuple[object, ...]:
        """What two values have in common when one of them is only further away than the other."""
        return (one.path, one.side) if self.tries.is_number(one.path) else (one.path, one.value)

    def _run_to(self, one: Try, tries: Sequence[Try], pair: tuple[Try, Try], alike: Sequence[tuple[Try, Try]]) -> Run:
        """The value and those further out that do the same beside the other value of the pair; the number before."""
        if not self.tries.is_number(one.path):
            return Run([one])
        other = next(two for two in pair if two is not one)
        same = {two for two in tries if two.side == one.side and any(set(p) == {two, other} for p in alike)}
        row = [two for two in tries if two.side == one.side]
        place = row.index(one)
        further = list(takewhile(lambda two: two in same, row[place:]))
        return self.tries.from_told(Run(further, row[place - 1].number if place else None))

    def is_nearly_single(self, flip: Flip) -> bool:
        """Whether one of the two changes comes so near to what it needs by itself that the other is hardly one."""
        for change in flip.changes:
            told = change.before
            for single in (one.changes[0] for one in self.singles):
                if single.path == change.path and isinstance(single.value, float) and told is not None:
                    (low, high), value = ends(told), ends(change.value)[0]
                    start = high if single.value > high else low
                    if (value - start) * (single.value - start) > 0 and (value - start) / (
                        single.value - start
                    ) >= NEARLY:
                        return True
        return False


def _is_nearer(other: tuple[Try, Try], pair: tuple[Try, Try]) -> bool:
    """Whether one of the two changes is smaller and neither is larger."""
    return other != pair and all(one.distance <= two.distance for one, two in zip(other, pair, strict=True))
