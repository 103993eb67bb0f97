"""Numbers as people write them, and as they are shown."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.faults import FaultError
from engine.loading import Scalar, plain, read_bytes
from engine.numbers import Unit
from engine.values import UNLIMITED, Interval, Value, bounds
from tests.engine.helpers import TESTS, examples, profile_of


def read(base: KnowledgeBase, path: str, typed: object) -> Value | None:
    return base.vocabulary.facts[path].read(typed)


def refused(base: KnowledgeBase, path: str, typed: object) -> str:
    with pytest.raises(FaultError) as raised:
        base.vocabulary.facts[path].read(typed)
    (fault,) = raised.value.faults
    assert all(fault.text(code) for code in ("en", "zh"))
    return fault.key


FORMS: Mapping[str, Any] = yaml.safe_load((TESTS / "engine" / "number_forms.yaml").read_text(encoding="utf-8"))
READ = [(path, typed, value) for path, forms in FORMS.items() for typed, value in forms["read"].items()]
REFUSED = [(path, typed) for path, forms in FORMS.items() for typed in forms["refuse"]]


@pytest.mark.parametrize(("path", "typed", "wanted"), READ)
def test_a_number_is_read_as_people_write_it(
    path: str, typed: str, wanted: float | list[float], real: KnowledgeBase
) -> None:
    value = Interval(*map(float, wanted)) if isinstance(wanted, list) else float(wanted)
    assert read(real, path, typed) == value


@pytest.mark.parametrize(("path", "typed"), REFUSED)
def test_what_only_looks_like_a_number_is_refused(path: str, typed: str, real: KnowledgeBase) -> None:
    assert refused(real, path, typed)


REASONS = {
    "leading-zero": ["0100", "08", "010", "-0100", "00.5", "1-08"],
    "unknown-suffix": ["7Q", "7Bn"],
    "not-a-number": ["7 7", "20:30", "0,100", "seven"],
    "number-too-large": ["1e999", "1e300", "1000001T"],
    "range-backwards": ["70-7"],
}


@pytest.mark.parametrize(("key", "typed"), [(key, typed) for key, forms in REASONS.items() for typed in forms])
def test_what_is_no_number_is_refused_for_its_own_reason(typed: str, key: str, real: KnowledgeBase) -> None:
    assert refused(real, "model.parameters", typed) == key


@pytest.mark.parametrize(
    ("typed", "instead"), [("0100", "100"), ("-08", "-8"), ("00.5", "0.5"), ("000", "0"), ("+07", "+7")]
)
def test_a_leading_zero_is_answered_with_what_to_write_instead(typed: str, instead: str, real: KnowledgeBase) -> None:
    with pytest.raises(FaultError) as raised:
        read(real, "operations.gpus_owned", typed)
    assert raised.value.faults[0].params["instead"] == instead
    assert real.vocabulary.units["gpus"].read(instead) == float(typed)


@pytest.mark.parametrize(
    "typed", ["yes", "no", "true", "False", "是", True, False, [], [1.0], [1.0, 2.0, 3.0], ["yes", 1.0]]
)
def test_yes_and_no_and_other_lists_are_no_numbers(typed: object, real: KnowledgeBase) -> None:
    assert refused(real, "demand.utilization", typed) == "expected"


@pytest.mark.parametrize("typed", [[0.4, 0.7], ["40%", "70%"], ["40%", 0.7], (0.4, 0.7), Interval(0.4, 0.7)])
def test_a_range_may_be_a_list_of_its_two_ends(typed: object, real: KnowledgeBase) -> None:
    assert read(real, "demand.utilization", typed) == Interval(0.4, 0.7)


@pytest.mark.parametrize("typed", [[0.5, 0.5], "50-50%", 0.5, "5成"])
def test_a_range_of_one_number_is_that_number(typed: object, real: KnowledgeBase) -> None:
    assert read(real, "demand.utilization", typed) == 0.5


@pytest.mark.parametrize("typed", [None, "unknown", "", " null ", "~"])
def test_what_is_not_told_is_unknown(typed: object, real: KnowledgeBase) -> None:
    assert read(real, "demand.utilization", typed) is None


@pytest.mark.parametrize("typed", [[0.7, 0.4], ["70%", "40%"]])
def test_a_list_from_the_larger_to_the_smaller_is_no_range(typed: object, real: KnowledgeBase) -> None:
    assert refused(real, "demand.utilization", typed) == "range-backwards"


@pytest.mark.parametrize("typed", [[[0.1, 0.2], [0.3, 0.4]], ["10-20%", "30%"], [0.1, None], [Interval(0.1, 0.2), 0.3]])
def test_the_ends_of_a_range_are_single_numbers(typed: object, real: KnowledgeBase) -> None:
    assert refused(real, "demand.utilization", typed) == "expected"


def test_bounds_are_checked_at_both_ends_of_a_range(real: KnowledgeBase) -> None:
    assert refused(real, "demand.utilization", "50-101%") == "above-maximum"
    assert refused(real, "demand.utilization", [-0.1, 0.5]) == "below-minimum"
    assert refused(real, "demand.horizon_months", "0-5") == "not-above"


def test_a_share_above_one_is_answered_with_the_percentage_that_was_meant(real: KnowledgeBase) -> None:
    with pytest.raises(FaultError) as raised:
        read(real, "demand.utilization", "70")
    assert "did you mean '70%'?" in raised.value.faults[0].text("en")
    with pytest.raises(FaultError) as raised:
        read(real, "demand.utilization", "700")
    assert "did you mean" not in raised.value.faults[0].text("en")


@pytest.mark.parametrize(
    ("typed", "number"), [("0100", "0100"), ("7e9", 7e9), ("1.5e6", 1.5e6), ("20:30", "20:30"), ("1_000", "1_000")]
)
def test_a_scalar_is_a_number_only_where_all_readers_of_yaml_agree(typed: str, number: object) -> None:
    assert plain(read_bytes(f"a: {typed}\n".encode(), "a.yaml")) == {"a": number}


@pytest.mark.parametrize(
    "typed", ["1" + " " * 3000 + "1", "9" * 100_000, "1" + "," * 5000, " " * 5000 + "-", "1-" * 5000]
)
def test_no_text_takes_long_to_be_refused(typed: str, real: KnowledgeBase) -> None:
    start = time.process_time()
    assert refused(real, "demand.utilization", typed) in ("not-a-number", "expected")
    assert time.process_time() - start < 0.5


def test_a_refused_number_is_told_with_its_line_and_the_fact_as_typed(real: KnowledgeBase) -> None:
    with pytest.raises(FaultError) as raised:
        profile_of(real, "profile: 1\ndemand:\n  gpus_peak: 0100\n")
    (fault,) = raised.value.faults
    assert fault.text().startswith("profile.yaml:3:3: 'demand.gpus_peak': '0100' begins with a zero")


# Reading is exact


@given(st.integers(0, 10_000))
@examples(150)
def test_a_percentage_is_the_decimal_fraction_and_not_a_neighbor(real: KnowledgeBase, hundredths: int) -> None:
    typed = f"{hundredths // 100}.{hundredths % 100:02}%"
    assert read(real, "demand.utilization", typed) == float(Decimal(hundredths) / 10_000)


@given(st.decimals(0, 10**6, places=3), st.sampled_from(["K", "M", "B", "T", "万", "亿", "千亿", "万亿"]))
@examples(200)
def test_a_suffix_multiplies_exactly(real: KnowledgeBase, number: Decimal, suffix: str) -> None:
    unit = real.vocabulary.units["count"]
    assert unit.read(f"{number}{suffix}") == float(number * unit.suffixes[suffix])


@given(st.text(max_size=40) | st.text("0123456789.,-+eE%~ KMGTB亿万to…–_", max_size=20))
@examples(200)
def test_any_text_is_a_number_in_bounds_or_refused(real: KnowledgeBase, typed: str) -> None:
    for path in ("demand.utilization", "data.volume_tb", "model.parameters"):
        fact = real.vocabulary.facts[path]
        try:
            value = fact.read(typed)
        except FaultError:
            continue
        if value is not None:
            assert isinstance(value, float | Interval)
            low, high = bounds(value)
            assert 0 <= low <= high < math.inf
            assert high <= (fact.maximum or math.inf)


# Showing

UNITS = ("share", "ratio", "count", "gpus", "terabytes", "megabits_per_second", "kilowatts", "days", "months", "money")


def shown(unit: Unit, value: float | Interval, language: str = "en") -> str:
    return unit.show(value, language, "unlimited")


def test_a_number_is_shown_in_one_fixed_form(real: KnowledgeBase) -> None:
    units = real.vocabulary.units
    assert shown(units["count"], 7e9) == "7B"
    assert shown(units["count"], 1e11) == "100B"
    assert shown(units["count"], 999.0) == "999"
    assert shown(units["share"], 0.3) == "30%"
    assert shown(units["share"], Interval(0.4, 0.7)) == "40–70%"
    assert shown(units["terabytes"], 1.0) == "1 TB"
    assert shown(units["money"], 1234567.5) == "1,234,567.5"
    assert shown(units["days"], UNLIMITED) == "unlimited"
    assert shown(units["days"], -3.0) == "-3 days"
    assert shown(units["share"], 0.1 + 0.2) == "30%"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_unit_shows_what_it_reads(language: str, real: KnowledgeBase) -> None:
    strange = []
    for unit in real.vocabulary.units.values():
        for value in (0.0, 0.5, 1.0, 12.25, 999.0, 1000.0, 2.5e6, 7e9):
            text = shown(unit, value, language)
            try:
                same = unit.read(text) == value
            except FaultError:
                same = False
            strange += [] if same else [(unit.id, value, text)]
    assert strange == []


@given(st.sampled_from(UNITS), st.integers(0, 10**7), st.integers(0, 10**7))
@examples(150)
def test_a_shown_range_is_read_as_the_same_range(real: KnowledgeBase, name: str, one: int, two: int) -> None:
    unit = real.vocabulary.units[name]
    low, high = sorted((one / 100, two / 100))
    value = Interval(low, high) if low < high else low
    read_again = unit.read(shown(unit, value))
    step = float(max((unit.suffixes[s] for s in unit.shown), default=Decimal(1))) * 1e-4
    for shown_end, end in zip(bounds(read_again), bounds(value), strict=True):
        assert shown_end == pytest.approx(end, abs=max(step, 1e-4))


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
@examples(150)
def test_a_shown_number_is_stable(real: KnowledgeBase, number: float) -> None:
    unit = real.vocabulary.units["ratio"]
    once = unit.read(shown(unit, number))
    assert shown(unit, once) == shown(unit, number)


def test_every_example_of_a_fact_is_read_by_that_fact(real: KnowledgeBase) -> None:
    unread = []
    for fact in real.vocabulary.told():
        try:
            fact.read(Scalar(fact.example, True, fact.place))
        except FaultError as error:
            unread.append((fact.path, fact.example, error))
    assert unread == []
    assert all(fact.example for fact in real.vocabulary.told())


def test_case_is_folded_only_where_no_two_suffixes_differ_in_case_alone() -> None:
    unit = Unit("size", {}, {}, {"GB": Decimal(1), "gb": Decimal(1), "M": Decimal(2), "kilo": Decimal(3)})
    assert unit.read("5 KILO") == 15
    assert unit.read("5m") == 10
    for typed in ("5 Gb", "5 gB"):
        with pytest.raises(FaultError, match="unknown unit"):
            unit.read(typed)


def test_an_unknown_suffix_is_told_with_the_nearest_and_all_that_are_known(real: KnowledgeBase) -> None:
    with pytest.raises(FaultError) as raised:
        real.vocabulary.units["days"].read("3 dayz")
    text = raised.value.faults[0].text()
    assert "did you mean 'day'?" in text
    assert all(suffix in text for suffix in real.vocabulary.units["days"].suffixes)
