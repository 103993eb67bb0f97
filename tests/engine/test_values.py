"""What a fact can hold, and the same as JSON."""

from __future__ import annotations

import json
import math

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from engine.values import UNLIMITED, Interval, Value, bounds, from_json, interval, to_json
from tests.engine.helpers import examples

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.one_of(
    st.booleans(), st.text(max_size=5).filter(lambda text: text != "unlimited"), NUMBERS, st.just(UNLIMITED),
    st.tuples(NUMBERS, NUMBERS).map(lambda ends: interval(min(ends), max(ends))),
    NUMBERS.map(lambda low: Interval(low, UNLIMITED)),
)  # fmt: skip


@given(VALUES)
@examples(200)
def test_a_value_comes_back_from_json_as_it_went(value: Value) -> None:
    again = from_json(json.loads(rfc8785.dumps(to_json(value))))  # type: ignore[arg-type]
    assert again == value
    assert type(again) is type(value)


def test_yes_is_told_from_one_and_unlimited_from_a_number() -> None:
    assert to_json(True) is True
    assert to_json(1.0) == 1
    assert to_json(UNLIMITED) == "unlimited"
    assert to_json(Interval(0.5, UNLIMITED)) == [0.5, "unlimited"]
    assert from_json(True) is True
    assert from_json(1) == 1.0
    assert from_json("unlimited") == math.inf


@pytest.mark.parametrize(
    "data", [None, [], [1], [1, 2, 3], {}, ["a", "b"], [True, False], [[1, 2], 3], [1, None], [2, 1], {"low": 1}]
)
def test_what_no_value_was_written_as_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"not an? (value|interval)"):
        from_json(data)


def test_a_range_of_one_number_is_that_number() -> None:
    assert interval(2, 2) == 2.0
    assert isinstance(interval(2, 2), float)
    assert interval(1, 2) == Interval(1.0, 2.0)
    assert bounds(Interval(1.0, 2.0)) == (1.0, 2.0)
    assert bounds(3.0) == (3.0, 3.0)


@pytest.mark.parametrize(("low", "high"), [(2, 1), (math.nan, 1), (1, math.nan)])
def test_no_range_runs_backwards_or_from_nowhere(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="not an interval"):
        interval(low, high)
