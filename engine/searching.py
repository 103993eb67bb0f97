"""Looks for answers that change the route, and for a proof that there are none.

Single answers first, then many told at once, then the most promising of these changed bit by bit; what is left is cut
into boxes (`search_boxes`). All limits are counts and no number is random, so that the same case gets the same answer
on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.base import KnowledgeBase
from engine.columns import ColumnReasoner
from engine.search_answers import AnswerBook
from engine.search_boxes import Boxes
from engine.search_case import Question, Telling, Tellings, UnconfirmedError, spread
from engine.search_reach import Reach
from engine.settling import Tell, Witness
from engine.values import Interval, Value

Confirm = Callable[[Telling], str | None]
"""The route that the rule engine gives to the case with these answers; raises UnconfirmedError where it is no other."""

_MOST_SINGLES, _MOST_ROWS = 400, 250
_CLIMBERS, _ROUNDS = 3, 3
_MOST_FULL, _MOST_CONFIRMED = 30, 3
"""Tellings judged with every formula at a time, and tellings that are put before the rule engine."""


@dataclass(frozen=True)
class Found:
    """What a search came to. `settled`: it is proved that nothing told changes the route."""

    settled: bool
    witness: Witness | None
    tells: tuple[Tell, ...]


class Search:
    """Searches the cases of one knowledge base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.book = AnswerBook(base)
        self.reach = Reach(base)

    def run(
        self, question: Question, replaced: Mapping[str, float | Interval], provisional: bool, confirm: Confirm
    ) -> Found:
        """Single answers that change the route; of a provisional one a witness or a proof besides."""
        reasoner = ColumnReasoner(self.base, replaced)  # what its formulas said goes with it, so that memory stays
        hunt = _Hunt(Tellings(reasoner, self.book, question))
        tells = hunt.tells
        if not provisional:
            return Found(False, None, tells)
        witness = _confirmed(hunt.tellings_that_change(), confirm)
        if witness is not None:
            return Found(False, witness, tells or _told_by(witness))
        proof = Boxes(hunt.tellings, self.book, self.reach).prove()
        witness = _confirmed(map(hunt.shortened, proof.others), confirm)
        return Found(proof.proved, witness, _told_by(witness) if witness else ())


def _confirmed(found: Iterator[Telling], confirm: Confirm) -> Witness | None:
    """The first telling to which the rule engine gives another route too."""
    for _, telling in zip(range(_MOST_CONFIRMED), found, strict=False):
        try:
            return Witness(telling, confirm(telling))
        except UnconfirmedError:
            continue
    return None


def _told_by(witness: Witness) -> tuple[Tell, ...]:
    return tuple(Tell(path, value, witness.route) for path, value in witness.facts.items())


class _Hunt:
    """Looks for tellings of one case that change its route."""

    def __init__(self, tellings: Tellings) -> None:
        self.tellings = tellings
        self.values = tellings.values
        self.routes = [route.id for route in tellings.reasoner.base.routes.routes]

    # One answer

    @cached_property
    def _singles(self) -> Sequence[Telling]:
        return [{path: value} for path, values in self.values.items() for value in values][:_MOST_SINGLES]

    @cached_property
    def _first_look(self) -> tuple[Any, Any]:
        """What `_leads` says of the case as it is, and then of each single answer."""
        return self._leads([{}, *self._singles])

    @cached_property
    def tells(self) -> tuple[Tell, ...]:
        """Of each fact the answers that change the route by themselves, for each other route the nearest one."""
        likely = self._likely(self._first_look[1][1:])
        judged, changes = self.tellings.fully([self._singles[number] for number in likely])
        routes = {number: self._route(code) for number, code in zip(likely, judged.route.tolist(), strict=True)}
        changing = {number for number, one in zip(likely, changes.tolist(), strict=True) if one}
        found = []
        for path in self.values:
            numbers = [number for number, single in enumerate(self._singles) if path in single]
            for route in dict.fromkeys(routes[number] for number in numbers if number in changing):
                ours = [number in changing and routes[number] == route for number in numbers]
                at = numbers[_nearest(ours)]
                found.append(Tell(path, self._singles[at][path], route))
        return tuple(found)

    def _likely(self, other: Any) -> list[int]:
        """The single answers to be judged in full: those that change the route already, then some of the rest."""
        sure = np.flatnonzero(other).tolist()
        if self._is_sure_without_costly:
            return sorted(sure[:_MOST_FULL])
        rest = [number for number in range(len(self._singles)) if not other[number]]
        return sorted([*sure, *rest][:_MOST_FULL])

    @cached_property
    def _is_sure_without_costly(self) -> bool:
        """Whether the route comes out without costly formulas as it does with them."""
        return not self._first_look[1][0]

    def _route(self, code: int) -> str | None:
        return self.routes[code] if code >= 0 else None

    # Many answers

    def tellings_that_change(self) -> Iterator[Telling]:
        """Tellings that change the route, the shortest found first."""
        for tell in self._tells_by_route():
            yield {tell.path: tell.value}
        if not self.tells:
            yield from map(self.shortened, self._searched())

    def _tells_by_route(self) -> list[Tell]:
        """Answers that lead to a route before those that lead to none."""
        return sorted(self.tells, key=lambda tell: tell.route is None)

    def _searched(self) -> Iterator[Telling]:
        rows = [*spread(self.values, _MOST_ROWS), self._greedy_row()]
        leads, other = self._leads(rows)
        found = self._in_full([rows[number] for number in self._promising(leads, other)])
        yield from found
        if found:
            return
        best = [rows[number] for number in np.argsort(leads, kind="stable")[:_CLIMBERS].tolist()]
        yield from self._climbed([self._greedy_row(), *best])

    def _promising(self, leads: Any, other: Any) -> list[int]:
        """The rows to be judged in full: those that change the route, and the closest to that."""
        places = np.flatnonzero(other).tolist()
        rest = [] if self._is_sure_without_costly else np.argsort(leads, kind="stable").tolist()
        return list(dict.fromkeys([*places, *rest]))[: _MOST_FULL // 2]

    def _greedy_row(self) -> Telling:
        """Of each fact the answer that by itself shortens the lead most."""
        row: dict[str, tuple[float, Value]] = {}
        for single, lead in zip(self._singles, self._first_look[0][1:].tolist(), strict=True):
            ((path, value),) = single.items()
            if path not in row or lead < row[path][0]:
                row[path] = (lead, value)
        return {path: value for path, (_, value) in row.items()}

    def _climbed(self, rows: Sequence[Telling]) -> Iterator[Telling]:
        """Goes from row to row by single changes, always to those with the smallest lead."""
        least = float("inf")
        for _ in range(_ROUNDS):
            tried = [other for row in rows for other in self._neighbors(row)]
            leads, other = self._leads(tried)
            found = self._in_full([tried[number] for number in self._promising(leads, other)])
            yield from found
            best = np.argsort(leads, kind="stable")[:_CLIMBERS].tolist()
            if found or not best or leads[best[0]] >= least:
                return
            least, rows = leads[best[0]], [tried[number] for number in best]

    def _neighbors(self, row: Telling) -> Iterator[Telling]:
        for single in self._singles:
            yield {**row, **single}
        for path in row:
            yield {other: value for other, value in row.items() if other != path}

    def _in_full(self, rows: Sequence[Telling]) -> list[Telling]:
        """Those that change the route with every formula asked."""
        if not rows:
            return []
        _, changes = self.tellings.fully(rows)
        return [rows[number] for number in np.flatnonzero(changes).tolist()]

    def _leads(self, rows: Sequence[Telling]) -> tuple[Any, Any]:
        """How far the route leads in each row, without costly formulas, and which rows seem to change it."""
        judged, other = self.tellings.quickly(rows)
        leads = np.where(judged.route == self.tellings.route, judged.lead, np.inf)
        return np.where(np.isnan(leads), np.inf, leads), other

    def shortened(self, telling: Telling) -> Telling:
        """The same telling without the answers that it does not need to change the route."""
        kept, quickly = 0, bool(self._leads([telling])[1][0]) and self._is_sure_without_costly
        order = [path for path in reversed(self.values) if path in telling]
        while kept < len(order):
            fewer = [order[:kept] + order[end:] for end in range(kept + 1, len(order) + 1)]
            rows = [{path: telling[path] for path in paths} for paths in fewer]
            changing = self._leads(rows)[1] if quickly else self.tellings.fully(rows)[1]
            order = next((fewer[n] for n in reversed(range(len(fewer))) if changing[n]), order)
            kept += 1
        found = {path: telling[path] for path in self.values if path in order}
        return found if found and self._in_full([found]) else telling


def _nearest(ours: Sequence[bool]) -> int:
    """The place among those that are ours that is nearest to one that is not; the first of several."""
    places = [place for place, one in enumerate(ours) if one]
    others = [place for place, one in enumerate(ours) if not one]
    return min(places, key=lambda place: min((abs(place - other) for other in others), default=0))
