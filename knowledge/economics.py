"""The formulas of cost: what each line of a sum comes to, and where two sums meet.

Every function takes plain numbers, or columns of numbers (arrays), and gives the like. For ranges, `over` takes the
function to the two corners of its inputs. All amounts are in one currency; an hour is an hour on both sides: a month
has 8,766 / 12 = 730.5 of them (365.25 days a year).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from engine.values import UNLIMITED
from knowledge.arithmetic import Number, chosen, larger, monotone, rounded_up, smaller

HOURS_PER_YEAR = 8766.0
HOURS_PER_MONTH = HOURS_PER_YEAR / 12
DAYS_PER_MONTH = HOURS_PER_MONTH / 24
GB_PER_TB = 1000.0


def over(function: Callable[..., Any], rising: Sequence[Number], falling: Sequence[Number] = ()) -> Number:
    """A function of this module over ranges, told which inputs raise it and which lower it."""
    return monotone(function, rising, falling)


# What is used


def busy_gpus(steady: Any, peak: Any, utilization: Any, peak_share: Any) -> Any:
    """GPUs that work at a time, averaged over the month.

    `utilization` is the busy share of the steady GPUs, or of the peak ones where none is steady; those above the
    steady need work for `peak_share` of the time.
    """
    above = larger(peak - steady, 0.0)
    return chosen(steady > 0, steady * utilization + above * peak_share, peak * utilization)


def whole_instances(gpus: Any, size: Any) -> Any:
    """GPUs that are rented for so many, in instances of `size`."""
    return rounded_up(gpus / size) * size


def rented_base(steady: Any, peak: Any, utilization: Any, size: Any) -> Any:
    """GPUs rented by the hour for the steady need, averaged over the month; for the peak where none is steady."""
    return whole_instances(chosen(steady > 0, steady, peak), size) * utilization


def rented_surplus(steady: Any, peak: Any, peak_share: Any, size: Any) -> Any:
    """GPUs rented by the hour above the steady need, averaged over the month: instances beyond those of the base."""
    more = larger(whole_instances(peak, size) - whole_instances(steady, size), 0.0)
    return chosen(steady > 0, more * peak_share, more * 0.0)


# Own hardware (C-3.4a, C-3.4b, T-3.3a)


def purchase(servers: Any, price: Any) -> Any:
    """Servers, network or installation: so many servers at so much each."""
    return servers * price


def residual(servers: Any, price: Any, share: Any) -> Any:
    """What the servers still fetch at the end; it comes back, so it is negative."""
    return -servers * price * share


def energy_kwh(gpus: Any, busy: Any, kw_per_gpu: Any, draw: tuple[Any, Any], months: Any) -> Any:
    """Energy of the machines, cooling not counted: each GPU's part of its server, at its draw busy or idle.

    `draw` holds the shares of the highest draw that a server takes idle and busy. Busy draw: Epoch AI, arXiv
    2405.21015 (average over highest power in training).
    """
    idle, working = draw
    return (gpus * idle + busy * (working - idle)) * kw_per_gpu * HOURS_PER_MONTH * months


def power(energy: Any, pue: Any, tariff: Any) -> Any:
    """Energy of the machines, times that of the whole site over theirs, at the tariff."""
    return energy * pue * tariff


def space(kilowatts: Any, rent: Any, months: Any) -> Any:
    """Rack space and cooling plant by installed kW and month; the rent holds no electricity, which `power` counts."""
    return kilowatts * rent * months


def staff_fte(servers: Any, each: Any, small_estate: Any, servers_per_staff: Any) -> Any:
    """Engineers that so many servers take: a share of one for each, up to those of a small estate, then by servers."""
    return larger(smaller(servers * each, small_estate), servers / servers_per_staff)


def staff(engineers: Any, salary: Any, years: Any) -> Any:
    """Labor, whether or not the people are there already: their time could go elsewhere (C-3.4b)."""
    return engineers * salary * years


def maintenance(servers: Any, price: Any, share: Any, years: Any) -> Any:
    """Support and spare parts as a share of the price of all servers in use, owned ones included."""
    return servers * price * share * years


def lost_share(interruptions: Any, gpus_per_server: Any, hours: Any) -> Any:
    """Share of the capacity that faults take: each stops a whole server until it is mended.

    `interruptions`: unexpected ones per GPU and year (Llama 3, arXiv 2407.21783: 419 at 16,384 GPUs in 54 days).
    """
    return smaller(interruptions * gpus_per_server * hours / HOURS_PER_YEAR, 1.0)


def residual_at(months: Any, known: Sequence[tuple[float, float]]) -> Any:
    """Share of the price that hardware of this age still fetches: straight between the known ages, nothing at last.

    `known`: (months, share) with ages that rise; new hardware is worth its price, and twice the oldest known age
    nothing.
    """
    points = [(0.0, 1.0), *known, (known[-1][0] * 2, 0.0)]
    found: Any = 0.0
    for (start, high), (end, low) in pairwise(points):
        between = high - (high - low) * (months - start) / (end - start)
        found = chosen((months >= start) & (months <= end), between, found)
    return found


def straight_line(months: Any, years: Any) -> Any:
    """Book value left under straight-line depreciation over so many years."""
    return larger(1.0 - months / (years * 12), 0.0)


# Renting (C-3.4c, T-3.3b)


def rent(gpu_hours: Any, price: Any, share_paid: Any) -> Any:
    """GPU-hours that are paid for, at the price of one, less the discount."""
    return gpu_hours * price * share_paid


def per_gigabyte(terabytes: Any, price: Any, months: Any) -> Any:
    """Storage, or data that leaves each month, by decimal terabytes at a price for each gigabyte."""
    return terabytes * GB_PER_TB * price * months


def committed_months(months: Any, term: Any) -> Any:
    """Months that are paid under commitments of so many months, begun anew as long as the need lasts."""
    return rounded_up(months / term) * term


# Where they meet (T-5.3a, C-4.2)


def break_even_utilization(own: tuple[float, float], rented: tuple[float, float]) -> float:
    """Busy share at which owning costs no more than renting; both grow evenly with use.

    Each pair holds the cost with the steady GPUs never and always busy. 0: owning is cheaper at any use; UNLIMITED:
    the rented cost never reaches it, or only beyond full use.
    """
    gap, closing = own[0] - rented[0], (rented[1] - rented[0]) - (own[1] - own[0])
    if gap <= 0:
        return 0.0
    share = gap / closing if closing > 0 else UNLIMITED
    return share if share <= 1 else UNLIMITED


def break_even_price(own: float, other_rented: float, gpu_hours: float) -> float:
    """Price of a rented GPU-hour at which both cost the same; `other_rented` is what renting costs beside the hours.

    UNLIMITED where no hour is used: no price of an hour can make them meet.
    """
    return max(own - other_rented, 0.0) / gpu_hours if gpu_hours > 0 else UNLIMITED


def ratio(own: float, rented: float) -> float:
    """Own over rented; UNLIMITED where renting costs nothing and owning does, 1 where neither costs anything."""
    if rented == 0:
        return UNLIMITED if own > 0 else 1.0
    return 0.0 if rented == UNLIMITED and own != UNLIMITED else own / rented if rented != UNLIMITED else 1.0
