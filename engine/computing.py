"""Computed facts of many cases: every formula is a function of one case, asked once for each distinct set of inputs.

A formula is asked only where something undecided still hangs on it: a condition that is true or false without the
fact stays so whatever the fact becomes (Kleene's truths only ever become known).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from engine.base import KnowledgeBase
from engine.case_columns import Arrays, Coder, taken
from engine.column_logic import ABSENT, Column, Flags, both, either, negated, some
from engine.column_rules import Plan, Reading
from engine.divisions import Taken
from engine.figures import FigureValues, Formula
from engine.language import Condition, Rule, facts_read
from engine.values import Interval, Value

Wanted: TypeAlias = Literal["route", "form", "all"]
"""What is asked of the cases: the route and its status; the form as well; or every rule's own truth."""

_FEW_CASES = 2000
_FEW_INPUTS = 8
"""A formula with more inputs than this, or that reads one, is asked last: others may make it needless."""


class Computer:
    """Works out computed facts. What a formula once said is kept, for the next cases with the same inputs."""

    def __init__(self, plan: Plan, replaced: Mapping[str, float | Interval]) -> None:
        self.plan = plan
        self.base: KnowledgeBase = plan.base
        self.coder: Coder = plan.coder
        self.figures = FigureValues(self.base.figures, replaced)
        self._asked = {wanted: self._readers(wanted) for wanted in get_args(Wanted)}
        self._known: dict[str, dict[bytes, tuple[bool, float, float]]] = {f.fact: {} for f in self.base.formulas}

    def _readers(self, wanted: Wanted) -> tuple[tuple[Rule, ...], _Readers]:
        late = {"route": (), "form": self.plan.late_for_forms, "all": self.plan.late}[wanted]
        rules = (*self.plan.first, *late)
        return rules, _Readers(self.base, rules)

    def forget(self, most: int = 20_000) -> None:
        """Drops what formulas said where it has grown to more than so many answers of one formula."""
        for known in self._known.values():
            if len(known) > most:
                known.clear()

    @cached_property
    def levels(self) -> tuple[tuple[Formula, ...], ...]:
        """The formulas with few inputs, and then those with many, or that read what these give."""
        late: set[str] = set()
        read_before: set[str] = set()
        for formula in self.base.formulas:
            if len(formula.inputs) > _FEW_INPUTS or late.intersection(formula.inputs) or formula.fact in read_before:
                late.add(formula.fact)
                read_before.update(formula.inputs)  # a formula sees what those after it compute only where it is told
        first = tuple(f for f in self.base.formulas if f.fact not in late)
        last = tuple(f for f in self.base.formulas if f.fact in late)
        return tuple(level for level in (first, last) if level)

    @cached_property
    def costly(self) -> frozenset[str]:
        """The facts that are asked for last."""
        return frozenset(f.fact for f in self.levels[-1]) if len(self.levels) > 1 else frozenset()

    def filled(
        self, columns: Mapping[str, Column], size: int, wanted: Wanted, levels: int | None = None
    ) -> tuple[dict[str, Column], dict[str, Flags]]:
        """Told and computed columns, and where each computed fact of a later level was left out.

        `levels`: how many levels are worked out, all where it is None.
        """
        found = dict(columns)
        levels = len(self.levels) if levels is None else levels
        for number, level in enumerate(self.levels[:levels]):
            pending = [f for later in self.levels[number:] for f in later]
            needed = self._needed(found, size, wanted, pending)
            for group in _groups(level):
                self._compute(group, found, needed, size)
        left = [f for level in self.levels[levels:] for f in level]
        return found, self._needed(found, size, wanted, left) if left else {}

    def _needed(
        self, columns: Mapping[str, Column], size: int, wanted: Wanted, pending: Sequence[Formula]
    ) -> dict[str, Flags]:
        """Where each of these facts, unknown so far, could still decide something.

        Of few cases, facts that are quickly worked out count as needed wherever some rule reads them: to find out more
        would take longer.
        """
        rules, readers = self._asked[wanted]
        reading: Reading | None = None
        if size > _FEW_CASES or pending[0].fact in self.costly:
            reading = Reading(self.plan, columns, Arrays(), {formula.fact: True for formula in pending})
            reading.run(rules)
        needed: dict[str, Flags] = {}
        for formula in reversed(pending):
            told = columns.get(formula.fact, ABSENT).known
            direct = readers.undecided(formula.fact, reading) if reading else readers.any_of(formula.fact)
            above = some(
                needed[other.fact] for other in pending if formula.fact in other.inputs and other.fact in needed
            )
            needed[formula.fact] = both(negated(told), either(direct, above))
        return needed

    def _compute(
        self, group: Sequence[Formula], columns: dict[str, Column], needed: Mapping[str, Flags], size: int
    ) -> None:
        """Formulas with the same inputs, for every case where one of them is needed, one case after the other."""
        at = some(needed[formula.fact] for formula in group)
        if at is False or not np.any(at):
            return
        places = np.arange(size) if at is True else np.flatnonzero(at)
        inputs = [taken(columns.get(path, ABSENT), places) for path in group[0].inputs]
        rows, back = _distinct(inputs, len(places))
        wanted = [np.broadcast_to(np.asarray(needed[f.fact]), size)[places] for f in group]
        answers = self._answers(group, rows, [_any_of(flags, back, len(rows)) for flags in wanted])
        for number, formula in enumerate(group):
            before = columns.get(formula.fact, ABSENT)
            known, low, high = (np.array(np.broadcast_to(p, size)) for p in (before.known, before.low, before.high))
            here = wanted[number]
            values = answers[number][back[here]]
            target = places[here]
            known[target], low[target], high[target] = values[:, 0] > 0, values[:, 1], values[:, 2]
            columns[formula.fact] = Column(known, low, high, before.final)

    def _answers(self, group: Sequence[Formula], rows: Any, wanted: Sequence[Any]) -> list[Any]:
        """What each formula says of each row of inputs, as known, low, high; only where it is wanted."""
        found = [np.zeros((len(rows), 3)) for _ in group]
        paths = list(group[0].inputs)
        memos = [self._known[formula.fact] for formula in group]
        for place, row in enumerate(rows):
            key = row.tobytes()
            facts: Mapping[str, Value | None] | None = None
            for number, formula in enumerate(group):
                if not wanted[number][place]:
                    continue
                if key not in memos[number]:
                    facts = facts if facts is not None else self._facts(paths, row)
                    memos[number][key] = self._ask(formula, facts)
                found[number][place] = memos[number][key]
        return found

    def _facts(self, paths: Sequence[str], row: Any) -> Mapping[str, Value | None]:
        return {
            path: self.coder.value(path, float(row[3 * n + 1]), float(row[3 * n + 2])) if row[3 * n] else None
            for n, path in enumerate(paths)
        }

    def _ask(self, formula: Formula, facts: Mapping[str, Value | None]) -> tuple[bool, float, float]:
        value = formula.compute(facts, self.figures.declared(formula.declared))
        return (False, 0.0, 0.0) if value is None else (True, *self.coder.code(formula.fact, value))


class _Readers:
    """Which conditions read each fact."""

    def __init__(self, base: KnowledgeBase, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, list[str]] = {}
        self.conditions: dict[str, list[Condition]] = {}
        self.taken: dict[str, list[Condition]] = {}
        for rule in rules:
            for path in facts_read(rule.when):
                self.rules.setdefault(path, []).append(rule.id)
        others = [tie.when for tie in base.routes.ties if tie.when is not None]
        for condition in (*others, *(division.when for division in base.divisions)):
            for path in facts_read(condition):
                self.conditions.setdefault(path, []).append(condition)
        for division in base.divisions:
            for setting in (setting for part in division.parts for setting in part.sets.values()):
                if isinstance(setting, Taken):
                    self.taken.setdefault(setting.path, []).append(division.when)

    def any_of(self, path: str) -> bool:
        return path in self.rules or path in self.conditions or path in self.taken

    def undecided(self, path: str, reading: Reading) -> Flags:
        """Where a condition that reads the fact is undecided, on a reading in which the fact is unknown."""
        found = some(reading.undecided(name) for name in self.rules.get(path, ()))
        found = either(found, some(reading.condition(one).unknown for one in self.conditions.get(path, ())))
        possible = (negated(reading.condition(one).false) for one in dict.fromkeys(self.taken.get(path, ())))
        return either(found, some(possible))


def _groups(formulas: Sequence[Formula]) -> list[list[Formula]]:
    """Neighbors with the same inputs, so that what they share is worked out once for each case."""
    return [list(group) for _, group in groupby(formulas, key=lambda formula: tuple(formula.inputs))]


def _distinct(columns: Sequence[Column], size: int) -> tuple[Any, Any]:
    """The different rows of inputs, and for each case the number of its row."""
    table = np.empty((size, 3 * len(columns)))
    for number, column in enumerate(columns):
        table[:, 3 * number], table[:, 3 * number + 1], table[:, 3 * number + 2] = column.known, column.low, column.high
    table += 0.0  # a negative zero is a zero
    rows = table.view(np.dtype((np.void, table.dtype.itemsize * table.shape[1])))[:, 0]
    places: dict[bytes, int] = {}
    back = np.empty(size, dtype=np.intp)
    first: list[int] = []
    for number, key in enumerate(rows.tolist()):
        place = places.setdefault(key, len(places))
        if place == len(first):
            first.append(number)
        back[number] = place
    return table[first], back


def _any_of(flags: Any, back: Any, rows: int) -> Any:
    """For each distinct row, whether any of its cases wants an answer."""
    found = np.zeros(rows, dtype=bool)
    found[back[flags]] = True
    return found
