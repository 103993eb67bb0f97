"""The terms of a costing: what is needed, for how long, at which prices, each with its two cases.

Only what is told or listed counts. What nobody has told is either spanned, from the least to the most that it can
be, as the rules must see it; or left out by name, as a page says it ("at list price", "all GPUs bought").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from engine.faults import Report
from engine.figures import Figure, FigureValues
from engine.values import UNLIMITED, Value, bounds
from knowledge.arithmetic import Number, monotone, number
from knowledge.costing import Input, Missing
from knowledge.currencies import CURRENCIES, RATES
from knowledge.gpus import gpus, matching

Facts = Mapping[str, Value | None]

NEEDED = ("demand.gpus_steady", "demand.gpus_peak", "demand.horizon_months")
"""Without these there is no sum at all."""

LEFT_OUT = {
    "operations.gpus_owned": (0.0, UNLIMITED),
    "finance.cloud_discount": (0.0, 1.0),
    "finance.commitment_months_left": (0.0, UNLIMITED),
    "data.volume_tb": (0.0, UNLIMITED),
    "data.egress_tb_per_month": (0.0, UNLIMITED),
}
"""What adds a line or takes one away, with all that it can be; a page without them says so."""

_OWN_REGIONS = ("us", "cn", "eu")

TOLD_PER = {
    "cloud_price_per_gpu_hour": "/GPU-hour",
    "reserved_price_per_gpu_hour": "/GPU-hour",
    "spot_price_per_gpu_hour": "/GPU-hour",
    "electricity_per_kwh": "/kWh",
    "space_per_kw_month": "/kW/month",
    "staff_per_year": "/year",
}
"""What a price that was told is the price of, where no shipped figure of the same name says so."""


DIVISORS = ("cny_per_usd", "usd_per_eur", "service_life_years", "gpus_per_server", "servers_per_staff")
"""Figures by which something is divided."""


def check_divisors(figures: Mapping[str, Figure]) -> None:
    """Raises FaultError where a figure by which something is divided may be nothing."""
    report = Report()
    for name in DIVISORS:
        if name in figures and bounds(figures[name].value)[0] <= 0:
            report.add("not-above", figures[name].place, typed=f"{bounds(figures[name].value)[0]:g}", limit="0")
    report.check()


MOST_SHARED = 2048
"""So much of what was worked out is kept for other terms over the same figures."""

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Need:
    """How many GPUs, how busy, for how many months; every part a (low, high) pair."""

    steady: tuple[float, float]
    peak: tuple[float, float]
    utilization: tuple[float, float]
    peak_share: tuple[float, float]
    months: tuple[float, float]

    def busy_for(self, utilization: float) -> Need:
        """The same need with its steady GPUs busy for this share of the time."""
        return replace(self, utilization=(utilization, utilization))

    def lasting(self, low: float, high: float) -> Need:
        """The same need for so many months."""
        return replace(self, months=(low, high))

    def base(self) -> Need:
        """The steady part of it alone."""
        return replace(self, peak=self.steady, peak_share=(0.0, 0.0))

    def steady_ranges(self) -> list[tuple[float, float]]:
        """The steady GPUs as none, and as one or more: use is counted otherwise where there are none."""
        low, high = self.steady
        found = [(0.0, 0.0)] if low == 0 else []
        return [*found, (max(low, 1.0), high)] if high > 0 else found


@dataclass
class Terms:
    """Reads facts and figures in one currency. `spanned`: what was not told spans all that it can be."""

    facts: Facts
    figures: FigureValues
    spanned: bool
    missing: dict[Missing, None] = field(default_factory=dict)
    shared: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)
    """What was made of figures alone, with the ids behind it: terms over the same figures may share it."""

    @property
    def currency(self) -> str:
        """That of the profile, US dollars while nobody has told one."""
        return str(self.facts["finance.currency"] or "USD")

    def miss(self, kind: str, name: str) -> None:
        region = self.facts["region"] if kind != "fact" else None
        self.missing[Missing(kind, name, None if region is None else str(region))] = None

    def need(self) -> Need | None:
        """None where something is missing without which there is no sum."""
        for path in NEEDED:
            if number(self.facts[path]) is None or bounds(number(self.facts[path]) or 0.0)[1] == UNLIMITED:
                self.miss("fact", path)
        if self.missing:
            return None
        steady, peak, months = (bounds(number(self.facts[path]) or 0.0) for path in NEEDED)
        peak = (max(peak[0], steady[0]), max(peak[1], steady[1]))
        above = peak[1] > steady[0]
        share = self.fact("demand.peak_share", 0.0, 1.0) if above else (0.0, 0.0)
        return Need(steady, peak, self.fact("demand.utilization", 0.0, 1.0), share, months)

    def fact(self, path: str, least: float, most: float) -> tuple[float, float]:
        """The fact's range; from least to most while it is unknown."""
        told = number(self.facts[path])
        return bounds(told) if told is not None else (least, most)

    def optional(self, path: str) -> tuple[float, float]:
        """A fact of LEFT_OUT: its range; while unknown all that it can be, or nothing where it is left out."""
        return self.fact(path, *(LEFT_OUT[path] if self.spanned else (0.0, 0.0)))

    def left_out(self) -> tuple[str, ...]:
        """The facts that were not told and are not in the sums."""
        return tuple(path for path in LEFT_OUT if self.facts[path] is None)

    # Figures

    def figure(self, name: str, unit: str | None = None, rising: bool = True) -> Input:
        """A figure in its two cases; `rising`: more of it costs more."""
        return self.noted((name, rising, unit), lambda: self._as_it_is(name, unit, rising))

    def _as_it_is(self, name: str, unit: str | None, rising: bool) -> Input:
        low, high = bounds(self.figures[name])
        return self.input(name, self._kind(name), low, high, unit or self.figures.unit(name), rising)

    def money(self, name: str, rising: bool = True) -> Input:
        """A figure of money, in the currency of the costing."""
        found, read = self.priced(name, rising)
        self.figures.used |= read
        if self.figures.is_told(name):
            self._needs_currency()
        return found

    def priced(self, name: str, rising: bool = True) -> tuple[Input, set[str]]:
        """The same without any note of it, and the ids of the figures that stand behind it."""
        key = (name, rising, "in", self.facts["finance.currency"])
        return self._once(key, lambda: self._worked_out(name, rising))

    def noted(self, key: tuple[object, ...], work_out: Callable[[], _Found]) -> _Found:
        """What comes of figures and of what stands in the key, worked out once; its figures are noted as read.

        It must miss nothing, since nothing is noted of that.
        """
        found, read = self._once(key, work_out)
        self.figures.used |= read
        return found

    def _once(self, key: tuple[object, ...], work_out: Callable[[], _Found]) -> tuple[_Found, set[str]]:
        if key not in self.shared:
            before, self.figures.used = self.figures.used, set()
            found = work_out()
            if len(self.shared) >= MOST_SHARED:
                self.shared.clear()
            self.shared[key] = (found, self.figures.used)
            self.figures.used = before
        once: tuple[_Found, set[str]] = self.shared[key]
        return once

    def _worked_out(self, name: str, rising: bool) -> Input:
        unit = self.figures.unit(name)
        value, start = self.figures[name], unit[:3]
        if self.figures.is_told(name):
            per = unit[3:] if start in CURRENCIES else TOLD_PER.get(name, "")
        else:
            value, per = self._exchanged(value, start), unit[3:]
        low, high = bounds(value)
        return self.input(name, self._kind(name), low, high, self.currency + per, rising)

    def _kind(self, name: str) -> str:
        return "assumption" if self.figures.is_told(name) else "figure"

    def _needs_currency(self) -> None:
        if self.facts["finance.currency"] is None:
            self.miss("fact", "finance.currency")

    def _exchanged(self, value: Number, currency: str) -> Number:
        if currency == self.currency:
            return value
        return self._from_usd(self._to_usd(value, currency), self.currency)

    def _to_usd(self, value: Number, currency: str) -> Number:
        if currency == "CNY":
            return monotone(lambda amount, rate: amount / rate, [value], [self.figures[RATES["CNY"]]])
        if currency == "EUR":
            return monotone(lambda amount, rate: amount * rate, [value, self.figures[RATES["EUR"]]])
        return value

    def _from_usd(self, value: Number, currency: str) -> Number:
        if currency == "CNY":
            return monotone(lambda amount, rate: amount * rate, [value, self.figures[RATES["CNY"]]])
        if currency == "EUR":
            return monotone(lambda amount, rate: amount / rate, [value], [self.figures[RATES["EUR"]]])
        return value

    def regional(self, name: str, told: str | None = None) -> Input:
        """A figure of money that differs by region; one's own, told under `told` or the bare name, goes first."""
        if told is not None and self.facts[told] is not None:
            self._needs_currency()
            low, high = self.fact(told, 0.0, 0.0)
            return self.input(told, "fact", low, high, self.currency + self.figures.unit(f"{name}.us")[3:], True)
        if self.figures.is_told(name):
            return self.money(name)
        return self.any_of([f"{name}.{region}" for region in self._regions(name)])

    def _regions(self, name: str) -> list[str]:
        known = [region for region in _OWN_REGIONS if f"{name}.{region}" in self.figures]
        region = self.facts["region"]
        if region is None:
            return [*known, "other"]
        return [str(region)] if region in known else ["other"]

    def any_of(self, names: list[str], rising: bool = True) -> Input:
        """A figure of money that may be any of these, under the name of the first."""
        inputs = [self.money(name) for name in names]
        low, high = min(item.least for item in inputs), max(item.most for item in inputs)
        return self.input(inputs[0].name, inputs[0].kind, low, high, inputs[0].unit, rising)

    def input(self, name: str, kind: str, low: float, high: float, unit: str, rising: bool) -> Input:
        return Input(name, kind, low, high, unit) if rising else Input(name, kind, high, low, unit)

    # Cards

    def cards(self) -> tuple[str, ...]:
        """The cards that the need may be met with: those of the name told that have the memory told or computed."""
        least = bounds(number(self.facts["model.gpu_memory_gb"]) or 0.0)[0]
        found = matching(self.facts["model.gpu"])
        return tuple(gpu.id for gpu in found if gpu.memory_gb >= least) or tuple(gpu.id for gpu in found)

    def names_a_card(self) -> bool:
        return matching(self.facts["model.gpu"]) != gpus()
