"""How sure a verdict is over facts told as ranges: the shares of the routes, and the range that tells most."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given

from engine.columns import ColumnReasoner
from engine.spread import POINTS, Spread, points, spread
from engine.values import Interval, Value
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import examples, load_tiny, told
from tests.engine.random_profiles import Profiles

TINY = load_tiny()
REASONER = ColumnReasoner(TINY)
ONE_BY_ONE = by_bounds(TINY)
DRY = {"weather.sky": "dry", "rider.bicycle": "plain"}


def found(facts: Mapping[str, Value]) -> Spread:
    told_as_ranges = spread(REASONER, facts)
    assert told_as_ranges is not None
    return told_as_ranges


def test_without_a_range_there_is_nothing_to_share() -> None:
    assert spread(REASONER, {**DRY, "trip.distance": 8.0}) is None


@given(Profiles(TINY).told())
@examples(25)
def test_the_shares_are_those_of_the_rule_engine_asked_point_by_point(facts: Mapping[str, Value]) -> None:
    shared = spread(REASONER, facts)
    cases = points(REASONER, facts)
    if shared is None:
        assert not cases.size or not any(isinstance(value, Interval) for value in facts.values())
        return
    each = [ONE_BY_ONE.judge(0, None, told(TINY, cases.case(n, REASONER.coder)), {}).route for n in range(cases.size)]
    assert shared.points == len(each)
    assert shared.routes == {route: each.count(route) / len(each) for route in each}


@given(Profiles(TINY).told())
@examples(40)
def test_shares_add_up_and_no_range_tells_more_than_all_there_is(facts: Mapping[str, Value]) -> None:
    shared = spread(REASONER, facts)
    for one in shared.ranges if shared else ():
        assert 0 <= one.tells + 1e-9 <= 1 + 2e-9
        for stretch in one.stretches:
            assert sum(stretch.routes.values()) == pytest.approx(1)
            assert stretch.low <= stretch.high


def test_points_lie_evenly_in_every_range() -> None:
    facts: dict[str, Value] = {"trip.distance": Interval(2, 12), "weather.degrees": Interval(-10, 10)}
    columns = points(REASONER, facts).columns
    for path, told_as in facts.items():
        assert isinstance(told_as, Interval)
        steps = (columns[path].low - told_as.low) / (told_as.high - told_as.low) * POINTS - 0.5
        assert sorted(round(step) for step in steps) == list(range(POINTS))


def test_whole_numbers_stay_whole_and_each_comes_equally_often() -> None:
    bags = points(REASONER, {"trip.bags": Interval(1, 4)}).columns["trip.bags"].low.tolist()
    assert {bags.count(number) for number in (1.0, 2.0, 3.0, 4.0)} <= {31, 32}
    assert len(bags) == POINTS


def test_no_two_stretches_of_whole_numbers_share_one() -> None:
    (bags,) = found({"trip.bags": Interval(1, 6)}).ranges
    assert [(stretch.low, stretch.high) for stretch in bags.stretches] == [(1, 1), (2, 3), (4, 4), (5, 6)]


def test_fewer_whole_numbers_than_stretches_have_one_stretch_each() -> None:
    (bags,) = found({"trip.bags": Interval(1, 2)}).ranges
    assert [(stretch.low, stretch.high) for stretch in bags.stretches] == [(1, 1), (2, 2)]


def test_points_that_no_profile_could_hold_are_left_out() -> None:
    facts: dict[str, Value] = {"trip.bags": Interval(0, 3), "trip.bags_back": Interval(0, 3)}
    columns = points(REASONER, facts).columns
    assert (columns["trip.bags_back"].low >= columns["trip.bags"].low).all()
    assert found(facts).points == len(columns["trip.bags"].low) < POINTS


def test_a_range_that_moves_nothing_tells_nothing() -> None:
    shared = found({"rider.bicycle": "none", "trip.bags": Interval(1, 4)})
    assert list(shared.routes.values()) == [1.0]
    assert [one.tells for one in shared.ranges] == [0.0]


def test_a_threshold_in_a_range_cuts_its_share_where_it_lies() -> None:
    shared = found({**DRY, "trip.distance": Interval(1, 40)})
    assert shared.routes["train"] == pytest.approx((40 - 20) / (40 - 1), abs=1 / POINTS)
    (way,) = shared.ranges
    assert [stretch.routes.get("train", 0.0) == 1.0 for stretch in way.stretches] == [False, False, True, True]
    assert way.tells > 0.5
