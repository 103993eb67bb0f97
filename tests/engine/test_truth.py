"""Kleene's three-valued logic: its laws, and that what is true or false stays so whatever becomes known."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language import (
    COMPARISONS,
    All,
    Any,
    Compares,
    Comparison,
    Condition,
    Is,
    Known,
    Leaf,
    NoneOf,
    Signed,
    branch_count,
    branches,
    facts_read,
    leaves,
    signed_leaves,
)
from engine.truth import Truth, leaf_truth, truth
from engine.values import UNLIMITED, Facts, Interval, Value, interval
from tests.engine.helpers import examples
from tests.engine.random_rules import conditions, facts, narrower

ORDER = [Truth.FALSE, Truth.UNKNOWN, Truth.TRUE]
SEVERAL = st.lists(conditions(), min_size=1, max_size=3).map(tuple)
T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


def holds(signed: Signed, told: Facts) -> Truth:
    one = leaf_truth(signed.leaf, told.get(signed.leaf.fact))
    return one if signed.wanted else ~one


# One test on one value

BELOW, AT, ABOVE = 0.5, 1.0, 1.5
TABLE: list[tuple[Comparison, float | Interval, Truth]] = [
    ("at_least", BELOW, F), ("at_least", AT, T), ("at_least", ABOVE, T),
    ("more_than", BELOW, F), ("more_than", AT, F), ("more_than", ABOVE, T),
    ("at_most", BELOW, T), ("at_most", AT, T), ("at_most", ABOVE, F),
    ("less_than", BELOW, T), ("less_than", AT, F), ("less_than", ABOVE, F),
    ("at_least", Interval(BELOW, AT), U), ("at_least", Interval(AT, ABOVE), T), ("at_least", Interval(0, BELOW), F),
    ("more_than", Interval(BELOW, AT), F), ("more_than", Interval(AT, ABOVE), U), ("more_than", Interval(ABOVE, 2), T),
    ("at_most", Interval(BELOW, AT), T), ("at_most", Interval(AT, ABOVE), U), ("at_most", Interval(ABOVE, 2), F),
    ("less_than", Interval(BELOW, AT), U), ("less_than", Interval(AT, ABOVE), F), ("less_than", Interval(0, BELOW), T),
    ("at_least", UNLIMITED, T), ("less_than", UNLIMITED, F), ("at_most", Interval(0, UNLIMITED), U),
]  # fmt: skip


@pytest.mark.parametrize(("comparison", "value", "wanted"), TABLE)
def test_a_number_or_range_is_compared_with_the_limit(comparison: Comparison, value: Value, wanted: Truth) -> None:
    assert leaf_truth(Compares("n", comparison, AT), value) is wanted


def test_a_range_that_straddles_a_threshold_is_unknown() -> None:
    assert truth(Compares("n", "at_least", 0.6), {"n": Interval(0.4, 0.7)}) is U


def test_a_fact_that_is_not_told_is_unknown_to_every_test_but_that_for_knowing_it() -> None:
    tests: list[Leaf] = [Is("a", ("x",)), Is("a", (True,)), *(Compares("a", c, 1.0) for c in COMPARISONS)]
    assert {leaf_truth(leaf, None) for leaf in tests} == {U}
    assert leaf_truth(Known("a"), None) is F
    assert leaf_truth(Known("a"), Interval(0, 1)) is T


def test_yes_is_not_one_and_a_word_is_no_number() -> None:
    assert leaf_truth(Is("a", (True,)), 1.0) is F
    assert leaf_truth(Is("a", (False,)), 0.0) is F
    assert leaf_truth(Is("a", ("yes",)), True) is F
    assert leaf_truth(Compares("a", "at_least", 0.0), "5") is F
    assert leaf_truth(Compares("a", "at_least", 0.0), True) is F


def test_one_of_several_words_is_enough() -> None:
    assert leaf_truth(Is("a", ("x", "y")), "y") is T
    assert leaf_truth(Is("a", ("x", "y")), "z") is F


# Groups

KNOWN: dict[Truth, Condition] = {T: Is("yes", (True,)), F: Is("yes", (False,)), U: Is("silent", (True,))}


@pytest.mark.parametrize(("one", "two"), [(one, two) for one in ORDER for two in ORDER])
def test_groups_follow_the_tables_of_kleene(one: Truth, two: Truth) -> None:
    told = {"yes": True}
    both = (KNOWN[one], KNOWN[two])
    least, most = sorted((one, two), key=ORDER.index)
    assert truth(All(both), told) is least
    assert truth(Any(both), told) is most
    assert truth(NoneOf(both), told) is ~most
    assert truth(NoneOf((KNOWN[one],)), told) is ~one


def test_silence_never_satisfies_none() -> None:
    assert truth(NoneOf((Is("a", ("x",)),)), {}) is U
    assert truth(NoneOf((Is("a", ("x",)),)), {"a": "y"}) is T


@given(SEVERAL, facts())
@examples(70)
def test_none_is_the_contrary_of_any_and_all_of_the_contraries(parts: tuple[Condition, ...], told: Facts) -> None:
    contraries = tuple(NoneOf((part,)) for part in parts)
    assert truth(NoneOf(parts), told) is ~truth(Any(parts), told) is truth(All(contraries), told)
    assert truth(NoneOf((All(parts),)), told) is truth(Any(contraries), told)
    assert truth(NoneOf((NoneOf((parts[0],)),)), told) is truth(parts[0], told)


@given(SEVERAL, facts())
@examples(70)
def test_order_and_repetition_do_not_matter(parts: tuple[Condition, ...], told: Facts) -> None:
    turned = (*reversed(parts), parts[0])
    for group in (All, Any, NoneOf):
        assert truth(group(turned), told) is truth(group(parts), told)


@given(SEVERAL, facts())
@examples(70)
def test_a_group_is_as_true_as_its_least_or_most_true_part(parts: tuple[Condition, ...], told: Facts) -> None:
    found = [ORDER.index(truth(part, told)) for part in parts]
    assert truth(All(parts), told) is ORDER[min(found)]
    assert truth(Any(parts), told) is ORDER[max(found)]


@given(conditions(), st.data())
@examples(120)
def test_what_is_true_or_false_stays_so_when_more_is_known(condition: Condition, data: st.DataObject) -> None:
    told = data.draw(facts())
    more = data.draw(narrower(told))
    before = truth(condition, told)
    assert before is U or truth(condition, more) is before


@given(conditions(), facts())
@examples(70)
def test_a_condition_reads_no_fact_but_those_it_names(condition: Condition, told: Facts) -> None:
    read = facts_read(condition)
    assert truth(condition, {path: told[path] for path in read if path in told}) is truth(condition, told)
    assert list(read) == list(dict.fromkeys(leaf.fact for leaf in leaves(condition)))


# The same condition as alternatives


@given(conditions(known=True), facts(), st.booleans())
@examples(150)
def test_the_alternatives_of_a_condition_are_as_true_as_it_is(condition: Condition, told: Facts, wanted: bool) -> None:
    alternatives = [[holds(signed, told) for signed in branch] for branch in branches(condition, wanted)]
    each = [min(branch, key=ORDER.index, default=T) for branch in alternatives]
    found = max(each, key=ORDER.index, default=F)
    assert found is (truth(condition, told) if wanted else ~truth(condition, told))


@given(conditions(known=True), st.booleans())
@examples(150)
def test_there_are_never_more_alternatives_than_were_counted(condition: Condition, wanted: bool) -> None:
    assert 1 <= len(branches(condition, wanted)) <= branch_count(condition, wanted)


def test_alternatives_are_counted_without_being_made() -> None:
    wide = Any(tuple(Is(f"f{n}", (True,)) for n in range(10)))
    assert branch_count(All((wide,) * 300)) == 10**300
    assert branch_count(NoneOf((wide,) * 300)) == 1
    assert branch_count(NoneOf((All((wide,)),))) == 1
    assert branch_count(NoneOf((All((Is("a", (True,)),) * 4),))) == 4
    assert math.prod(len(branches(All((wide, wide)))) for _ in "x") <= 100


@given(conditions(known=True), st.booleans())
@examples(70)
def test_every_test_of_an_alternative_stands_in_the_condition(condition: Condition, wanted: bool) -> None:
    stand = signed_leaves(condition, wanted)
    assert len(set(stand)) == len(stand)
    assert {signed for branch in branches(condition, wanted) for signed in branch} <= set(stand)
    assert {signed.leaf for signed in stand} == set(leaves(condition))


def test_none_within_none_asks_for_the_test_itself() -> None:
    inner = Is("a", ("x",))
    assert signed_leaves(NoneOf((NoneOf((inner,)),))) == (Signed(inner, True),)
    assert branches(NoneOf((All((inner, Known("b"))),))) == ((Signed(inner, False),), (Signed(Known("b"), False),))


def test_where_a_test_stands_in_its_file_makes_no_difference() -> None:
    from engine.faults import Place

    assert Is("a", ("x",), Place("one", 1, 1)) == Is("a", ("x",), Place("two", 2, 2))
    assert hash(Is("a", ("x",), Place("one", 1, 1))) == hash(Is("a", ("x",)))


@given(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), st.sampled_from(COMPARISONS), st.floats(-9, 9))
@examples(150)
def test_a_range_is_as_true_as_all_its_numbers_agree(
    ends: tuple[float, float], comparison: Comparison, limit: float
) -> None:
    low, high = sorted(ends)
    test = Compares("n", comparison, limit)
    inside = {leaf_truth(test, number) for number in (low, high, (low + high) / 2, min(max(limit, low), high))}
    found = leaf_truth(test, interval(low, high))
    assert found is (inside.pop() if len(inside) == 1 else U)
