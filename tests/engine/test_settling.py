"""Scores, routes and statuses; and that a settled verdict is settled, whatever becomes known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.judgement import Judgement
from engine.language import Compares, Conclusion, Evidence, Is, Rule
from engine.routes import STATUSES
from engine.truth import Truth
from engine.values import Interval, Value
from engine.weighing import decide, weigh
from knowledge import knowledge_base
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import examples, load_tiny, profile_with
from tests.engine.random_profiles import Profiles, Told
from tests.engine.random_rules import RuleMaker, base_of, rule, small_base

REAL = Profiles(knowledge_base())
SMALL = Profiles(load_tiny())


def judge(consultant: Consultant, told: Told) -> Judgement:
    (judged,) = consultant.consult(profile_with(consultant.base, told)).judgements
    return judged


# From the rules that stand to a route


def says(*evidence: tuple[str, str, bool], excludes: Sequence[str] = ()) -> Rule:
    then = Conclusion(evidence=tuple(Evidence(*item) for item in evidence), excludes=tuple(excludes))
    return rule(f"r{len(evidence)}{evidence}{excludes}", Is("season", ("winter",)), then)


FOR, AGAINST = True, False
DECISIONS: dict[str, tuple[list[Rule], str | None, str | None]] = {
    "nothing is said": ([], None, "undetermined"),
    "too faint to decide": ([says(("train", "faint", FOR))], None, "undetermined"),
    "many faint ones decide nothing": (
        [says(("train", "faint", FOR), ("bicycle", "faint", AGAINST))] * 5, None, "undetermined",
    ),
    "one clear one decides": ([says(("train", "clear", FOR))], "train", None),
    "speaking against one speaks for the other": ([says(("train", "clear", AGAINST))], "bicycle", None),
    "three clear ones level a heavy one": (
        [says(("train", "heavy", FOR)), *[says(("bicycle", "clear", FOR))] * 3], "bicycle", "tied",
    ),
    "two clear ones do not": ([says(("train", "heavy", FOR)), *[says(("bicycle", "clear", FOR))] * 2], "train", None),
    "four clear ones outweigh it": (
        [says(("train", "heavy", FOR)), *[says(("bicycle", "clear", FOR))] * 4], "bicycle", None,
    ),
    "an excluded route never comes out": ([says(("train", "heavy", FOR)), says(excludes=["train"])], "bicycle", None),
    "both excluded": ([says(excludes=["train"]), says(excludes=["bicycle"])], None, "infeasible"),
    "one open needs no evidence": ([says(excludes=["bicycle"])], "train", None),
}  # fmt: skip


@pytest.mark.parametrize("name", DECISIONS)
def test_the_route_follows_from_exclusions_then_scores_then_ties(name: str, tiny: KnowledgeBase) -> None:
    standing, route, status = DECISIONS[name]
    decision = decide(weigh(standing, tiny.routes), tiny.routes, {})
    assert (decision.route, decision.status) == (route, status)
    assert (decision.tie is not None) == (status == "tied")


def test_evidence_on_an_excluded_route_decides_nothing_between_the_others(tiny: KnowledgeBase) -> None:
    third = replace(tiny.routes.route("both"), id="walk", primary=True)
    routes = replace(tiny.routes, routes=(*tiny.routes.routes[:2], third))
    standing = [says(("walk", "heavy", FOR)), says(excludes=["walk"])]
    assert decide(weigh(standing, routes), routes, {}).status == "undetermined"
    more = [*standing, says(("train", "clear", FOR))]
    assert decide(weigh(more, routes), routes, {}).route == "train"


def test_the_weighing_names_every_piece_with_its_sign_and_every_exclusion(tiny: KnowledgeBase) -> None:
    one, two = says(("train", "heavy", FOR), ("bicycle", "clear", AGAINST)), says(excludes=["train"])
    weighing = weigh([one, two], tiny.routes)
    assert [(item.rule, item.route, item.weight) for item in weighing.evidence] == [
        (one.id, "train", 9), (one.id, "bicycle", -3),
    ]  # fmt: skip
    assert weighing.scores == {"bicycle": -3, "train": 9}
    assert weighing.exclusions == {"train": (two.id,)}
    assert weighing.open == ("bicycle",)


def test_a_tie_goes_to_the_first_rule_for_ties_that_names_a_leading_route(tiny: KnowledgeBase) -> None:
    standing = [says(("train", "clear", FOR), ("bicycle", "clear", FOR))]
    other = replace(tiny.routes.ties[-1], id="tie.dry-feet", route="train")
    for ties, route in (((other, *tiny.routes.ties), "train"), (tiny.routes.ties, "bicycle"), ((), "bicycle")):
        routes = replace(tiny.routes, ties=ties)
        assert decide(weigh(standing, routes), routes, {}).route == route


FARES: dict[str, tuple[dict[str, Value], str, str]] = {
    "a fare within the limit": ({"train.fare": 5.0}, "train", "tie.small-change"),
    "a fare above it": ({"train.fare": 5.5}, "bicycle", "tie.fresh-air"),
    "a fare on both sides of it": ({"train.fare": Interval(4, 6)}, "bicycle", "tie.fresh-air"),
    "no fare that is known": ({}, "bicycle", "tie.fresh-air"),
}


@pytest.mark.parametrize("name", FARES)
def test_a_rule_for_ties_speaks_only_where_its_condition_is_true(name: str, tiny: KnowledgeBase) -> None:
    facts, route, tie = FARES[name]
    decision = decide(
        weigh([says(("train", "clear", FOR), ("bicycle", "clear", FOR))], tiny.routes), tiny.routes, facts
    )
    assert (decision.route, decision.status, decision.tie and decision.tie.id) == (route, "tied", tie)


def test_a_rule_for_ties_whose_route_does_not_lead_is_passed_over(tiny: KnowledgeBase) -> None:
    third = replace(tiny.routes.route("both"), id="walk", primary=True)
    routes = replace(tiny.routes, routes=(*tiny.routes.routes[:2], third))
    standing = [says(("walk", "clear", FOR), ("bicycle", "clear", FOR))]
    decision = decide(weigh(standing, routes), routes, {"train.fare": 1.0})
    assert (decision.route, decision.tie and decision.tie.id) == ("bicycle", "tie.fresh-air")


# Statuses on the tiny base

STATUS: dict[str, tuple[dict[str, Value], str, str | None, str | None]] = {
    "nothing told": ({}, "undetermined", None, None),
    "both excluded": ({"train.running": False, "rider.bicycle": "none"}, "infeasible", None, None),
    "the other route excluded": ({"rider.bicycle": "none"}, "settled", "train", None),
    "a lead that may turn": ({"trip.distance": 3.0}, "provisional", "bicycle", "witness"),
    "an exclusion that may be defeated": (
        {"weather.sky": "snow", "season": "summer"}, "provisional", "train", "witness",
    ),
    "the same when nothing can defeat it": (
        {"weather.sky": "snow", "season": "summer", "rider.spikes": False}, "settled", "train", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATUS)
def test_every_status_comes_out_where_it_should(name: str, tiny_consultant: Consultant) -> None:
    told, status, route, proof = STATUS[name]
    judged = judge(tiny_consultant, told)
    assert (judged.status, judged.route, judged.settlement.proof) == (status, route, proof)


def test_the_statuses_run_from_the_weakest_to_the_strongest(tiny_consultant: Consultant) -> None:
    base = tiny_consultant.base
    told: list[dict[str, Value]] = [entry[0] for entry in STATUS.values()]
    for one in told:
        for two in told:
            overall = tiny_consultant.consult(profile_with(base, one, two)).overall
            each = [judge(tiny_consultant, case).status for case in (one, two)]
            assert overall.status == min(each, key=STATUSES.index)


def test_what_may_still_make_a_settled_route_impossible_is_listed(tiny_consultant: Consultant) -> None:
    judged = judge(tiny_consultant, {"rider.bicycle": "none"})
    assert judged.settlement.may_become_infeasible == ("train.running",)
    assert (
        judge(tiny_consultant, {"rider.bicycle": "none", "train.running": True}).settlement.may_become_infeasible == ()
    )


def test_a_defeat_that_may_itself_be_defeated_leaves_the_route_in_danger(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"train.running": False, "weather.sky": "snow", "rider.spikes": True}
    judged = judge(tiny_consultant, told)
    assert (judged.route, judged.status) == ("bicycle", "settled")
    assert "rider.spikes_worn" in judged.settlement.may_become_infeasible
    assert judge(tiny_consultant, {**told, "rider.spikes_worn": True}).status == "infeasible"


def test_the_facts_that_tell_most_come_first(tiny_consultant: Consultant) -> None:
    unknown = judge(tiny_consultant, {"season": "winter"}).settlement.unknown
    assert unknown[0] in ("rider.bicycle", "train.running", "weather.sky")
    assert {"trip.distance", "weather.rain_chance", "trip.bags"} < set(unknown)
    assert not {"season", "trip.people", "train.line"} & set(unknown)
    assert unknown.index("trip.distance") < unknown.index("trip.bags")


def test_a_range_that_straddles_is_named_as_unknown_and_one_that_does_not_is_not(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"rider.bicycle": "plain", "trip.minutes_left": 500.0}
    straddles = judge(tiny_consultant, {**told, "trip.distance": Interval(4.0, 6.0)})
    assert "trip.distance" in straddles.settlement.unknown
    within = judge(tiny_consultant, {**told, "trip.distance": Interval(4.0, 4.5)})
    assert "trip.distance" not in within.settlement.unknown


ON = Is("season", ("winter",))
SLOW = Compares("ride.spare_minutes", "less_than", 0.0)
ALL_OR_NOTHING = rule("slow", SLOW, Conclusion(evidence=(Evidence("train", "heavy", FOR),)))


def test_a_rule_that_the_range_of_a_figure_alone_leaves_undecided_is_nothing_that_could_still_be_told(
    tiny: KnowledgeBase,
) -> None:
    told: dict[str, Value] = {"season": "winter", "trip.distance": 10.0, "trip.minutes_left": 40.0}
    clear = rule("clear", ON, Conclusion(evidence=(Evidence("bicycle", "clear", FOR),)))
    consultant = Consultant(replace(small_base(tiny, clear, ALL_OR_NOTHING), formulas=tiny.formulas))
    judged = judge(consultant, told)
    assert judged.inference.silent["slow"].truth is Truth.UNKNOWN
    assert (judged.route, judged.status, judged.settlement.unknown) == ("bicycle", "settled", ())
    vague = judge(consultant, {**told, "trip.minutes_left": Interval(30.0, 60.0)})
    assert (vague.status, vague.settlement.unknown) == ("provisional", ("trip.minutes_left",))


# What keeps a verdict from being settled


OPEN = Is("train.running", (True,))
FAINT = [rule(f"faint-{n}", ON, Conclusion(evidence=(Evidence("train", "faint", FOR),))) for n in range(2)]
CLEAR = rule("clear", ON, Conclusion(evidence=(Evidence("train", "clear", FOR),)))
RIVAL = rule("rival", OPEN, Conclusion(evidence=(Evidence("bicycle", "clear", FOR),)))


def statuses(tiny: KnowledgeBase, *rules: Rule) -> list[tuple[str | None, str]]:
    """Route and status while the open fact is unknown, and once it is known to be so."""
    consultant = Consultant(small_base(tiny, *rules))
    cases: list[Told] = [{"season": "winter"}, {"season": "winter", "train.running": True}]
    return [(judged.route, judged.status) for judged in (judge(consultant, told) for told in cases)]


def test_a_lead_that_nothing_can_level_is_settled(tiny: KnowledgeBase) -> None:
    assert statuses(tiny, CLEAR, FAINT[0], RIVAL) == [("train", "settled")] * 2


def test_a_lead_that_can_be_levelled_is_not_settled(tiny: KnowledgeBase) -> None:
    assert statuses(tiny, CLEAR, RIVAL) == [("train", "provisional"), ("bicycle", "tied")]


def test_a_lead_whose_only_strong_reason_can_be_defeated_is_not_settled(tiny: KnowledgeBase) -> None:
    defeater = rule("defeater", OPEN, Conclusion(defeats=("clear",)))
    assert statuses(tiny, CLEAR, *FAINT, defeater) == [("train", "provisional"), (None, "undetermined")]


def test_a_lead_of_a_route_that_can_be_excluded_is_not_settled(tiny: KnowledgeBase) -> None:
    excluder = rule("excluder", OPEN, Conclusion(excludes=("train",)))
    assert statuses(tiny, CLEAR, excluder) == [("train", "provisional"), ("bicycle", "settled")]


def test_a_lead_that_a_division_may_still_divide_is_not_settled(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {
        "rider.bicycle": "plain", "trip.distance": 40.0, "train.running": True, "weather.sky": "rain",
        "weather.degrees": 8.0, "season": "summer", "trip.minutes_left": 500.0, "trip.bags": 0.0,
    }  # fmt: skip
    judged = judge(tiny_consultant, told)
    assert (judged.route, judged.status) == ("train", "provisional")
    assert judged.settlement.unknown == ("rider.rain_gear",)
    assert judge(tiny_consultant, {**told, "rider.rain_gear": True}).route == "both"
    dry = judge(tiny_consultant, {**told, "rider.rain_gear": False})
    assert (dry.route, dry.status) == ("train", "settled")


def test_a_division_whose_part_may_lose_its_lead_is_not_settled(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {
        "rider.bicycle": "plain", "trip.distance": 40.0, "train.running": True, "weather.sky": "dry",
        "weather.rain_chance": 0.0,
    }  # fmt: skip
    judged = judge(tiny_consultant, told)
    assert (judged.route, judged.form, judged.status) == ("both", "on_board", "provisional")
    assert "trip.bags" in judged.settlement.unknown
    assert judge(tiny_consultant, {**told, "trip.bags": 2.0}).status == "settled"
    assert judge(tiny_consultant, {**told, "trip.bags": 3.0}).route == "train"


# Whatever becomes known


def assert_stays(consultant: Consultant, quick: Consultant, told: Told, more: Told) -> None:
    """A settled route stays, or becomes impossible by a fact that was listed; what is unlisted turns no route.

    `quick` judges by bounds, to the same routes.
    """
    before, after = judge(consultant, told), judge(quick, more)
    changed = {path for path in more if more[path] != told.get(path)}
    if before.status == "settled":
        assert after.route == before.route or after.status == "infeasible", (told, more)
        if after.status == "infeasible":
            assert changed & set(before.settlement.may_become_infeasible), (told, more)
    elif before.status == "infeasible":
        assert after.route is None or changed & set(before.settlement.unknown), (told, more)
    if after.route != before.route:
        listed = {*before.settlement.unknown, *before.settlement.may_become_infeasible}
        assert changed & listed, (told, more)


@given(SMALL.told(), st.data())
@examples(80)
def test_a_settled_verdict_of_the_tiny_base_never_gets_another_route(
    tiny_consultant: Consultant, tiny_by_bounds: Consultant, told: Told, data: st.DataObject
) -> None:
    assert_stays(tiny_consultant, tiny_by_bounds, told, data.draw(SMALL.completed(told)))


@given(SMALL.told(), st.data())
@examples(80)
def test_facts_that_are_not_listed_never_turn_the_route(
    tiny_consultant: Consultant, tiny_by_bounds: Consultant, told: Told, data: st.DataObject
) -> None:
    before = judge(tiny_consultant, told)
    listed = frozenset(before.settlement.unknown) | frozenset(before.settlement.may_become_infeasible)
    after = judge(tiny_by_bounds, data.draw(SMALL.completed(told, listed)))
    assert after.route == before.route


@given(REAL.told(least=10), st.data())
@examples(25)
def test_a_settled_verdict_of_the_real_base_never_gets_another_route(
    real_consultant: Consultant, real_by_bounds: Consultant, told: Told, data: st.DataObject
) -> None:
    assert_stays(real_consultant, real_by_bounds, told, data.draw(REAL.completed(told)))


@given(st.integers(0, 10**9))
@examples(35)
def test_a_settled_verdict_of_any_rules_never_gets_another_route(tiny: KnowledgeBase, seed: int) -> None:
    maker = RuleMaker(seed)
    base = base_of(tiny, maker.rules())
    if base is None:
        return
    consultant, quick = Consultant(base), by_bounds(base)
    for _ in range(3):
        told = maker.facts()
        for _ in range(3):
            assert_stays(consultant, quick, told, maker.completed(told))
        before = judge(consultant, told).settlement
        leave = {*before.unknown, *before.may_become_infeasible}
        assert judge(quick, maker.completed(told, leave)).route == judge(quick, told).route


def test_enough_random_verdicts_are_settled_for_the_tests_above_to_tell(tiny: KnowledgeBase) -> None:
    found: dict[str, int] = {}
    for seed in range(40):
        maker = RuleMaker(seed)
        base = base_of(tiny, maker.rules())
        consultant = Consultant(base) if base else None
        for told in (maker.facts() for _ in range(4)):
            status = judge(consultant, told).status if consultant else "none"
            found[status] = found.get(status, 0) + 1
    assert set(found) >= {"infeasible", "undetermined", "provisional", "settled"}
    assert found["settled"] > 10


def test_a_verdict_does_not_depend_on_facts_that_no_rule_reads(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"trip.distance": 3.0, "weather.sky": "rain"}
    more: Mapping[str, Value] = {**told, "train.line": "coast-line", "trip.people": 2.0}
    one, two = judge(tiny_consultant, told), judge(tiny_consultant, more)
    assert (one.route, one.status, one.settlement, one.form) == (two.route, two.status, two.settlement, two.form)
