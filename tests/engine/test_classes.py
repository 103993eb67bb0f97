"""Classes of values: what no test can tell apart, and what is tried of each."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.classes import Bearing, bearings, class_of, numbers_of, words_of
from engine.columns import ColumnReasoner
from engine.values import Interval, Value
from knowledge import knowledge_base
from tests.engine.helpers import examples, load_tiny
from tests.engine.random_profiles import Profiles

TINY, REAL = load_tiny(), knowledge_base()
REASONER = ColumnReasoner(TINY)
PROFILES = Profiles(TINY)
PLAIN = [p for p, bearing in bearings(TINY).items() if bearing.fact.kind == "number" and not bearing.feeds]
NUMBERS = [(base, path) for base in (TINY, REAL) for path, one in bearings(base).items() if one.fact.kind == "number"]


def bearing(base: KnowledgeBase, path: str) -> Bearing:
    return bearings(base)[path]


@given(PROFILES.told(), st.sampled_from(PLAIN), st.data())
@examples(60)
def test_two_numbers_of_one_class_are_told_apart_by_nothing(
    facts: dict[str, Value], path: str, data: st.DataObject
) -> None:
    numbers = st.sampled_from(PROFILES.numbers[path])
    one, other = data.draw(numbers), data.draw(numbers)
    judged = REASONER.judge(REASONER.varied(facts, [{path: one}, {path: other}]))
    if class_of(bearing(TINY, path), one) == class_of(bearing(TINY, path), other):
        assert judged.route_names()[0] == judged.route_names()[1]
        first = [rule.id for rule in REASONER.plan.first]
        assert [judged.fired[name][0] for name in first] == [judged.fired[name][1] for name in first]


def test_two_classes_part_where_a_rule_does() -> None:
    distance = bearing(TINY, "trip.distance")
    assert class_of(distance, 5.0) == class_of(distance, 3.0) != class_of(distance, 5.000000000000001)
    assert class_of(distance, 20.0) != class_of(distance, 20.000000000000004) == class_of(distance, 1000.0)


@given(st.sampled_from(NUMBERS), st.floats(-1e4, 1e6), st.none() | st.floats(0, 1e4))
@examples(200)
def test_of_every_class_some_number_is_tried(
    place: tuple[KnowledgeBase, str], drawn: float, told: float | None
) -> None:
    one = bearing(*place)
    fact = one.fact
    number, before = (None if n is None else float(round(n)) if fact.whole else n for n in (drawn, told))
    assert number is not None
    low = fact.minimum if fact.minimum is not None else fact.above
    if (low is not None and number <= low) or (fact.maximum is not None and number > fact.maximum):
        return
    tried = numbers_of(one, before)
    assert class_of(one, number) in {class_of(one, other) for other in tried}
    assert tried == sorted(tried)


@pytest.mark.parametrize("told", [None, 0.0, 7.0, Interval(3.0, 90.0)])
def test_a_number_that_formulas_read_is_tried_all_the_way_in_small_steps(told: Value | None) -> None:
    tried = numbers_of(bearing(REAL, "operations.gpus_owned"), told)
    assert tried[0] == 0
    assert tried[-1] >= 4000
    assert all(following <= 2.5 * number for number, following in pairwise(tried) if number)


@pytest.mark.parametrize("base", [TINY, REAL], ids=["tiny", "real"])
def test_every_value_of_a_choice_is_tried(base: KnowledgeBase) -> None:
    for path, one in bearings(base).items():
        if one.fact.kind in ("choice", "flag"):
            assert words_of(one) == list(base.vocabulary.facts[path].values)


def test_a_fact_that_only_advice_reads_bears_on_no_route() -> None:
    assert "migration.cuda_pinned" in REAL.vocabulary.facts
    assert "migration.cuda_pinned" not in bearings(REAL)


def test_a_fact_that_a_part_takes_for_another_has_the_tests_of_that_other() -> None:
    taken, own = bearing(REAL, "demand.peak_share"), bearing(REAL, "demand.utilization")
    assert class_of(taken, 0.6) == class_of(own, 0.6)
    assert class_of(taken, 0.59) == class_of(own, 0.59) != class_of(own, 0.6)
