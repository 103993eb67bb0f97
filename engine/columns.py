"""Many cases judged at once: the rules, the weighing, divisions, status and form as steps over columns.

The third place in which the same rules are read, beside the rule engine and the words. It says of every case what
`Consultant` says of it with statuses by bounds alone; tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.base import KnowledgeBase
from engine.case_columns import Arrays, Cases, Coder, cases_of, varied
from engine.column_logic import Column, Flags, Numbers, negated
from engine.column_rules import Plan
from engine.column_verdict import Verdict, Verdicts
from engine.computing import Computer, Wanted
from engine.routes import STATUSES
from engine.values import Interval, Value


@dataclass(frozen=True)
class Judged:
    """The verdicts on many cases, each a NumPy column with one entry a case.

    `route` is a place in `routes`, `status` one in `STATUSES`, `form` one in `forms`, `tie` and `division` one among
    the base's; -1 stands for none. `lead` is how far the route leads the next one: over an excluded route as far as
    the strongest evidence counts, of parts the smallest lead that is asked for, NaN where there is no route. `fired`,
    `standing` and `undecided` hold the rules that were read; `conflict` tells where two rules infer different values
    of one fact, and nothing else is right there.
    """

    size: int
    routes: tuple[str, ...]
    forms: tuple[str, ...]
    route: Any
    status: Any
    form: Any
    tie: Any
    division: Any
    scores: Mapping[str, Any]
    score: Any
    lead: Any
    excluded: Mapping[str, Any]
    fired: Mapping[str, Any]
    standing: Mapping[str, Any]
    undecided: Mapping[str, Any]
    conflict: Any

    def route_names(self) -> list[str | None]:
        return _named(self.route, self.routes)

    def status_names(self) -> list[str | None]:
        return _named(self.status, STATUSES)

    def form_names(self) -> list[str | None]:
        return _named(self.form, self.forms)


def _named(codes: Any, names: Sequence[str]) -> list[str | None]:
    found = (*names, None)
    return [found[code] for code in codes.tolist()]


class ColumnReasoner:
    """Judges many cases with one knowledge base.

    `replaced` holds figures that a profile sets itself, by id. What formulas said is kept for the next cases.
    """

    def __init__(self, base: KnowledgeBase, replaced: Mapping[str, float | Interval] | None = None) -> None:
        self.base = base
        self.coder = Coder(base.vocabulary)
        self.plan = Plan(base, self.coder)
        self.computer = Computer(self.plan, replaced or {})

    def cases(self, facts: Sequence[Mapping[str, Value]]) -> Cases:
        """The cases of dictionaries, one a case."""
        return cases_of(facts, self.coder)

    def varied(self, facts: Mapping[str, Value], changes: Sequence[Mapping[str, Value | None]]) -> Cases:
        """The same facts in every case, with each change over them; None makes a fact unknown."""
        return varied(facts, changes, self.coder)

    def judge(self, cases: Cases, wanted: Wanted = "all", compute: bool = True) -> Judged:
        """The verdict on each case.

        With `wanted` "route" alone, forms are left out, and formulas with many inputs are asked only where the route
        is not sure without them: there scores, leads and rules are those without them. Without `compute` no formula
        is asked at all: computed facts are known where they are told.
        """
        if not compute:
            return self._judged(cases, wanted, 0)
        if wanted != "route" or len(self.computer.levels) < 2:
            return self._judged(cases, wanted, None)
        first = self.judge_quickly(cases)
        rest = np.flatnonzero(first.status != STATUSES.index("settled"))
        if not len(rest):
            return first
        return _merged(first, self._judged(cases.taken(rest), wanted, None), rest)

    def judge_quickly(self, cases: Cases) -> Judged:
        """The route of each case, with no formula of many inputs asked: its result counts as yet to become known."""
        return self._judged(cases, "route", max(len(self.computer.levels) - 1, 1))

    def judge_assuming(self, cases: Cases, assumed: Mapping[str, Column]) -> Judged:
        """The route of each case with these computed facts, and no others, whatever the told ones come to.

        One that is not final may still become anything within its range. In parts no formula is asked.
        """
        return self._verdicts(cases, "route", _Rows(self.computer, "route", 0, assumed))

    def _judged(self, cases: Cases, wanted: Wanted, levels: int | None) -> Judged:
        return self._verdicts(cases, wanted, _Rows(self.computer, wanted, levels))

    def _verdicts(self, cases: Cases, wanted: Wanted, rows: _Rows) -> Judged:
        verdicts = Verdicts(self.plan, rows, Arrays())
        found = verdicts.verdict(cases.columns, cases.size, wanted)
        return _on_arrays(self.base, cases.size, found)


@dataclass(frozen=True)
class _Rows:
    """How verdicts on arrays get their computed facts, and parts of cases where they are asked for alone."""

    computer: Computer
    wanted: Wanted
    levels: int | None
    assumed: Mapping[str, Column] | None = None

    def filled(
        self, columns: Mapping[str, Column], size: int, part: str
    ) -> tuple[Mapping[str, Column], Mapping[str, Flags]]:
        if self.assumed is not None and not part:
            pending = {path: negated(column.final) for path, column in self.assumed.items()}
            return {**columns, **self.assumed}, pending
        return self.computer.filled(columns, size, "route" if part else self.wanted, self.levels)

    def narrowed(self, columns: Mapping[str, Column], size: int, at: Flags) -> tuple[Mapping[str, Column], int, Any]:
        """The columns of the cases where parts are wanted, and how to bring what is found back to all cases."""
        if at is True:
            return columns, size, None
        places = np.flatnonzero(at)
        cases = Cases(size, columns).taken(places)
        return cases.columns, cases.size, (places, size)

    def back(self, column: Any, way: Any, otherwise: Any) -> Any:
        if way is None:
            return column
        places, size = way
        found = np.full(size, otherwise, dtype=np.result_type(column, otherwise))
        found[places] = column
        return found


def _on_arrays(base: KnowledgeBase, size: int, found: Verdict) -> Judged:
    """The verdict with an array for each column that is the same in every case."""

    def flags(column: Flags) -> Any:
        return np.broadcast_to(np.asarray(column, dtype=bool), size)

    def codes(column: Numbers) -> Any:
        return np.broadcast_to(np.asarray(column, dtype=np.int64), size)

    def numbers(column: Numbers) -> Any:
        return np.broadcast_to(np.asarray(column, dtype=float), size)

    return Judged(
        size=size,
        routes=tuple(route.id for route in base.routes.routes),
        forms=found.forms,
        route=codes(found.route),
        status=codes(found.status),
        form=codes(found.form),
        tie=codes(found.tie),
        division=codes(found.division),
        scores={route: numbers(score) for route, score in found.scores.items()},
        score=numbers(found.score),
        lead=numbers(found.lead),
        excluded={route: flags(column) for route, column in found.excluded.items()},
        fired={name: flags(column) for name, column in found.fired.items()},
        standing={name: flags(column) for name, column in found.standing.items()},
        undecided={name: flags(column) for name, column in found.undecided.items()},
        conflict=flags(found.conflict),
    )


def _merged(all_cases: Judged, some_cases: Judged, places: Any) -> Judged:
    """The verdicts of all cases, with those of some in their places."""

    def put(one: Any, other: Any) -> Any:
        found = np.array(one)
        found[places] = other
        return found

    def each(one: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: put(column, other[name]) for name, column in one.items()}

    a, b = all_cases, some_cases
    return Judged(
        size=a.size,
        routes=a.routes,
        forms=a.forms,
        route=put(a.route, b.route),
        status=put(a.status, b.status),
        form=put(a.form, b.form),
        tie=put(a.tie, b.tie),
        division=put(a.division, b.division),
        scores=each(a.scores, b.scores),
        score=put(a.score, b.score),
        lead=put(a.lead, b.lead),
        excluded=each(a.excluded, b.excluded),
        fired=each(a.fired, b.fired),
        standing=each(a.standing, b.standing),
        undecided=each(a.undecided, b.undecided),
        conflict=put(a.conflict, b.conflict),
    )
