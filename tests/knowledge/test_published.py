"""Published sums, made again by the convention of their own source; and what two published accounts add up to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from docs.published import CASES, ORDER, PAGES, WORDS, Case, Sum, cases, page, training_cost
from docs.published import FOLDER as DOCS
from engine.faults import LANGUAGES
from engine.figures import CONFIDENCES
from engine.loading import plain, read_file
from engine.values import bounds
from knowledge import knowledge_base
from knowledge import published as methods

# One process makes the sums again for all tests of this file.
pytestmark = pytest.mark.xdist_group("published")


def told(name: str) -> dict[str, Any]:
    """The file of a case, as it stands."""
    found: dict[str, Any] = plain(read_file(CASES / f"{name}.yaml"))
    return found


@cache
def made_again() -> dict[str, Case]:
    return {case.id: case for case in cases()}


def sums_of(name: str) -> dict[str, Sum]:
    return {item.id: item for item in made_again()[name].sums}


HELD = [(name, item["id"]) for name in ORDER for item in told(name)["sums"] if told(name)["within"] is not None]
SOLVED = [(name, item["id"]) for name in ORDER for item in told(name)["sums"] if item.get("implied", False)]


@pytest.mark.parametrize(("name", "sum_id"), HELD)
def test_a_published_sum_is_met_within_what_its_case_allows(name: str, sum_id: str) -> None:
    item = sums_of(name)[sum_id]
    assert item.within is not None
    assert max(map(abs, item.differences)) <= item.within


@pytest.mark.parametrize(("name", "sum_id"), SOLVED)
def test_what_is_solved_for_is_met_within_one_percent(name: str, sum_id: str) -> None:
    assert sums_of(name)[sum_id].ours == pytest.approx(sums_of(name)[sum_id].published, rel=0.01)


@pytest.mark.parametrize("name", ["lenovo-2025", "epoch-2024"])
def test_cases_whose_inputs_are_all_stated_are_met_within_one_percent(name: str) -> None:
    found = [max(map(abs, item.differences)) for item in made_again()[name].sums]
    assert max(found) <= 0.01


# What the pages say in words


def test_at_the_rent_after_the_cut_of_june_2025_break_even_comes_later() -> None:
    case = told("lenovo-2025")
    inputs = case["inputs"]
    hours = methods.break_even_hours(inputs["capital"], 55.04, inputs["running_per_hour"])
    for language in LANGUAGES:
        assert any(f"{hours:,.0f}" in item[language] for item in case["caveats"])


def test_lenovo_2025_months_of_730_hours_come_one_and_a_half_percent_below_what_is_printed() -> None:
    hours, months = sums_of("lenovo-2025")["on_demand"], sums_of("lenovo-2025")["months"]
    assert hours.ours[0] / 730 / months.published[0] - 1 == pytest.approx(-0.015, abs=0.0005)


def test_lenovo_2026_implied_price_is_a_third_of_that_of_2025_and_a_price_that_we_know_of() -> None:
    implied = sums_of("lenovo-2026")["capital"].ours
    assert implied[1] / told("lenovo-2025")["inputs"]["capital"] == pytest.approx(1 / 3, abs=0.04)
    low, high = bounds(knowledge_base().figures["server_price.h100-sxm-80gb"].value)
    assert implied[0] < low < implied[1] < high


def test_lenovo_2026_implied_rents_fall_as_the_commitment_grows() -> None:
    sums = sums_of("lenovo-2026")
    rents = [sums[mode].ours for mode in ("one_year", "three_years", "five_years")]
    assert rents == sorted(rents, reverse=True)
    assert rents[0][1] < told("lenovo-2026")["inputs"]["rented_per_hour"]


def test_epoch_without_inflation_comes_within_two_percent() -> None:
    inputs, sums = told("epoch-2024")["inputs"], sums_of("epoch-2024")
    off = [training_cost(row).total / sums[name].published[0] - 1 for name, row in inputs.items()]
    assert max(map(abs, off)) < 0.02
    assert max(map(abs, off)) > 0.01


def test_losing_fourteen_hundredths_of_an_order_of_magnitude_a_year_is_a_life_of_three_years() -> None:
    year = methods.amortized_training_cost(8766.0, methods.Chip(1.0, 0.0, 1.0), 1.0, 0.0)
    assert 1 / year.hardware == pytest.approx(3.1, abs=0.01)


def test_the_published_range_of_a_node_lies_above_the_items_it_names_and_within_our_own_accounting() -> None:
    named, ours = sums_of("node-2026")["named_items"], sums_of("node-2026")["ours"]
    low, high = named.published
    assert named.ours == pytest.approx((371_163, 473_967), abs=1)
    assert named.ours[0] < low
    assert named.ours[1] < high
    assert ours.ours[0] <= low < high <= ours.ours[1], "a shipped figure has moved: look at the lines of owning"


def test_three_months_at_sixteen_hours_a_day_come_to_the_published_sum_exactly() -> None:
    assert sums_of("short-project")["rent"].ours == (31_680, 31_680)


def test_sixty_four_gpus_on_spot_cost_half_of_what_the_article_puts_for_owning_and_not_more() -> None:
    inputs, sums = told("sixty-four-gpus")["inputs"], sums_of("sixty-four-gpus")
    spot = sums["spot"].ours[0]
    assert spot == pytest.approx(588_672)
    assert spot / inputs["published_own"] == pytest.approx(0.5, abs=0.02)
    assert spot / inputs["published_spot"] == pytest.approx(1 / 3, abs=0.01)
    assert spot < inputs["published_own"] < inputs["published_spot"]
    for language in LANGUAGES:
        assert f"{spot:,.0f}" in told("sixty-four-gpus")["caveats"][0][language]


def test_with_what_interruptions_cost_spot_is_still_cheaper_than_the_article_puts_owning() -> None:
    found = sums_of("sixty-four-gpus")["spot_again"].ours
    assert found == pytest.approx((588_672 * 1.1, 588_672 * 1.25))
    assert found[1] < told("sixty-four-gpus")["inputs"]["published_own"]


# The methods


def test_columns_come_to_what_each_row_comes_to() -> None:
    rows = list(told("epoch-2024")["inputs"].values())
    columns = {key: np.array([row[key] for row in rows], dtype=float) for key in rows[0]}
    chip = methods.Chip(columns["price"], columns["watts"], columns["server_factor"])
    found = methods.amortized_training_cost(columns["chip_hours"], chip, columns["pue"], columns["tariff"])
    assert np.allclose(found.total, [training_cost(row).total for row in rows], rtol=1e-12)
    hours = methods.break_even_hours(833806.0, np.array([98.32, 77.43]), 0.87)
    assert hours == pytest.approx([8556.2, 10890.9], abs=0.1)


def test_interconnect_is_nineteen_percent_of_the_cluster() -> None:
    cost = methods.amortized_training_cost(1000.0, methods.Chip(20000.0, 700.0, 1.8), 1.1, 0.08)
    assert cost.interconnect / (cost.hardware + cost.interconnect) == pytest.approx(0.19)
    assert cost.energy == pytest.approx(1000 * 0.7 * 1.8 * 0.75 * 1.1 * 0.08)


def test_what_was_solved_for_gives_back_what_it_was_solved_from() -> None:
    assert methods.break_even_hours(methods.implied_capital(2701.0, 98.32, 0.87), 98.32, 0.87) == pytest.approx(2701)
    assert methods.break_even_hours(260_000.0, methods.implied_rent(260_000.0, 4380.0, 2.0), 2.0) == pytest.approx(4380)
    tariff = methods.implied_tariff_with_pue(2.11e6, 1024, 700, 0.7)
    assert tariff == pytest.approx(0.0960, abs=0.00005)
    assert methods.purchase_and_power(1024, 30_000, 700, 0.7, tariff)[1] == pytest.approx(2.11e6)
    assert methods.rent_by_the_hour(64, 8760, 0.7, methods.implied_price(1.75e6, 64, 8760, 0.7)) == pytest.approx(
        1.75e6
    )


# The files and the pages


@pytest.mark.parametrize("language", PAGES)
def test_the_page_of_published_sums_is_current(language: str) -> None:
    shown = (DOCS / PAGES[language]).read_text(encoding="utf-8")
    assert shown == page(cases(), language), "to write it again: .venv/bin/python docs/published.py"


def test_every_file_of_a_case_is_on_the_page_and_says_where_it_is_from() -> None:
    assert sorted(f"{name}.yaml" for name in ORDER) == sorted(path.name for path in CASES.iterdir())
    for name in ORDER:
        case = told(name)
        assert case["id"] == name
        assert case["confidence"] in CONFIDENCES
        assert case["as_of"]
        assert case["url"].startswith("http")
        assert case["caveats"]


def test_every_method_that_a_case_names_is_a_function_with_its_contract() -> None:
    named = {method for case in made_again().values() for method in case.methods}
    assert {method for method in named if not getattr(methods, method).__doc__} == set()


def test_every_wording_is_there_in_both_languages_and_nothing_else_is() -> None:
    found = [wording for name in ORDER for wording in wordings(told(name))]
    assert len(found) > len(ORDER) * 4
    assert [wording for wording in found if set(wording) != set(LANGUAGES) or not all(wording.values())] == []
    assert set(WORDS["en"]) == set(WORDS["zh"])


def wordings(node: Any) -> Iterator[dict[str, Any]]:
    """Every mapping below the node that holds text in a language."""
    if isinstance(node, dict) and set(node) & set(LANGUAGES):
        yield node
    elif isinstance(node, dict | list):
        for below in node.values() if isinstance(node, dict) else node:
            yield from wordings(below)
