"""Answers that change a route are found, and that there are none is proved: on small rule bases, known by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import search_boxes
from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.judgement import Judgement
from engine.language import All, Compares, Comparison, Conclusion, Evidence, Is, Rule
from engine.search_answers import AnswerBook
from engine.settling import Tell
from engine.values import Interval, Value
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import examples, profile_with
from tests.engine.random_profiles import Told
from tests.engine.random_rules import RuleMaker, base_of, rule, small_base

WINTER = Is("season", ("winter",))
RAIN, SNOW = Is("weather.sky", ("rain",)), Is("weather.sky", ("snow",))
RUNNING, SPIKES = Is("train.running", (True,)), Is("rider.spikes", (True,))


def degrees(comparison: Comparison, limit: float) -> Compares:
    return Compares("weather.degrees", comparison, limit)


def speaks(name: str, when: Is | Compares | All, route: str, strength: str) -> Rule:
    return rule(name, when, Conclusion(evidence=(Evidence(route, strength, True),)))


HEAVY = speaks("heavy", WINTER, "train", "heavy")
CLEAR = speaks("clear", WINTER, "train", "clear")


def twice(name: str, when: Is | Compares) -> list[Rule]:
    """Two clear reasons for the bicycle: alone they are outweighed by a heavy one, twice they are not."""
    return [speaks(f"{name}-{n}", when, "bicycle", "clear") for n in range(2)]


def judge(consultant: Consultant, told: Told) -> Judgement:
    (judged,) = consultant.consult(profile_with(consultant.base, told)).judgements
    return judged


def judged(tiny: KnowledgeBase, rules: Sequence[Rule], **told: Value) -> Judgement:
    """In winter, and with these facts beside; dots are written as two lines."""
    facts: Told = {"season": "winter", **{name.replace("__", "."): value for name, value in told.items()}}
    return judge(Consultant(small_base(tiny, *rules)), facts)


# Proofs


EXCLUSIVE: dict[str, list[Rule]] = {
    "words": [HEAVY, *twice("rain", RAIN), *twice("snow", SNOW)],
    "numbers": [HEAVY, *twice("warm", degrees("at_least", 1.0)), *twice("cold", degrees("less_than", 1.0))],
    "numbers that meet": [HEAVY, *twice("warm", degrees("more_than", 1.0)), *twice("cold", degrees("at_most", 1.0))],
    "numbers with a gap": [HEAVY, *twice("warm", degrees("more_than", 2.0)), *twice("cold", degrees("less_than", 1.0))],
}


@pytest.mark.parametrize("name", EXCLUSIVE)
def test_answers_that_exclude_each_other_are_not_added_up(name: str, tiny: KnowledgeBase) -> None:
    base = small_base(tiny, *EXCLUSIVE[name])
    assert judge(by_bounds(base), {"season": "winter"}).status == "provisional"
    found = judge(Consultant(base), {"season": "winter"})
    assert (found.route, found.status, found.settlement.proof) == ("train", "settled", None)
    assert (found.settlement.unknown, found.settlement.witness, found.settlement.tells) == ((), None, ())


def test_a_limit_that_two_rules_share_is_a_case_of_its_own(tiny: KnowledgeBase) -> None:
    rules = [HEAVY, *twice("warm", degrees("at_least", 1.0)), *twice("cold", degrees("at_most", 1.0))]
    found = judged(tiny, rules)
    assert (found.status, found.settlement.proof) == ("provisional", "witness")
    assert found.settlement.tells == (Tell("weather.degrees", 1.0, "bicycle"),)


def test_a_range_that_was_told_is_searched_and_nothing_beyond_it(tiny: KnowledgeBase) -> None:
    rules = [CLEAR, *twice("warm", degrees("at_least", 1.0)), *twice("cold", degrees("at_most", 0.0))]
    assert judged(tiny, rules, weather__degrees=Interval(0.25, 0.5)).status == "settled"
    for told, value in ((Interval(0.25, 3.0), 1.0), (Interval(-5.0, 0.5), -5.0)):
        found = judged(tiny, rules, weather__degrees=told)
        assert found.settlement.tells == (Tell("weather.degrees", value, "bicycle"),)


def test_what_stays_untold_counts_too(tiny: KnowledgeBase) -> None:
    dry = Is("weather.sky", ("dry", "rain", "snow"))
    rules = [CLEAR, speaks("any-sky", dry, "train", "heavy"), speaks("rival", RUNNING, "bicycle", "heavy")]
    found = judged(tiny, rules)  # whoever tells of the sky as well takes the train after all
    assert (found.status, found.settlement.tells) == ("provisional", (Tell("train.running", True, "bicycle"),))
    assert judged(tiny, rules, train__running=True, weather__sky="dry").route == "train"


def test_a_proof_that_takes_too_many_boxes_is_not_made(tiny: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_boxes, "MOST_BOXES", 1)
    found = judged(tiny, EXCLUSIVE["words"])
    assert (found.status, found.settlement.proof, found.settlement.witness) == ("provisional", "open", None)
    assert found.settlement.unknown == ("weather.sky",)


def test_a_proved_route_names_what_may_still_make_every_route_impossible(tiny: KnowledgeBase) -> None:
    excluder = rule("excluder", All((RUNNING, SPIKES)), Conclusion(excludes=("train", "bicycle")))
    found = judged(tiny, [*EXCLUSIVE["words"], excluder])
    assert (found.status, set(found.settlement.may_become_infeasible)) == ("settled", {"train.running", "rider.spikes"})
    assert judged(tiny, [*EXCLUSIVE["words"], excluder], train__running=True, rider__spikes=True).status == "infeasible"


# Witnesses


def test_an_answer_that_changes_the_route_by_itself_is_told_and_comes_first(tiny: KnowledgeBase) -> None:
    faint = [speaks(f"faint-{n}", SPIKES, "bicycle", "faint") for n in range(2)]
    found = judged(tiny, [CLEAR, *faint, *twice("rival", RUNNING)]).settlement
    assert (found.proof, found.unknown) == ("witness", ("train.running", "rider.spikes"))
    assert found.witness is not None
    assert (dict(found.witness.facts), found.witness.route) == ({"train.running": True}, "bicycle")
    assert found.tells == (Tell("train.running", True, "bicycle"),)


def test_answers_that_change_the_route_only_together_are_a_witness_with_no_others(tiny: KnowledgeBase) -> None:
    rival = speaks("rival", All((RUNNING, SPIKES, degrees("at_most", 0.0))), "bicycle", "heavy")
    other = speaks("other", Is("rider.spikes_worn", (True,)), "bicycle", "faint")
    found = judged(tiny, [CLEAR, rival, other]).settlement
    assert found.proof == "witness"
    assert found.witness is not None
    assert found.witness.facts.keys() == {"train.running", "rider.spikes", "weather.degrees"}
    assert {tell.path for tell in found.tells} == found.witness.facts.keys()
    assert found.unknown[-1] == "rider.spikes_worn"


def test_an_answer_that_takes_every_route_away_is_no_other_route(tiny: KnowledgeBase) -> None:
    both = rule("both", RUNNING, Conclusion(excludes=("train", "bicycle")))
    found = judged(tiny, [CLEAR, both, speaks("rival", All((RUNNING, SPIKES)), "bicycle", "heavy")])
    assert (found.status, found.settlement.may_become_infeasible) == ("settled", ("train.running",))


def test_an_answer_after_which_nothing_decides_is_another_end(tiny: KnowledgeBase) -> None:
    defeater = rule("defeater", RUNNING, Conclusion(defeats=("clear",)))
    found = judged(tiny, [CLEAR, defeater]).settlement
    assert (found.proof, found.tells) == ("witness", (Tell("train.running", True, None),))


def test_a_case_without_a_route_is_told_what_would_give_it_one(tiny: KnowledgeBase) -> None:
    found = judge(Consultant(small_base(tiny, CLEAR, *twice("rival", RUNNING))), {})
    assert (found.status, found.settlement.proof, found.settlement.witness) == ("undetermined", None, None)
    assert set(found.settlement.tells) == {Tell("season", "winter", "train"), Tell("train.running", True, "bicycle")}


def test_without_a_search_the_bounds_alone_say_how_sure_a_route_is(tiny: KnowledgeBase) -> None:
    base = small_base(tiny, CLEAR, *twice("rival", RUNNING))
    found = judge(Consultant(base, search=None), {"season": "winter"}).settlement
    assert (found.status, found.proof, found.witness, found.tells) == ("provisional", "open", None, ())


@given(st.integers(0, 10**6))
@examples(12)
def test_what_is_found_in_any_rules_holds_when_the_rule_engine_is_asked(tiny: KnowledgeBase, seed: int) -> None:
    maker = RuleMaker(seed)
    base = base_of(tiny, maker.rules())
    if base is None:
        return
    consultant, quick = Consultant(base), by_bounds(base)
    for _ in range(3):
        told = maker.facts()
        before = judge(consultant, told)
        together = before.settlement.witness.facts if before.settlement.witness else {}
        for tell in before.settlement.tells:
            answers = together if len(together) > 1 else {tell.path: tell.value}
            after = judge(quick, {**told, **answers})
            assert (after.route, after.status) != (before.route, "infeasible")
            assert after.route == tell.route != before.route


def test_enough_random_routes_are_proved_that_bounds_alone_leave_open(tiny: KnowledgeBase) -> None:
    proved = 0
    for seed in range(30):
        maker = RuleMaker(seed)
        base = base_of(tiny, maker.rules())
        for told in (maker.facts() for _ in range(3)) if base else ():
            assert base is not None
            if judge(by_bounds(base), told).status == "provisional":
                proved += judge(Consultant(base), told).status == "settled"
    assert proved >= 3


# Classes of numbers

LIMITS = st.sampled_from([-1.0, 0.0, 0.1, 1.0, 2.5, 40.0])
TESTS = st.lists(st.tuples(st.sampled_from(["at_least", "more_than", "at_most", "less_than"]), LIMITS), max_size=6)


@given(TESTS, st.booleans())
@examples(40)
def test_every_number_lies_in_one_class_and_no_test_parts_a_class(
    tiny: KnowledgeBase, tests: list[tuple[Comparison, float]], whole: bool
) -> None:
    rules = [speaks(f"r{n}", Compares("trip.bags", *test), "train", "clear") for n, test in enumerate(tests)]
    base = small_base(tiny, *rules, CLEAR)
    fact = replace(base.vocabulary.facts["trip.bags"], minimum=0.0, whole=whole)
    facts = {**base.vocabulary.facts, "trip.bags": fact}
    pieces = (
        AnswerBook(replace(base, vocabulary=replace(base.vocabulary, facts=facts))).answers("trip.bags", None).pieces
    )
    assert pieces[0][0] == 0.0
    for (_, end), (start, _) in pairwise(pieces):
        assert start == (end + 1 if whole else math.nextafter(end, math.inf))
    for low, high in pieces:
        assert low <= high
        for comparison, limit in tests:
            assert _holds(comparison, low, limit) == _holds(comparison, high, limit)


def _holds(comparison: Comparison, number: float, limit: float) -> bool:
    return {
        "at_least": number >= limit,
        "more_than": number > limit,
        "at_most": number <= limit,
        "less_than": number < limit,
    }[comparison]
