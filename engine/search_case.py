"""One case whose route may still change, and many ways to tell more of it, judged at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from engine.case_columns import Cases
from engine.columns import ColumnReasoner, Judged
from engine.language import Leaf
from engine.routes import STATUSES
from engine.search_answers import AnswerBook
from engine.values import Interval, Value

Telling: TypeAlias = Mapping[str, Value]
"""Answers over what a case tells already, by path; a range may be told more exactly."""

_PRIME, _GENERATOR = 251, 6
"""Tellings lie on a lattice of so many points; the powers of the other number are all numbers below it."""
_LEAST_TOLD = 0.25

INFEASIBLE = STATUSES.index("infeasible")
SETTLED = STATUSES.index("settled")
TIED = STATUSES.index("tied")


class UnconfirmedError(Exception):
    """The rule engine comes to no other route after all, or to no end."""


@dataclass(frozen=True)
class Question:
    """A case and what is still open in it.

    `route` is the one that came out, None for no route. `unknown` are the facts that can change it, those first that
    stand for most weight; `live` the tests that can still tell something, None for all of them. `bearing` says how much
    a rule can bear on the route. `divides`: a division may still come out or fail, whose parts may come to
    wait for other facts.
    """

    told: Mapping[str, Value]
    route: str | None
    unknown: Sequence[str]
    live: frozenset[Leaf] | None
    bearing: Callable[[str], float]
    divides: bool
    computed: Mapping[str, Value]
    moving: Sequence[str]

    def is_open(self, path: str) -> bool:
        """Whether more can be told of the fact."""
        return isinstance(self.told.get(path), Interval | None)


def spread(values: Mapping[str, Sequence[Value]], count: int) -> Iterator[Telling]:
    """Up to 250 tellings of some of the facts or of all, spread evenly over these values."""
    for row in range(1, min(count, _PRIME - 1) + 1):
        places = [row * pow(_GENERATOR, axis, _PRIME) % _PRIME / _PRIME for axis in range(2 * len(values) + 1)]
        share = places[0] + _LEAST_TOLD
        facts = zip(values.items(), places[1:], places[len(values) + 1 :], strict=False)
        yield {path: some[int(at * len(some))] for (path, some), told, at in facts if told < share}


class Tellings:
    """Judges tellings of one case."""

    def __init__(self, reasoner: ColumnReasoner, book: AnswerBook, question: Question) -> None:
        self.reasoner = reasoner
        self.question = question
        told = question.told
        self.values = {path: book.answers(path, told.get(path), question.live).values() for path in question.unknown}
        self.floors = [(f.path, f.not_below) for f in reasoner.base.vocabulary.told() if f.not_below]

    @cached_property
    def route(self) -> int:
        """The code of the route that came out, -1 for none."""
        names = [route.id for route in self.reasoner.base.routes.routes]
        return names.index(self.question.route) if self.question.route else -1

    def cases(self, tellings: Sequence[Telling]) -> Cases:
        return self.reasoner.varied(self.question.told, tellings)

    def quickly(self, tellings: Sequence[Telling]) -> tuple[Judged, Any]:
        """The verdicts with no costly formula asked, and which tellings change the route as far as that can tell."""
        cases = self.cases(tellings)
        judged = self.reasoner.judge_quickly(cases)
        return judged, self.are_other(judged) & self.are_possible(cases)

    def fully(self, tellings: Sequence[Telling]) -> tuple[Judged, Any]:
        """The verdicts, and which tellings change the route."""
        cases = self.cases(tellings)
        judged = self.reasoner.judge(cases, "route")
        return judged, self.are_other(judged) & self.are_possible(cases)

    def are_other(self, judged: Judged) -> Any:
        """Where another route came out, or none at all; what became impossible is set aside."""
        return (judged.route != self.route) & (judged.status != INFEASIBLE) & ~judged.conflict

    def are_possible(self, cases: Cases) -> Any:
        """Where a profile could hold the facts: none is below another that it must not be below."""
        found = np.ones(cases.size, dtype=bool)
        for path, floor in self.floors:
            if {path, floor} <= cases.columns.keys():
                one, other = cases.columns[path], cases.columns[floor]
                found &= ~(np.asarray(one.known) & np.asarray(other.known) & np.asarray(one.high < other.low))
        return found
