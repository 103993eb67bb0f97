"""The column reading says what the rule engine says: on the tiny base, and on random ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.columns import ColumnReasoner
from engine.consultation import Consultant
from engine.faults import InferenceStopped
from engine.values import Interval, Value
from tests.engine.aimed_cases import aimed
from tests.engine.column_equality import Both, by_bounds, differences, rule_differences
from tests.engine.helpers import examples, load_tiny, told
from tests.engine.random_profiles import Profiles
from tests.engine.random_rules import RuleMaker, base_of

TINY = load_tiny()
SMALL = Profiles(TINY)
READINGS = (by_bounds(TINY), ColumnReasoner(TINY))


def unequal(
    consultant: Consultant, reasoner: ColumnReasoner, cases: Sequence[Mapping[str, Value]]
) -> list[tuple[Mapping[str, Value], str]]:
    judged = reasoner.judge(reasoner.cases(cases))
    found = []
    for number, case in enumerate(cases):
        judgement = consultant.judge(0, None, told(consultant.base, case), {})
        found += [(case, text) for text in differences(consultant.base, judgement, judged, number)]
    return found


@given(st.lists(SMALL.told(), min_size=1, max_size=12))
@examples(60)
def test_profiles_at_every_threshold_get_the_same_verdict_from_both_readings(cases: list[Mapping[str, Value]]) -> None:
    assert unequal(*READINGS, cases) == []


@given(st.integers(0, 10**9))
@examples(60)
def test_random_rules_say_the_same_in_both_readings(seed: int) -> None:
    maker = RuleMaker(seed)
    base = base_of(TINY, maker.rules())
    if base is not None:
        cases = [maker.facts() for _ in range(12)]
        assert unequal(by_bounds(base), ColumnReasoner(base), cases) == []


@given(st.integers(0, 10**9))
@examples(60)
def test_two_values_of_one_fact_are_found_exactly_where_the_engine_stops(seed: int) -> None:
    maker = RuleMaker(seed)
    base = base_of(TINY, maker.rules(contrary=True))
    if base is None:
        return
    cases = [maker.facts() for _ in range(12)]
    reasoner, consultant = ColumnReasoner(base), by_bounds(base)
    found = reasoner.judge(reasoner.cases(cases)).conflict.tolist()
    assert found == [_stops(consultant, case) for case in cases]


def _stops(consultant: Consultant, case: Mapping[str, Value]) -> bool:
    try:
        consultant.judge(0, None, told(consultant.base, case), {})
    except InferenceStopped:
        return True
    return False


def test_every_rule_of_the_tiny_base_says_the_same_just_at_its_limits_and_beside_them() -> None:
    both = Both(TINY)
    for rule in TINY.ordered.rules:
        cases = aimed(TINY, rule)
        reading = both.reading(cases)
        standing = {name: reading.standing(name) for name in reading.fired}
        undecided = {name: reading.undecided(name) for name in reading.fired}
        for number, case in enumerate(cases):
            found = rule_differences(both.inference(case), reading.fired, standing, undecided, number)
            assert (rule.id, case, list(found)) == (rule.id, case, [])


# Cases


def test_a_changed_fact_is_changed_in_its_own_case_alone() -> None:
    reasoner = ColumnReasoner(TINY)
    facts: Mapping[str, Value] = {"season": "winter", "trip.distance": Interval(2.0, 5.0)}
    changes: list[Mapping[str, Value | None]] = [
        {}, {"season": "summer"}, {"trip.distance": None}, {"rider.spikes": True, "trip.distance": 3.0},
    ]  # fmt: skip
    cases = reasoner.varied(facts, changes)
    assert [cases.case(number, reasoner.coder) for number in range(cases.size)] == [
        facts,
        {**facts, "season": "summer"},
        {"season": "winter"},
        {"season": "winter", "trip.distance": 3.0, "rider.spikes": True},
    ]
    plain = [reasoner.cases([cases.case(number, reasoner.coder)]) for number in range(cases.size)]
    alone = [reasoner.judge(one).route[0] for one in plain]
    assert reasoner.judge(cases).route.tolist() == alone


def test_cases_are_taken_by_place_or_by_mark() -> None:
    reasoner = ColumnReasoner(TINY)
    cases = reasoner.cases([{"season": "winter"}, {"season": "summer"}, {}])
    by_place, by_mark = cases.taken([2, 0]), cases.taken(np.array([False, True, False]))
    assert [by_place.case(n, reasoner.coder) for n in range(2)] == [{}, {"season": "winter"}]
    assert [by_mark.case(n, reasoner.coder) for n in range(by_mark.size)] == [{"season": "summer"}]


@pytest.mark.parametrize("value", ["winter", "summer"])
def test_a_word_comes_back_from_its_code(value: str) -> None:
    coder = ColumnReasoner(TINY).coder
    assert coder.value("season", *coder.code("season", value)) == value


def test_a_word_that_a_fact_cannot_be_equals_nothing() -> None:
    coder = ColumnReasoner(TINY).coder
    assert math.isnan(coder.word("rider.spikes", "winter"))
    assert math.isnan(coder.word("season", True))


def test_no_case_at_all_is_judged_to_nothing() -> None:
    reasoner = ColumnReasoner(TINY)
    judged = reasoner.judge(reasoner.cases([]))
    assert (judged.size, judged.route_names(), judged.lead.tolist()) == (0, [], [])


@given(st.lists(SMALL.told(), min_size=1, max_size=12))
@examples(30)
def test_the_route_alone_is_the_same_as_with_everything_else(cases: list[Mapping[str, Value]]) -> None:
    reasoner = READINGS[1]
    whole, alone = (ColumnReasoner(TINY).judge(reasoner.cases(cases), wanted) for wanted in ("all", "route"))
    assert alone.route_names() == whole.route_names()
    assert alone.status_names() == whole.status_names()


def test_without_formulas_a_computed_fact_is_known_where_it_is_told(tiny: KnowledgeBase) -> None:
    reasoner = ColumnReasoner(tiny)
    cases = reasoner.cases([{"trip.distance": 3.0}, {"ride.minutes": 5.0}])
    reading_rules = [rule.id for rule in tiny.ordered.rules if "ride.minutes" in str(rule.when)]
    with_formulas, without = reasoner.judge(cases), reasoner.judge(cases, compute=False)
    name = reading_rules[0]
    assert (with_formulas.undecided[name][0], without.undecided[name][0]) == (np.False_, np.True_)
    assert with_formulas.undecided[name][1] == without.undecided[name][1]
