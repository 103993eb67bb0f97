"""Published sums, made again by the convention of their own source; and what two published accounts add up to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.figures import FigureValues
from engine.loading import plain, read_file
from knowledge import knowledge_base
from knowledge.accounting import Account
from knowledge.cost_facts import INPUTS
from knowledge.economics import HOURS_PER_MONTH
from knowledge.published import (
    Chip,
    amortized_training_cost,
    break_even_hours,
    purchase_and_power,
    rent_by_the_hour,
)

ROOT = Path(__file__).parents[2]
SUMS: dict[str, Any] = plain(read_file(Path(__file__).parent / "published/sums.yaml"))
PAGES = ("docs/published-costs.md", "docs/published-costs.zh.md")
ONE_PERCENT = 0.01
NOTHING_TOLD: dict[str, Any] = dict.fromkeys(INPUTS)


def figures(told: dict[str, float]) -> FigureValues:
    return FigureValues(knowledge_base().figures, told)


@pytest.mark.parametrize("mode", ["on_demand", "one_year", "three_years"])
def test_lenovo_2025_hours_to_break_even_are_met_within_a_hundredth_of_a_percent(mode: str) -> None:
    case = SUMS["lenovo_2025"]
    hours = break_even_hours(case["capital"], case["rented_per_hour"][mode], case["running_per_hour"])
    assert hours == pytest.approx(case["hours"][mode], rel=0.0001)


def test_lenovo_2025_months_are_met_within_one_percent_by_months_of_thirty_days() -> None:
    case = SUMS["lenovo_2025"]
    hours = break_even_hours(case["capital"], case["rented_per_hour"]["on_demand"], case["running_per_hour"])
    assert hours / 720 == pytest.approx(case["months"], rel=ONE_PERCENT)


def test_lenovo_2026_break_even_goes_with_a_server_price_in_the_range_that_it_implies() -> None:
    case = SUMS["lenovo_2026"]
    hours = case["months"] * 730
    for running in case["running_per_hour"]:
        capital = hours * (case["rented_per_hour"] - running)
        low, high = case["implied_capital"]
        assert low * (1 - ONE_PERCENT) <= capital <= high * (1 + ONE_PERCENT)
        assert break_even_hours(capital, case["rented_per_hour"], running) == pytest.approx(hours)


def test_lenovo_2026_ratios_follow_from_its_own_prices() -> None:
    case = SUMS["lenovo_2026"]
    assert case["tokens"]["service"] / case["tokens"]["own"] == pytest.approx(case["tokens"]["times"], rel=0.02)
    assert 1 - case["large_model"]["own"] / case["large_model"]["cloud"] == pytest.approx(0.84, abs=0.005)


@pytest.mark.parametrize("row", SUMS["epoch_2024"]["rows"], ids=lambda row: row[0])
def test_epoch_cost_of_a_training_run_is_met_within_a_thousandth(row: list[Any]) -> None:
    _, price, hours, watts, factor, pue, tariff, published, inflation = row
    found = amortized_training_cost(hours, Chip(price, watts, factor), pue, tariff)
    assert found.total * inflation == pytest.approx(published, rel=0.001)
    assert found.total == pytest.approx(published, rel=0.05)


def test_epoch_rows_as_columns_come_to_what_each_row_comes_to() -> None:
    rows = [row[1:] for row in SUMS["epoch_2024"]["rows"]]
    price, hours, watts, factor, pue, tariff, published, inflation = np.array(rows, dtype=float).T
    found = amortized_training_cost(hours, Chip(price, watts, factor), pue, tariff).total * inflation
    assert np.allclose(found, published, rtol=0.001)


@pytest.mark.parametrize("card", ["H100", "H200", "B200"])
def test_aiinframap_purchase_is_exact_and_power_and_total_are_met_within_one_percent(card: str) -> None:
    case = SUMS["aiinframap_2026"]
    purchase, power = purchase_and_power(
        case["gpus"], case["price"][card], case["watts"][card], case["utilization"], case["tariff_with_pue"]
    )
    assert purchase == case["purchase_millions"][card] * 1e6
    assert power == pytest.approx(case["power_millions"][card] * 1e6, rel=ONE_PERCENT)
    assert purchase + power == pytest.approx(case["total_millions"][card] * 1e6, rel=0.001)


def test_three_months_at_sixteen_hours_a_day_come_to_the_published_sum_exactly() -> None:
    case = SUMS["short_project"]
    hours = case["hours_a_day"] * case["days"]
    assert rent_by_the_hour(1, hours, 1, case["price"]) == case["published"]


def test_sixty_four_gpus_on_spot_cost_half_of_what_the_article_puts_for_owning_and_not_more() -> None:
    case = SUMS["sixty_four_gpus"]
    spot = rent_by_the_hour(case["gpus"], case["hours"], case["utilization"], case["price"])
    assert spot == pytest.approx(588_672)
    assert spot < case["published_own"] < case["published_spot"]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_shows_every_sum_as_it_comes_out(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    lenovo = SUMS["lenovo_2025"]
    shown = [
        break_even_hours(lenovo["capital"], price, lenovo["running_per_hour"])
        for price in lenovo["rented_per_hour"].values()
    ]
    for _, price, hours, watts, factor, pue, tariff, published, inflation in SUMS["epoch_2024"]["rows"]:
        shown += [amortized_training_cost(hours, Chip(price, watts, factor), pue, tariff).total * inflation, published]
    shown += [31680, 588_672]
    assert [number for number in shown if f"{number:,.0f}" not in text] == []


def test_the_programs_own_accounting_comes_to_the_sum_of_the_short_project() -> None:
    case = SUMS["short_project"]
    need = {
        "demand.gpus_steady": 1.0,
        "demand.gpus_peak": 1.0,
        "demand.utilization": case["hours_a_day"] / 24,
        "demand.horizon_months": case["days"] * 24 / HOURS_PER_MONTH,
        "finance.currency": "CNY",
        "region": "cn",
        "data.volume_tb": 0.0,
        "data.egress_tb_per_month": 0.0,
    }
    found = Account({**NOTHING_TOLD, **need}, figures({"cloud_price_per_gpu_hour": float(case["price"])}))
    assert found.rented_band == pytest.approx((case["published"],) * 2)


def test_with_what_interruptions_cost_spot_is_still_cheaper_than_the_article_puts_owning() -> None:
    case = SUMS["sixty_four_gpus"]
    need = {
        "demand.gpus_steady": 64.0,
        "demand.gpus_peak": 64.0,
        "demand.utilization": case["utilization"],
        "demand.horizon_months": 12.0,
        "demand.interruptible": True,
        "finance.currency": "USD",
        "region": "us",
        "data.volume_tb": 0.0,
        "data.egress_tb_per_month": 0.0,
    }
    quotes = {"cloud_price_per_gpu_hour": 5.0, "spot_price_per_gpu_hour": case["price"]}
    found = Account({**NOTHING_TOLD, **need}, figures(quotes)).rented_band
    assert found is not None
    assert found == pytest.approx((647_982.7, 736_344.0), rel=1e-4)
    assert found[1] < case["published_own"]
