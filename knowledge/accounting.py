"""The whole accounting of a case: the bands that the rules see, and the costing that a person reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from engine.figures import Declared, FigureValues
from engine.values import UNLIMITED
from knowledge import economics as formulas
from knowledge.bands import Band, Owned, Sums, hull_of, total
from knowledge.costing import Line, Missing
from knowledge.own_cost import busy_range, contract, own_lines
from knowledge.rent_cost import Rent, rents
from knowledge.rent_sums import best
from knowledge.rental import GUARDED, QUOTE, QUOTED, REGIONS, RESERVED_QUOTE, SPOT_QUOTE, Offer, offers
from knowledge.terms import Facts, Terms

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

_BOTH_INPUTS = (
    "demand.gpus_steady", "demand.gpus_peak", "demand.horizon_months", "demand.utilization", "demand.peak_share",
    "model.gpu", "model.gpu_memory_gb", "region", "finance.currency",
)  # fmt: skip
OWN_INPUTS = (
    *_BOTH_INPUTS, "operations.gpus_owned", "operations.fast_network", "operations.site", "sizing.spans_nodes",
    "finance.electricity_per_kwh",
)  # fmt: skip
RENTED_INPUTS = (
    *_BOTH_INPUTS, "demand.interruptible", "finance.cloud_discount", "data.volume_tb", "data.egress_tb_per_month",
    "compliance.sensitivity", "compliance.isolation",
)  # fmt: skip
_MOST_KEPT = 4096
"""So many different cases of either side are kept, for cases that differ on the other side alone."""

_Found = TypeVar("_Found")
_OWN, _RENTED = Declared.of(OWN_FIGURES), Declared.of(RENTED_FIGURES)


class Account:
    """What a case costs either way. `spanned` as for `Terms`: the rules see all that is possible."""

    def __init__(self, facts: Facts, figures: FigureValues, spanned: bool = True) -> None:
        case = figures.case
        self.terms = Terms(facts, figures.declared(_OWN), spanned, shared=case.setdefault("own inputs", {}))
        self.rent_terms = Terms(facts, figures.declared(_RENTED), spanned, shared=case.setdefault("rent inputs", {}))
        self.need = self.terms.need()
        self.rent_terms.missing.update(self.terms.missing)
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
    def owned(self) -> Mapping[str, Owned | None]:
        """By card, what owning comes to, without a contract that still runs; None where a price is missing."""

        def found() -> Mapping[str, Owned | None]:
            return {card: Owned.of(lines) if lines else None for card, lines in self.bought.items()}

        return self._kept("own", OWN_INPUTS, self.terms, found)

    @cached_property
    def rent(self) -> Mapping[str, Band | None]:
        """By card, from the cheapest offer to the dearest, each in its cheapest mode; None where there is none."""

        def found() -> Mapping[str, Band | None]:
            need = self.need
            return {} if need is None else {c: best(self.rent_terms, need, items) for c, items in self.offers.items()}

        return self._kept("rent", RENTED_INPUTS, self.rent_terms, found)

    def _kept(self, name: str, inputs: Sequence[str], terms: Terms, compute: Callable[[], _Found]) -> _Found:
        """What an account of the same figures found for the same inputs; noted is what it read and missed as well."""
        kept = terms.figures.case.setdefault(name, {})
        key = (terms.spanned, *(terms.facts[path] for path in inputs))
        if key not in kept:
            before, terms.figures.used = terms.figures.used, set()
            found = compute()
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[key] = (found, tuple(terms.missing), terms.figures.used)
            terms.figures.used = before
        answer: tuple[_Found, tuple[Missing, ...], set[str]] = kept[key]
        terms.missing.update(dict.fromkeys(answer[1]))
        terms.figures.used |= answer[2]
        return answer[0]

    @cached_property
    def own(self) -> Mapping[str, list[Line]]:
        """By card, the lines of owning, with a cloud contract that still runs."""
        found = {card: self._owed(card) if lines else None for card, lines in self.bought.items()}
        return {card: [*self.bought[card], *owed] if owed is not None else [] for card, owed in found.items()}

    @cached_property
    def own_totals(self) -> Mapping[str, Band | None]:
        """By card, least and most of `own`; None where something is missing."""
        return {card: self._own_total(card, owned) if owned else None for card, owned in self.owned.items()}

    def _own_total(self, card: str, owned: Owned) -> Band | None:
        owed = self._owed(card)
        return None if owed is None else owned.with_lines(owed)

    def _owed(self, card: str) -> list[Line] | None:
        """The line of a contract that still runs, none where none does; None where no rent tells what it costs."""
        if self.need is None or not self.owes:
            return []
        most = (self.rent[card] or (0.0, UNLIMITED))[1] / self.need.months[0]
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
        pairs = ((card, self.own_totals[card], self.rent[card]) for card in self.cards)
        return tuple(Sums(card, own, rent) for card, own, rent in pairs if own is not None and rent is not None)

    @cached_property
    def own_band(self) -> Band | None:
        """Least and most that owning costs over the horizon; None while something is missing for it."""
        found = self._whole(self.own_totals, self.terms)
        return None if found is None or (self.owes and self.rented_band is None) else found

    @cached_property
    def rented_band(self) -> Band | None:
        """The same for renting, each offer in its cheapest purchase mode."""
        return self._whole(self.rent, self.rent_terms)

    def _whole(self, found: Mapping[str, Band | None], terms: Terms) -> Band | None:
        """The band that holds those of all cards; None while something is missing."""
        known = [band for band in found.values() if band is not None]
        return hull_of(known) if self.need is not None and len(known) == len(found) and not terms.missing else None

    @cached_property
    def capital(self) -> Band | None:
        """What has to be paid before the first day of owning."""
        return self._whole({c: one.upfront if one else None for c, one in self.owned.items()}, self.terms)

    @cached_property
    def running(self) -> Band | None:
        """What is paid month by month from a running budget, over the whole horizon."""
        return self._whole({c: one.running if one else None for c, one in self.owned.items()}, self.terms)

    @cached_property
    def ratio(self) -> Band | None:
        """Own over rented, card by card, since both routes use the same one."""
        return hull_of(sums.ratio for sums in self.sums) if self.sums else None

    @cached_property
    def difference(self) -> Band | None:
        """Least and most by which one route costs more than the other over the horizon, whichever it is."""
        if not self.sums:
            return None
        return hull_of(sums.difference for sums in self.sums)

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
        total = self._whole({c: one.with_lines(()) if one else None for c, one in self.owned.items()}, self.terms)
        if self.need is None or self.busy is None or total is None:
            return None
        months, busy = self.need.months, self.busy
        hours = [busy[end] * formulas.HOURS_PER_MONTH * months[end] for end in (0, 1)]
        low, high = total
        return formulas.break_even_price(low, 0.0, hours[1]), formulas.break_even_price(high, 0.0, hours[0])


def _everywhere(items: Sequence[Offer]) -> bool:
    """Whether something is on offer in every region; one's own quote holds wherever the work runs."""
    return any(item.tier == QUOTED for item in items) or {area for item in items for area in item.areas} >= set(REGIONS)
