"""Moving the data: how long each way takes, what it charges, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.figures import FigureValues
from engine.values import UNLIMITED, Interval, Value, bounds, interval
from knowledge import knowledge_base
from knowledge.arithmetic import Number
from knowledge.transfer import (
    SHIPPING_FIGURES,
    WAY_FIGURES,
    Way,
    cheapest,
    gigabit_line_days,
    offline_days,
    quickest,
    quickest_days,
    ten_gigabit_line_days,
    transfer_ways,
    upload_days,
)

BASE = knowledge_base()
VOLUME, LINE, LOCATION = "data.volume_tb", "data.uplink_mbps", "data.location"
AT_80_PERCENT: Mapping[str, Number] = {"line_efficiency": 0.8}
CHINA: Mapping[str, Value] = {"region": "cn", LOCATION: "on_premises"}
AMERICA: Mapping[str, Value] = {"region": "us", LOCATION: "on_premises"}


def days(volume: Value | None, line: Value | None) -> Number | None:
    return upload_days({VOLUME: volume, LINE: line}, {})


def figures(told: Mapping[str, Number] | None = None) -> FigureValues:
    """The shipped figures, some replaced."""
    return FigureValues(BASE.figures, told or {})


def facts(**changed: Any) -> dict[str, Value | None]:
    """A case with the inputs of all formulas: volume, line, location, region."""
    names = {"volume": VOLUME, "line": LINE, "location": LOCATION, "region": "region"}
    return {path: changed.get(name) for name, path in names.items()}


def told_of(case: Mapping[str, Value | None]) -> dict[str, Value]:
    """The case without what is unknown."""
    return {path: value for path, value in case.items() if value is not None}


def found(case: Mapping[str, Value], told: Mapping[str, Number] | None = None) -> dict[str, Way]:
    return {way.id: way for way in transfer_ways(case, figures(told))}


# Over the line that is there


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


# Over a dedicated line


@pytest.mark.parametrize(("formula", "expected"), [(gigabit_line_days, 11.6), (ten_gigabit_line_days, 1.16)])
def test_100_terabytes_over_a_dedicated_line_that_is_used_to_80_percent(formula: Any, expected: float) -> None:
    assert formula(facts(volume=100.0), AT_80_PERCENT) == expected


def test_the_shipped_range_of_efficiency_becomes_a_range_of_days() -> None:
    # 100 TB are 8e8 Mbit: 8e8 / 900 s are 10.3 days, 8e8 / 700 s are 13.2 days.
    assert gigabit_line_days(facts(volume=100.0), figures()) == Interval(10.3, 13.2)


def test_a_line_of_which_nothing_is_usable_never_brings_it_over() -> None:
    assert gigabit_line_days(facts(volume=100.0), {"line_efficiency": 0.0}) == UNLIMITED
    assert gigabit_line_days(facts(volume=0.0), {"line_efficiency": 0.0}) == 0


# On devices


def test_devices_take_two_journeys_the_copying_and_the_reading_in() -> None:
    # At best 2 + 240/80 + 2 + 1 days, at worst 7 + 240/60 + 7 + 7.
    assert offline_days(facts(volume=240.0, region="cn", location="on_premises"), figures()) == Interval(8, 25)


def test_devices_for_what_may_be_nothing_may_take_no_time() -> None:
    case = facts(volume=Interval(0, 240), region="cn", location="on_premises")
    assert offline_days(case, figures()) == Interval(0, 25)


@pytest.mark.parametrize(
    ("region", "location"),
    [("us", "on_premises"), ("cn", "cloud"), ("cn", "nowhere"), ("cn", None), (None, "on_premises")],
)
def test_devices_have_no_days_where_none_is_surely_on_offer(region: str | None, location: str | None) -> None:
    assert offline_days(facts(volume=240.0, region=region, location=location), figures()) is None


def test_devices_that_are_never_filled_never_arrive() -> None:
    case = facts(volume=1.0, region="cn", location="on_premises")
    assert offline_days(case, figures({"shipping_copy_tb_per_day": 0.0})) == UNLIMITED


def test_no_device_is_offered_outside_mainland_china_or_for_data_in_a_cloud() -> None:
    offered = {
        (region, location): [
            name for name in found({VOLUME: 100.0, "region": region, LOCATION: location}) if "cube" in name
        ]
        for region in ("cn", "us", "eu", "asia", "other")
        for location in ("on_premises", "cloud")
    }
    assert {place for place, names in offered.items() if names} == {("cn", "on_premises")}
    assert len(offered["cn", "on_premises"]) == 3


@pytest.mark.parametrize(
    ("volume", "device", "count", "fee"),
    [
        (20.0, "mini", 1, 1_200),
        (20.5, "mini", 2, 2_400),
        (100.0, "mini", 5, 6_000),
        (100.0, "ii", 1, 6_000),
        (250.0, "ii", 3, 18_000),
        (100.0, "iii", 1, 24_000),
        (1_001.0, "iii", 2, 48_000),
    ],
)
def test_as_many_devices_are_loaned_as_the_volume_needs(volume: float, device: str, count: int, fee: float) -> None:
    way = found({**CHINA, VOLUME: volume})[f"device.lightning-cube-{device}"]
    assert (way.devices, way.fee, way.currency, way.at_least) == (count, fee, "CNY", False)


def test_a_device_that_takes_longer_to_fill_than_its_fee_covers_is_paid_for_by_the_day() -> None:
    # 1,000 TB at 20 TB a day are 50 days, 5 more than the 45 that are covered.
    way = found({**CHINA, VOLUME: 1_500.0}, {"shipping_copy_tb_per_day": 20.0})["device.lightning-cube-iii"]
    assert way.fee == 2 * (24_000 + 5 * 1_500)


def test_a_device_that_holds_nothing_costs_without_end_and_breaks_nothing() -> None:
    way = found({**CHINA, VOLUME: 10.0}, {"device_tb.lightning-cube-mini": 0.0})["device.lightning-cube-mini"]
    assert (way.devices, way.fee) == (UNLIMITED, UNLIMITED)


# Fees


def test_data_that_goes_into_a_cloud_over_the_line_that_is_there_costs_nothing() -> None:
    for place in (AMERICA, CHINA):
        way = found({**place, VOLUME: 100.0, LINE: 1000.0})["uplink"]
        assert (way.fee, way.currency) == (0, None)


def test_a_port_is_paid_for_by_the_hour_and_the_circuit_comes_on_top() -> None:
    way = found({**AMERICA, VOLUME: 72.0}, AT_80_PERCENT)["line_1g"]
    # 72 TB over 800 Mbit/s are 200 hours.
    assert (way.currency, way.at_least) == ("USD", True)
    assert way.fee == pytest.approx(0.3 * 200)


def test_in_mainland_china_a_line_is_paid_for_by_the_month_begun() -> None:
    # 300 TB over 800 Mbit/s are 34.7 days: two months of 15,000 to 40,000.
    way = found({**CHINA, VOLUME: 300.0}, AT_80_PERCENT)["line_1g"]
    assert (way.fee, way.currency, way.at_least) == (Interval(30_000, 80_000), "CNY", True)


def test_data_that_leaves_a_cloud_is_charged_by_the_gigabyte() -> None:
    abroad = found({"region": "eu", LOCATION: "cloud", VOLUME: 10.0, LINE: 1000.0})["uplink"]
    low, high = bounds(BASE.figures["egress_per_gb.hyperscaler"].value)
    assert (abroad.fee, abroad.currency) == (Interval(10_000 * low, 10_000 * high), "USD")
    china = found({"region": "cn", LOCATION: "cloud", VOLUME: 10.0, LINE: 1000.0})["uplink"]
    low, high = bounds(BASE.figures["egress_per_gb.cn"].value)
    assert (china.fee, china.currency) == (Interval(10_000 * low, 10_000 * high), "CNY")


def test_what_leaves_a_cloud_over_a_dedicated_line_is_charged_at_the_price_of_that_line() -> None:
    way = found({"region": "us", LOCATION: "cloud", VOLUME: 10.0}, AT_80_PERCENT)["line_10g"]
    port = 2.25 * 10 * 8e6 / 8_000 / 3600
    assert isinstance(way.fee, Interval)
    assert bounds(way.fee) == pytest.approx((200 + port, 400 + port))


def test_where_the_data_is_now_unknown_the_fee_spans_both() -> None:
    way = found({"region": "us", VOLUME: 10.0, LINE: 1000.0})["uplink"]
    assert way.fee == Interval(0, 10_000 * bounds(BASE.figures["egress_per_gb.hyperscaler"].value)[1])


def test_a_fee_is_unknown_where_the_region_decides_it_and_is_unknown() -> None:
    ways = found({LOCATION: "on_premises", VOLUME: 10.0, LINE: 1000.0})
    assert {name: way.fee for name, way in ways.items()} == {"uplink": 0, "line_1g": None, "line_10g": None}


def test_a_fee_of_ones_own_is_in_the_currency_of_the_profile() -> None:
    own = {"egress_per_gb.hyperscaler": 0.04}
    case: dict[str, Value] = {"region": "eu", LOCATION: "cloud", VOLUME: 10.0, LINE: 1000.0}
    way = found({**case, "finance.currency": "EUR"}, own)["uplink"]
    assert (way.fee, way.currency) == (400, "EUR")
    assert found(case, own)["uplink"].fee is None


def test_amounts_in_two_currencies_are_not_added_up() -> None:
    case: dict[str, Value] = {"region": "us", LOCATION: "cloud", VOLUME: 10.0, "finance.currency": "EUR"}
    assert found(case, {"line_traffic_per_gb": 0.03})["line_1g"].fee is None
    assert found(case, {"line_traffic_per_gb": 0.0})["line_1g"].currency == "USD"


# Which way


def test_the_ways_stand_in_one_order() -> None:
    assert list(found({**CHINA, VOLUME: 100.0, LINE: 500.0})) == [
        "uplink",
        "line_1g",
        "line_10g",
        "device.lightning-cube-mini",
        "device.lightning-cube-ii",
        "device.lightning-cube-iii",
    ]


@pytest.mark.parametrize("case", [{VOLUME: 0.0}, {VOLUME: 50.0, LOCATION: "nowhere"}, {LOCATION: "nowhere"}])
def test_nothing_to_move_takes_no_time_and_costs_nothing(case: Mapping[str, Value]) -> None:
    ways = transfer_ways({"region": "cn", LINE: 100.0, **case}, figures())
    assert ways == (Way("nothing", 0, 0),)
    assert quickest(ways) == cheapest(ways) == ways


def test_there_are_no_ways_while_the_volume_is_unknown() -> None:
    assert transfer_ways({**CHINA, LINE: 1000.0}, figures()) == ()
    assert quickest(()) == cheapest(()) == ()


def test_the_quickest_way_for_100_terabytes_is_a_line_of_ten_gigabits_unless_there_is_a_faster_one() -> None:
    ways = transfer_ways({**CHINA, VOLUME: 100.0, LINE: 100.0}, figures())
    assert [way.id for way in quickest(ways)] == ["line_10g"]
    ways = transfer_ways({**CHINA, VOLUME: 100.0, LINE: 40_000.0}, figures())
    assert [way.id for way in quickest(ways)] == ["uplink"]


def test_all_that_may_be_the_quickest_are_named() -> None:
    ways = transfer_ways({**CHINA, VOLUME: 100.0, LINE: Interval(100, 9_000)}, figures())
    assert [way.id for way in quickest(ways)] == ["uplink", "line_10g"]


def test_the_cheapest_way_is_known_where_one_costs_surely_less() -> None:
    assert [w.id for w in cheapest(transfer_ways({**CHINA, VOLUME: 15.0}, figures()))] == ["device.lightning-cube-mini"]
    assert [w.id for w in cheapest(transfer_ways({**CHINA, VOLUME: 15.0, LINE: 9.0}, figures()))] == ["uplink"]
    same = cheapest(transfer_ways({**CHINA, VOLUME: 100.0}, figures()))
    assert [way.id for way in same] == ["device.lightning-cube-mini", "device.lightning-cube-ii"]


def test_a_fee_to_which_something_comes_on_top_beats_none_and_one_that_is_unknown_does_not_compete() -> None:
    part, whole, unknown = Way("a", 1, 10, "USD", at_least=True), Way("b", 1, 20, "USD"), Way("c", 1, None)
    assert cheapest((part, whole, unknown)) == (part, whole)
    assert cheapest((Way("a", 1, 30, "USD", at_least=True), whole)) == (whole,)


def test_fees_in_two_currencies_do_not_compete_but_nothing_is_less_than_either() -> None:
    dollars, yuan, free = Way("a", 1, 10, "USD"), Way("b", 1, 20, "CNY"), Way("c", 1, 0, "USD")
    assert cheapest((dollars, yuan)) == (dollars, yuan)
    assert cheapest((dollars, yuan, free)) == (free,)


def test_the_quickest_days_are_those_of_the_quickest_way() -> None:
    assert quickest_days(facts(volume=100.0, line=100.0), {**shipping(), **AT_80_PERCENT}) == 1.16
    assert quickest_days(facts(volume=100.0, line=80_000.0), {**shipping(), **AT_80_PERCENT}) == 0.1157


def test_a_line_of_unknown_speed_may_be_quicker_than_all_others() -> None:
    assert quickest_days(facts(volume=100.0), {**shipping(), **AT_80_PERCENT}) == Interval(0, 1.16)


def test_devices_can_be_the_quickest_way_for_a_very_large_volume_and_count_where_they_may_be_on_offer() -> None:
    given = {**shipping(), "line_efficiency": 0.2, "shipping_copy_tb_per_day": 80.0}
    # 8,000 TB over 2 Gbit/s take 370 days; copied at 80 TB a day and shipped they take 105 to 121.
    assert quickest_days(facts(volume=8_000.0, line=1.0, region="us"), given) == 370
    assert quickest_days(facts(volume=8_000.0, line=1.0, region="cn", location="on_premises"), given) == Interval(
        105, 121
    )
    assert quickest_days(facts(volume=8_000.0, line=1.0), given) == Interval(105, 370)


def shipping() -> dict[str, Number]:
    return {name: BASE.figures[name].value for name in SHIPPING_FIGURES}


# What always holds


@st.composite
def narrowed(draw: st.DrawFn, low: float, high: float) -> tuple[Number, Number]:
    """A range, and a point in it."""
    first, second = sorted([draw(st.floats(low, high)), draw(st.floats(low, high))])
    return interval(first, second), draw(st.sampled_from([first, second, (first + second) / 2]))


REGIONS = st.sampled_from([None, "cn", "us", "eu"])
LOCATIONS = st.sampled_from([None, "on_premises", "cloud"])


def holds(wide: Number | None, narrow: Number | None) -> bool:
    if wide is None or narrow is None:
        return wide is None
    (low, high), (least, most) = bounds(wide), bounds(narrow)
    return low <= least * (1 + 1e-9) and most <= high * (1 + 1e-9)


@given(st.data())
def test_each_way_of_a_vague_case_holds_that_of_every_exact_one(data: st.DataObject) -> None:
    (volume, exact_volume), (line, exact_line) = data.draw(narrowed(0.001, 1e5)), data.draw(narrowed(0.1, 1e5))
    region, location = data.draw(REGIONS), data.draw(LOCATIONS)
    vague = {VOLUME: volume, LINE: line, "region": region, LOCATION: location}
    exact = {
        VOLUME: exact_volume,
        LINE: exact_line,
        "region": region or data.draw(REGIONS),
        LOCATION: location or data.draw(LOCATIONS),
    }
    of_exact = found(told_of(exact))
    for name, way in found(told_of(vague)).items():
        if name in of_exact:
            assert holds(way.days, of_exact[name].days)
            assert holds(way.fee, of_exact[name].fee)
            assert holds(way.devices, of_exact[name].devices)


@given(st.floats(0.001, 1e5), st.floats(0.001, 1e5), st.floats(0.1, 1e5), REGIONS, LOCATIONS)
def test_more_data_never_takes_less_time_nor_costs_less(
    one: float, other: float, line: float, region: str | None, location: str | None
) -> None:
    case = told_of({LINE: line, "region": region, LOCATION: location})
    less, more = (found({**case, VOLUME: volume}) for volume in sorted([one, other]))
    assert less.keys() == more.keys()
    for name in less:
        for before, after in ((less[name].days, more[name].days), (less[name].fee, more[name].fee)):
            assert (before is None) == (after is None)
            if before is not None and after is not None:
                assert all(a <= b for a, b in zip(bounds(before), bounds(after), strict=True))


@given(st.floats(0, 1e5), st.floats(0.1, 1e5), REGIONS, LOCATIONS)
def test_the_winners_are_among_the_ways_and_nothing_beats_them(
    volume: float, line: float, region: str | None, location: str | None
) -> None:
    case = {VOLUME: volume, LINE: line, "region": region, LOCATION: location}
    ways = transfer_ways(told_of(case), figures())
    assert min(ways, key=lambda way: bounds(way.days)[0]) in quickest(ways)
    assert all(bounds(way.days)[0] <= bounds(one.days)[1] for way in quickest(ways) for one in ways)
    priced = [(bounds(way.fee)[0], way) for way in ways if way.fee is not None]
    assert not priced or min(priced, key=lambda pair: pair[0])[1] in cheapest(ways)
    assert all(way.fee is not None for way in cheapest(ways))


@given(st.floats(0, 1e5), st.sampled_from(sorted(WAY_FIGURES)), REGIONS, LOCATIONS)
def test_no_figure_told_as_nothing_breaks_anything(
    volume: float, name: str, region: str | None, location: str | None
) -> None:
    case = {VOLUME: volume, LINE: 1000.0, "region": region, LOCATION: location, "finance.currency": "USD"}
    for way in found(told_of(case), {name: 0.0}).values():
        assert bounds(way.days)[0] >= 0
        assert way.fee is None or bounds(way.fee)[0] >= 0


def test_the_ways_read_the_figures_that_they_name_and_no_others() -> None:
    named = {name: BASE.figures[name] for name in WAY_FIGURES}
    for region in ("cn", "us"):
        for location in ("on_premises", "cloud"):
            case: dict[str, Value] = {VOLUME: 10.0, LINE: 100.0, "region": region, LOCATION: location}
            assert all(way.fee is not None for way in transfer_ways(case, FigureValues(named, {})))


# The figures


@pytest.mark.parametrize(
    "name", ["line_efficiency", "line_rent_per_month.1g", "line_rent_per_month.10g", *SHIPPING_FIGURES]
)
def test_estimates_of_our_own_are_called_uncertain(name: str) -> None:
    assert BASE.figures[name].confidence == "low"


@pytest.mark.parametrize("name", [name for name in sorted(WAY_FIGURES) if name.startswith("device_")])
def test_a_page_without_a_date_passes_for_no_more_than_it_is(name: str) -> None:
    figure = BASE.figures[name]
    assert (figure.as_of, figure.confidence) == ("undated", "medium")
