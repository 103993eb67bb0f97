"""Whether a route is settled, by branch and bound: a case is cut at what could be told until every piece is decided.

A box is a case with some of its open facts known as one class of answers, or sure never to become known. It is closed
once the bounds say that nothing beyond it changes the route; else the fact that most waits for is cut next. However
more is told, it lies in one of the boxes: each fact is one word, a number of one class, a range over neighboring
classes, or not told at all. Computed facts are cut like told ones, as if they could be anything within the range that
they are known to have: what is proved for all that holds for what formulas really say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.case_columns import Cases
from engine.column_logic import Column
from engine.columns import Judged
from engine.language import Condition, Leaf, leaves
from engine.search_answers import AnswerBook
from engine.search_case import INFEASIBLE, SETTLED, TIED, Telling, Tellings, spread
from engine.search_choices import OPEN, Choices
from engine.search_reach import Reach
from engine.values import Value

MOST_BOXES = 2000
_MOST_BEYOND = 4
_MOST_NEAREST = 40
_MOST_TRIED, _MOST_CLOSE_LOOKS = 16, 4
_ANY = -1
_A_LITTLE = 1e-3
"""What a fact counts for which only ties wait, or parts of a divided case."""


@dataclass(frozen=True)
class Proof:
    """`proved`: no way of telling more changes the route. `others`: tellings that do, found on the way."""

    proved: bool
    others: tuple[Telling, ...] = ()


@dataclass(frozen=True)
class _Looked:
    """The boxes that are not closed, what waits for each of their facts, and how far the route leads in each.

    `away` tells which of all boxes end in another route, as far as computed facts can be anything: such a box is closed
    as well, and is no proof.
    """

    left: Any
    weights: Any
    leads: Any
    away: Any

    def nearest(self) -> _Looked:
        """Those in which the route leads least."""
        at = np.argsort(self.leads, kind="stable")[:_MOST_NEAREST]
        return _Looked(self.left[at], self.weights[at], self.leads[at], self.away)


class Boxes:
    """Cuts one case into boxes."""

    def __init__(self, tellings: Tellings, book: AnswerBook, reach: Reach) -> None:
        self.tellings = tellings
        self.reasoner = tellings.reasoner
        self.question = tellings.question
        self.book = book
        self.reach = reach
        self._looked_closely = 0
        self.choices = Choices(tellings, book)
        self.paths = self.choices.paths
        self.conditions = {
            rule.id: reach.condition(rule.when)
            for rule in self.reasoner.plan.first
            if self.question.bearing(rule.id) > 0
        }

    def prove(self) -> Proof:
        """Goes on until every box is closed or another route is found.

        Beyond a limit nothing is proved any more, and only the boxes in which the route leads least are cut further.
        """
        boxes, proves = np.full((1, len(self.paths)), OPEN), True
        judged = beyond = 0
        while beyond <= _MOST_BEYOND:
            judged += len(boxes)
            looked = self._look_at(boxes)
            others = self._others(boxes[looked.away])
            if others:
                return Proof(False, others)
            proves = proves and not np.any(looked.away) and judged + sum(self._counts(looked)) <= MOST_BOXES
            looked = looked if proves else looked.nearest()
            if not len(looked.left):
                return Proof(proves)
            boxes = self._cut(looked)
            beyond += not proves
        return Proof(False)

    def _look_at(self, boxes: Any) -> _Looked:
        cases, assumed = self._cases(boxes)
        judged = self.reasoner.judge_assuming(cases, assumed)
        settled = judged.status == SETTLED
        weights = self._weights(judged, boxes)
        ended = settled | (weights.max(axis=1, initial=0.0) <= 0)
        ours = judged.route == self.tellings.route
        closed = settled & ours
        if not self.question.divides:
            closed |= ended & (ours | (judged.status == INFEASIBLE))
        left = ~closed & ~judged.conflict & self.tellings.are_possible(cases)
        away = left & ended
        left &= ~away
        left = np.flatnonzero(left)[self._unlike(judged, boxes, left)]
        leads = np.where(ours & ~np.isnan(judged.lead), judged.lead, np.inf)
        return _Looked(boxes[left], weights[left], leads[left], away)

    def _unlike(self, judged: Judged, boxes: Any, at: Any) -> Any:
        """The places of the first of all boxes alike: no rule that is undecided in them tells them apart any more."""
        count = int(np.count_nonzero(at))
        if self.question.divides or not count:
            return np.arange(count)
        undecided, fired = self._flags(judged.undecided, judged.size)[at], self._flags(judged.fired, judged.size)[at]
        asked = (undecided.astype(float) @ self._reading > 0) | self._asked_by_ties
        codes = np.empty((count, len(self._leaves)), dtype=np.int16)
        for number, leaf in enumerate(self._leaves):
            codes[:, number] = self._truths[number][boxes[at][:, self.paths.index(leaf.fact)]]
        signs = np.hstack([np.where(asked, codes, _ANY), fired, undecided, boxes[at][:, self._bounded]])
        _, first = np.unique(signs, axis=0, return_index=True)
        return np.sort(first)

    def _others(self, boxes: Any) -> tuple[Telling, ...]:
        """The boxes as tellings, those that do change the route; computed facts are brought about, where they can."""
        if not len(boxes) or self._looked_closely >= _MOST_CLOSE_LOOKS:
            return ()
        self._looked_closely += 1
        tellings = [self._telling(box) for box in boxes[:_MOST_TRIED].tolist()]
        found = self._change([telling for telling in tellings if telling])
        if found:
            return found
        return self._change([{**tellings[0], **more} for more in spread(self._inputs(boxes[0]), _MOST_TRIED)])

    def _change(self, tellings: Sequence[Telling]) -> tuple[Telling, ...]:
        if not tellings:
            return ()
        _, other = self.tellings.fully(tellings)
        return tuple(tellings[number] for number in np.flatnonzero(other).tolist())

    def _inputs(self, box: Any) -> Mapping[str, Sequence[Value]]:
        """What could be told of the facts from which the computed facts of this box come."""
        fixed = {path for path, at in zip(self.paths, box.tolist(), strict=True) if at != OPEN}
        feeding = self.book.feeding(fixed & set(self.question.moving)) - fixed
        return {path: values for path, values in self.tellings.values.items() if path in feeding}

    def _telling(self, box: Sequence[int]) -> Telling:
        chosen = {path: self.choices.of[path][at] for path, at in zip(self.paths, box, strict=True) if at != OPEN}
        told = {path: choice.answer for path, choice in chosen.items() if path not in self.question.moving}
        return {path: answer for path, answer in told.items() if answer is not None}

    # What to cut

    def _counts(self, looked: _Looked) -> Any:
        """Into how many each box is cut."""
        return np.array([len(self.choices.of[path]) for path in self.paths], dtype=int)[looked.weights.argmax(axis=1)]

    def _cut(self, looked: _Looked) -> Any:
        """Each box once for each choice of the fact that most waits for."""
        boxes, column, counts = looked.left, looked.weights.argmax(axis=1), self._counts(looked)
        found = np.repeat(boxes, counts, axis=0)
        found[np.arange(len(found)), np.repeat(column, counts)] = np.concatenate([np.arange(n) for n in counts])
        return found

    def _cases(self, boxes: Any) -> tuple[Cases, Mapping[str, Column]]:
        """The boxes as cases, and their computed facts."""
        told = dict(self.tellings.cases([{}]).columns)
        assumed = {path: self._constant(path, value) for path, value in self.question.computed.items()}
        for number, path in enumerate(self.paths):
            column = Column(*(table[boxes[:, number]] for table in self.choices.tables[path]))
            (assumed if path in self.question.moving else told)[path] = column
        return Cases(len(boxes), told), assumed

    def _constant(self, path: str, value: Value) -> Column:
        return Column(True, *self.reasoner.coder.code(path, value), True)

    def _weights(self, judged: Judged, boxes: Any) -> Any:
        """How much of what undecided rules stand for waits for each open fact of each box."""
        found = np.round(self._flags(judged.undecided, judged.size).astype(float) @ self._bearing, 6)
        found += _A_LITTLE * self._of_ties * (judged.status == TIED)[:, np.newaxis]
        if self.question.divides:
            found += _A_LITTLE
        return np.where(boxes == OPEN, found, 0.0)

    def _flags(self, found: Mapping[str, Any], size: int) -> Any:
        """A column for each rule that bears on the route."""
        some = [found[name] for name in self.conditions]
        return np.stack(some, axis=1) if some else np.zeros((size, 0), dtype=bool)

    @cached_property
    def _leaves(self) -> Sequence[Leaf]:
        """Every test on a fact that can be cut."""
        rules = [leaf for name in self.conditions for leaf in leaves(self.reasoner.base.rules[name].when)]
        ties = [leaf for when in self._ties for leaf in leaves(when)]
        return [leaf for leaf in dict.fromkeys((*rules, *ties)) if leaf.fact in self.choices.of]

    @cached_property
    def _truths(self) -> Sequence[Any]:
        return [self.choices.truths(leaf) for leaf in self._leaves]

    @cached_property
    def _reading(self) -> Any:
        """Conditions by tests: 1 where the rule holds the test."""
        rules = [set(leaves(self.reasoner.base.rules[name].when)) for name in self.conditions]
        found = [[float(leaf in held) for leaf in self._leaves] for held in rules]
        return np.array(found).reshape(len(rules), len(self._leaves))

    @cached_property
    def _asked_by_ties(self) -> Any:
        held = {leaf for when in self._ties for leaf in leaves(when)}
        return np.array([leaf in held for leaf in self._leaves], dtype=bool)

    @cached_property
    def _ties(self) -> Sequence[Condition]:
        return [tie.when for tie in self.reasoner.base.routes.ties if tie.when is not None]

    @cached_property
    def _bounded(self) -> Sequence[int]:
        """The facts that must not be below each other."""
        floors = {path for pair in self.tellings.floors for path in pair}
        return [number for number, path in enumerate(self.paths) if path in floors]

    @cached_property
    def _bearing(self) -> Any:
        """Conditions by facts: what the rule stands for, where it hangs on the fact."""
        rows = [
            [self.question.bearing(name) if path in found else 0.0 for path in self.paths]
            for name, found in self.conditions.items()
        ]
        return np.array(rows).reshape(len(rows), len(self.paths))

    @cached_property
    def _of_ties(self) -> Any:
        """1 for each fact on which a tie hangs."""
        read = frozenset().union(*(self.reach.condition(condition) for condition in self._ties))
        return np.array([float(path in read) for path in self.paths])
