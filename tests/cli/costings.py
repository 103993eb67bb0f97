"""Costings made by hand, for tests of how they are shown; every amount is what its inputs come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from math import prod

from cli.render.cost_wording import Wording
from engine.values import UNLIMITED, Interval, Value, interval
from knowledge import knowledge_base
from knowledge.costing import (
    BASE_AND_BURST,
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
from knowledge.economics import break_even_utilization
from knowledge.transfer import Way

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
    lines = [item for item in own.lines if not item.at_end]
    cash = [tuple(sum(paid(item, end, month) for item in lines) for month in MONTHS) for end in (0, 1)]
    early = first_crossing(MONTHS, cash[0], rented.cumulative[1])
    late = first_crossing(MONTHS, cash[1], rented.cumulative[0])
    return early if early == late else Interval(early, late)


SIXTEEN: Mapping[str, Value] = {
    "demand.gpus_steady": 16.0,
    "demand.gpus_peak": 16.0,
    "demand.utilization": 0.8,
    "demand.horizon_months": 36.0,
    "demand.interruptible": False,
    "model.gpu": "H100-SXM-80GB",
    "region": "us",
    "operations.gpus_owned": 0.0,
    "operations.fast_network": False,
    "operations.site": "colocation",
    "sizing.spans_nodes": True,
    "finance.currency": "USD",
    "finance.cloud_discount": 0.0,
    "finance.commitment_months_left": 0.0,
    "data.volume_tb": 10.0,
    "data.egress_tb_per_month": 5.0,
    "compliance.sensitivity": "internal",
    "compliance.isolation": "logical",
}
"""Facts of a whole case, for costings that are computed."""

MOVING = (
    Way("uplink", 4.6, 0.0),
    Way("line_10g", Interval(0.05, 0.07), Interval(2.8, 3.6), "USD", at_least=True),
    Way("device.lightning-cube-ii", Interval(5, 21), None, None, devices=Interval(1, 2)),
)
"""Ways to move the data: without a fee, with more on top than anybody knows, and of an unknown fee."""


def _used(lines: Iterable[Line], quantity: str, *counts: float) -> tuple[Line, ...]:
    """The lines with another amount of one quantity in either case; a surcharge on them follows."""
    found: list[Line] = []
    for item in lines:
        parts = [replace(i, least=counts[0], most=counts[1]) if i.name == quantity else i for i in item.inputs]
        rent = [sum(n.least for n in found), sum(n.most for n in found)]
        parts = [replace(i, least=rent[0], most=rent[1]) if i.name == "rent" else i for i in parts]
        found.append(line(item.id, *parts) if tuple(parts) != item.inputs else item)
    return tuple(found)


def meetings(own: Option, rented: Option) -> tuple[Meeting, Meeting]:
    """Owning and renting with the steady GPUs never and always busy: energy and GPU-hours follow."""
    idle, busy = (_used(own.lines, "energy_kwh", *kwh) for kwh in ((60_000, 70_000), (250_000, 260_000)))
    none, hours = (_used(rented.lines, "paid_gpu_hours", *count) for count in ((0, 0), (210_000, 210_384)))
    return Meeting(0, idle, busy, none, hours), Meeting(1, idle, busy, none, hours)


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
    met = meetings(own, rented)
    share = interval(*(break_even_utilization(meeting.own, meeting.rented) for meeting in met))
    return Costing(
        currency="USD",
        horizon_months=36.0,
        gpu_hours_per_month=Interval(*HOURS),
        cards=("H100-SXM-80GB",),
        options=(own, rented, mixed),
        ratio=Interval(own_total[0] / rented_total[1], own_total[1] / rented_total[0]),
        break_even=(BreakEven(ON_DEMAND, share, crossings(own, rented), price, met),),
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
        moving=MOVING,
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
