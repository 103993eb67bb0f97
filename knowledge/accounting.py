"""The whole accounting of a case: the bands that the rules see, and the costing that a person reads."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.figures import Declared, FigureValues
from engine.values import UNLIMITED, interval
from knowledge import economics as formulas
from knowledge.arithmetic import Number
from knowledge.costing import (
    Line,
)
from knowledge.own_cost import busy_range, contract, own_lines, upfront
from knowledge.rent_cost import Rent, rents
from knowledge.rental import GUARDED, QUOTE, QUOTED, REGIONS, RESERVED_QUOTE, SPOT_QUOTE, Offer, offers
from knowledge.terms import Facts, Terms

Band = tuple[float, float]
RENTED_FIGURES = (
    "cloud_price.*", QUOTE, RESERVED_QUOTE, SPOT_QUOTE, "egress_per_gb.*", "object_storage_per_gb_month",
    "overhead_share", "spot_interruption_overhead", "cny_per_usd", "usd_per_eur",
)  # fmt: skip
OWN_FIGURES = (
    "server_price.*", "server_price", "workstation_price.*", "gpus_per_server", "server_power_kw",
    "server_power_kw.*", "server_power_to_gpu_power", "service_life_years", "network_price_per_server",
    "network_price_per_server.*", "installation_per_server", "residual_share", "residual_share.*",
    "depreciation_years", "draw_share.*", "pue", "electricity_per_kwh", "electricity_per_kwh.*",
    "space_per_kw_month", "space_per_kw_month.*", "staff_per_server", "staff_small_estate", "servers_per_staff",
    "staff_per_year", "staff_per_year.*", "maintenance_share", "interruptions_per_gpu_year",
    "hours_lost_per_interruption", "cny_per_usd", "usd_per_eur",
)  # fmt: skip

_OWN, _RENTED = Declared.of(OWN_FIGURES), Declared.of(RENTED_FIGURES)


@dataclass(frozen=True)
class Sums:
    """Own and rented cost on one card: each from the least to the most, over all offers that suit."""

    card: str
    own: Band
    rented: Band

    @property
    def ratio(self) -> Band:
        return formulas.ratio(self.own[0], self.rented[1]), formulas.ratio(self.own[1], self.rented[0])


class Account:
    """What a case costs either way. `spanned` as for `Terms`: the rules see all that is possible."""

    def __init__(self, facts: Facts, figures: FigureValues, spanned: bool = True) -> None:
        self.terms = Terms(facts, figures.declared(_OWN), spanned)
        self.rent_terms = Terms(facts, figures.declared(_RENTED), spanned)
        self.need = self.terms.need()
        self.rent_terms.need()
        self.cards = self.terms.cards()

    @property
    def used(self) -> set[str]:
        """The figures read so far, on either side."""
        return self.terms.figures.used | self.rent_terms.figures.used

    @cached_property
    def busy(self) -> Band | None:
        """GPUs that work at a time, averaged over the month."""
        return busy_range(self.need) if self.need else None

    @cached_property
    def offers(self) -> Mapping[str, tuple[Offer, ...]]:
        """By card, what can be rented; the terms of renting say where nothing can."""
        terms = self.rent_terms
        if self._any_card_will_do and not terms.figures.is_told(QUOTE):
            terms.miss("fact", "model.gpu")
            return dict.fromkeys(self.cards, ())
        found = {card: offers(terms.facts, terms.figures, [card]) for card in self.cards}
        for card, items in found.items():
            self._note_missing(card, items)
        return found

    def _note_missing(self, card: str, items: Sequence[Offer]) -> None:
        """Notes what a rent of this card waits for: an offer in every region that it may be, for data of any kind."""
        terms, told = self.rent_terms, self.rent_terms.facts
        if not terms.names_a_card() and not all(item.tier == QUOTED for item in items):
            terms.miss("fact", "model.gpu")
        elif not items:
            terms.miss("price", card)
        elif told["region"] is None and not _everywhere(items):
            terms.miss("fact", "region")
        elif not any(item.surely for item in items):
            terms.miss("fact", next(path for path in GUARDED if told[path] is None))

    @cached_property
    def rented(self) -> Mapping[str, tuple[Rent, ...]]:
        """By card, every offer in every purchase mode."""
        need = self.need
        if need is None:
            return {}
        return {
            card: tuple(rent for offer in items for rent in rents(self.rent_terms, need, offer))
            for card, items in self.offers.items()
        }

    @cached_property
    def bought(self) -> Mapping[str, list[Line]]:
        """By card, the lines of owning."""
        if self.need is None:
            return {}
        if self._any_card_will_do and not self.terms.figures.is_told("server_price"):
            self.terms.miss("fact", "model.gpu")
            return {card: [] for card in self.cards}
        return {card: own_lines(self.terms, self.need, card) for card in self.cards}

    @property
    def _any_card_will_do(self) -> bool:
        """Whether the rules must wait for a card to be named: no price holds for every card of the table."""
        return self.terms.spanned and not self.terms.names_a_card()

    @cached_property
    def own(self) -> Mapping[str, list[Line]]:
        """By card, the lines of owning, with a cloud contract that still runs."""
        found = {card: self._owed(card) if lines else None for card, lines in self.bought.items()}
        return {card: [*self.bought[card], *owed] if owed is not None else [] for card, owed in found.items()}

    def _owed(self, card: str) -> list[Line] | None:
        """The line of a contract that still runs, none where none does; None where no rent tells what it costs."""
        if self.need is None or not self.owes:
            return []
        most = best(self.rented[card])[1] / self.need.months[0]
        if most == UNLIMITED:
            return None
        owed = contract(self.terms, self.need, (0.0, most))  # how much of the need it covers is not told
        return [owed] if owed is not None else []

    @property
    def owes(self) -> bool:
        """Whether a cloud contract may still have to be paid."""
        return self.terms.optional("finance.commitment_months_left")[1] > 0

    @cached_property
    def sums(self) -> tuple[Sums, ...] | None:
        """By card; None while something is missing."""
        if self.own_band is None or self.rented_band is None:
            return None
        return tuple(Sums(card, total(self.own[card]), best(self.rented[card])) for card in self.cards)

    @cached_property
    def own_band(self) -> Band | None:
        """Least and most that owning costs over the horizon; None while something is missing for it."""
        if not self._whole(self.own, self.terms) or (self.owes and self.rented_band is None):
            return None
        return hull_of(total(lines) for lines in self.own.values())

    @cached_property
    def rented_band(self) -> Band | None:
        """The same for renting, each offer in its cheapest purchase mode."""
        if not self._whole(self.rented, self.rent_terms):
            return None
        return hull_of(best(items) for items in self.rented.values())

    def _whole(self, found: Mapping[str, Sequence[object]], terms: Terms) -> bool:
        return self.need is not None and all(found.values()) and not terms.missing

    @cached_property
    def capital(self) -> Band | None:
        """What has to be paid before the first day of owning."""
        if not self._whole(self.bought, self.terms):
            return None
        return hull_of((upfront(lines, 0), upfront(lines, 1)) for lines in self.bought.values())

    @cached_property
    def ratio(self) -> Band | None:
        """Own over rented, card by card, since both routes use the same one."""
        return hull_of(sums.ratio for sums in self.sums) if self.sums else None

    @cached_property
    def difference(self) -> Band | None:
        """Least and most by which one route costs more than the other over the horizon, whichever it is."""
        if not self.sums:
            return None
        return hull_of(_apart(sums) for sums in self.sums)

    def break_even_utilization(self, mode: str) -> Band | None:
        """Busy share of the steady GPUs from which owning costs no more, over all cards and offers."""
        found = [self._meeting(card, mode) for card in self.cards] if self.sums else []
        known = [band for band in found if band is not None]
        return hull_of(known) if known and len(known) == len(found) else None

    def _meeting(self, card: str, mode: str) -> Band | None:
        """From the dearest offer against the cheapest case of owning, to the cheapest against the dearest."""
        idle, busy = self._at(card, 0.0, mode), self._at(card, 1.0, mode)
        if idle is None or busy is None:
            return None
        low = formulas.break_even_utilization((idle[0][0], busy[0][0]), (idle[1][1], busy[1][1]))
        high = formulas.break_even_utilization((idle[0][1], busy[0][1]), (idle[1][0], busy[1][0]))
        return min(low, high), high

    def _at(self, card: str, utilization: float, mode: str) -> tuple[Band, Band] | None:
        """Own and rented cost with the steady GPUs busy for this share of the time."""
        assert self.need is not None
        need = self.need.busy_for(utilization)
        found = [r for offer in self.offers[card] for r in rents(self.rent_terms, need, offer) if r.mode == mode]
        lines = own_lines(self.terms, need, card)
        if not found or not lines:
            return None
        return total(lines), (min(r.least for r in found), max(r.most for r in found))

    def break_even_price(self) -> Band | None:
        """What a rented GPU-hour would have to cost for both to cost the same, paid by the hour that is used."""
        if self.need is None or self.busy is None or not self._whole(self.bought, self.terms):
            return None
        months, busy = self.need.months, self.busy
        hours = [busy[end] * formulas.HOURS_PER_MONTH * months[end] for end in (0, 1)]
        low, high = hull_of(total(lines) for lines in self.bought.values())
        return formulas.break_even_price(low, 0.0, hours[1]), formulas.break_even_price(high, 0.0, hours[0])


def _everywhere(items: Sequence[Offer]) -> bool:
    """Whether something is on offer in every region; one's own quote holds wherever the work runs."""
    return any(item.tier == QUOTED for item in items) or {area for item in items for area in item.areas} >= set(REGIONS)


def _apart(sums: Sums) -> Band:
    low, high = sums.own[0] - sums.rented[1], sums.own[1] - sums.rented[0]
    return max(low, -high, 0.0), max(abs(low), abs(high))


def total(lines: Iterable[Line]) -> Band:
    """Least and most that the lines come to together; what is left of hardware never makes a sum negative."""
    items = list(lines)
    return max(sum(item.least for item in items), 0.0), max(sum(item.most for item in items), 0.0)


def best(found: Sequence[Rent]) -> Band:
    """From the cheapest offer to the dearest one that may suit, each in its cheapest mode that is surely to be had."""
    by_offer: dict[int, list[Rent]] = {}
    for rent in found:
        by_offer.setdefault(id(rent.offer), []).append(rent)
    most = [min(r.most for r in items if r.surely) for items in by_offer.values() if any(r.surely for r in items)]
    return min((r.least for r in found), default=0.0), max(most, default=UNLIMITED)


def hull_of(bands: Iterable[Band]) -> Band:
    """The band that holds all bands."""
    found = list(bands)
    return min(low for low, _ in found), max(high for _, high in found)


def as_value(band: Band | None) -> Number | None:
    """The band as a fact holds it; unknown where it spans everything."""
    if band is None or math.isnan(band[0]) or math.isnan(band[1]) or band == (0.0, UNLIMITED):
        return None
    return interval(*sorted(band))  # rounding may leave the ends of a point in the other order
