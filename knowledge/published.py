"""The conventions by which others made their published sums, each by its name: for checking, not for advising.

Plain arithmetic on numbers or columns, in the currency of the prices given. What each convention leaves out is said
with it. gpu-advisor's own accounting is in economics.py and shares nothing with these, not even the hours of a year.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

HOURS_OF_FIVE_YEARS = 43_800.0
"""5 × 8,760: the hours by which the purchase-and-power convention counts."""

_HOURS_OF_A_YEAR = 8_766.0
_CHEAPER_PER_YEAR = 0.14
_INTERCONNECT_SHARE = 0.19
_DRAW = 0.75


# Lenovo Press LP2225 and LP2368, On-Premise vs Cloud: Generative AI Total Cost of Ownership, 2025 and 2026


def break_even_hours(capital: Any, rented_per_hour: Any, running_per_hour: Any) -> Any:
    """Hours of use after which bought hardware has cost no more than rented.

    Capital over what each hour of renting costs beyond one of running; network, room and people are left out. Lenovo
    Press LP2225, 2025.
    """
    return capital / (rented_per_hour - running_per_hour)


def implied_capital(hours: Any, rented_per_hour: Any, running_per_hour: Any) -> Any:
    """Price of the hardware that goes with a published break-even of so many hours; `break_even_hours` solved for it.

    Lenovo Press LP2368, 2026, which prints the break-even and not the price.
    """
    return hours * (rented_per_hour - running_per_hour)


def implied_rent(capital: Any, hours: Any, running_per_hour: Any) -> Any:
    """Rent for an hour that goes with a published break-even of so many hours; `break_even_hours` solved for it.

    Lenovo Press LP2368, 2026, which prints the break-even against a commitment and not its rent.
    """
    return capital / hours + running_per_hour


def times_dearer(dear: Any, cheap: Any) -> Any:
    """How many times the cheaper price the dearer one is. Lenovo Press LP2368, 2026, of prices per million tokens."""
    return dear / cheap


def share_saved(own: Any, rented: Any) -> Any:
    """Share of the rented price that owning saves. Lenovo Press LP2368, 2026, of prices per million tokens."""
    return 1 - own / rented


# Epoch AI, The rising costs of training frontier AI models, arXiv 2405.21015


@dataclass(frozen=True)
class TrainingCost:
    """One training run by the amortizing convention, in the money of the chips' price."""

    hardware: Any
    interconnect: Any
    energy: Any

    @property
    def total(self) -> Any:
        return self.hardware + self.interconnect + self.energy


@dataclass(frozen=True)
class Chip:
    """What the amortizing convention asks of a chip: its price at the start of training, and its board power in watts.

    `price` holds the chip's part of its server. `server_factor`: highest power of the server over that of its chips.
    """

    price: Any
    watts: Any
    server_factor: Any


def amortized_training_cost(chip_hours: Any, chip: Chip, pue: Any, tariff: Any) -> TrainingCost:
    """Hardware worn out by a run, its share of the interconnect, and energy; people and room are left out.

    A chip loses value as the price of the same performance falls, 0.14 orders of magnitude a year of 8,766 hours; the
    interconnect is 19 % of the cluster; servers draw 75 % of their highest power. `tariff`: money for a kWh. Epoch AI,
    The rising costs of training frontier AI models, arXiv 2405.21015.
    """
    hardware = chip_hours * chip.price * _CHEAPER_PER_YEAR * math.log(10) / _HOURS_OF_A_YEAR
    energy = chip_hours * chip.watts / 1000 * chip.server_factor * _DRAW * pue * tariff
    return TrainingCost(hardware, hardware * _INTERCONNECT_SHARE / (1 - _INTERCONNECT_SHARE), energy)


# aiinframap.com, H100 vs H200 vs B200 TCO, 2026


def purchase_and_power(gpus: Any, price: Any, watts: Any, utilization: Any, tariff_with_pue: Any) -> tuple[Any, Any]:
    """Purchase of the cards alone, and their power over five years of 8,760 hours while they work.

    `watts` of one card at work; `tariff_with_pue`: money for a kWh times the PUE. Servers, network, room and people
    are left out. aiinframap.com, H100 vs H200 vs B200 TCO, 2026.
    """
    return gpus * price, gpus * watts / 1000 * utilization * HOURS_OF_FIVE_YEARS * tariff_with_pue


def implied_tariff_with_pue(power: Any, gpus: Any, watts: Any, utilization: Any) -> Any:
    """Tariff times PUE, money for a kWh, that goes with a published cost of power; `purchase_and_power` solved for it.

    aiinframap.com, 2026, which shows neither of the two.
    """
    return power / (gpus * watts / 1000 * utilization * HOURS_OF_FIVE_YEARS)


# A page on the three-year cost of a node, v2-pseo-ai.pages.dev, 2026


def purchase_power_and_space(capital: Any, kilowatts: Any, tariff: Any, rent_per_kw_month: Any, years: Any) -> Any:
    """A node, its electricity at full draw over years of 8,760 hours, and its place by kW and month.

    `tariff`: money for a kWh, cooling not counted. People, upkeep, network and resale value are left out: these are
    the items whose inputs the page names, https://v2-pseo-ai.pages.dev/tools/gpu-tco-analysis, 2026.
    """
    return capital + kilowatts * rent_per_kw_month * 12 * years + kilowatts * 8_760 * years * tariff


# Accounts of decisions


def rent_by_the_hour(gpus: Any, hours: Any, utilization: Any, price: Any) -> Any:
    """Rent of so many GPUs for the hours in which they work, at the price of one GPU-hour.

    yongjin360.com 312600, undated, for one GPU; deepiix.com, On-premise vs cloud ML training, 2025, for 64.
    """
    return gpus * hours * utilization * price


def implied_price(rent: Any, gpus: Any, hours: Any, utilization: Any) -> Any:
    """Price of a GPU-hour that goes with a rent; `rent_by_the_hour` solved for it."""
    return rent / (gpus * hours * utilization)
