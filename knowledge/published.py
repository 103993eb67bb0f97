"""The conventions by which others made their published sums, each by its name: for checking, not for advising.

Plain arithmetic on numbers or columns. What each convention leaves out is said with it; gpu-advisor's own accounting
is in economics.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from knowledge.economics import HOURS_PER_YEAR

HOURS_OF_FIVE_YEARS = 43_800.0
"""5 × 8,760: the hours by which the purchase-and-power convention counts."""


def break_even_hours(capital: Any, rented_per_hour: Any, running_per_hour: Any) -> Any:
    """Hours of use after which bought hardware has cost no more than rented.

    Capital over what each hour of renting costs beyond one of running; network, room and people are left out. Lenovo
    Press LP2225, On-Premise vs Cloud: Generative AI Total Cost of Ownership, 2025.
    """
    return capital / (rented_per_hour - running_per_hour)


@dataclass(frozen=True)
class TrainingCost:
    """One training run by the amortizing convention, in dollars of the purchase."""

    hardware: Any
    interconnect: Any
    energy: Any

    @property
    def total(self) -> Any:
        return self.hardware + self.interconnect + self.energy


@dataclass(frozen=True)
class Chip:
    """What the amortizing convention asks of a chip: price at the start of training and board power in watts.

    `server_factor`: power of the whole server over that of its chips.
    """

    price: Any
    watts: Any
    server_factor: Any


def amortized_training_cost(chip_hours: Any, chip: Chip, pue: Any, tariff: Any) -> TrainingCost:
    """Hardware worn out by a run, its share of the interconnect, and energy; people and room are left out.

    A chip loses value as price for the same performance falls, 0.14 orders of magnitude a year; the interconnect is
    19 % of the whole cluster; chips draw 75 % of the highest power of their server. Epoch AI, The rising costs of
    training frontier AI models, arXiv 2405.21015.
    """
    hardware = chip_hours * chip.price * 0.14 * math.log(10) / HOURS_PER_YEAR
    energy = chip_hours * chip.watts / 1000 * chip.server_factor * 0.75 * pue * tariff
    return TrainingCost(hardware, hardware * 0.19 / (1 - 0.19), energy)


def purchase_and_power(gpus: Any, price: Any, watts: Any, utilization: Any, tariff_with_pue: Any) -> tuple[Any, Any]:
    """Purchase of the cards alone, and their power over five years of 8,760 hours while they work.

    Servers, network, room and people are left out. aiinframap.com, H100/H200/B200 TCO, 2026.
    """
    return gpus * price, gpus * watts / 1000 * utilization * HOURS_OF_FIVE_YEARS * tariff_with_pue


def rent_by_the_hour(gpus: Any, hours: Any, utilization: Any, price: Any) -> Any:
    """Rent of so many GPUs for the hours in which they work."""
    return gpus * hours * utilization * price
