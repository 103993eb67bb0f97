"""Which changes of one told fact, and of two, change the route: all of them, and none larger than it need be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from engine.columns import ColumnReasoner
from engine.flip_pairs import PairSearch
from engine.flip_parts import Change, Flip, Run, Runs, Try
from engine.flip_tries import Tries
from engine.limits import Asked, Edge, Limit, limits, typed_within
from engine.values import Value


class FlipFinder:
    """Looks for flips of one case. `fixed`: the facts that cannot change; those that name a unit never do."""

    def __init__(self, reasoner: ColumnReasoner, facts: Mapping[str, Value], fixed: Iterable[str] = ()) -> None:
        self.tries = Tries(reasoner, facts, fixed)

    @property
    def route(self) -> str | None:
        """The route that the case takes now."""
        return self._name(self.tries.route)

    @cached_property
    def singles(self) -> tuple[Flip, ...]:
        """Every change of one fact that changes the route, the smallest first."""
        return tuple(self._flips(self._single_runs, to_the_end=True))

    def nearest(self, count: int) -> list[Flip]:
        """The smallest of the single changes: so many, so many of facts that were told, and so many of such numbers.

        Where numbers further out no longer do it is told as it was tried, and not exactly.
        """
        found = sorted(self._single_runs, key=lambda runs: runs[0][0].tries[0].distance)
        told = [runs for runs in found if runs[0][0].path in self.tries.facts]
        numbers = [runs for runs in told if self.tries.is_number(runs[0][0].path)]
        wanted = (*found[:count], *told[:count], *numbers[:count])
        chosen = [runs for runs in found if runs in wanted]
        return self._flips(chosen, to_the_end=False)

    @cached_property
    def _single_runs(self) -> Sequence[Runs]:
        routes = self.tries.single_routes
        return [runs for path, tries in self.tries.values.items() for runs in self._runs(tries, routes[path])]

    def pairs(self, most: int | None = None) -> tuple[list[Flip], int]:
        """The changes of two facts that change the route, the smallest first, and how many there are in all.

        None holds a change that changes the route by itself, or comes near to it. At most `most` are given. Of names
        only those take part that some test asks for: all others differ in what is computed of them alone.
        """
        search = PairSearch(self.tries, self.singles)
        flips = [flip for flip in self._flips(search.runs(), to_the_end=False) if not search.is_nearly_single(flip)]
        return flips[:most], len(flips)

    def _runs(self, tries: Sequence[Try], routes: Sequence[int]) -> Iterator[Runs]:
        """The nearest run of each other route on each side; of words each is a run of its own."""
        for side in (1, 0, -1):
            here = [place for place, one in enumerate(tries) if one.side == side]
            runs = _neighbors([tries[place] for place in here], [routes[place] for place in here])
            seen: set[int] = set()
            for one, route in runs:
                if self.tries.is_other(route) and (route not in seen or not self.tries.is_number(one.path)):
                    seen.add(route)
                    yield [self.tries.from_told(one)], route

    def _flips(self, found: Sequence[Runs], to_the_end: bool) -> list[Flip]:
        """The flips of these runs with exact limits; where numbers further on no longer do, only if asked for."""
        changes: list[list[Change]] = [[] for _ in found]
        for turn in range(max((len(runs) for runs, _ in found), default=0)):
            here = [place for place, (runs, _) in enumerate(found) if turn < len(runs)]
            near = self._limits(found, changes, here, turn, near=True)
            far = self._limits(found, changes, here, turn, near=False) if to_the_end else {}
            for place in here:
                changes[place].append(self._change(found[place][0][turn], near.get(place), far.get(place), to_the_end))
        made = [
            Flip(
                tuple(parts), self._name(route), sum(self.tries.try_(part.path, part.value).distance for part in parts)
            )
            for parts, (_, route) in zip(changes, found, strict=True)
        ]
        return sorted(made, key=lambda flip: flip.distance)

    def _limits(
        self, found: Sequence[Runs], done: Sequence[Sequence[Change]], here: Sequence[int], turn: int, near: bool
    ) -> Mapping[int, Limit]:
        """The near or the far limit of the run of each flip whose turn it is, where it has one.

        The other fact of a pair has the value that was worked out for it, or else the one that was tried.
        """
        edges: dict[int, Edge] = {}
        for place in here:
            run = found[place][0][turn]
            outside, inside = (run.before, run.tries[0]) if near else (run.after, run.tries[-1])
            if outside is not None:
                bearing = self.tries.bearings[run.path]
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
            return [r == found[place][1] for r, (place, _) in zip(self.tries.routes(changes), each, strict=True)]

        return dict(zip(places, limits(list(edges.values()), hold), strict=True))

    def _change(self, run: Run, near: Limit | None, far: Limit | None, to_the_end: bool) -> Change:
        first, last = run.tries[0], run.tries[-1]
        told = self.tries.facts.get(run.path)
        if not self.tries.is_number(run.path):
            return Change(run.path, told, first.value)
        if not to_the_end:
            far = Limit.at(last.number) if last is not first and not self.tries.is_last(last) else None
        value = typed_within(near, last.number) if near else typed_within(far, first.number) if far else first.number
        low, high = (near, far) if first.side >= 0 else (far, near)
        return Change(run.path, told, value, low, high)

    def _name(self, code: int) -> str | None:
        return self.tries.reasoner.base.routes.routes[code].id if code >= 0 else None


def _neighbors(tries: Sequence[Try], routes: Sequence[int]) -> Iterator[tuple[Run, int]]:
    """The values in runs of one route; words stand alone."""
    start = 0
    for end in range(1, len(tries) + 1):
        is_number = isinstance(tries[start].value, float)
        if is_number and end < len(tries) and routes[end] == routes[start]:
            continue
        before = tries[start - 1].number if is_number and start else None
        after = tries[end].number if is_number and end < len(tries) else None
        yield Run(tries[start:end], before, after), routes[start]
        start = end
