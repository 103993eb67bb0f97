"""Random cases that every reading of the rules gets alike: told and computed facts, and no formula to work any out."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.base import KnowledgeBase
from engine.language import Compares, leaves
from engine.values import Interval, Value, bounds
from engine.vocabulary import FactType

KNOWN = 0.7
"""The share of the facts that a case knows."""

Facts = Mapping[str, Value]


def without_formulas(base: KnowledgeBase) -> KnowledgeBase:
    """The same rules; what formulas would compute is told with the rest, or stays unknown."""
    return replace(base, formulas=(), divisions=())


def random_facts(base: KnowledgeBase, count: int, seed: int = 1) -> list[Facts]:
    """So many cases; numbers lie at the limits of the rules, beside them, and now and then across them."""
    chance = random.Random(seed)  # noqa: S311  # nothing secret: the same cases in every run
    paths = [fact for fact in base.vocabulary.facts.values() if fact.origin in ("told", "computed")]
    values = {fact.path: _values(fact, _limits(base, fact.path)) for fact in paths}
    read = [fact.path for fact in paths if values[fact.path]]
    return [{p: chance.choice(values[p]) for p in read if chance.random() < KNOWN} for _ in range(count)]


def _limits(base: KnowledgeBase, path: str) -> list[float]:
    tests = (leaf for rule in base.ordered.rules for leaf in leaves(rule.when))
    return sorted({leaf.limit for leaf in tests if leaf.fact == path and isinstance(leaf, Compares)})


def _values(fact: FactType, limits: Sequence[float]) -> list[Value]:
    if fact.kind != "number":
        return [*fact.values, *fact.names[:3]]
    near: list[Value] = []
    for limit in limits:
        near += [limit, math.nextafter(limit, math.inf), math.nextafter(limit, -math.inf), limit / 2, 2 * limit + 1]
        near.append(Interval(limit, limit + 1))
    return [value for value in near if _is_in(fact, value)]


def _is_in(fact: FactType, value: Value) -> bool:
    assert not isinstance(value, str | bool)
    low, high = bounds(value)
    if (fact.whole and not (low.is_integer() and high.is_integer())) or (fact.above is not None and low <= fact.above):
        return False
    return (fact.minimum is None or low >= fact.minimum) and (fact.maximum is None or high <= fact.maximum)
