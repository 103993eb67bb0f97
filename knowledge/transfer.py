"""Moving the data: the ways to do it, how long each takes and what it charges, and the facts that rules read of it.

Terabytes and gigabytes are decimal. Each number spans its best and its worst case. How long a dedicated line takes to
be set up is in none of them: no source gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.figures import FigureValues, Formula
from engine.values import UNLIMITED, Interval, Value, bounds, interval
from knowledge.arithmetic import Number, hull, monotone, number, significant, whole_up

Figures: TypeAlias = Mapping[str, Number]

NOTHING, UPLINK, DEVICE = "nothing", "uplink", "device"
DEDICATED: Mapping[str, float] = {"1g": 1_000.0, "10g": 10_000.0}
"""The dedicated lines: how the names of their figures end, and their nominal speed in Mbit/s."""
DEVICES = ("lightning-cube-mini", "lightning-cube-ii", "lightning-cube-iii")
"""The shipped devices, all of a provider in mainland China: how the names of their figures end."""

LINE_FIGURES = ("line_efficiency",)
SHIPPING_FIGURES = ("shipping_out_days", "shipping_copy_tb_per_day", "shipping_back_days", "shipping_ingest_days")
WAY_FIGURES = (
    *LINE_FIGURES,
    *SHIPPING_FIGURES,
    *(f"{name}.{line}" for name in ("line_port_per_hour", "line_rent_per_month") for line in DEDICATED),
    *(f"device_{name}.{device}" for name in ("tb", "fee", "days", "late_fee") for device in DEVICES),
    "line_traffic_per_gb",
    "ingress_per_gb",
    "egress_per_gb.hyperscaler",
    "egress_per_gb.cn",
)
"""All figures that the ways are computed from."""

_MEGABITS_PER_TERABYTE = 8e6
_GIGABYTES_PER_TERABYTE = 1_000.0
_SECONDS_PER_DAY = 86_400
_HOURS_PER_DAY = 24.0
_DAYS_PER_MONTH = 30.4375


@dataclass(frozen=True)
class Way:
    """One way to move the whole volume, once.

    id: `nothing` (there is nothing to move), `uplink` (the line that was told), `line_1g` or `line_10g` (a dedicated
    line of 1 or 10 Gbit/s) or `device.` and the device's name. days: from the first byte, or the order of a device,
    until all is there. fee: in `currency`, for traffic and for the line or the devices; None while it is unknown. A
    fee of 0 has no currency. at_least: something comes on top that nobody has priced (a carrier's circuit, the
    cloud's port). devices: how many are filled; 0 for a line.
    """

    id: str
    days: Number
    fee: Number | None
    currency: str | None = None
    at_least: bool = False
    devices: Number = 0.0


@dataclass(frozen=True)
class _Money:
    amount: Number
    currency: str


@dataclass(frozen=True)
class _Move:
    """What is moved, from where and in which part of the world, and at which prices.

    currency: that of the profile, and so of the figures that the profile replaces.
    """

    volume: Number
    location: str | None
    region: str | None
    figures: FigureValues
    currency: str | None


# The facts that rules read


def upload_days(facts: Mapping[str, Value | None], _figures: Figures) -> Number | None:
    """Days to send the whole volume once over the usable line, which is told net of overhead and other traffic.

    Nothing to send takes no time over any line. Unknown while the volume is, or the line.
    """
    volume, line = number(facts["data.volume_tb"]), number(facts["data.uplink_mbps"])
    if volume == 0:
        return 0.0
    if volume is None or line is None:
        return None
    return _shown(_days_over(volume, line), significant)


def gigabit_line_days(facts: Mapping[str, Value | None], figures: Figures) -> Number | None:
    """Days to send the whole volume once over a dedicated line of 1 Gbit/s that stands."""
    return _line_days(facts, "1g", figures)


def ten_gigabit_line_days(facts: Mapping[str, Value | None], figures: Figures) -> Number | None:
    """Days to send the whole volume once over a dedicated line of 10 Gbit/s that stands."""
    return _line_days(facts, "10g", figures)


def offline_days(facts: Mapping[str, Value | None], figures: Figures) -> Number | None:
    """Days to ship the whole volume on devices: out, copying one device after another, back, and reading in.

    Unknown while nobody offers such devices for the case: see `_ships`.
    """
    volume = number(facts["data.volume_tb"])
    if volume == 0:
        return 0.0
    if volume is None or not _ships(facts["region"], facts["data.location"]):
        return None
    return _shown(_shipping_days(volume, figures))


def quickest_days(facts: Mapping[str, Value | None], figures: Figures) -> Number | None:
    """Days of whichever way is the quickest: the line told, a dedicated line of 10 Gbit/s that stands, or devices.

    A way that only may be there (a line of unknown speed, devices while the place is unknown) can shorten the best
    case and not the worst one.
    """
    volume, line = number(facts["data.volume_tb"]), number(facts["data.uplink_mbps"])
    dedicated = _line_days(facts, "10g", figures)
    if volume is None or dedicated is None or volume == 0:
        return dedicated
    ships = _ships(facts["region"], facts["data.location"])
    told = Interval(0.0, UNLIMITED) if line is None else _shown(_days_over(volume, line), significant)
    shipped = None if ships is False else _shown(_shipping_days(volume, figures))
    everything = [dedicated, told] if shipped is None else [dedicated, told, shipped]
    certain = everything if ships else [dedicated, told]
    return interval(min(bounds(days)[0] for days in everything), min(bounds(days)[1] for days in certain))


def _line_days(facts: Mapping[str, Value | None], line: str, figures: Figures) -> Number | None:
    volume = number(facts["data.volume_tb"])
    return None if volume is None else _shown(_days_over(volume, DEDICATED[line], figures["line_efficiency"]))


def _ships(region: Value | None, location: Value | None) -> bool | None:
    """Whether devices are on offer that go from the data to a cloud; None where that depends on what is unknown.

    Those that have figures are rented in mainland China, and are filled where the data is within reach of a hand.
    """
    if region not in (None, "cn") or location not in (None, "on_premises"):
        return False
    return None if region is None or location is None else True


# The ways, with fees


def transfer_ways(values: Mapping[str, Value], figures: FigureValues) -> tuple[Way, ...]:
    """The ways to move the data of a case, in the order told line, dedicated lines, devices.

    Empty while the volume is unknown. Reads WAY_FIGURES.
    """
    words = {path: values.get(path) for path in ("region", "data.location", "finance.currency")}
    region, location, currency = (None if word is None else str(word) for word in words.values())
    volume, line = number(values.get("data.volume_tb")), number(values.get("data.uplink_mbps"))
    return ways(volume, line, region, location, figures, currency)


def ways(
    volume: Number | None,
    line: Number | None,
    region: str | None,
    location: str | None,
    figures: FigureValues,
    currency: str | None = None,
) -> tuple[Way, ...]:
    """The ways for a volume in TB, a line in Mbit/s, a region and a present location of the data; None is unknown.

    Data on the premises is moved into a cloud, at no fee but that of the way; data in a cloud leaves it, at the list
    price of a hyperscaler. Where its location is unknown, fees span both. A line that was not told is no way here.
    Fees are in the currency of their figures; a figure that the profile replaces is in `currency`, the profile's.
    Empty while the volume is unknown.
    """
    if volume == 0 or location == "nowhere":
        return (Way(NOTHING, 0.0, 0.0),)
    if volume is None:
        return ()
    move = _Move(volume, location, region, figures, currency)
    told = () if line is None else (_over_uplink(move, line),)
    shipped = DEVICES if region == "cn" and _ships(region, location) is not False else ()
    return (*told, *(_over_line(move, name) for name in DEDICATED), *(_on_devices(move, name) for name in shipped))


def quickest(found: tuple[Way, ...]) -> tuple[Way, ...]:
    """The ways than which none is surely quicker: more than one where ranges overlap."""
    return tuple(way for way in found if not any(bounds(one.days)[1] < bounds(way.days)[0] for one in found))


def cheapest(found: tuple[Way, ...]) -> tuple[Way, ...]:
    """The ways of known fee than which none is surely cheaper: several where ranges overlap, or currencies differ."""
    return tuple(way for way in found if way.fee is not None and not any(_is_cheaper(one, way) for one in found))


def _is_cheaper(one: Way, other: Way) -> bool:
    """Whether one costs less than the other in every case."""
    if one.fee is None or other.fee is None or one.at_least:
        return False
    comparable = one.currency == other.currency or one.fee == 0
    return comparable and bounds(one.fee)[1] < bounds(other.fee)[0]


def _over_uplink(move: _Move, line: Number) -> Way:
    fee = _traffic(move, dedicated=False)
    return _way(UPLINK, _shown(_days_over(move.volume, line), significant), fee)


def _over_line(move: _Move, name: str) -> Way:
    days = _days_over(move.volume, DEDICATED[name], move.figures["line_efficiency"])
    fee = _sum(_line_fee(move, name, days), _traffic(move, dedicated=True))
    return _way(f"line_{name}", _shown(days), fee, at_least=True)


def _line_fee(move: _Move, name: str, days: Number) -> _Money | None:
    """What the line charges for so many days: by the hour, in mainland China by the month begun."""
    if move.region is None:
        return None
    if move.region == "cn":
        months = monotone(lambda number_of_days: whole_up(number_of_days / _DAYS_PER_MONTH), [days])
        return _price(move, f"line_rent_per_month.{name}", months)
    hours = monotone(lambda number_of_days: number_of_days * _HOURS_PER_DAY, [days])
    return _price(move, f"line_port_per_hour.{name}", hours)


def _on_devices(move: _Move, name: str) -> Way:
    """As many devices as the volume needs, ordered so that none waits for another to be filled."""
    figures, holds = move.figures, move.figures[f"device_tb.{name}"]
    count = monotone(lambda terabytes, each: whole_up(_divided(terabytes, each)), [move.volume], [holds])
    late = monotone(
        lambda each, speed, covered: max(0.0, _divided(each, speed) - covered),
        [holds],
        [figures["shipping_copy_tb_per_day"], figures[f"device_days.{name}"]],
    )
    loan = _price(move, f"device_fee.{name}", count)
    overdue = _price(move, f"device_late_fee.{name}", monotone(_times, [count, late]))
    days = _shown(_shipping_days(move.volume, figures))
    return _way(f"{DEVICE}.{name}", days, _sum(loan, overdue, _traffic(move, dedicated=False)), devices=count)


def _way(name: str, days: Number, fee: _Money | None, at_least: bool = False, devices: Number = 0.0) -> Way:
    if fee is None:
        return Way(name, days, None, None, at_least, devices)
    currency = None if fee.amount == 0 else fee.currency
    return Way(name, days, fee.amount, currency, at_least, devices)


def _traffic(move: _Move, dedicated: bool) -> _Money | None:
    """What the traffic itself costs: into a cloud from the premises, out of one, or either while that is unknown."""
    inward = _price(move, "ingress_per_gb", _gigabytes(move.volume))
    if move.location == "on_premises" or inward is None:
        return inward
    outward = _outward(move, dedicated)
    if move.location == "cloud" or outward is None:
        return outward
    if inward.amount != 0 and inward.currency != outward.currency:
        return None
    return _Money(hull(inward.amount, outward.amount), outward.currency)


def _outward(move: _Move, dedicated: bool) -> _Money | None:
    if move.region is None:
        return None
    abroad = "line_traffic_per_gb" if dedicated else "egress_per_gb.hyperscaler"
    return _price(move, "egress_per_gb.cn" if move.region == "cn" else abroad, _gigabytes(move.volume))


# Money


def _price(move: _Move, name: str, amount: Number) -> _Money | None:
    """So much of what the figure prices; None where there is no such figure, or where its currency is unknown."""
    price = move.figures.get(name)
    if price is None:
        return None
    currency = move.currency if move.figures.is_told(name) else move.figures.unit(name).partition("/")[0]
    return None if currency is None else _Money(monotone(_times, [amount, price]), currency)


def _sum(*parts: _Money | None) -> _Money | None:
    """All parts together; None where one is unknown, or where their currencies differ."""
    known = [part for part in parts if part is not None]
    counted = [part for part in known if part.amount != 0] or known[:1]
    if len(known) < len(parts) or len({part.currency for part in counted}) > 1:
        return None
    total = monotone(lambda *amounts: sum(amounts), [part.amount for part in counted])
    return _Money(total, counted[0].currency)


# Times


def _days_over(terabytes: Number, megabits_per_second: Number, efficiency: Number = 1.0) -> Number:
    """Days = TB x 8e6 Mbit / (Mbit/s x usable share) / 86,400 s, not rounded."""
    return monotone(
        lambda volume, speed, share: _divided(volume * _MEGABITS_PER_TERABYTE / _SECONDS_PER_DAY, speed * share),
        [terabytes],
        [megabits_per_second, efficiency],
    )


def _shipping_days(terabytes: Number, figures: Figures) -> Number:
    """Days = journey out + TB / (TB/day copied) + journey back + reading in, not rounded; 0 for nothing to ship."""
    return monotone(
        lambda volume, out, back, ingest, speed: out + _divided(volume, speed) + back + ingest if volume else 0.0,
        [terabytes, *(figures[f"shipping_{part}_days"] for part in ("out", "back", "ingest"))],
        [figures["shipping_copy_tb_per_day"]],
    )


def _estimated(days: float) -> float:
    """Three significant digits, which is more than the estimates behind them are worth."""
    return float(f"{days:.3g}")


def _shown(days: Number, rounded: Callable[[float], float] = _estimated) -> Number:
    return monotone(rounded, [days])


def _gigabytes(terabytes: Number) -> Number:
    return monotone(lambda volume: volume * _GIGABYTES_PER_TERABYTE, [terabytes])


def _divided(amount: float, by: float) -> float:
    """Nothing takes nothing, whatever it is divided by; anything else without end where that is zero."""
    return 0.0 if amount == 0 else UNLIMITED if by == 0 else amount / by


def _times(one: float, other: float) -> float:
    """The product; nothing of what has no end is nothing."""
    return 0.0 if 0 in (one, other) else one * other


FORMULAS = (
    Formula(
        fact="data.upload_days",
        inputs={"data.volume_tb": 1, "data.uplink_mbps": -1},
        figures=(),
        compute=upload_days,
        source="C-6.1, T-6.1",
    ),
    Formula(
        fact="data.gigabit_line_days",
        inputs={"data.volume_tb": 1},
        figures=LINE_FIGURES,
        compute=gigabit_line_days,
        source="C-6.1, T-6.1",
    ),
    Formula(
        fact="data.ten_gigabit_line_days",
        inputs={"data.volume_tb": 1},
        figures=LINE_FIGURES,
        compute=ten_gigabit_line_days,
        source="C-6.1, T-6.1",
    ),
    Formula(
        fact="data.offline_days",
        inputs={"data.volume_tb": 1, "region": 0, "data.location": 0},
        figures=SHIPPING_FIGURES,
        compute=offline_days,
        source="C-6.1, T-6.1",
    ),
    Formula(
        fact="data.quickest_days",
        inputs={"data.volume_tb": 1, "data.uplink_mbps": -1, "region": 0, "data.location": 0},
        figures=(*LINE_FIGURES, *SHIPPING_FIGURES),
        compute=quickest_days,
        source="C-6.1, T-6.1",
    ),
)
