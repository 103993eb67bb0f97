"""Looks for rented prices that contradict each other: a discount that is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.base import KnowledgeBase
from engine.figures import Figure
from engine.values import bounds
from knowledge.arithmetic import Number, monotone
from knowledge.costing import ON_DEMAND, RESERVED, SPOT
from knowledge.currencies import RATES, currency_of
from knowledge.rental import PREFIX


@dataclass(frozen=True)
class PriceWarning:
    """Two prices of one instance in one region, `figure` no lower, or higher, than the one on demand.

    kind: `spot` (at or above the price on demand) or `reserved` (above it). No fault: such prices do occur, and the
    sums take them as they are.
    """

    kind: str
    figure: Figure
    on_demand: Figure


def price_warnings(base: KnowledgeBase) -> tuple[PriceWarning, ...]:
    """Every spot price at or above, and every reserved price above, that on demand, in the order of the figures.

    Prices in two currencies are compared at the exchange rates of the base. A range counts where all of it does.
    """
    found = (_warnings(prices, base.figures) for prices in offered(base).values())
    return tuple(warning for warnings in found for warning in warnings)


def offered(base: KnowledgeBase) -> Mapping[str, Mapping[str, Figure]]:
    """The prices of each instance in each region by their purchase; the key is what their ids have in common."""
    found: dict[str, dict[str, Figure]] = {}
    for name, figure in base.figures.items():
        if name.startswith(PREFIX):
            found.setdefault(name.rpartition(".")[0], {})[figure.attributes["purchase"]] = figure
    return found


def _warnings(prices: Mapping[str, Figure], figures: Mapping[str, Figure]) -> Iterator[PriceWarning]:
    hourly = prices.get(ON_DEMAND)
    if hourly is None:
        return
    for purchase, figure in prices.items():
        low, high = _compared(figure, hourly, figures)
        if purchase == SPOT and low >= high:
            yield PriceWarning("spot", figure, hourly)
        elif purchase in RESERVED and low > high:
            yield PriceWarning("reserved", figure, hourly)


def _compared(figure: Figure, hourly: Figure, figures: Mapping[str, Figure]) -> tuple[float, float]:
    """The least of the one price and the most of the other, in one currency."""
    if currency_of(figure.unit) == currency_of(hourly.unit):
        return bounds(figure.value)[0], bounds(hourly.value)[1]
    return bounds(_in_usd(figure, figures))[0], bounds(_in_usd(hourly, figures))[1]


def _in_usd(figure: Figure, figures: Mapping[str, Figure]) -> Number:
    currency = currency_of(figure.unit)
    if currency == "CNY":
        return monotone(lambda amount, rate: amount / rate, [figure.value], [figures[RATES["CNY"]].value])
    if currency == "EUR":
        return monotone(lambda amount, rate: amount * rate, [figure.value, figures[RATES["EUR"]].value])
    return figure.value
