"""The ways in which each open fact of a case may become known: what boxes of cases are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from engine.column_logic import ABSENT, Column
from engine.language import Leaf
from engine.search_answers import AnswerBook, Answers
from engine.search_case import Tellings
from engine.truth import Truth, leaf_truth
from engine.values import Interval, Value, bounds, interval

OPEN = -1
"""Stands for the choice that is not made yet; all else is a place among the choices of a fact."""
_CODES = {Truth.FALSE: 0, Truth.TRUE: 1, Truth.UNKNOWN: 2}
_STILL_OPEN = 3


@dataclass(frozen=True)
class Choice:
    """One way in which a fact may become known: as the parts of a column, as a value, and as an answer.

    Without a value it stays untold; without an answer nothing new is told.
    """

    column: tuple[bool, float, float, bool]
    value: Value | None
    answer: Value | None


class Choices:
    """The choices of every open fact of one case, of told ones and of computed ones alike.

    A fact is one word, a number of one class, a range over neighboring classes, or stays untold.
    """

    def __init__(self, tellings: Tellings, book: AnswerBook) -> None:
        self.question = tellings.question
        self.coder = tellings.reasoner.coder
        self.book = book
        self.paths = tuple(dict.fromkeys((*self._told_ones(), *self.question.moving)))
        self.of: Mapping[str, tuple[Choice, ...]] = {path: tuple(self._choices(path)) for path in self.paths}

    def _told_ones(self) -> Iterator[str]:
        """The facts that can still be told; those that only parts or ties may come to wait for are the last."""
        yield from self.question.unknown
        yield from (path for path in self.book.read if self.question.is_open(path))

    def _known(self, path: str) -> Interval | None:
        """What is known of the fact: a range, where it is open and known at all."""
        known = {**self.question.computed, **self.question.told}.get(path)
        return known if isinstance(known, Interval) else None

    def _choices(self, path: str) -> Iterator[Choice]:
        known = self._known(path)
        answers = self.book.answers(path, known, self.question.live)
        for word in answers.classes():
            yield Choice((True, *self.coder.code(path, word), True), word, word)
        yield from self._ranges(answers, known)
        if known is None:
            yield Choice((False, 0.0, 0.0, True), None, None)

    def _ranges(self, answers: Answers, known: Interval | None) -> Iterator[Choice]:
        """Every row of neighboring classes; a range that is known already is no new answer as a whole."""
        numbers = answers.numbers() if answers.fact.origin == "told" else []
        for one, other in combinations_with_replacement(range(len(answers.pieces)), 2):
            low, high = answers.pieces[one][0], answers.pieces[other][1]
            is_new = numbers and (known is None or (low, high) != bounds(known))
            answer = interval(numbers[one], numbers[other]) if is_new else None
            yield Choice((True, low, high, True), interval(low, high), answer)

    @cached_property
    def tables(self) -> Mapping[str, tuple[Any, ...]]:
        """Known, low, high and final of each choice of a fact; last, as the case has it."""
        found = {}
        for path in self.paths:
            known = self._known(path)
            ends = ABSENT if known is None else Column(True, *bounds(known))
            entries = [*(choice.column for choice in self.of[path]), (ends.known, ends.low, ends.high, False)]
            found[path] = tuple(np.array(part) for part in zip(*entries, strict=True))
        return found

    def truths(self, leaf: Leaf) -> Any:
        """A code for what the test says of each choice of its fact; last, of the fact as the case has it."""
        said = [_CODES[leaf_truth(leaf, choice.value)] for choice in self.of[leaf.fact]]
        before = leaf_truth(leaf, self._known(leaf.fact))
        return np.array([*said, _STILL_OPEN if before is Truth.UNKNOWN else _CODES[before]], dtype=np.int16)
