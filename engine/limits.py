"""Where along a row of numbers something begins to hold: the exact limit, or the last typed number that still does."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine import typed_numbers

_AT_ONCE = 7
"""So many numbers are tried at a time between two others: many limits are looked for in one go."""


@dataclass(frozen=True)
class Limit:
    """The last number that holds; where it is not `closed`, the first that no longer does."""

    number: float
    closed: bool = True

    @staticmethod
    def at(number: float) -> Limit:
        """A number that holds; where the one next to it is the one that a person would type, that one."""
        around = [math.nextafter(number, side) for side in (-math.inf, math.inf)]
        shorter = [other for other in around if len(repr(other)) < len(repr(number)) - 2]
        return Limit(shorter[0], False) if shorter else Limit(number)


@dataclass(frozen=True)
class Edge:
    """Something holds at `inside` and not at `outside`, and turns once between them.

    `whole`: only whole numbers come into question. `smooth`: it may turn anywhere, and not only where both numbers
    are next to each other.
    """

    inside: float
    outside: float
    whole: bool
    smooth: bool


Asked = Sequence[tuple[int, float]]
"""Numbers to be tried, each with the place of the edge that it is tried for."""


def limits(edges: Sequence[Edge], hold: Callable[[Asked], Sequence[bool]]) -> list[Limit]:
    """The limit of each edge. `hold` says of numbers whether it still holds there."""
    inside, outside = [edge.inside for edge in edges], [edge.outside for edge in edges]
    while asked := [(n, number) for n, edge in enumerate(edges) for number in _next(edge, inside[n], outside[n])]:
        for (place, number), holds in zip(asked, hold(asked), strict=True):
            ends = inside if holds else outside
            if _is_between(number, inside[place], outside[place]):
                ends[place] = number
    return [_limit(edge, inside[n], outside[n]) for n, edge in enumerate(edges)]


def _next(edge: Edge, inside: float, outside: float) -> list[float]:
    low, high = min(inside, outside), max(inside, outside)
    if edge.whole:
        found = typed_numbers.whole_between(low, high, _AT_ONCE)
    else:
        found = typed_numbers.between(low, high, _AT_ONCE) if edge.smooth and not _are_neighbors(low, high) else []
    return [number for number in found if low < number < high]  # of very large whole numbers not each is a float


def _is_between(number: float, inside: float, outside: float) -> bool:
    return min(inside, outside) < number < max(inside, outside)


def _are_neighbors(low: float, high: float) -> bool:
    return math.nextafter(low, math.inf) >= high


def _limit(edge: Edge, inside: float, outside: float) -> Limit:
    """Of two numbers next to each other the one that a person would type; it holds or it does not."""
    low, high = min(inside, outside), max(inside, outside)
    if edge.whole or not _are_neighbors(low, high):
        return Limit(inside)
    return Limit.at(inside)


def typed_within(limit: Limit, other: float) -> float:
    """The number nearest to the limit at which it holds, as it is typed; `other` is one at which it holds too."""
    if limit.closed:
        return limit.number
    if other > limit.number:
        return min(typed_numbers.after(limit.number), other)
    return max(typed_numbers.before(limit.number), other)
