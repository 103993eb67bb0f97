"""What a fact can hold: a word, yes or no, a number, or a range of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

UNLIMITED = math.inf
UNLIMITED_WORD = "unlimited"


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`, both included; `low` is below `high`."""

    low: float
    high: float


Value: TypeAlias = str | bool | float | Interval
Facts: TypeAlias = Mapping[str, Value]
Text: TypeAlias = Mapping[str, str]
"""One wording in every language: language code -> sentence."""


def interval(low: float, high: float) -> float | Interval:
    """The numbers from low to high: a plain number where both are the same.

    Raises ValueError when low is above high or either is not a number.
    """
    if math.isnan(low) or math.isnan(high) or low > high:
        raise ValueError(f"not an interval: {low} to {high}")
    return float(low) if low == high else Interval(float(low), float(high))


def bounds(value: float | Interval) -> tuple[float, float]:
    """Lowest and highest number that the value may stand for."""
    if isinstance(value, Interval):
        return value.low, value.high
    return float(value), float(value)


def is_finite(value: Value) -> bool:
    """Whether the value is a number, or a range of numbers, with an end."""
    return not isinstance(value, str | bool) and bounds(value)[1] != UNLIMITED


def to_json(value: Value) -> object:
    """The value as JSON: a range is a list of two; an unlimited number is a word, since JSON has no infinity."""
    if isinstance(value, Interval):
        return [_finite(value.low), _finite(value.high)]
    if isinstance(value, bool | str):
        return value
    return _finite(value)


def from_json(data: object) -> Value:
    """The value that `to_json` wrote. Raises ValueError for anything else."""
    if isinstance(data, bool):
        return data
    if data == UNLIMITED_WORD:
        return UNLIMITED
    if isinstance(data, str):
        return data
    if isinstance(data, int | float):
        return float(data)
    if isinstance(data, list) and len(data) == 2:
        low, high = (from_json(item) for item in data)
        if isinstance(low, float) and isinstance(high, float):
            return interval(low, high)
    raise ValueError(f"not a value: {data!r}")


def _finite(number: float) -> object:
    number = float(number)
    if math.isinf(number):
        return UNLIMITED_WORD
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
