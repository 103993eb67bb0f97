"""Numbers as people write them: `7B`, `70亿`, `1,000`, `30%`, `40-70%`, full-width digits; and how they are shown.

The units and their suffixes are data of the knowledge base. Reading is exact decimal arithmetic, so that `30%` is 0.3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal

from engine.faults import Fault, FaultError, did_you_mean, nearest
from engine.values import Interval, Text, bounds, interval

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_DIGITS = r"[-+]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?"
_ONE = re.compile(rf"({_DIGITS})\s*(\D*?)")
_SEPARATOR = r"\s*(?:-|\u2013|\u2014|~|\u2026|\.\.|to|\u5230|\u81f3)\s*"
_RANGE = re.compile(rf"({_DIGITS})\s*(\D*?){_SEPARATOR}({_DIGITS})\s*(\D*?)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_LONGEST = 100
MOST = Decimal("1e18")
"""No number that is typed may be further from zero: no cluster, budget or model comes near it."""
_EXACT = Context(prec=400)
"""Enough digits for whatever may be computed of such numbers."""


def unreadable(key: str, /, **params: object) -> FaultError:
    """The error for a text that is no value of its fact; the caller adds the place."""
    return FaultError([Fault(key, params)])


@dataclass(frozen=True)
class Unit:
    """A unit and the suffixes it is written with: number × factor is in the unit itself.

    `shown` lists the suffixes a number may be shown with; the largest that leaves at least 1 is taken.
    """

    id: str
    title: Text
    symbol: Text
    suffixes: Mapping[str, Decimal]
    shown: tuple[str, ...] = ()
    _folded: Mapping[str, Decimal] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lowered = [suffix.lower() for suffix in self.suffixes]
        folded = {s.lower(): f for s, f in self.suffixes.items() if lowered.count(s.lower()) == 1}
        object.__setattr__(self, "_folded", folded)

    def read(self, text: str) -> float | Interval:
        """The number or range that the text stands for, in this unit. Raises FaultError."""
        typed = text.translate(_FULL_WIDTH).strip()
        if len(typed) > _LONGEST:  # no number is, and the patterns below take long over long runs of spaces
            raise unreadable("not-a-number", typed=text)
        one = _ONE.fullmatch(typed)
        if one:
            return float(self._scaled(one[1], one[2], text))
        two = _RANGE.fullmatch(typed)
        if not two:
            raise unreadable("not-a-number", typed=text)
        low = self._scaled(two[1], two[2] or two[4], text)
        high = self._scaled(two[3], two[4], text)
        if low > high:
            raise unreadable("range-backwards", typed=text)
        return interval(float(low), float(high))

    def _scaled(self, digits: str, suffix: str, text: str) -> Decimal:
        if _LEADING_ZERO.match(digits):
            raise unreadable("leading-zero", typed=text, instead=_without_zeros(digits))
        number = Decimal(digits.replace(",", "")) * self._factor(suffix.strip(), text)
        if abs(number) > MOST:
            raise unreadable("number-too-large", typed=text)
        return number

    def _factor(self, suffix: str, text: str) -> Decimal:
        if not suffix:
            return Decimal(1)
        factor = self.suffixes.get(suffix) or self._folded.get(suffix.lower())
        if factor is None:
            known = sorted(self.suffixes, key=lambda name: (self.suffixes[name], name))
            hint = did_you_mean(nearest(suffix, known))
            raise unreadable("unknown-suffix", typed=text, suffix=suffix, known=known or ["-"], hint=hint)
        return factor

    def show(self, value: float | Interval, language: str, unlimited: str) -> str:
        """The value in one fixed form with its symbol, readable by `read` but for the symbol's spacing."""
        low, high = bounds(value)
        if high == float("inf"):
            return unlimited
        suffix = self._suffix_for(high)
        symbol = suffix or self.symbol.get(language, "")
        if low == high:
            return self._digits(low, suffix) + symbol
        return f"{self._digits(low, suffix)}\u2013{self._digits(high, suffix)}{symbol}"

    def _suffix_for(self, number: float) -> str:
        fitting = [s for s in self.shown if abs(Decimal(repr(number))) >= self.suffixes[s]]
        always = len(self.shown) == 1 and self.suffixes[self.shown[0]] < 1
        return self.shown[0] if always else max(fitting, key=lambda s: self.suffixes[s], default="")

    def _digits(self, number: float, suffix: str) -> str:
        exact = _EXACT.divide(Decimal(repr(number)), self.suffixes.get(suffix, Decimal(1)))
        rounded = exact.quantize(Decimal("0.0001"), context=_EXACT).normalize(_EXACT)
        return f"{rounded:,f}" if abs(rounded) >= 10_000 else f"{rounded:f}"


def _without_zeros(digits: str) -> str:
    """The same digits without the zeros that lead them, sign kept."""
    sign = digits[:1] if digits[0] in "+-" else ""
    bare = digits.lstrip("+-0")
    return sign + (bare if bare[:1].isdecimal() else f"0{bare}")
