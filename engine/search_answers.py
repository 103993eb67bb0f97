"""What could still be told of each fact: the classes of values that no test on the fact tells apart, and samples."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine import typed_numbers
from engine.base import KnowledgeBase
from engine.divisions import Taken
from engine.faults import FaultError
from engine.language import Compares, Condition, Is, Leaf, leaves
from engine.values import Interval, Value, bounds
from engine.vocabulary import ANY_NAME, FactType

_FACTORS = (1 / 16, 1 / 4, 1.0, 4.0, 16.0)
"""A number that formulas read is tried at so many times its example."""
_GREATEST, _TINY = sys.float_info.max, 1e-9


@dataclass(frozen=True)
class Answers:
    """What a case leaves open of one fact.

    Numbers have `pieces`: both ends of each class, ascending; no test on the fact tells two numbers of one piece apart,
    and every number that could be told lies in one. All else has `words`, of which no test tells those apart that are
    not `asked` for. `feeds`: formulas read the fact, so that two answers of one class may still differ.
    """

    fact: FactType
    feeds: bool
    pieces: tuple[tuple[float, float], ...] = ()
    words: tuple[str | bool, ...] = ()
    asked: frozenset[str | bool] = frozenset()

    def classes(self) -> list[str | bool]:
        """One word of each class."""
        rest = [word for word in self.words if word not in self.asked]
        return [word for word in self.words if word in self.asked or word in rest[:1]]

    def values(self) -> list[Value]:
        """One value of each class, and samples of a number that formulas read; numbers ascend."""
        if self.fact.kind != "number":
            return list(self.words)
        found = set(self.numbers())
        if self.feeds:
            found.update(self._samples())
        return [*sorted(found)]

    def numbers(self) -> list[float]:
        """One number of each piece."""
        return [_number(low, high) for low, high in self.pieces]

    def _samples(self) -> Iterator[float]:
        low, high = self.pieces[0][0], self.pieces[-1][1]
        example = bounds(_as_number(self.fact.read(self.fact.example)))[1] if self.fact.example else 1.0
        near = [example * factor for factor in _FACTORS]
        if high < _GREATEST:
            near += [low, low + (high - low) / 2, high]
        for number in near:
            fitted = float(round(number)) if self.fact.whole else typed_numbers.nearest(number)
            if low <= fitted <= high:
                yield fitted


class AnswerBook:
    """The answers to the facts of one knowledge base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.facts = base.vocabulary.facts
        self._tests = _tests(base)
        self.base = base
        self._feeding = self.feeding(self._tests) | self.feeding(path for path, _ in _taken(base))
        told = [fact.path for fact in base.vocabulary.told()]
        self.read = tuple(path for path in told if path in self._tests or path in self._feeding)

    def feeding(self, paths: Iterable[str]) -> frozenset[str]:
        """The facts that formulas read, directly or through each other, to compute these."""
        found: set[str] = set()
        waiting = list(paths)
        while waiting:
            formula = self.base.formula_of.get(waiting.pop())
            new = [path for path in (formula.inputs if formula else ()) if path not in found]
            found.update(new)
            waiting += new
        return frozenset(found | {source for path, source in _taken(self.base) if path in found})

    def answers(self, path: str, told: Value | None, live: frozenset[Leaf] | None = None) -> Answers:
        """What could be told, or computed, of a fact that is unknown or known as the range `told`.

        `live`: the only tests that still tell anything, all where it is None.
        """
        fact = self.facts[path]
        tests = [leaf for leaf in self._tests.get(path, ()) if live is None or leaf in live]
        feeds = path in self._feeding
        if fact.kind == "number":
            return Answers(fact, feeds, tuple(_pieces(_limits(fact, told), tests, fact.whole)))
        asked = frozenset(value for leaf in tests if isinstance(leaf, Is) for value in leaf.values)
        names = (*fact.names, ANY_NAME, *sorted(map(str, asked))) if fact.kind == "name" else ()
        return Answers(fact, feeds, words=tuple(dict.fromkeys((*fact.values, *names))), asked=asked)


def _tests(base: KnowledgeBase) -> Mapping[str, Sequence[Leaf]]:
    """Every test that a route can hang on, by the fact that it reads, or that a part of a case takes for that one."""
    found: dict[str, dict[Leaf, None]] = {}
    for condition in _conditions(base):
        for leaf in leaves(condition):
            found.setdefault(leaf.fact, {})[leaf] = None
    for path, source in _taken(base):
        found.setdefault(source, {}).update(found.get(path, {}))
    return {path: tuple(tests) for path, tests in found.items()}


def _conditions(base: KnowledgeBase) -> Iterator[Condition]:
    yield from (rule.when for rule in base.ordered.rules if rule.id not in base.ordered.after_verdict)
    yield from (division.when for division in base.divisions)
    yield from (tie.when for tie in base.routes.ties if tie.when is not None)


def _taken(base: KnowledgeBase) -> Iterator[tuple[str, str]]:
    for division in base.divisions:
        for part in division.parts:
            yield from ((path, one.path) for path, one in part.sets.items() if isinstance(one, Taken))


def _limits(fact: FactType, told: Value | None) -> tuple[float, float]:
    """The least and the greatest number that the fact can be, within the range that was told."""
    if isinstance(told, Interval):
        return told.low, told.high
    low = fact.minimum
    greatest = _GREATEST if fact.origin == "told" else math.inf
    if low is None:
        low = -greatest if fact.above is None else _above(fact.above, fact.whole)
    return low, fact.maximum if fact.maximum is not None else greatest


def _pieces(ends: tuple[float, float], tests: Iterable[Leaf], whole: bool) -> Iterator[tuple[float, float]]:
    """The classes between two ends. A limit belongs to those above it, or to those below it, as its test says."""
    low, high = ends
    cuts = {(leaf.limit, leaf.comparison in ("more_than", "at_most")) for leaf in tests if isinstance(leaf, Compares)}
    for limit, with_below in sorted(cuts):
        start = _above(limit, whole) if with_below else math.ceil(limit) if whole else limit
        end = _below(start, whole)
        if low <= end and start <= high:
            yield low, end
            low = float(start)
    yield low, high


def _above(number: float, whole: bool) -> float:
    return math.floor(number) + 1.0 if whole else math.nextafter(number, math.inf)


def _below(number: float, whole: bool) -> float:
    return math.ceil(number) - 1.0 if whole else math.nextafter(number, -math.inf)


def _number(low: float, high: float) -> float:
    """A number of a class as a person would tell it: an end that is short to write, else one in the midst."""
    for end in (low, high):
        if _is_short(end) and abs(end) < _GREATEST:
            return end
    inner = typed_numbers.nearest(high / 2 if high < _GREATEST else 2 * low)
    if low <= inner <= high:
        return inner
    between = typed_numbers.between(low, high, 1)
    return between[0] if between else low


def _is_short(number: float) -> bool:
    return number == 0 or (abs(number) > _TINY and typed_numbers.nearest(number) == number)


def _as_number(value: Value | None) -> float | Interval:
    if value is None or isinstance(value, str | bool):
        raise FaultError([])  # an example of a number is a number: the vocabulary is checked when it is read
    return value
