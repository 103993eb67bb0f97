"""What owning costs, line by line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.values import bounds
from knowledge import economics as formulas
from knowledge.arithmetic import smaller, whole_up
from knowledge.costing import Input, Line
from knowledge.sizing import server_kw
from knowledge.terms import Need, Terms

RESIDUAL_AGES = (12, 24, 36, 60)
_MONTHS, _YEARS = "months", "years"
_HARDWARE_INPUTS = (
    "operations.fast_network", "sizing.spans_nodes", "operations.site", "region", "finance.currency",
)  # fmt: skip


def line(name: str, formula: Callable[..., Any], inputs: list[Input], **when: Any) -> Line:
    """A line whose amount is a formula over its inputs, case by case."""
    least = formula(*(item.least for item in inputs))
    most = formula(*(item.most for item in inputs))
    return Line(name, least, most, tuple(inputs), **when)


def counted(name: str, least: float, most: float, unit: str) -> Input:
    """A quantity that was worked out on the way."""
    return Input(name, "line", least, most, unit)


def busy_range(need: Need) -> tuple[float, float]:
    """Least and most GPUs that work at a time, averaged over the month."""
    found = []
    for low, high in need.steady_ranges():
        least = _busy(low, high, need, 0)
        most = min(_busy(high, low, need, 1), need.peak[1])
        found.append((min(least, most), most))
    return min(low for low, _ in found), max(high for _, high in found)


def _busy(own: float, against: float, need: Need, end: int) -> float:
    """Busy GPUs with `own` steady ones at work, and those above `against` steady ones at the peak."""
    above = max(need.peak[end] - against, 0.0) * need.peak_share[end]
    return own * need.utilization[end] + above if own > 0 else need.peak[end] * need.utilization[end]


@dataclass(frozen=True)
class Fleet:
    """Servers for a need on one card: those in use, and those still to buy. `size`: GPUs of one server."""

    card: str
    size: Input
    in_use: Input
    to_buy: Input
    server_price: Input


def fleet(terms: Terms, need: Need, card: str) -> Fleet | None:
    """None where no price of such a server is known; the terms then say so."""
    price = _server_price(terms, card, need)
    if price is None:
        return None
    size = terms.figure("gpus_per_server", "GPUs", rising=False)
    owned = terms.optional("operations.gpus_owned")
    new = (max(need.peak[0] - owned[1], 0.0), max(need.peak[1] - owned[0], 0.0))
    whole = terms.figures.is_told("server_price")
    in_use, to_buy = (_servers(gpus, size, whole) for gpus in (need.peak, new))
    return Fleet(
        card, size, counted("servers", *in_use, "servers"), counted("servers_to_buy", *to_buy, "servers"), price
    )


def _servers(gpus: tuple[float, float], size: Input, whole: bool) -> tuple[float, float]:
    """Servers for so many GPUs: at most whole ones; at least the GPUs' own part, where smaller ones may be had.

    `whole`: the server was quoted as it is, so that no part of one can be bought.
    """
    least, most = gpus[0] / size.least, gpus[1] / size.most
    fewest = 1.0 if gpus[1] > 0 else 0.0
    return (whole_up(least) if whole else least), max(whole_up(most), fewest)


def _server_price(terms: Terms, card: str, need: Need) -> Input | None:
    if terms.figures.is_told("server_price"):
        return terms.money("server_price")
    name = f"server_price.{card.lower()}"
    if name not in terms.figures:
        if terms.names_a_card():
            terms.miss("server_price", card)
        else:
            terms.miss("fact", "model.gpu")
        return None
    size = bounds(terms.figures["gpus_per_server"])[1]
    quoted, small = terms.money(name), f"workstation_price.{card.lower()}"
    price = replace(quoted, least=quoted.least * size / QUOTED_GPUS, most=quoted.most * size / QUOTED_GPUS)
    if small not in terms.figures or need.peak[1] > WORKSTATION_GPUS:
        return price
    return replace(price, least=min(price.least, terms.money(small).least * size / WORKSTATION_GPUS))


QUOTED_GPUS = 8
"""GPUs of the servers that the figures quote; one's own price is that of one's own server, however many it holds."""

WORKSTATION_GPUS = 4
"""Cards of a workstation; the price of one is that of so many cards with the machine around them."""


def own_lines(terms: Terms, need: Need, card: str) -> list[Line]:
    """Every line of owning what the need takes, on this card; empty where a price is missing."""
    owned = fleet(terms, need, card)
    if owned is None:
        return []
    capital, others = _whatever_the_use(terms, need, owned)
    return [*capital, _power(terms, need, owned), *others]


def _whatever_the_use(terms: Terms, need: Need, owned: Fleet) -> tuple[list[Line], list[Line]]:
    """What the hardware itself costs, and what it costs to keep, however busy it is; one for many kinds of use."""

    def lines() -> tuple[list[Line], list[Line]]:
        months = Input(_MONTHS, "fact", *need.months, "months")
        years = counted(_YEARS, need.months[0] / 12, need.months[1] / 12, "years")
        capital = _capital(terms, need, owned)
        kept = [_space(terms, owned, months), _staff(terms, owned, years), _maintenance(terms, owned, years)]
        return capital, [*kept, _failures(terms, owned, capital)]

    facts = tuple(terms.facts[path] for path in _HARDWARE_INPUTS)
    if terms.facts["finance.currency"] is None:  # which a price of one's own would miss, time and again
        return lines()
    return terms.noted(("owning", owned, need.months, *facts), lines)


def _capital(terms: Terms, need: Need, owned: Fleet) -> list[Line]:
    hardware = [owned.to_buy, owned.server_price]
    lines = [line("servers", formulas.purchase, hardware, upfront=True)]
    shortest, longest = (years * 12 for years in bounds(terms.figures["service_life_years"]))
    lives = (longest, shortest)
    again = tuple(math.ceil(need.months[end] / lives[end]) - 1 for end in (0, 1))
    if again[1] > 0:
        renewals = counted("renewals", float(again[0]), float(again[1]), "times")
        when = tuple(shortest * number for number in range(1, again[1] + 1))
        lines.append(line("renewal", _again, [*hardware, renewals], again=when))
    lines.append(line("network", formulas.purchase, [owned.to_buy, _network_price(terms, owned)], upfront=True))
    lines.append(
        line("installation", formulas.purchase, [owned.to_buy, terms.money("installation_per_server")], upfront=True)
    )
    ages = (need.months[0] - lives[0] * again[0], need.months[1] - lives[1] * again[1])
    return [*lines, line("residual", formulas.residual, [*hardware, _residual_share(terms, ages)], at_end=True)]


def _again(servers: float, price: float, times: float) -> float:
    return servers * price * times


def _residual_share(terms: Terms, ages: tuple[float, float]) -> Input:
    """Share of the price still fetched: more of it costs less, and more age leaves less of it."""
    figures = terms.figures
    if figures.is_told("residual_share"):
        return terms.figure("residual_share", "", rising=False)
    if figures.is_told("depreciation_years"):
        low, high = bounds(figures["depreciation_years"])
        return counted(
            "residual_share", formulas.straight_line(ages[0], high), formulas.straight_line(ages[1], low), ""
        )
    known = [(float(age), bounds(figures[f"residual_share.{age}"])) for age in RESIDUAL_AGES]
    most = min(formulas.residual_at(ages[0], [(age, share[1]) for age, share in known]), 1.0)
    least = min(formulas.residual_at(ages[1], [(age, share[0]) for age, share in known]), 1.0)
    return counted("residual_share", most, least, "")


def _network_price(terms: Terms, owned: Fleet) -> Input:
    """Switches and cables for one server: none where one server, or a fast network, does; by the size of the whole."""
    if terms.figures.is_told("network_price_per_server"):
        return terms.money("network_price_per_server")
    steps = [terms.money(f"network_price_per_server.{name}") for name in ("direct", "one_tier", "fat_tree")]
    has, across = terms.facts["operations.fast_network"], terms.facts["sizing.spans_nodes"]
    unneeded, surely = has is True or across is False, has is False and across is True
    least = 0.0 if unneeded or not surely or owned.in_use.least <= 1 else _step(owned.in_use.least, steps, 0)
    most = 0.0 if unneeded or owned.in_use.most <= 1 else _step(owned.in_use.most, steps, 1)
    chosen_step = steps[0 if owned.in_use.most <= 2 else 1 if owned.in_use.most <= 64 else 2]
    return replace(chosen_step, least=least, most=most)


def _step(servers: float, steps: list[Input], end: int) -> float:
    """Price of the network of so many servers; between the sizes known, from the smaller to the larger one's."""
    direct, one_tier, fat_tree = steps
    if servers <= 2:
        return direct.most if end else direct.least
    if servers <= 64:
        return one_tier.most if end else direct.least
    return fat_tree.most if end else one_tier.least


def _power(terms: Terms, need: Need, owned: Fleet) -> Line:
    kilowatts = bounds(server_kw(owned.card, terms.figures))
    idle, working = bounds(terms.figures["draw_share.idle"]), bounds(terms.figures["draw_share.busy"])
    busy, months = busy_range(need), need.months
    cards = (owned.in_use.least * owned.size.least, owned.in_use.most * owned.size.most)
    each = (kilowatts[0] / owned.size.least, kilowatts[1] / owned.size.most)
    energy = [
        formulas.energy_kwh(cards[end], busy[end], each[end], (idle[end], working[end]), months[end]) for end in (0, 1)
    ]
    inputs = [
        counted("energy_kwh", energy[0], energy[1], "kWh"),
        terms.figure("pue", ""),
        terms.regional("electricity_per_kwh", "finance.electricity_per_kwh"),
    ]
    return line("power", formulas.power, inputs)


def _space(terms: Terms, owned: Fleet, months: Input) -> Line:
    kilowatts = bounds(server_kw(owned.card, terms.figures))
    installed = counted("power_installed_kw", owned.in_use.least * kilowatts[0], owned.in_use.most * kilowatts[1], "kW")
    return line("space", formulas.space, [installed, _space_rent(terms), months])


def _space_rent(terms: Terms) -> Input:
    if terms.figures.is_told("space_per_kw_month"):
        return terms.money("space_per_kw_month")
    rents = {
        "machine_room": ["space_per_kw_month.own_room"],
        "colocation": ["space_per_kw_month.colocation"],
        "none": ["space_per_kw_month.colocation"],
    }
    both = ["space_per_kw_month.colocation", "space_per_kw_month.own_room"]
    return terms.any_of(rents.get(str(terms.facts["operations.site"]), both))


def _staff(terms: Terms, owned: Fleet, years: Input) -> Line:
    each, small = terms.figure("staff_per_server", "FTE"), terms.figure("staff_small_estate", "FTE")
    span = terms.figure("servers_per_staff", "servers", rising=False)
    least = formulas.staff_fte(owned.in_use.least, each.least, small.least, span.least)
    most = formulas.staff_fte(owned.in_use.most, each.most, small.most, span.most)
    return line(
        "staff", formulas.staff, [counted("staff_fte", least, most, "FTE"), terms.regional("staff_per_year"), years]
    )


def _maintenance(terms: Terms, owned: Fleet, years: Input) -> Line:
    share = terms.figure("maintenance_share", "")
    return line("maintenance", formulas.maintenance, [owned.in_use, owned.server_price, share, years])


def _failures(terms: Terms, owned: Fleet, capital: list[Line]) -> Line:
    """Capacity that faults take has to be bought on top: a share of what the hardware costs, its residual taken off."""
    each, hours = terms.figure("interruptions_per_gpu_year"), terms.figure("hours_lost_per_interruption")
    lost = counted(
        "lost_share",
        formulas.lost_share(each.least, owned.size.most, hours.least),
        formulas.lost_share(each.most, owned.size.least, hours.most),
        "",
    )
    value = counted(
        "capital_less_residual",
        max(sum(item.least for item in capital), 0.0),
        max(sum(item.most for item in capital), 0.0),
        terms.currency,
    )
    return line("failures", lambda amount, share: amount * share, [value, lost])


def upfront(lines: Sequence[Line], end: int) -> float:
    """What has to be paid before the first day, in one case."""
    return sum((item.least, item.most)[end] for item in lines if item.upfront)


def contract(terms: Terms, need: Need, rents: tuple[float, float]) -> Line | None:
    """A cloud contract that has to be paid although one owns: as long as it runs and the need lasts, at its rent."""
    left = terms.optional("finance.commitment_months_left")
    months = [smaller(left[end], need.months[end]) for end in (0, 1)]
    if months[1] == 0:
        return None
    inputs = [
        counted("rent_per_month", rents[0], rents[1], terms.currency),
        Input("finance.commitment_months_left", "fact", months[0], months[1], "months"),
    ]
    return line("contract", lambda amount, count: amount * count, inputs)
