"""The values that are tried for each fact of a case, and the route that comes of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from engine.classes import Bearing, bearings, numbers_of, words_of
from engine.columns import ColumnReasoner
from engine.flip_parts import CANNOT_BE, FROM_UNKNOWN, FROM_WORD, Run, Try, ends, share
from engine.values import Value


class Tries:
    """What is tried in one case. `fixed`: the facts that cannot change; those that name a unit never do."""

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
        return self.routes([{}])[0]

    @cached_property
    def values(self) -> Mapping[str, Sequence[Try]]:
        """The values that are tried for each fact; of numbers on each side those nearest to what was told first."""
        return {path: self._values(bearing) for path, bearing in self.bearings.items()}

    @cached_property
    def single_routes(self) -> Mapping[str, Sequence[int]]:
        """The code of the route that comes of each of these values, none other changed."""
        routes = iter(self.routes([{one.path: one.value} for ones in self.values.values() for one in ones]))
        return {path: [next(routes) for _ in ones] for path, ones in self.values.items()}

    def _values(self, bearing: Bearing) -> list[Try]:
        path, told = bearing.fact.path, self.facts.get(bearing.fact.path)
        if bearing.fact.kind != "number":
            return [self.try_(path, value) for value in words_of(bearing) if value != told]
        tries = [self.try_(path, number) for number in numbers_of(bearing, told) if number != told]
        return [one for one in tries if one.side >= 0] + [one for one in reversed(tries) if one.side < 0]

    def try_(self, path: str, value: Value) -> Try:
        """This value of a fact, with the side of what was told on which it lies, and how far away."""
        told = self.facts.get(path)
        if told is None or not self.is_number(path):
            return Try(path, value, 0, FROM_UNKNOWN if told is None else FROM_WORD)
        (low, high), number = ends(told), ends(value)[0]
        side = 1 if number > high else -1 if number < low else 0
        return Try(path, value, side, share(number, high if side > 0 else low) if side else 0.0)

    def routes(self, changes: Sequence[Mapping[str, Value]]) -> list[int]:
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
                if value is not None and least is not None and ends(value)[0] < ends(least)[1]:
                    return True
        return False

    def is_number(self, path: str) -> bool:
        return self.bearings[path].fact.kind == "number"

    def is_other(self, route: int) -> bool:
        """Whether this is a route, and not the one that the case takes now."""
        return route not in (self.route, CANNOT_BE)

    def from_told(self, run: Run) -> Run:
        """The run, beginning after what was told where no other number lies between."""
        side = run.tries[0].side
        if run.before is not None or side == 0:
            return run
        return Run(run.tries, ends(self.facts[run.path])[side > 0], run.after)

    def is_last(self, one: Try) -> bool:
        """Whether no number further out is tried."""
        beside = [two.value for two in self.values[one.path] if two.side == one.side]
        return beside[-1] == one.value and (one.side != 0 or one.path not in self.facts)
