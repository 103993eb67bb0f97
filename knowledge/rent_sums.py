"""What renting comes to, offer by offer, where no lines are wanted: the same sums as theirs, many times sooner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.values import UNLIMITED
from knowledge import economics as formulas
from knowledge.costing import RESERVED, Input
from knowledge.rent_cost import MODES, Span, data_lines, is_listed, paid, share_paid
from knowledge.rental import Offer
from knowledge.terms import Need, Terms


@dataclass(frozen=True, slots=True)
class _Price:
    """What an offer asks for a GPU-hour in one purchase mode, before any discount."""

    mode: str
    money: Input
    listed: bool


@dataclass(frozen=True)
class _Prices:
    """The prices of offers in one currency; by mode the figures behind them, and those among these that were told."""

    each: tuple[tuple[Offer, tuple[_Price, ...]], ...]
    read: Mapping[str, set[str]]
    told: Mapping[str, list[str]]


def best(terms: Terms, need: Need, found: tuple[Offer, ...]) -> Span | None:
    """From the cheapest offer to the dearest one that may suit, each in its cheapest mode that is surely to be had.

    None where nothing is to be had. The sums are those of `rents`, without their lines.
    """
    adder = _Adder(terms, need, found)
    lowest: list[float] = []
    highest: list[float] = []
    for offer, prices in adder.prices.each:
        sure = []
        for price in prices:
            sums = adder.sums(offer, price)
            if sums is not None:
                least, most, surely = sums
                lowest.append(least)
                if surely:
                    sure.append(most)
        if sure:
            highest.append(min(sure))
    return (min(lowest), max(highest, default=UNLIMITED)) if lowest else None


class _Adder:
    """Adds up what offers come to; what they have in common is worked out once."""

    def __init__(self, terms: Terms, need: Need, found: tuple[Offer, ...]) -> None:
        self.terms = terms
        self.need = need
        self.prices = _prices(terms, found)
        self._shares = (share_paid(terms, False), share_paid(terms, True))
        self._hours: dict[tuple[str, float], tuple[Span, bool] | None] = {}
        self._data: dict[str, tuple[list[float], list[float]]] = {}

    def sums(self, offer: Offer, price: _Price) -> tuple[float, float, bool] | None:
        """Least and most, and whether the mode is surely to be had; None where it does not suit."""
        if price.mode in RESERVED:
            return self._reserved(offer, price)
        key = (price.mode, offer.size)
        if key not in self._hours:
            self._hours[key] = self._by_the_hour(offer, price.mode)
        hours = self._hours[key]
        if hours is None:
            return None
        least, most = self._amount(price.money, price.listed, hours[0])
        return self._whole([least], offer, 0), self._whole([most], offer, 1), hours[1]

    def _by_the_hour(self, offer: Offer, mode: str) -> tuple[Span, bool] | None:
        """The hours that are paid for, the same at all offers of one size; the mode's prices are noted as read."""
        found = paid(self.terms, self.need, offer, mode)
        if found is None:
            return None
        self.terms.figures.used |= self.prices.read[mode]
        for name in self.prices.told.get(mode, ()):
            self.terms.money(name)
        return found[0][0].hours, found[1]

    def _reserved(self, offer: Offer, price: _Price) -> tuple[float, float, bool] | None:
        found = paid(self.terms, self.need, offer, price.mode)
        if found is None:
            return None
        each = [
            self._amount(self.terms.money(item.price), is_listed(self.terms, offer, item.price), item.hours)
            for item in found[0]
        ]
        least, most = [low for low, _ in each], [high for _, high in each]
        return self._whole(least, offer, 0), self._whole(most, offer, 1), found[1]

    def _amount(self, money: Input, listed: bool, hours: Span) -> Span:
        share = self._shares[listed]
        return formulas.rent(hours[0], money.least, share[0]), formulas.rent(hours[1], money.most, share[1])

    def _whole(self, amounts: list[float], offer: Offer, end: int) -> float:
        """The amounts with data and overhead."""
        if offer.tier not in self._data:
            lines = data_lines(self.terms, self.need, offer)
            self._data[offer.tier] = [item.least for item in lines], [item.most for item in lines]
        amounts += self._data[offer.tier][end]
        if self._overhead is not None:
            amounts.append(sum(amounts) * self._overhead[end])
        return sum(amounts)

    @cached_property
    def _overhead(self) -> Span | None:
        share = self.terms.figure("overhead_share", "")
        return (share.least, share.most) if share.most != 0 else None


def _prices(terms: Terms, found: tuple[Offer, ...]) -> _Prices:
    """The prices of these offers, the same for all terms over the same figures in one currency."""
    key = ("prices", id(found), terms.facts["finance.currency"])
    if key not in terms.shared:
        terms.shared[key] = (found, _worked_out(terms, found))  # while it is kept, no other has its id
    prices: _Prices = terms.shared[key][1]
    return prices


def _worked_out(terms: Terms, found: tuple[Offer, ...]) -> _Prices:
    read: dict[str, set[str]] = {}
    told: dict[str, list[str]] = {}
    each = []
    for offer in found:
        prices = []
        for mode in (mode for mode in MODES if mode in offer.prices):
            name = offer.prices[mode]
            money, behind = terms.priced(name)
            read.setdefault(mode, set()).update(behind)
            told.setdefault(mode, []).extend([name] if terms.figures.is_told(name) else ())
            prices.append(_Price(mode, money, is_listed(terms, offer, name)))
        each.append((offer, tuple(prices)))
    return _Prices(tuple(each), read, told)
