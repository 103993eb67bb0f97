"""How long the data takes to move."""

from __future__ import annotations

import pytest

from engine.values import Interval, Value
from knowledge.arithmetic import Number
from knowledge.transfer import upload_days


def days(volume: Value | None, line: Value | None) -> Number | None:
    return upload_days({"data.volume_tb": volume, "data.uplink_mbps": line}, {})


def test_10_terabytes_take_80000_seconds_over_a_gigabit_line() -> None:
    assert days(10.0, 1000.0) == pytest.approx(80_000 / 86_400, rel=1e-3)


def test_a_hundred_terabytes_take_three_months_over_100_megabits() -> None:
    assert days(100.0, 100.0) == 92.59


def test_a_range_of_lines_gives_a_range_of_days() -> None:
    assert days(108.0, Interval(100, 1000)) == Interval(10, 100)


def test_nothing_to_send_takes_no_time_over_any_line() -> None:
    assert days(0.0, None) == 0


@pytest.mark.parametrize(("volume", "line"), [(None, 1000.0), (10.0, None), (None, None)])
def test_nothing_is_said_while_the_volume_or_the_line_is_unknown(volume: float | None, line: float | None) -> None:
    assert days(volume, line) is None
