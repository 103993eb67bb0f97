"""Arithmetic on ranges, for functions that move one way with each of their inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from engine.values import Interval, Value, bounds, interval

Number: TypeAlias = float | Interval


def number(value: Value | None) -> Number | None:
    """The value where it is a number or a range of numbers, else None."""
    return None if isinstance(value, str | bool) else value


def monotone(function: Callable[..., float], rising: Sequence[Number], falling: Sequence[Number] = ()) -> Number:
    """All values of a function over ranges: from its value at one corner to its value at the opposite one.

    `function` takes the rising inputs first, then the falling ones. It must never fall while a rising input grows and
    never rise while a falling one does; then no value lies outside, and both ends are reached.
    """
    lowest = function(*(bounds(item)[0] for item in rising), *(bounds(item)[1] for item in falling))
    highest = function(*(bounds(item)[1] for item in rising), *(bounds(item)[0] for item in falling))
    return interval(lowest, highest)


def hull(*numbers: Number) -> Number:
    """The smallest range that holds them all. Raises ValueError where there are none."""
    return interval(min(bounds(item)[0] for item in numbers), max(bounds(item)[1] for item in numbers))


def significant(exact: float) -> float:
    """The number to four significant digits; rises with it."""
    return float(f"{exact:.4g}")


def whole_up(exact: float) -> float:
    """The next whole number at or above; what rounding errors leave above a whole number counts as that number."""
    return exact if math.isinf(exact) else float(math.ceil(round(exact, 9)))


# The same on numbers and on columns of numbers (arrays whose operators work element by element)


def smaller(one: Any, other: Any) -> Any:
    """The smaller of two numbers, or of each pair of two columns."""
    return _numpy().minimum(one, other) if _is_column(one) or _is_column(other) else min(one, other)


def larger(one: Any, other: Any) -> Any:
    """The larger of two numbers, or of each pair of two columns."""
    return _numpy().maximum(one, other) if _is_column(one) or _is_column(other) else max(one, other)


def chosen(condition: Any, one: Any, other: Any) -> Any:
    """`one` where the condition holds, else `other`."""
    if _is_column(condition) or _is_column(one) or _is_column(other):
        return _numpy().where(condition, one, other)
    return one if condition else other


def rounded_up(exact: Any) -> Any:
    """`whole_up` of a number, or of each number of a column."""
    return _numpy().ceil(_numpy().round(exact, 9)) if _is_column(exact) else whole_up(exact)


def _is_column(value: Any) -> bool:
    return type(value) is not float and hasattr(value, "__array__") and bool(getattr(value, "ndim", 0))


def _numpy() -> Any:
    return import_module("numpy")  # only where a column came in, so it is there
