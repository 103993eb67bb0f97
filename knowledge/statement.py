"""The costing that a person reads: every option with its lines, where they meet, what drives them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from engine.base import KnowledgeBase
from engine.figures import Declared, FigureValues
from engine.inference import Inference
from engine.values import Value, bounds, interval
from knowledge import economics as formulas
from knowledge.accounting import Account
from knowledge.arithmetic import Number, number
from knowledge.bands import Band, as_value
from knowledge.costing import (
    BASE_AND_BURST,
    BRIDGE,
    ON_DEMAND,
    OWN,
    BreakEven,
    Costing,
    Input,
    Line,
    Meeting,
    Missing,
    Option,
    Swing,
    first_crossing,
)
from knowledge.currencies import RATES
from knowledge.own_cost import own_lines
from knowledge.rent_cost import MODES, Rent, rents, surplus
from knowledge.swings import swings
from knowledge.transfer import NOTHING, WAY_FIGURES, Way, transfer_ways

NO_CURRENCY = Missing("fact", "finance.currency")


def cost(inference: Inference, base: KnowledgeBase, told: Mapping[str, Number]) -> Costing:
    """The costing of one case. `told`: the figures that the profile replaces, by their names.

    What was not told and would add a line is left out of the sums and named; busy shares that were not told span all
    that they can be. `ratio` alone is what the rules see.
    """
    figures = FigureValues(base.figures, told)
    facts = {**dict.fromkeys(base.vocabulary.facts), **inference.values}
    return Statement(facts, figures).costing(inference.values.get("cost.own_over_cloud"))


@dataclass(frozen=True)
class _Choice:
    """An option before it is laid out: its lines in the least and in the most case, which may be of two offers."""

    least: tuple[Line, ...]
    most: tuple[Line, ...]
    offers: tuple[str, str] | None = None


class Statement:
    """Lays out one case."""

    def __init__(self, facts: Mapping[str, Value | None], figures: FigureValues) -> None:
        self.facts, self.figures = facts, figures
        self.account = Account(facts, figures, spanned=False)

    def costing(self, ratio: Value | None) -> Costing:
        account = self.account
        options = tuple(self._options()) if account.need else ()
        if NO_CURRENCY in (*account.terms.missing, *account.rent_terms.missing):
            options = ()  # amounts that somebody told cannot be added to any other
        missing = dict.fromkeys([*account.terms.missing, *account.rent_terms.missing])
        found = account.offers.values() if account.need else ()
        moving = self._moving()
        compared = {(offer.provider, tuple(offer.prices.values())) for items in found for offer in items}
        return Costing(
            currency=account.terms.currency,
            horizon_months=number(self.facts["demand.horizon_months"]),
            gpu_hours_per_month=self._hours_per_month(),
            cards=account.cards if account.terms.names_a_card() else (),
            options=options,
            ratio=number(ratio),
            break_even=tuple(self._break_even(options)),
            swings=tuple(self._swings()),
            offers=len(compared),
            providers=len({provider for provider, _ in compared}),
            at_list_price=self.facts["finance.cloud_discount"] is None
            and any(o.listed for items in found for o in items),
            not_counted=account.terms.left_out(),
            missing=tuple(missing),
            figures=tuple(sorted(self._used | self._way_figures.used)),
            moving=moving,
            grant=_word(self.facts["finance.grant"]),
            rates=tuple(sorted(self._used & set(RATES.values()))),
        )

    @property
    def _used(self) -> set[str]:
        return self.account.used | self.figures.used

    @cached_property
    def _way_figures(self) -> FigureValues:
        """Figures of moving the data, apart from the others: they drive no cost."""
        return self.figures.declared(Declared.of(WAY_FIGURES))

    def _moving(self) -> tuple[Way, ...]:
        """The ways to move the data, where so much is told and it has to move."""
        told = {path: value for path, value in self.facts.items() if value is not None}
        return tuple(way for way in transfer_ways(told, self._way_figures) if way.id != NOTHING)

    def _hours_per_month(self) -> Number | None:
        busy = self.account.busy
        return None if busy is None else interval(*(end * formulas.HOURS_PER_MONTH for end in busy))

    # Options

    def _options(self) -> Iterator[Option]:
        for name, route, choice in self._choices():
            yield self._laid_out(name, route, choice)

    def _choices(self) -> Iterator[tuple[str, str, _Choice]]:
        own = self._own()
        if own:
            yield OWN, "on_prem", own
        for mode in MODES:
            found = [rent for items in self.account.rented.values() for rent in items if rent.mode == mode]
            if found:
                yield mode, "cloud", _rented(found)
        for name, choice in ((BASE_AND_BURST, self._base_and_burst()), (BRIDGE, self._bridge())):
            if choice:
                yield name, "hybrid", choice

    def _own(self) -> _Choice | None:
        found = [tuple(lines) for lines in self.account.own.values() if lines]
        return _Choice(_least(found), _most(found)) if found else None

    def _base_and_burst(self) -> _Choice | None:
        """Own hardware for the steady need, and what is above it by the hour."""
        need = self.account.need
        if need is None or need.steady[0] < 1 or need.peak[0] <= need.steady[1]:
            return None
        found: list[tuple[Line, ...]] = []
        for card in self.account.cards:
            lines = own_lines(self.account.terms, need.base(), card)
            peaks = [surplus(self.account.rent_terms, need, o, "rented_peak") for o in self.account.offers[card]]
            found += [(*lines, *peak) for peak in peaks if lines and peak]
        return _Choice(_least(found), _most(found)) if found else None

    def _bridge(self) -> _Choice | None:
        """Rent while own hardware is on its way, then own it for what is left of the horizon."""
        need = self.account.need
        wait = [days / formulas.DAYS_PER_MONTH for days in bounds(self.figures["lead_time_days"])]
        if need is None or wait[1] >= need.months[0]:
            return None
        found: list[tuple[Line, ...]] = []
        for card, months in ((card, months) for card in self.account.cards for months in dict.fromkeys(wait)):
            rest = need.lasting(need.months[0] - months, need.months[1] - months)
            lines = own_lines(self.account.terms, rest, card)
            while_waiting = need.lasting(months, months)
            rented = [
                rent
                for offer in self.account.offers[card]
                for rent in rents(self.account.rent_terms, while_waiting, offer)
                if rent.mode == ON_DEMAND
            ]
            found += [(*lines, *_renamed(rent.lines)) for rent in rented if lines]
        return _Choice(_least(found), _most(found)) if found else None

    def _laid_out(self, name: str, route: str, choice: _Choice) -> Option:
        lines = tuple(_joined(choice.least, choice.most))
        months = self._months
        need = self.account.need
        assert need is not None
        cumulative = (
            _cumulative(lines, 0, months, need.months[0]),
            _cumulative(lines, 1, months, need.months[1]),
        )
        return Option(name, route, lines, (), choice.offers, months, cumulative)

    @cached_property
    def _months(self) -> tuple[float, ...]:
        assert self.account.need is not None
        longest = self.account.need.months[1]
        whole = [float(month) for month in range(math.floor(longest) + 1)]
        return (*whole, longest) if longest > whole[-1] else tuple(whole)

    # Where they meet

    def _break_even(self, options: tuple[Option, ...]) -> Iterator[BreakEven]:
        own = next((option for option in options if option.id == OWN), None)
        for option in options:
            if own is not None and option.route == "cloud":
                meetings = self._meetings(option.id)
                price = self.account.break_even_price() if option.id == ON_DEMAND else None
                month = self._crossing(own, option)
                share = as_value((_share(meetings[0]), _share(meetings[1]))) if meetings else None
                yield BreakEven(option.id, share, interval(*sorted(month)), as_value(price), meetings)

    def _meetings(self, mode: str) -> tuple[Meeting, Meeting] | None:
        """Owning at its least against the dearest rent, and the other way round, each on the card that decides it."""
        found = [self._meetings_of(card, mode) for card in self.account.cards] if self.account.sums else []
        known = [pair for pair in found if pair is not None]
        if not known or len(known) < len(found):
            return None
        least = min((meeting for pair in known for meeting in pair), key=_share)
        return least, max((pair[1] for pair in known), key=_share)

    def _meetings_of(self, card: str, mode: str) -> tuple[Meeting, Meeting] | None:
        idle, busy = self._at(card, 0.0, mode), self._at(card, 1.0, mode)
        if idle is None or busy is None:
            return None
        (own_idle, rented_idle), (own_busy, rented_busy) = idle, busy
        return (
            Meeting(0, own_idle, own_busy, rented_idle[1], rented_busy[1]),
            Meeting(1, own_idle, own_busy, rented_idle[0], rented_busy[0]),
        )

    def _at(
        self, card: str, utilization: float, mode: str
    ) -> tuple[tuple[Line, ...], tuple[tuple[Line, ...], tuple[Line, ...]]] | None:
        """Owning, and renting at its least and at its most, with the steady GPUs busy for this share of the time."""
        account = self.account
        assert account.need is not None
        need = account.need.busy_for(utilization)
        lines = tuple(own_lines(account.terms, need, card))
        found = [r for o in account.offers[card] for r in rents(account.rent_terms, need, o) if r.mode == mode]
        if not found or not lines:
            return None
        return lines, (_least(rent.lines for rent in found), _most(rent.lines for rent in found))

    def _crossing(self, own: Option, rented: Option) -> Band:
        """From owning at its cheapest against the dearest rent, to the other way round; what comes back is left out."""
        need = self.account.need
        assert need is not None
        paid = tuple(line for line in own.lines if not line.at_end)
        early, late = (
            first_crossing(own.months, _cumulative(paid, end, own.months, need.months[end]), rented.cumulative[1 - end])
            for end in (0, 1)
        )
        return early, late

    # What drives it

    def _swings(self) -> list[Swing]:
        """What moves the ratio most, where there is one."""
        if self.account.need is None or not self.account.sums:
            return []
        return swings(self.facts, self.figures, self._used)


def _word(value: Value | None) -> str | None:
    return value if isinstance(value, str) and value != "none" else None


def _rented(found: list[Rent]) -> _Choice:
    least, most = min(found, key=lambda rent: rent.least), max(found, key=lambda rent: rent.most)
    names = tuple(rent.offer.prices[rent.mode] for rent in (least, most))
    return _Choice(least.lines, most.lines, (names[0], names[1]))


def _least(found: Iterable[tuple[Line, ...]]) -> tuple[Line, ...]:
    return min(found, key=lambda lines: sum(line.least for line in lines))


def _most(found: Iterable[tuple[Line, ...]]) -> tuple[Line, ...]:
    return max(found, key=lambda lines: sum(line.most for line in lines))


def _renamed(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        name = "rented_bridge" if line.id == "compute" else line.id
        yield Line(name, line.least, line.most, line.inputs)


def _joined(least: tuple[Line, ...], most: tuple[Line, ...]) -> Iterator[Line]:
    """The lines of the least case beside those of the most case; one that a case does not have is nothing there."""
    names = list(dict.fromkeys(line.id for line in (*least, *most)))
    for name in names:
        one = next((line for line in least if line.id == name), None)
        other = next((line for line in most if line.id == name), None)
        either = one or other
        assert either is not None
        yield Line(
            name,
            one.least if one else 0.0,
            other.most if other else 0.0,
            tuple(_inputs(one, other)),
            either.upfront,
            either.at_end,
            either.again,
        )


def _inputs(one: Line | None, other: Line | None) -> Iterator[Input]:
    """Inputs with the least case of one line and the most case of the other."""
    first, second = (one or other), (other or one)
    assert first is not None
    assert second is not None
    for mine, theirs in zip(first.inputs, second.inputs, strict=True):
        yield replace(mine, most=theirs.most)


def _cumulative(lines: tuple[Line, ...], end: int, months: tuple[float, ...], horizon: float) -> tuple[float, ...]:
    """What has been paid by the end of each month, in one case."""
    return tuple(sum(_paid(line, end, min(month, horizon), horizon) for line in lines) for month in months)


def _paid(line: Line, end: int, month: float, horizon: float) -> float:
    amount = (line.least, line.most)[end]
    if line.upfront:
        return amount
    if line.at_end:
        return amount if month >= horizon else 0.0
    if line.again:
        due = [when for when in line.again if when < horizon]
        return amount * sum(1 for when in due if when <= month) / len(due) if due else 0.0
    return amount * month / horizon


def _share(meeting: Meeting) -> float:
    """Busy share from which owning costs no more, in one case."""
    return formulas.break_even_utilization(meeting.own, meeting.rented)
