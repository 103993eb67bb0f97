"""Costings made by hand, for tests of how they are shown; every amount is what its inputs come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from math import prod

from cli.render.cost_wording import Wording
from engine.values import UNLIMITED, Interval
from knowledge import knowledge_base
from knowledge.costing import (
    BASE_AND_BURST,
    ON_DEMAND,
    OWN,
    BreakEven,
    Costing,
    Input,
    Line,
    Missing,
    Option,
    Swing,
    first_crossing,
)

MONTHS = tuple(float(month) for month in range(37))
HOURS = (4200.0, 4300.0)
"""GPU-hours a month."""

OFFERS = ("cloud_price.lambda.gpu-8x-h100.us-east.on-demand", "cloud_price.aws.p5.48xlarge.us-east-1.on-demand")


def line(name: str, *inputs: Input, sign: float = 1.0, upfront: bool = False, at_end: bool = False) -> Line:
    """A line whose amount is the product of its inputs, in either case."""
    least, most = (sign * prod(values) for values in zip(*((i.least, i.most) for i in inputs), strict=True))
    return Line(name, least, most, inputs, upfront, at_end)


def _own_lines() -> tuple[Line, ...]:
    to_buy = Input("servers_to_buy", "line", 1, 1, "servers")
    price = Input("server_price.h100-sxm-80gb", "figure", 255_237, 400_000, "USD")
    months, years = Input("months", "fact", 36, 36, "months"), Input("years", "line", 3, 3, "years")
    capital = (
        line("servers", to_buy, price, upfront=True),
        line("network", to_buy, Input("network_price_per_server.direct", "figure", 0, 6480, "USD"), upfront=True),
        line("installation", to_buy, Input("installation_per_server", "figure", 3750, 10_000, "USD"), upfront=True),
        line("residual", to_buy, price, Input("residual_share", "line", 0.3, 0.15, ""), sign=-1, at_end=True),
    )
    worth = [sum(item.least for item in capital), sum(item.most for item in capital)]
    return (
        *capital,
        line(
            "power",
            Input("energy_kwh", "line", 190_000, 204_000, "kWh"),
            Input("pue", "figure", 1.25, 1.58, ""),
            Input("electricity_per_kwh.us", "figure", 0.06, 0.12, "USD/kWh"),
        ),
        line(
            "space",
            Input("power_installed_kw", "line", 10.2, 10.2, "kW"),
            Input("space_per_kw_month.colocation", "figure", 150, 300, "USD/kW/month"),
            months,
        ),
        line(
            "staff",
            Input("staff_fte", "line", 0.25, 0.25, "FTE"),
            Input("staff_per_year.us", "figure", 200_000, 200_000, "USD/year"),
            years,
        ),
        line(
            "maintenance",
            Input("servers", "line", 1, 1, "servers"),
            price,
            Input("maintenance_share", "figure", 0.01, 0.1, ""),
            years,
        ),
        line(
            "failures",
            Input("capital_less_residual", "line", worth[0], worth[1], "USD"),
            Input("lost_share", "line", 0.0005, 0.0115, ""),
        ),
    )


def _rented_lines(name: str, hours: tuple[float, float]) -> tuple[Line, ...]:
    months = Input("months", "fact", 36, 36, "months")
    lines = (
        line(
            name,
            Input("paid_gpu_hours", "line", hours[0], hours[1], "GPU-hours"),
            Input(OFFERS[0], "figure", 2.99, 6.88, "USD/GPU-hour"),
            Input("share_paid", "line", 1, 1, ""),
        ),
        Line(
            "storage",
            5 * 1000 * 0.018 * 36,
            5 * 1000 * 0.0255 * 36,
            (
                Input("data.volume_tb", "fact", 5, 5, "TB"),
                Input("object_storage_per_gb_month", "figure", 0.018, 0.0255, "USD/GB/month"),
                months,
            ),
        ),
    )
    rent = [sum(item.least for item in lines), sum(item.most for item in lines)]
    surcharge = line(
        "overhead",
        Input("rent", "line", rent[0], rent[1], "USD"),
        Input("overhead_share", "assumption", 0.05, 0.05, ""),
    )
    return (*lines, surcharge)


def paid(line: Line, end: int, month: float, horizon: float = 36) -> float:
    amount = (line.least, line.most)[end]
    if line.upfront:
        return amount
    if line.at_end:
        return amount if month >= horizon else 0.0
    if line.again:
        return amount * sum(1 for when in line.again if when <= month) / len(line.again)
    return amount * month / horizon


def option(name: str, route: str, lines: Iterable[Line], offers: tuple[str, str] | None = None) -> Option:
    """An option whose cumulative cost follows from its lines, over 36 months."""
    items = tuple(lines)
    least, most = (tuple(sum(paid(item, end, month) for item in items) for month in MONTHS) for end in (0, 1))
    return Option(name, route, items, (), offers, MONTHS, (least, most))


def crossings(own: Option, rented: Option) -> float | Interval:
    """Months from which owning has cost no more, as cash: at best and at worst."""
    back = [sum((item.least, item.most)[end] for item in own.lines if item.at_end) for end in (0, 1)]
    cash = [(*own.cumulative[end][:-1], own.cumulative[end][-1] - back[end]) for end in (0, 1)]
    early = first_crossing(MONTHS, cash[0], rented.cumulative[1])
    late = first_crossing(MONTHS, cash[1], rented.cumulative[0])
    return early if early == late else Interval(early, late)


def whole() -> Costing:
    """One server against renting over three years, with a way between them."""
    own = option(OWN, "on_prem", _own_lines())
    hours = (HOURS[0] * 36, HOURS[1] * 36)
    rented = option(ON_DEMAND, "cloud", _rented_lines("compute", hours), OFFERS)
    half = [replace(item, least=item.least / 2, most=item.most / 2) for item in own.lines]
    mixed = option(BASE_AND_BURST, "hybrid", (*half, *_rented_lines("rented_peak", (60_000, 70_000))), OFFERS)
    own_total, rented_total = own.total, rented.total
    assert own_total is not None
    assert rented_total is not None
    price = Interval(own_total[0] / hours[1], own_total[1] / hours[0])
    return Costing(
        currency="USD",
        horizon_months=36.0,
        gpu_hours_per_month=Interval(*HOURS),
        cards=("H100-SXM-80GB",),
        options=(own, rented, mixed),
        ratio=Interval(own_total[0] / rented_total[1], own_total[1] / rented_total[0]),
        break_even=(BreakEven(ON_DEMAND, Interval(0.31, UNLIMITED), crossings(own, rented), price),),
        swings=(
            Swing("rented", "line", rented_total[0], rented_total[1], "USD", 1.1, 0.48),
            Swing("server_price.h100-sxm-80gb", "figure", 255_237, 400_000, "USD", 0.61, 0.79),
            Swing("demand.utilization", "fact", 0.6, 0.8, "", 0.74, 0.66),
        ),
        offers=14,
        providers=6,
        at_list_price=True,
        not_counted=("operations.gpus_owned", "finance.cloud_discount"),
        missing=(),
        figures=tuple(sorted({i.name for o in (own, rented) for n in o.lines for i in n.inputs if i.kind == "figure"})),
    )


def unpriced() -> Costing:
    """Owning is known, and no price of renting is."""
    found = whole()
    return replace(
        found,
        options=(found.options[0],),
        ratio=None,
        break_even=(),
        swings=(),
        offers=0,
        providers=0,
        at_list_price=False,
        missing=(
            Missing("price", "H100-SXM-80GB", "cn"),
            Missing("price", "H100-SXM-80GB"),
            Missing("server_price", "H100-SXM-80GB", "cn"),
            Missing("fact", "demand.gpus_peak"),
        ),
    )


def unknown() -> Costing:
    """Nothing that a sum needs was told."""
    return replace(
        unpriced(),
        horizon_months=None,
        gpu_hours_per_month=None,
        cards=(),
        options=(),
        missing=(Missing("fact", "demand.gpus_peak"), Missing("fact", "demand.horizon_months")),
    )


def idle() -> Costing:
    """A need of no hours at all."""
    return replace(whole(), gpu_hours_per_month=0.0, ratio=None, break_even=(), swings=())


def renewed() -> Costing:
    """Servers that are bought again twice, in a horizon that outlives them."""
    found = whole()
    again = line(
        "renewal",
        Input("servers_to_buy", "line", 1, 1, "servers"),
        Input("server_price.h100-sxm-80gb", "figure", 255_237, 400_000, "USD"),
        Input("renewals", "line", 2, 2, "times"),
    )
    own = option(OWN, "on_prem", (*found.options[0].lines[:-1], replace(again, again=(12.0, 24.0))))
    rented = found.options[1]
    reached = BreakEven(ON_DEMAND, UNLIMITED, crossings(own, rented), None)
    return replace(found, options=(own, rented), break_even=(reached,))


def never() -> Costing:
    """Owning never meets renting, and there is one case only."""
    return replace(whole(), break_even=(BreakEven(ON_DEMAND, UNLIMITED, UNLIMITED, 3.5),))


def always() -> Costing:
    """Owning costs no more at any use."""
    return replace(whole(), break_even=(BreakEven(ON_DEMAND, 0.0, 5.0, None),))


ALL = {
    "whole": whole,
    "unpriced": unpriced,
    "unknown": unknown,
    "idle": idle,
    "renewed": renewed,
    "never": never,
    "always": always,
}


def words_of(language: str) -> Wording:
    """The wording over the shipped knowledge base."""
    return Wording(knowledge_base(), language, date(2026, 11, 30))
