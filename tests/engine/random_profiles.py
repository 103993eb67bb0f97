"""Random profiles of a knowledge base, with numbers at every threshold of its rules and one step to either side.

Faults at thresholds hide from numbers drawn at large, and from none of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.faults import FaultError
from engine.language import Compares, leaves
from engine.values import Interval, Value, bounds, interval
from engine.vocabulary import FactType

Told = Mapping[str, Value]


def thresholds(base: KnowledgeBase) -> Mapping[str, set[float]]:
    """For every number the limits that bear on it: its own, and through formulas those of what is computed from it."""
    found: dict[str, set[float]] = {path: set() for path in base.vocabulary.facts}
    for condition in (*(rule.when for rule in base.ordered.rules), *(division.when for division in base.divisions)):
        for leaf in leaves(condition):
            if isinstance(leaf, Compares):
                found[leaf.fact].add(leaf.limit)
    for formula in reversed(base.formulas):
        shifts = [end for name in formula.figures if name in base.figures for end in bounds(base.figures[name].value)]
        limits = {limit + sign * shift for limit in found[formula.fact] for shift in shifts for sign in (1, -1)}
        for path in formula.inputs:
            found[path] |= limits | found[formula.fact]
    return found


def numbers(fact: FactType, limits: set[float]) -> list[float]:
    """The limits, one step to either side of each, and a few small numbers: those that the fact can have."""
    near = [math.nextafter(limit, side) for limit in limits for side in (math.inf, -math.inf)]
    steps = [limit + step for limit in limits for step in (1.0, -1.0)]
    return sorted({number for number in (*limits, *near, *steps, 0.0, 1.0, 2.0, 8.0) if _fits(fact, number)})


def _fits(fact: FactType, number: float) -> bool:
    try:
        return fact.read(number) == number
    except FaultError:
        return False


class Profiles:
    """Strategies for one knowledge base."""

    def __init__(self, base: KnowledgeBase) -> None:
        limits = thresholds(base)
        self.facts = {fact.path: fact for fact in base.vocabulary.told()}
        self.numbers = {p: numbers(fact, limits[p]) for p, fact in self.facts.items() if fact.kind == "number"}

    def value(self, path: str) -> st.SearchStrategy[Value]:
        fact = self.facts[path]
        if fact.kind == "number":
            return self._number(self.numbers[path])
        return st.sampled_from([*fact.values, *fact.names])

    def _number(self, candidates: list[float]) -> st.SearchStrategy[Value]:
        one = st.sampled_from(candidates)
        pair = st.tuples(one, one).map(lambda ends: interval(min(ends), max(ends)))
        return st.one_of(one, one, pair)

    def told(self, least: int = 0) -> st.SearchStrategy[Told]:
        """Some facts told, and none below another that it may not be below."""
        paths = st.lists(st.sampled_from(list(self.facts)), min_size=least, unique=True, max_size=len(self.facts))
        return paths.flatmap(lambda some: st.fixed_dictionaries({path: self.value(path) for path in some})).map(
            self._fit
        )

    def completed(self, told: Told, leave: frozenset[str] = frozenset()) -> st.SearchStrategy[Told]:
        """The same facts with more of them known and ranges narrowed; those to `leave` stay as they are."""
        open_ones = [path for path in self.facts if path not in told and path not in leave]
        more = {path: st.none() | self.value(path) for path in open_ones}
        narrowed = {
            path: self._within(path, value) if isinstance(value, Interval) and path not in leave else st.just(value)
            for path, value in told.items()
        }
        both = st.fixed_dictionaries({**narrowed, **more})
        return both.map(lambda found: self._fit({p: v for p, v in found.items() if v is not None}, told))

    def _within(self, path: str, value: Interval) -> st.SearchStrategy[Value]:
        inside = [number for number in self.numbers[path] if value.low <= number <= value.high]
        return st.just(value) | self._number(inside)

    def _fit(self, told: Told, keep: Told | None = None) -> Told:
        """Without the facts that stand below another that they may not be below."""
        found = dict(told)
        for path, fact in self.facts.items():
            floor = fact.not_below
            if floor and path in found and floor in found and not _at_least(found[path], found[floor]):
                for dropped in (path, floor):
                    if dropped not in (keep or {}):
                        del found[dropped]
                        break
                else:
                    found |= {path: (keep or {})[path], floor: (keep or {})[floor]}
        return found


def _at_least(value: Value, floor: Value) -> bool:
    if isinstance(value, str) or isinstance(floor, str):
        return True
    return bounds(value)[0] >= bounds(floor)[1]
