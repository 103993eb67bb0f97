"""What the two sides of an account come to: bands from the least to the most."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.values import UNLIMITED, interval
from knowledge import economics as formulas
from knowledge.arithmetic import Number
from knowledge.costing import Line
from knowledge.own_cost import upfront

Band = tuple[float, float]

RUNNING = ("power", "space", "maintenance")
"""The lines of owning that are paid month by month from a running budget; people are on the payroll."""


@dataclass(frozen=True)
class Sums:
    """Own and rented cost on one card: each from the least to the most, over all offers that suit."""

    card: str
    own: Band
    rented: Band

    @property
    def ratio(self) -> Band:
        return formulas.ratio(self.own[0], self.rented[1]), formulas.ratio(self.own[1], self.rented[0])

    @property
    def difference(self) -> Band:
        """By how much one costs more than the other, whichever it is."""
        low, high = self.own[0] - self.rented[1], self.own[1] - self.rented[0]
        return max(low, -high, 0.0), max(abs(low), abs(high))


@dataclass(frozen=True, slots=True)
class Owned:
    """What owning comes to on one card, in its two cases: line by line, before the first day, and month by month."""

    least: tuple[float, ...]
    most: tuple[float, ...]
    upfront: Band
    running: Band

    @staticmethod
    def of(lines: Sequence[Line]) -> Owned:
        return Owned(
            tuple(item.least for item in lines),
            tuple(item.most for item in lines),
            (upfront(lines, 0), upfront(lines, 1)),
            total(item for item in lines if item.id in RUNNING),
        )

    def with_lines(self, lines: Sequence[Line]) -> Band:
        """Least and most with further lines, as `total` counts them."""
        least = sum((*self.least, *(item.least for item in lines)))
        most = sum((*self.most, *(item.most for item in lines)))
        return max(least, 0.0), max(most, 0.0)


def total(lines: Iterable[Line]) -> Band:
    """Least and most that the lines come to together; what is left of hardware never makes a sum negative."""
    items = list(lines)
    return max(sum(item.least for item in items), 0.0), max(sum(item.most for item in items), 0.0)


def hull_of(bands: Iterable[Band]) -> Band:
    """The band that holds all bands."""
    found = list(bands)
    return min(low for low, _ in found), max(high for _, high in found)


def as_value(band: Band | None) -> Number | None:
    """The band as a fact holds it; unknown where it spans everything."""
    if band is None or math.isnan(band[0]) or math.isnan(band[1]) or band == (0.0, UNLIMITED):
        return None
    return interval(*sorted(band))  # rounding may leave the ends of a point in the other order
