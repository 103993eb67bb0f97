"""Flips: all of them, none that does not turn the route, none larger than it need be."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.columns import ColumnReasoner
from engine.confirming import confirmed
from engine.flip_parts import Change, Flip
from engine.flips import FlipFinder
from engine.limits import Asked, Edge, Limit, limits
from engine.values import Interval, Value, bounds
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import examples, load_tiny, told
from tests.engine.random_profiles import Profiles

TINY = load_tiny()
REASONER = ColumnReasoner(TINY)
ONE_BY_ONE = by_bounds(TINY)
PROFILES = Profiles(TINY)
RIDE: Mapping[str, Value] = {"weather.sky": "dry", "rider.bicycle": "plain", "trip.distance": 8.0}


def finder(facts: Mapping[str, Value], *fixed: str) -> FlipFinder:
    return FlipFinder(REASONER, facts, fixed)


def route(facts: Mapping[str, Value]) -> str | None:
    return REASONER.judge(REASONER.cases([facts])).route_names()[0]


def change_of(flip: Flip) -> Change:
    (change,) = flip.changes
    return change


def reaches(change: Change, value: Value) -> bool:
    """Whether the value is the word of the change, or a number no nearer to what was told than the change."""
    if not isinstance(change.value, float):
        return change.value == value
    assert not isinstance(value, str | bool)
    number = bounds(value)[0]
    if change.before is None:
        return True
    assert not isinstance(change.before, str | bool)
    low, high = bounds(change.before)
    start = high if number > high else low
    return (change.value - start) * (number - start) > 0 or low <= number <= high


@given(PROFILES.told())
@examples(40)
def test_the_rule_engine_confirms_every_flip(facts: Mapping[str, Value]) -> None:
    found = finder(facts)
    flips = [*found.singles, *found.pairs(6)[0]]
    assert [one.flip for one in confirmed(ONE_BY_ONE, told(TINY, facts), {}, flips)] == flips


@given(PROFILES.told(), st.data())
@examples(60)
def test_every_value_that_turns_the_route_is_reached_by_a_flip(facts: Mapping[str, Value], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(list(PROFILES.facts)))
    value = data.draw(PROFILES.value(path))
    if isinstance(value, Interval) or {path} & {"trip.bags", "trip.bags_back"}:
        return
    now, then = route(facts), route({**facts, path: value})
    if now != then:
        flips = [flip for flip in finder(facts).singles if flip.route == then and change_of(flip).path == path]
        assert any(reaches(change_of(flip), value) for flip in flips)


@given(PROFILES.told())
@examples(40)
def test_a_number_just_short_of_a_flip_turns_nothing_or_to_another_route(facts: Mapping[str, Value]) -> None:
    for flip in finder(facts).singles:
        change = change_of(flip)
        if not isinstance(change.value, float) or change.before is None:
            continue
        assert not isinstance(change.before, str | bool)
        low, high = bounds(change.before)
        limit = change.low if change.value > high else change.high if change.value < low else None
        if limit is not None and not limit.closed:
            assert route({**facts, change.path: limit.number}) != flip.route


@given(PROFILES.told())
@examples(25)
def test_no_part_of_a_pair_turns_the_route_by_itself(facts: Mapping[str, Value]) -> None:
    now = route(facts)
    for flip in finder(facts).pairs(8)[0]:
        assert [route({**facts, change.path: change.value}) for change in flip.changes] == [now, now]
        assert route({**facts, **flip.facts}) == flip.route != now


@given(PROFILES.told(), st.data())
@examples(60)
def test_two_words_that_only_together_turn_the_route_are_found(facts: Mapping[str, Value], data: st.DataObject) -> None:
    words = [path for path, fact in PROFILES.facts.items() if fact.kind in ("choice", "flag")]
    pair = data.draw(st.lists(st.sampled_from(words), min_size=2, max_size=2, unique=True))
    change = {path: data.draw(PROFILES.value(path)) for path in pair}
    now, then = route(facts), route({**facts, **change})
    if then != now and all(route({**facts, path: value}) == now for path, value in change.items()):
        found = [flip.facts for flip in finder(facts).pairs()[0] if flip.route == then]
        assert change in found


def test_a_threshold_is_told_exactly_and_as_the_rule_has_it() -> None:
    way = [change_of(flip) for flip in finder(RIDE).singles if change_of(flip).path == "trip.distance"]
    further = [(change.value, change.low, change.high) for change in way if reaches(change, 40.0)]
    assert further == [(20.1, Limit(20.0, closed=False), None)]


def test_what_is_fixed_changes_in_no_flip() -> None:
    paths = {change.path for flip in finder(RIDE).singles for change in flip.changes}
    assert paths
    for path in paths:
        kept = finder(RIDE, path)
        changed = {c.path for flip in (*kept.singles, *kept.pairs()[0]) for c in flip.changes}
        assert path not in changed


def test_the_smallest_flips_come_first() -> None:
    distances = [flip.distance for flip in finder(RIDE).singles]
    assert distances == sorted(distances)


@pytest.mark.parametrize(("bags", "back"), [(1.0, 2.0), (0.0, 0.0)])
def test_no_flip_leaves_a_fact_below_the_one_that_it_may_not_be_below(bags: float, back: float) -> None:
    facts = {**RIDE, "trip.bags": bags, "trip.bags_back": back}
    found = finder(facts)
    for flip in (*found.singles, *found.pairs()[0]):
        changed = {**facts, **flip.facts}
        assert bounds(changed["trip.bags_back"])[0] >= bounds(changed["trip.bags"])[0]  # type: ignore[arg-type]


def test_the_same_flips_come_out_twice() -> None:
    facts: dict[str, Value] = {"weather.sky": "rain", "trip.distance": Interval(2, 30)}
    assert finder(facts).singles == finder(facts).singles
    assert finder(facts).pairs() == FlipFinder(ColumnReasoner(TINY), facts).pairs()


def test_a_limit_next_to_a_plain_number_is_that_number() -> None:
    assert Limit.at(12.000000000000002) == Limit(12.0, False)
    assert Limit.at(12.0) == Limit(12.0)
    assert Limit.at(0.1) == Limit(0.1)


@pytest.mark.parametrize(("inside", "outside"), [(1e18, 1.0), (2.0**60, 2.0**53), (3.0, 2.0), (1.0, 1e18)])
def test_a_limit_is_found_however_large_the_numbers(inside: float, outside: float) -> None:
    turn = (inside + outside) / 2

    def hold(asked: Asked) -> list[bool]:
        return [(number > turn) == (inside > outside) for _, number in asked]

    (limit,) = limits([Edge(inside, outside, whole=True, smooth=True)], hold)
    assert min(turn, inside) <= limit.number <= max(turn, inside)
    assert abs(limit.number - turn) <= max(1.0, turn * 1e-15)
