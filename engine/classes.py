"""Which told facts bear on the route, and the values of each between which rules can tell.

Every test on a number compares it with a limit, so a limit and what lies just to either side of it stand for all
numbers as far as tests go. A number that formulas read as well is tried at more places: what is computed of it can meet
a limit anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine import typed_numbers
from engine.base import KnowledgeBase
from engine.divisions import Taken
from engine.faults import FaultError
from engine.language import Compares, Condition, Is, Leaf, leaves
from engine.truth import Truth, leaf_truth
from engine.values import Interval, Value, bounds, is_finite
from engine.vocabulary import ANY_NAME, FactType

_TIMES = (0.5, 2.0)
"""At so many times its value a number is tried that formulas read."""
_FURTHEST = 8
"""How many times what was told, or the greatest limit, a number is tried that has no maximum."""
_NEAREST_FED, _FURTHEST_FED = 50, 500
"""The same of a number that formulas read, down and up: where it matters hangs on other facts, and on figures."""
_SMALL, _GREAT = 1e-6, 1e18
"""Beyond these a number is taken for one of them when it comes to how many are tried."""


@dataclass(frozen=True)
class Bearing:
    """A told fact that bears on the route: the tests on it, and whether formulas read it too."""

    fact: FactType
    tests: tuple[Leaf, ...]
    feeds: bool


def bearings(base: KnowledgeBase) -> Mapping[str, Bearing]:
    """The told facts that can move a route, by path, in the order of the vocabulary."""
    tests: dict[str, dict[Leaf, None]] = {}
    for condition in _conditions(base):
        for leaf in leaves(condition):
            tests.setdefault(leaf.fact, {})[leaf] = None
    for path, source in _taken(base):
        tests.setdefault(source, {}).update(tests.get(path, {}))
    feeds = _inputs(base, tests)
    for path, source in _taken(base):
        feeds |= {source} if path in feeds else set()
    return {
        fact.path: Bearing(fact, tuple(tests.get(fact.path, ())), fact.path in feeds)
        for fact in base.vocabulary.told()
        if fact.path in tests or fact.path in feeds
    }


def _conditions(base: KnowledgeBase) -> Iterator[Condition]:
    """Every condition that a route can hang on."""
    yield from (rule.when for rule in base.ordered.rules if rule.id not in base.ordered.after_verdict)
    yield from (division.when for division in base.divisions)
    yield from (tie.when for tie in base.routes.ties if tie.when is not None)


def _taken(base: KnowledgeBase) -> Iterator[tuple[str, str]]:
    """The facts of parts of a case that take the value of another fact, each with that other fact."""
    for division in base.divisions:
        for part in division.parts:
            yield from ((path, one.path) for path, one in part.sets.items() if isinstance(one, Taken))


def _inputs(base: KnowledgeBase, paths: Iterable[str]) -> set[str]:
    """What formulas read, directly or through each other, to compute these facts."""
    found: set[str] = set()
    waiting = list(paths)
    while waiting:
        formula = base.formula_of.get(waiting.pop())
        for path in formula.inputs if formula else ():
            if path not in found:
                found.add(path)
                waiting.append(path)
    return found


def words_of(bearing: Bearing) -> list[Value]:
    """Every word that the fact can be, and of names all that are known."""
    names = (*bearing.fact.names, ANY_NAME) if bearing.fact.kind == "name" else ()
    asked = [value for leaf in bearing.tests if isinstance(leaf, Is) for value in leaf.values]
    return list(dict.fromkeys([*bearing.fact.values, *names, *(asked if names else ())]))


def numbers_of(bearing: Bearing, told: Value | None) -> list[float]:
    """Numbers that the fact can be, from low to high: one at least of each class; the told one is among them.

    A fact that formulas read has more of them, all the way from the least to the greatest, and around what was told.
    """
    fact = bearing.fact
    found = [*_ends(bearing, told), *(number for limit in _limits(bearing) for number in _around(bearing, limit))]
    if bearing.feeds:
        low, high = bounds(_number(told if told is not None else fact.read(fact.example)))
        around = [end * factor for end in (low, high) for factor in _TIMES]
        found += [typed_numbers.nearest(number) for number in (*around, (low + high) / 2)]
        found += _steps(bearing, told)
    fit = {number for n in found if (number := _fitted(fact, n)) is not None}
    return sorted(fit | ({told} if isinstance(told, float) else set()))


def _number(value: Value | None) -> float | Interval:
    assert value is not None
    assert not isinstance(value, str | bool)
    return value


def _limits(bearing: Bearing) -> list[float]:
    return sorted({leaf.limit for leaf in bearing.tests if isinstance(leaf, Compares)})


def _ends(bearing: Bearing, told: Value | None) -> Iterator[float]:
    """The least and the greatest number to be tried."""
    fact, known = bearing.fact, _known(bearing, told)
    down, up = (_NEAREST_FED, _FURTHEST_FED) if bearing.feeds else (_FURTHEST, _FURTHEST)
    yield fact.maximum if fact.maximum is not None else up * max(known, default=0.0)
    if fact.minimum is not None:
        yield fact.minimum
    elif fact.above is not None:
        least = min((number for number in known if number > fact.above), default=1.0)
        yield max(typed_numbers.nearest(least / down), typed_numbers.after(fact.above))


def _known(bearing: Bearing, told: Value | None) -> list[float]:
    """Numbers that show of what size the fact is: its limits, what was told, and its example where formulas read it."""
    values = [told, bearing.fact.read(bearing.fact.example) if bearing.feeds else None]
    ends = [end for value in values if value is not None and is_finite(value) for end in bounds(_number(value))]
    return [*_limits(bearing), *ends]


def _steps(bearing: Bearing, told: Value | None) -> Iterator[float]:
    """Numbers all the way from the least to the greatest: tenths of a bounded fact, else 1, 2, 5, 10, 20 and so on."""
    fact, known = bearing.fact, [number for number in _known(bearing, told) if number > 0]
    if fact.maximum is not None and fact.minimum is not None:
        yield from (fact.minimum + (fact.maximum - fact.minimum) * step / 10 for step in range(1, 10))
    elif known:
        lowest, highest = (math.log10(min(max(number, _SMALL), _GREAT)) for number in (min(known), max(known)))
        powers = range(math.floor(lowest - math.log10(_NEAREST_FED)), math.ceil(highest + math.log10(_FURTHEST_FED)))
        yield from (float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5))


def _around(bearing: Bearing, limit: float) -> Iterator[float]:
    """The limit, and what lies just to either side of it where some test tells it from the limit."""
    if bearing.fact.whole:
        yield from (math.ceil(limit) - 1.0, math.floor(limit) + 1.0)
    else:
        sides = (math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf))
        yield from (side for side in sides if class_of(bearing, side) != class_of(bearing, limit))
    yield limit


def _fitted(fact: FactType, number: float) -> float | None:
    """The number, whole where the fact is; None where the fact cannot be it."""
    found = float(round(number)) if fact.whole else number
    try:
        return found if fact.read(found) == found else None
    except FaultError:
        return None


def class_of(bearing: Bearing, value: Value) -> tuple[Truth, ...]:
    """What each test says of the value: equal for two values where no test can tell them apart."""
    return tuple(leaf_truth(leaf, value) for leaf in bearing.tests)
