"""The formulas of cost: on numbers, on ranges and on columns alike, and what holds of them always."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.values import UNLIMITED, Interval, bounds
from knowledge import economics as e

Formula = Callable[..., Any]
AMOUNT = st.floats(0, 1e6)
SHARE = st.floats(0, 1)
COUNT = st.integers(0, 500).map(float)
MONTHS = st.floats(0.5, 120)
AGES = ((12.0, 0.65), (24.0, 0.4), (36.0, 0.3), (60.0, 0.15))

# Each formula with the kinds of its inputs, those that raise it first, and how many of them do.
LINES: dict[str, tuple[Formula, list[st.SearchStrategy[float]], int]] = {
    "purchase": (e.purchase, [COUNT, AMOUNT], 2),
    "power": (e.power, [AMOUNT, st.floats(1, 3), SHARE], 3),
    "space": (e.space, [AMOUNT, AMOUNT, MONTHS], 3),
    "staff": (e.staff, [SHARE, AMOUNT, MONTHS], 3),
    "maintenance": (e.maintenance, [COUNT, AMOUNT, SHARE, MONTHS], 4),
    "rent": (e.rent, [AMOUNT, AMOUNT, SHARE], 3),
    "per_gigabyte": (e.per_gigabyte, [AMOUNT, SHARE, MONTHS], 3),
    "staff_fte": (e.staff_fte, [COUNT, SHARE, SHARE, st.floats(1, 100)], 3),
    "lost_share": (e.lost_share, [SHARE, COUNT, st.floats(0, 100)], 3),
    "rented_base": (e.rented_base, [st.integers(1, 500).map(float), COUNT, SHARE, st.sampled_from([1.0, 8.0])], 3),
    "whole_instances": (e.whole_instances, [COUNT, st.sampled_from([1.0, 4.0, 8.0])], 1),
    "straight_line": (lambda years, months: e.straight_line(months, years), [st.floats(1, 10), MONTHS], 1),
}
EVERY_LINE = pytest.mark.parametrize("name", LINES)


@EVERY_LINE
@given(st.data())
def test_a_column_of_cases_comes_to_what_each_case_comes_to(name: str, data: st.DataObject) -> None:
    formula, kinds, _ = LINES[name]
    cases = [[data.draw(kind) for kind in kinds] for _ in range(3)]
    columns = [np.array(column) for column in zip(*cases, strict=True)]
    assert np.array_equal(formula(*columns), np.array([formula(*case) for case in cases]))


@EVERY_LINE
@given(st.data())
def test_a_range_holds_the_cost_of_every_point_in_it(name: str, data: st.DataObject) -> None:
    formula, kinds, rising = LINES[name]
    if name == "whole_instances":
        kinds = kinds[:1]
        formula = lambda gpus: e.whole_instances(gpus, 8.0)  # noqa: E731 - a size is not ranged
    if name == "rented_base":
        kinds = kinds[:3]
        formula = lambda steady, peak, use: e.rented_base(steady, peak, use, 8.0)  # noqa: E731
    ends = [sorted([data.draw(kind), data.draw(kind)]) for kind in kinds]
    ranges = [low if low == high else Interval(low, high) for low, high in ends]
    point = [data.draw(st.sampled_from([low, high, (low + high) / 2])) for low, high in ends]
    if name in ("rented_base", "whole_instances"):
        point = [float(round(number)) if kind is COUNT else number for number, kind in zip(point, kinds, strict=True)]
    low, high = bounds(e.over(formula, ranges[:rising], ranges[rising:]))
    found = formula(*point)
    assert low - 1e-6 * abs(low) <= found <= high + 1e-6 * abs(high)


@EVERY_LINE
@given(st.data())
def test_no_line_is_negative_and_none_is_without_end(name: str, data: st.DataObject) -> None:
    formula, kinds, _ = LINES[name]
    found = formula(*[data.draw(kind) for kind in kinds])
    assert 0 <= found < UNLIMITED


def test_a_month_has_a_twelfth_of_the_hours_of_a_year_with_its_quarter_of_a_leap_day() -> None:
    assert e.HOURS_PER_MONTH == 730.5
    assert e.HOURS_PER_YEAR == 365.25 * 24


def test_busy_gpus_are_the_busy_part_of_the_base_and_the_peak_for_its_share_of_the_time() -> None:
    assert e.busy_gpus(8.0, 64.0, 0.5, 0.1) == 8 * 0.5 + 56 * 0.1


def test_without_a_steady_need_use_is_counted_of_the_peak() -> None:
    assert e.busy_gpus(0.0, 64.0, 0.25, 0.9) == 16


def test_whole_instances_are_rented() -> None:
    assert e.whole_instances(9.0, 8.0) == 16
    assert e.whole_instances(0.0, 8.0) == 0


def test_energy_is_idle_draw_for_all_and_more_for_the_busy_ones() -> None:
    kilowatt_hours = e.energy_kwh(16.0, 12.8, 1.275, (0.2, 0.75), 36.0)
    assert kilowatt_hours == pytest.approx((16 * 0.2 + 12.8 * 0.55) * 1.275 * 730.5 * 36)


def test_one_server_takes_its_share_of_an_engineer_and_many_are_counted_by_servers() -> None:
    assert e.staff_fte(1.0, 0.25, 0.5, 40.0) == 0.25
    assert e.staff_fte(2.0, 0.25, 0.5, 40.0) == 0.5
    assert e.staff_fte(10.0, 0.25, 0.5, 40.0) == 0.5
    assert e.staff_fte(100.0, 0.25, 0.5, 40.0) == 2.5


@pytest.mark.parametrize(
    ("months", "share"),
    [(0.0, 1.0), (6.0, 0.825), (12.0, 0.65), (48.0, 0.225), (60.0, 0.15), (120.0, 0.0), (200.0, 0.0)],
)
def test_residual_value_runs_straight_between_the_known_ages(months: float, share: float) -> None:
    assert e.residual_at(months, AGES) == pytest.approx(share)


@given(st.floats(0, 200), st.floats(0, 200))
def test_older_hardware_never_fetches_more(one: float, other: float) -> None:
    younger, older = sorted([one, other])
    assert e.residual_at(older, AGES) <= e.residual_at(younger, AGES) + 1e-12


def test_a_commitment_is_paid_to_its_end() -> None:
    assert e.committed_months(13.0, 12.0) == 24
    assert e.committed_months(36.0, 36.0) == 36


def test_break_even_utilization_is_where_two_straight_lines_meet() -> None:
    assert e.break_even_utilization((600.0, 650.0), (0.0, 1250.0)) == pytest.approx(0.5)


def test_owning_that_is_cheaper_even_idle_breaks_even_at_any_use() -> None:
    assert e.break_even_utilization((100.0, 120.0), (150.0, 150.0)) == 0


def test_owning_that_is_dearer_even_at_full_use_never_breaks_even() -> None:
    assert e.break_even_utilization((900.0, 950.0), (0.0, 400.0)) == UNLIMITED
    assert e.break_even_utilization((900.0, 950.0), (100.0, 100.0)) == UNLIMITED


def test_without_use_there_is_no_price_at_which_the_two_meet_and_nothing_is_divided_by_nothing() -> None:
    assert e.break_even_price(1000.0, 0.0, 0.0) == UNLIMITED
    assert e.ratio(1000.0, 0.0) == UNLIMITED
    assert e.ratio(0.0, 0.0) == 1


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e6), st.floats(0, 1e6))
def test_a_dearer_cloud_never_asks_for_more_use(own: float, rent: float, running: float, more: float) -> None:
    before = e.break_even_utilization((own, own + running), (0.0, rent))
    after = e.break_even_utilization((own, own + running), (0.0, rent + more))
    assert after <= before + 1e-9


@given(st.floats(0, 1e9), st.floats(1, 1e9), st.floats(0, 1e6))
def test_a_dearer_cloud_never_raises_own_over_rented(own: float, rent: float, more: float) -> None:
    assert e.ratio(own, rent + more) <= e.ratio(own, rent)
