"""What a costing says: options with their lines, where they cross, what drives them. The sums are in economics.py.

Every amount is in the currency of the costing. An amount has two cases, `least` and `most`: what it comes to where all
that bears on it is as favorable to this option as it can be, and where nothing is. Lines add up case by case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.values import UNLIMITED, Interval
from knowledge.transfer import Way

OWN, ON_DEMAND, SPOT = "own", "on_demand", "spot"
RESERVED = ("reserved_1y", "reserved_3y")
BASE_AND_BURST, BRIDGE = "base_and_burst", "bridge"

BEHIND: Mapping[str, tuple[str, ...]] = {
    "energy_kwh": ("draw_share", "server_power_kw", "server_power_to_gpu_power"),
    "power_installed_kw": ("server_power_kw", "server_power_to_gpu_power"),
    "staff_fte": ("staff_per_server", "staff_small_estate", "servers_per_staff"),
    "lost_share": ("interruptions_per_gpu_year", "hours_lost_per_interruption"),
    "residual_share": ("residual_share",),
}
"""Quantities that are worked out on the way: what the ids of the figures behind them begin with."""


@dataclass(frozen=True)
class Input:
    """One thing that a line was computed from, in either case.

    kind: `fact` (name is its path), `figure` (name is its id), `assumption` (a figure that the profile replaces) or
    `line` (the amount of another line of the same option).
    """

    name: str
    kind: str
    least: float
    most: float
    unit: str


@dataclass(frozen=True)
class Line:
    """One line of a sum. `upfront` is paid before the first month; all else is spread evenly over the months.

    The title and the formula in words stand in cost_lines.yaml under the id. An amount that comes back (what the
    hardware still fetches) is negative, and comes in the last month: `at_end`. What is bought again is paid in the
    months of `again`, in equal parts.
    """

    id: str
    least: float
    most: float
    inputs: tuple[Input, ...]
    upfront: bool = False
    at_end: bool = False
    again: tuple[float, ...] = ()


@dataclass(frozen=True)
class Missing:
    """What a sum waits for. kind: `fact` (name is its path), `price` (name is the card), `server_price` (the card).

    `region` is where a price is wanted, None for anywhere.
    """

    kind: str
    name: str
    region: str | None = None


@dataclass(frozen=True)
class Option:
    """One way to meet the need. `offers`: the figures behind the rented price in the least and the most case.

    `cumulative` holds for each case what has been paid by the end of month 0, 1, 2 … up to the horizon, month 0 being
    the start; the last one is the total. Empty where something is missing.
    """

    id: str
    route: str
    lines: tuple[Line, ...]
    missing: tuple[Missing, ...] = ()
    offers: tuple[str, str] | None = None
    months: tuple[float, ...] = ()
    cumulative: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())

    @property
    def total(self) -> tuple[float, float] | None:
        """Least and most that the option costs over the horizon; None where something is missing."""
        if self.missing:
            return None
        least, most = sum(line.least for line in self.lines), sum(line.most for line in self.lines)
        return max(least, 0.0), max(most, 0.0)


@dataclass(frozen=True)
class Meeting:
    """What a break-even utilization is found from, in one case: the lines of owning and of renting, idle and busy.

    Idle: the steady GPUs are never busy; busy: they always are. `end` is the case of owning, 0 for the least and 1 for
    the most; renting is taken in the other one.
    """

    end: int
    own_idle: tuple[Line, ...]
    own_busy: tuple[Line, ...]
    rented_idle: tuple[Line, ...]
    rented_busy: tuple[Line, ...]

    @property
    def own(self) -> tuple[float, float]:
        """What owning costs, idle and busy; what is left of hardware never makes a sum negative."""
        idle, busy = (sum_of(lines, self.end) for lines in (self.own_idle, self.own_busy))
        return max(idle, 0.0), max(busy, 0.0)

    @property
    def rented(self) -> tuple[float, float]:
        """What renting costs, idle and busy."""
        return sum_of(self.rented_idle, 1 - self.end), sum_of(self.rented_busy, 1 - self.end)


@dataclass(frozen=True)
class BreakEven:
    """Where owning meets one way of renting, as bands from the dearest to the cheapest applicable price.

    utilization: share of the time that the steady GPUs must be busy for owning to cost no more; UNLIMITED: it never
    does. month: the first month by whose end owning has cost no more, cash against cash, residual value left out;
    UNLIMITED: not within the horizon. price: what a rented GPU-hour would have to cost for both to cost the same.
    meetings: what the utilization was found from, owning at its least and at its most; None where it is not known.
    """

    mode: str
    utilization: float | Interval | None
    month: float | Interval | None
    price: float | Interval | None
    meetings: tuple[Meeting, Meeting] | None = None


@dataclass(frozen=True)
class Swing:
    """What one input does to own over cloud while all others stay in the middle of their ranges."""

    name: str
    kind: str
    low: float
    high: float
    unit: str
    ratio_at_low: float
    ratio_at_high: float

    @property
    def width(self) -> float:
        return abs(self.ratio_at_high - self.ratio_at_low)


@dataclass(frozen=True)
class Costing:
    """The whole accounting of one workload.

    `ratio`: own over cloud as the rules see it, None where unknown. `cards`: the cards that the need may be met with.
    `offers`, `providers`: how many were compared. `at_list_price`: no discount was told, and none is in the sums of
    this page. `not_counted`: facts that were not told and would add a line (owned GPUs, a running contract, …).
    `figures`: ids of all figures used. `moving`: the ways to move the data, empty where none is known to move.
    `grant`: who else pays, as told; every sum is before it, since how much a grant pays is not told. `rates`: ids of
    the rates of exchange that were used.
    """

    currency: str
    horizon_months: float | Interval | None
    gpu_hours_per_month: float | Interval | None
    cards: tuple[str, ...]
    options: tuple[Option, ...]
    ratio: float | Interval | None
    break_even: tuple[BreakEven, ...]
    swings: tuple[Swing, ...]
    offers: int
    providers: int
    at_list_price: bool
    not_counted: tuple[str, ...]
    missing: tuple[Missing, ...]
    figures: tuple[str, ...]
    moving: tuple[Way, ...] = ()
    grant: str | None = None
    rates: tuple[str, ...] = ()

    def option(self, name: str) -> Option | None:
        """The option of that id, where it applies."""
        return next((option for option in self.options if option.id == name), None)

    @property
    def no_use(self) -> bool:
        """Whether nothing at all would run: then there is no cost of a useful hour, and neither route is due yet."""
        return self.gpu_hours_per_month == 0


def sum_of(lines: Iterable[Line], end: int) -> float:
    """What the lines come to in one case: 0 for the least, 1 for the most."""
    return sum((line.least, line.most)[end] for line in lines)


def cheapest_of(options: Iterable[Option], route: str) -> Option | None:
    """The option of a route that costs the least midway; None where no total is known."""
    known = [option for option in options if option.route == route and option.total]
    return min(known, key=lambda option: sum(option.total or (UNLIMITED,)), default=None)


def never(value: float) -> bool:
    """Whether a break-even is never reached."""
    return value == UNLIMITED


def first_crossing(months: Sequence[float], own: Sequence[float], rented: Sequence[float]) -> float:
    """The first month by whose end owning has cost no more than renting; UNLIMITED where that never comes."""
    return next((m for m, a, b in zip(months, own, rented, strict=True) if m > 0 and a <= b), UNLIMITED)
