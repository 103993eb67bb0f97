"""Accounts over the same figures share what they worked out: none says anything else for it, or notes anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.figures import FigureValues
from engine.values import Interval, Value
from knowledge import knowledge_base
from knowledge.accounting import Account
from knowledge.cost_facts import FORMULAS, INPUTS
from knowledge.rent_cost import Rent, rents
from knowledge.rent_sums import best

BASE = knowledge_base()
COSTS = [formula for formula in FORMULAS if formula.inputs == INPUTS]
NUMBERS: Mapping[str, Sequence[Value]] = {
    "region": ("us", "eu", "cn"),
    "demand.gpus_steady": (5.0, 30.0, 0.0, Interval(0.0, 40.0)),
    "demand.gpus_peak": (64.0, 17.0, Interval(4.0, 70.0)),
    "demand.utilization": (0.0, 0.37, Interval(0.2, 0.9)),
    "demand.peak_share": (0.1, Interval(0.0, 0.3)),
    "demand.horizon_months": (7.0, 36.0, Interval(10.0, 61.0)),
    "model.gpu": ("H100-SXM-80GB", "RTX-4090", "A100", "any"),
    "model.gpu_memory_gb": (20.0, Interval(10.0, 90.0)),
    "operations.gpus_owned": (0.0, 3.0),
    "finance.electricity_per_kwh": (0.05, 0.3),
    "finance.cloud_discount": (0.0, 0.25, Interval(0.1, 0.2)),
    "finance.commitment_months_left": (0.0, 9.0, Interval(0.0, 12.0)),
    "data.volume_tb": (120.0, 0.0, Interval(1.0, 3.0)),
    "data.egress_tb_per_month": (0.0, 40.0),
}
TOLD: Sequence[Mapping[str, Any]] = (
    {},
    {"cloud_price_per_gpu_hour": 2.5},
    {"reserved_price_per_gpu_hour": 1.2, "overhead_share": 0.1},
    {"server_price": 250_000.0, "spot_price_per_gpu_hour": 0.9},
    {"staff_per_year": 90_000.0},
    {"object_storage_per_gb_month": 0.04},
)


def pool(path: str) -> Sequence[Value]:
    return NUMBERS.get(path) or BASE.vocabulary.facts[path].values


def case(number: int) -> Mapping[str, Value | None]:
    """A whole case: of each fact the value at this place of its pool, counted round and round."""
    return {path: pool(path)[number % len(pool(path))] for path in INPUTS}


def neighbors(first: Mapping[str, Value | None]) -> list[Mapping[str, Value | None]]:
    """The case, and every other in which one fact alone is another or unknown."""
    others = ({**first, path: value} for path in INPUTS for value in (*pool(path), None))
    return [first, *(other for other in others if other != first)]


def said(cases: Sequence[Mapping[str, Value | None]], figures: FigureValues) -> list[tuple[object, set[str]]]:
    """What every formula of cost says of each case, and the figures that it notes as read."""
    found: list[tuple[object, set[str]]] = []
    for case in cases:
        for formula in COSTS:
            view = figures.declared(formula.declared)
            found.append((formula.compute(case, view), view.used))
    return found


@pytest.mark.parametrize(
    ("first", "told"),
    [
        *((case(number), told) for number, told in enumerate(TOLD)),
        *(({**case(0), "finance.currency": None, "finance.electricity_per_kwh": None}, told) for told in TOLD[-2:]),
    ],
)
def test_an_account_among_many_says_what_one_alone_says(
    first: Mapping[str, Value | None], told: Mapping[str, Any]
) -> None:
    cases = neighbors(first)
    together = said(cases, FigureValues(BASE.figures, told))
    alone = [answer for one in cases for answer in said([one], FigureValues(BASE.figures, told))]
    assert together == alone


@pytest.mark.parametrize("told", TOLD)
def test_what_renting_comes_to_is_what_its_lines_add_up_to(told: Mapping[str, Any]) -> None:
    for one in (*neighbors(case(0))[::3], case(1), case(2)):
        account, apart = (Account(one, FigureValues(BASE.figures, told)) for _ in range(2))
        for card, offers in account.offers.items() if account.need else ():
            assert account.need is not None
            found = best(account.rent_terms, account.need, offers)
            lines = [list(rents(apart.rent_terms, account.need, offer)) for offer in apart.offers[card]]
            assert found == by_lines(lines)
        assert account.rent_terms.missing == apart.rent_terms.missing
        assert account.rent_terms.figures.used == apart.rent_terms.figures.used


def by_lines(found: Sequence[Sequence[Rent]]) -> tuple[float, float] | None:
    """The least of all modes at all offers, and the most of the cheapest mode that is surely to be had at each."""
    least = [rent.least for modes in found for rent in modes]
    most = [min(sure) for modes in found if (sure := [rent.most for rent in modes if rent.surely])]
    return (min(least), max(most, default=float("inf"))) if least else None
