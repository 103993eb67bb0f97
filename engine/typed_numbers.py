"""Numbers as a person would type them: of three digits. They stand in a row, and each has a place in it."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

DIGITS = 3
_A_DECADE: int = 9 * 10 ** (DIGITS - 1)
_LEAST_DECADE = -12
_UP, _DOWN = Context(prec=DIGITS, rounding=ROUND_CEILING), Context(prec=DIGITS, rounding=ROUND_FLOOR)


def place_at_most(number: float) -> int:
    """The place of the greatest of these numbers that is not above the number."""
    return _place(_DOWN.create_decimal(Decimal(repr(number))))


def place_at_least(number: float) -> int:
    """The place of the least of these numbers that is not below the number."""
    return _place(_UP.create_decimal(Decimal(repr(number))))


def at(place: int) -> float:
    """The number in this place; zero in place 0, below it the same numbers with a minus."""
    if place <= 0:
        return -at(-place) if place else 0.0
    decade, step = divmod(place - 1, _A_DECADE)
    return float(Decimal(10 ** (DIGITS - 1) + step).scaleb(decade + _LEAST_DECADE - DIGITS + 1))


def nearest(number: float) -> float:
    """The nearest of these numbers."""
    return float(Context(prec=DIGITS).create_decimal(Decimal(repr(number))))


def _place(number: Decimal) -> int:
    if number == 0 or abs(number) < Decimal(1).scaleb(_LEAST_DECADE):
        return 0
    if number < 0:
        return -_place(-number)
    decade = number.adjusted()
    step: int = int(number.scaleb(DIGITS - 1 - decade)) - 10 ** (DIGITS - 1)
    return (decade - _LEAST_DECADE) * _A_DECADE + step + 1


def after(number: float) -> float:
    """The least of these numbers that is above the number."""
    return at(place_at_most(number) + 1)


def before(number: float) -> float:
    """The greatest of these numbers that is below the number."""
    return at(place_at_least(number) - 1)


def between(low: float, high: float, count: int) -> list[float]:
    """Up to `count` of these numbers strictly between two others, spread evenly, from low to high."""
    first, last = place_at_most(low) + 1, place_at_least(high) - 1
    inside = last - first + 1
    if inside <= count:
        return [at(place) for place in range(first, last + 1)]
    return [at(first + (number + 1) * inside // (count + 1)) for number in range(count)]


def whole_between(low: float, high: float, count: int) -> list[float]:
    """Up to `count` whole numbers strictly between two others, spread evenly, from low to high."""
    first, last = int(low) + 1, int(high) - 1
    inside = last - first + 1
    if inside <= count:
        return [float(number) for number in range(first, last + 1)]
    return [float(first + (number + 1) * inside // (count + 1)) for number in range(count)]
