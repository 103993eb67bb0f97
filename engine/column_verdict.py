"""From rules read on columns to verdicts on columns: scores, route, parts, status by bounds, form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Protocol

from engine.base import KnowledgeBase
from engine.column_logic import Choosing, Column, Flags, Numbers, both, either, every, negated, some
from engine.column_rules import ColumnBounds, Plan, Reading
from engine.divisions import Division, Part, Taken
from engine.inference import DIVISION_FACT, ROUTE_FACT, STATUS_FACT
from engine.routes import STATUSES
from engine.values import Value

NO_ROUTE = "none"
NONE = -1
_UNKNOWN_NUMBER = float("nan")


class Rows(Protocol):
    """Where cases come from: their computed facts, and the parts of some of them."""

    def filled(
        self, columns: Mapping[str, Column], size: int, part: str
    ) -> tuple[Mapping[str, Column], Mapping[str, Flags]]:
        """Told and computed facts, and where a computed one was left out; `part` names a part of a divided case."""
        ...

    def narrowed(self, columns: Mapping[str, Column], size: int, at: Flags) -> tuple[Mapping[str, Column], int, Any]:
        """The cases of these rows, or more of them, how many there are, and the way back to all cases."""
        ...

    def back(self, column: Any, way: Any, otherwise: Any) -> Any:
        """A column of the narrowed cases as one of all cases."""
        ...


@dataclass(frozen=True)
class Verdict:
    """What `Judged` holds, before constants become columns."""

    forms: tuple[str, ...]
    route: Numbers
    status: Numbers
    form: Numbers
    tie: Numbers
    division: Numbers
    scores: Mapping[str, Numbers]
    score: Numbers
    lead: Numbers
    excluded: Mapping[str, Flags]
    fired: Mapping[str, Flags]
    standing: Mapping[str, Flags]
    undecided: Mapping[str, Flags]
    conflict: Flags


@dataclass(frozen=True)
class _Decided:
    """The decision on undivided cases. `plain`: a route leads, and no status stands in the way of a proof."""

    route: Numbers
    status: Numbers
    tie: Numbers
    plain: Flags


@dataclass(frozen=True)
class _PartFound:
    """One part on all cases: whether it came out as needed, surely does, surely does not; and its lead."""

    part: Part
    as_needed: Flags
    surely: Flags
    never: Flags
    lead: Numbers


@dataclass(frozen=True)
class _Tried:
    division: Division
    truths: Any
    tried: Flags
    came_out: Flags
    parts: tuple[_PartFound, ...]


class _Undivided:
    """Rules and scores of cases, with nothing divided."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.base = reading.base
        self.choose = reading.choose
        self.bounds = ColumnBounds(reading)
        self.rules = reading.plan.first
        self.primary = self.base.routes.primary
        self.place = {route.id: number for number, route in enumerate(self.base.routes.routes)}

    @cached_property
    def scores(self) -> Mapping[str, Numbers]:
        found: dict[str, Numbers] = dict.fromkeys(self.primary, 0.0)
        for rule in self.rules:
            for item in rule.then.evidence:
                stands = self.reading.standing(rule.id)
                if item.route in found and stands is not False:
                    weight = self.base.routes.weights[item.strength] * (1 if item.supports else -1)
                    found[item.route] = found[item.route] + self.choose.chosen(stands, weight, 0.0)
        return found

    @cached_property
    def excluded(self) -> Mapping[str, Flags]:
        return {
            route: some(self.reading.standing(rule.id) for rule in self.rules if route in rule.then.excludes)
            for route in self.primary
        }

    @cached_property
    def decides(self) -> Flags:
        weights, decisive = self.base.routes.weights, self.base.routes.weights[self.base.routes.decisive]
        return some(
            both(self.reading.standing(rule.id), negated(self.excluded[item.route]))
            for rule in self.rules
            for item in rule.then.evidence
            if weights[item.strength] >= decisive and item.route in self.excluded
        )

    @cached_property
    def leading(self) -> Mapping[str, Flags]:
        """Where no open route has a better score than this one, which is open."""
        return {
            route: both(
                negated(self.excluded[route]),
                every(
                    either(self.excluded[rival], self.scores[route] >= self.scores[rival])
                    for rival in self.primary
                    if rival != route
                ),
            )
            for route in self.primary
        }

    def lead(self, route: str) -> Numbers:
        """How far the route leads: by its score; over an excluded route as far as the strongest evidence counts."""
        strongest = max(self.base.routes.weights.values())
        leads = [
            self.choose.chosen(self.excluded[rival], strongest, self.scores[route] - self.scores[rival])
            for rival in self.primary
            if rival != route
        ]
        return reduce(lambda one, other: self.choose.chosen(one < other, one, other), leads)

    @cached_property
    def decided(self) -> _Decided:
        """`weighing.decide`, on columns."""
        chosen = self.choose.chosen
        shut = every(self.excluded.values())
        alone = {
            route: both(
                negated(self.excluded[route]), every(self.excluded[rival] for rival in self.primary if rival != route)
            )
            for route in self.primary
        }
        only_one = some(alone.values())
        level = self._level()
        weighed = negated(either(shut, only_one))
        undetermined = both(weighed, negated(self.decides))
        tied = both(both(weighed, self.decides), level)
        route: Numbers = NONE
        for name in reversed(self.primary):
            route = chosen(self.leading[name], self.place[name], route)
        tie: Numbers = NONE
        for number, one in reversed(list(enumerate(self.base.routes.ties))):
            if one.route in self.leading:
                holds = True if one.when is None else self.reading.condition(one.when).true
                here = both(tied, both(self.leading[one.route], holds))
                tie, route = chosen(here, number, tie), chosen(here, self.place[one.route], route)
        for name in self.primary:
            route = chosen(alone[name], self.place[name], route)
        route = chosen(either(shut, undetermined), NONE, route)
        status: Numbers = NONE
        for at, name in ((tied, "tied"), (undetermined, "undetermined"), (shut, "infeasible")):
            status = chosen(at, STATUSES.index(name), status)
        return _Decided(route, status, tie, negated(either(either(shut, undetermined), tied)))

    def _level(self) -> Flags:
        """Where two open routes lead with one score."""
        routes = list(self.primary)
        return some(
            both(self.leading[one], self.leading[other])
            for number, one in enumerate(routes)
            for other in routes[number + 1 :]
        )

    def is_at(self, route: str) -> Flags:
        return _equal(self.decided.route, self.place[route])

    @cached_property
    def proved(self) -> Flags:
        """Where a route leads and no completion ends in another, as far as the bounds can tell."""
        return both(
            self.decided.plain,
            some(both(self.is_at(route), self.bounds.is_proved(route)) for route in self.primary),
        )

    def may_become_impossible(self) -> Flags:
        return some(both(self.is_at(route), self.bounds.waits_with(route)) for route in self.primary)


class Verdicts:
    """Judges cases of one kind of columns. `rows` gives computed facts and parts, `choose` the library's own choice."""

    def __init__(self, plan: Plan, rows: Rows, choose: Choosing) -> None:
        self.plan = plan
        self.base: KnowledgeBase = plan.base
        self.rows = rows
        self.choose = choose
        self.forms = tuple(dict.fromkeys(form.id for route in self.base.routes.routes for form in route.forms))

    def verdict(self, told: Mapping[str, Column], size: int, wanted: str) -> Verdict:
        whole = self._undivided(told, size, "")
        tried = self._all_tried(whole, told, size)
        decided, chosen = whole.decided, self.choose.chosen
        route, division, score, tie = decided.route, NONE, _UNKNOWN_NUMBER, decided.tie
        divided = some(item.came_out for item in tried)
        for number, item in enumerate(tried):
            route = chosen(item.came_out, whole.place[item.division.route], route)
            division = chosen(item.came_out, number, division)
            score = chosen(item.came_out, self._score(item, whole), score)
        tie = chosen(divided, NONE, tie)
        status = self._status(whole, tried, divided, told, size)
        reading = whole.reading
        form = self._form(reading, (route, status, division), tried, wanted)
        return Verdict(
            self.forms, route, status, form, tie, division, whole.scores, score, self._lead(whole, tried),
            whole.excluded, reading.fired, {n: reading.standing(n) for n in reading.fired},
            {n: reading.undecided(n) for n in reading.fired}, reading.conflict,
        )  # fmt: skip

    def _undivided(self, told: Mapping[str, Column], size: int, part: str) -> _Undivided:
        columns, pending = self.rows.filled(told, size, part)
        reading = Reading(self.plan, columns, self.choose, pending)
        reading.run(self.plan.first)
        for path in self.base.ordered.inferring:
            reading.fact(path)  # so that two different values of one fact are found, whoever reads it
        return _Undivided(reading)

    # Divisions

    def _all_tried(self, whole: _Undivided, told: Mapping[str, Column], size: int) -> list[_Tried]:
        found: list[_Tried] = []
        before: Flags = False
        for division in self.base.divisions:
            found.append(self._try(division, whole, told, size, before))
            before = either(before, found[-1].came_out)
        return found

    def _try(
        self, division: Division, whole: _Undivided, told: Mapping[str, Column], size: int, before: Flags
    ) -> _Tried:
        truths = whole.reading.condition(division.when)
        at = both(both(truths.true, negated(before)), self._may_be_tried(division, whole))
        parts = self._parts(division, whole, told, size, at)
        came_out = both(at, every(part.as_needed for part in parts)) if parts else False
        return _Tried(division, truths, at, came_out, parts)

    def _may_be_tried(self, division: Division, whole: _Undivided) -> Flags:
        excluded_with = self.base.routes.route(division.route).excluded_with
        ruled_out = some(whole.excluded.get(route, False) for route in excluded_with)
        if division.excluded is None:
            return negated(ruled_out)
        others = some(
            whole.reading.standing(rule.id)
            for rule in self.plan.first
            if division.excluded in rule.then.excludes and rule.id not in division.excluded_by
        )
        return both(negated(ruled_out), both(whole.excluded[division.excluded], negated(others)))

    def _parts(
        self, division: Division, whole: _Undivided, told: Mapping[str, Column], size: int, at: Flags
    ) -> tuple[_PartFound, ...]:
        """Every part of the division, judged where it is asked for."""
        if not self.choose.may_hold(at):
            return ()
        return tuple(self._part(division, part, whole, told, size, at) for part in division.parts)

    def _part(
        self, division: Division, part: Part, whole: _Undivided, told: Mapping[str, Column], size: int, at: Flags
    ) -> _PartFound:
        columns = dict(told)
        for path, setting in part.sets.items():
            columns[path] = self._set(path, setting, whole)
        narrow, rows, way = self.rows.narrowed(columns, size, at)
        found = self._undivided(narrow, rows, f"{division.id}/{part.id}")

        def wide(column: Any, otherwise: Any) -> Any:
            return self.rows.back(column, way, otherwise)

        needed = 0.0 if part.lead is None else self.base.routes.weights[part.lead]
        lead = found.lead(part.route)
        far_enough = True if part.lead is None else lead >= needed
        return _PartFound(
            part,
            wide(both(found.is_at(part.route), far_enough), False),
            wide(self._surely(part, found, needed), False),
            wide(self._never(part, found, needed), False),
            wide(lead, 0.0),
        )

    def _set(self, path: str, setting: Value | Taken, whole: _Undivided) -> Column:
        if isinstance(setting, Taken):
            return whole.reading.fact(setting.path)
        return Column(True, *self.plan.coder.code(path, setting))

    def _surely(self, part: Part, found: _Undivided, needed: float) -> Flags:
        """`Divider._surely_as_needed`: the part's route is settled, and leads by as much as is needed."""
        settled = both(found.proved, negated(found.may_become_impossible()))
        if part.lead is None:
            return settled
        bounds = found.bounds
        ahead = every(
            either(bounds.surely_excluded(rival), bounds.least_lead(part.route, rival) >= needed)
            for rival in found.primary
            if rival != part.route
        )
        return both(settled, ahead)

    def _never(self, part: Part, found: _Undivided, needed: float) -> Flags:
        """Where the part surely takes another route, or its own surely leads by less than is needed."""
        elsewhere = both(found.proved, negated(found.is_at(part.route)))
        if part.lead is None:
            return elsewhere
        bounds = found.bounds
        short = some(
            both(negated(bounds.may_be_excluded(rival)), -bounds.least_lead(rival, part.route) < needed)
            for rival in found.primary
            if rival != part.route
        )
        return either(elsewhere, short)

    def _score(self, item: _Tried, whole: _Undivided) -> Numbers:
        """`Divider.score`."""
        least, chosen, weights = self._least, self.choose.chosen, self.base.routes.weights
        routes = [part.route for part in item.division.parts if part.route != item.division.excluded]
        best = reduce(lambda a, b: chosen(a > b, a, b), [whole.scores[route] for route in routes])
        spare = [p.lead - weights[p.part.lead] for p in item.parts if p.part.lead is not None]
        return best + (least(spare) if spare else 0.0) + 1

    def _least(self, numbers: Sequence[Numbers]) -> Numbers:
        return reduce(lambda a, b: self.choose.chosen(a < b, a, b), numbers)

    def _lead(self, whole: _Undivided, tried: Sequence[_Tried]) -> Numbers:
        chosen = self.choose.chosen
        found: Numbers = _UNKNOWN_NUMBER
        for route in whole.primary:
            found = chosen(whole.is_at(route), whole.lead(route), found)
        for item in tried:
            leads = [part.lead for part in item.parts if part.part.lead is not None] or [p.lead for p in item.parts]
            found = chosen(item.came_out, self._least(leads), found) if leads else found
        return found

    # Status

    def _status(
        self, whole: _Undivided, tried: Sequence[_Tried], divided: Flags, told: Mapping[str, Column], size: int
    ) -> Numbers:
        proved = both(whole.proved, negated(divided))
        for item in tried:
            proved = either(proved, both(item.came_out, self._surely_comes_out(item, whole)))
        before: Flags = False
        for item in tried:
            failed = negated(either(before, item.came_out))  # tried in vain, or not at all
            before = either(before, item.came_out)
            asked = both(both(proved, failed), negated(self._is_ruled_out(item, whole)))
            untried = both(asked, negated(item.tried))
            fails = some(part.never for part in item.parts)
            if self.choose.may_hold(untried):
                parts = self._parts(item.division, whole, told, size, untried)
                fails = self.choose.chosen(item.tried, fails, some(part.never for part in parts))
            proved = both(proved, negated(both(asked, negated(fails))))
        code, chosen = STATUSES.index, self.choose.chosen
        plain = chosen(proved, code("settled"), code("provisional"))
        status = chosen(whole.decided.plain, plain, whole.decided.status)
        return chosen(divided, plain, status)

    def _is_ruled_out(self, item: _Tried, whole: _Undivided) -> Flags:
        """`Divider.is_ruled_out`, on columns."""
        bounds, division = whole.bounds, item.division
        composite = self.base.routes.route(division.route)
        found = either(item.truths.false, some(bounds.surely_excluded(r) for r in composite.excluded_with))
        if division.excluded is None:
            return found
        excluding = [rule.id for rule in self.plan.first if division.excluded in rule.then.excludes]
        by = [name for name in excluding if name in division.excluded_by]
        others = [name for name in excluding if name not in division.excluded_by]
        none_of_them = negated(some(bounds.may(name) for name in by))
        return either(found, either(none_of_them, some(bounds.surely(name) for name in others)))

    def _surely_comes_out(self, item: _Tried, whole: _Undivided) -> Flags:
        """`Divider.surely_comes_out`, on columns."""
        bounds, division = whole.bounds, item.division
        excluded_with = self.base.routes.route(division.route).excluded_with
        found = negated(some(bounds.may_be_excluded(r) for r in excluded_with))
        if division.excluded is not None:
            others = some(
                bounds.may(rule.id)
                for rule in self.plan.first
                if division.excluded in rule.then.excludes and rule.id not in division.excluded_by
            )
            found = both(found, both(bounds.surely_excluded(division.excluded), negated(others)))
        return both(found, every(part.surely for part in item.parts))

    # Forms

    def _form(
        self, reading: Reading, verdict: tuple[Numbers, Numbers, Numbers], tried: Sequence[_Tried], wanted: str
    ) -> Numbers:
        if wanted == "route":
            return NONE
        route, status, division = verdict
        self._tell(reading, ROUTE_FACT, route, [r.id for r in self.base.routes.routes])
        self._tell(reading, STATUS_FACT, status, STATUSES)
        self._tell(reading, DIVISION_FACT, division, [d.id for d in self.base.divisions])
        late = self.plan.late if wanted == "all" else self.plan.late_for_forms
        reading.run(late)
        form: Numbers = NONE
        chosen = self.choose.chosen
        for number, one in enumerate(self.base.routes.routes):
            here = _equal(route, number)
            for name in reversed(self.base.routes.form_order(one.id)):
                named = some(reading.standing(rule.id) for rule in late if rule.then.forms.get(one.id) == name)
                form = chosen(both(here, named), self.forms.index(name), form)
        for item in tried:
            form = chosen(item.came_out, self.forms.index(item.division.form), form)
        return form

    def _tell(self, reading: Reading, path: str, code: Numbers, names: Sequence[str]) -> None:
        """A verdict's column as a fact, as far as the vocabulary has it."""
        if path not in self.base.vocabulary.facts:
            return
        coder = self.plan.coder
        found: Numbers = coder.word(path, NO_ROUTE)
        for number, name in enumerate(names):
            found = self.choose.chosen(_equal(code, number), coder.word(path, name), found)
        reading.add(path, Column(True, found, found))


def _equal(code: Numbers, number: int) -> Flags:
    found: Flags = code == number
    return found
