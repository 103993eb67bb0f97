"""What fires is what is true, rule by rule: the rule engine against a plain reading of the same rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.faults import FaultError, InferenceStopped
from engine.inference import Given, Inference, Reasoner, Source
from engine.language import Conclusion, Evidence, Is, Rule
from engine.trace import Tool, write_trace
from engine.truth import Truth, truth
from engine.values import Interval, Value
from knowledge import knowledge_base
from tests.engine.helpers import examples, load_tiny, profile_of, profile_with, told
from tests.engine.random_profiles import Profiles
from tests.engine.random_rules import RuleMaker, base_of, infer, rule, small_base


class Clash(Exception):
    """Two rules that are true infer different values of one fact."""


@dataclass
class Reading:
    """What a plain reading of the rules comes to."""

    values: dict[str, Value]
    fired: set[str] = field(default_factory=set)
    standing: set[str] = field(default_factory=set)


def read_plainly(rules: Sequence[Rule], known: Mapping[str, Value]) -> Reading:
    """Takes the rules in no order that matters until nothing new is true; then works out which defeats hold."""
    reading = Reading(dict(known))
    growing = True
    while growing:
        growing = False
        for one in reversed(rules):
            told_already = any(path in known for path in one.then.infers)
            if one.id in reading.fired or told_already or truth(one.when, reading.values) is not Truth.TRUE:
                continue
            growing = True
            reading.fired.add(one.id)
            for path, value in one.then.infers.items():
                if reading.values.setdefault(path, value) != value:
                    raise Clash
    _work_out_defeats(rules, reading)
    return reading


def _work_out_defeats(rules: Sequence[Rule], reading: Reading) -> None:
    fired = [one for one in rules if one.id in reading.fired]
    undecided = {one.id for one in fired}
    while undecided:
        for name in sorted(undecided):
            defeaters = {one.id for one in fired if name in one.then.defeats}
            if defeaters & reading.standing:
                undecided.discard(name)
            elif not defeaters & undecided:
                undecided.discard(name)
                reading.standing.add(name)


def assert_same(base: KnowledgeBase, inference: Inference, reading: Reading, late: bool) -> None:
    """Fired, inferred, defeated and silent are what the plain reading says, in the order of the rules."""
    ours = [one for one in base.ordered.rules if (one.id in base.ordered.after_verdict) == late]
    fired = [one.id for one in ours if one.id in reading.fired]
    assert [name for name in inference.fired if (name in base.ordered.after_verdict) == late] == fired
    assert {one.id for one in ours if one.id in inference.defeated} == set(fired) - reading.standing
    assert inference.values == reading.values
    for one in ours:
        if one.id in inference.defeated:
            winner = inference.defeated[one.id]
            assert winner in reading.standing
            assert one.id in base.rules[winner].then.defeats
        assert (one.id in inference.silent) == (one.id not in reading.fired)
        if one.id in inference.silent and inference.silent[one.id].told is None:
            assert inference.silent[one.id].truth is truth(one.when, inference.values) is not Truth.TRUE


def _early(base: KnowledgeBase) -> list[Rule]:
    return [one for one in base.ordered.rules if one.id not in base.ordered.after_verdict]


def _late(base: KnowledgeBase) -> list[Rule]:
    return [one for one in base.ordered.rules if one.id in base.ordered.after_verdict]


def check_both_stages(base: KnowledgeBase, reasoner: Reasoner, given_facts: Mapping[str, Value], verdict: str) -> None:
    with reasoner.network:
        inference = reasoner.before_verdict(told(base, given_facts), {})
        known = {p: f.value for p, f in inference.facts.items() if f.source.kind != "inferred"}
        assert_same(base, inference, read_plainly(_early(base), known), late=False)
        facts_of_verdict = {"verdict.route": verdict, "verdict.status": "settled", "verdict.division": "none"}
        reasoner.after_verdict(inference, facts_of_verdict)
        assert_same(base, inference, read_plainly(_late(base), inference.values), late=True)


REAL = Profiles(knowledge_base())
SMALL = Profiles(load_tiny())


@given(REAL.told(least=4), st.sampled_from(["on_prem", "cloud", "hybrid", "none"]))
@examples(90)
def test_the_real_rules_fire_as_they_read(
    real: KnowledgeBase, real_consultant: Consultant, given_facts: Mapping[str, Value], route: str
) -> None:
    check_both_stages(real, real_consultant.reasoner, given_facts, route)


@given(SMALL.told(), st.sampled_from(["train", "bicycle", "both", "none"]))
@examples(60)
def test_the_tiny_rules_fire_as_they_read(
    tiny: KnowledgeBase, tiny_consultant: Consultant, given_facts: Mapping[str, Value], route: str
) -> None:
    check_both_stages(tiny, tiny_consultant.reasoner, given_facts, route)


SEEDS = st.integers(0, 10**9)


def random_base(tiny: KnowledgeBase, maker: RuleMaker, contrary: bool = False) -> KnowledgeBase:
    base = base_of(tiny, maker.rules(contrary))
    assume(base is not None)
    assert base is not None
    return base


@given(SEEDS)
@examples(70)
def test_any_rules_fire_as_they_read(tiny: KnowledgeBase, seed: int) -> None:
    maker = RuleMaker(seed)
    base = random_base(tiny, maker)
    reasoner = Reasoner(base)
    for case in (maker.facts() for _ in range(6)):
        inference = reasoner.before_verdict(told(base, case), {})
        assert_same(base, inference, read_plainly(base.ordered.rules, case), late=False)


@given(SEEDS)
@examples(40)
def test_contrary_inferences_stop_the_run_and_nothing_else_does(tiny: KnowledgeBase, seed: int) -> None:
    maker = RuleMaker(seed)
    base = random_base(tiny, maker, contrary=True)
    reasoner = Reasoner(base)
    for case in (maker.facts() for _ in range(6)):
        try:
            reading = read_plainly(base.ordered.rules, case)
        except Clash:
            with pytest.raises(InferenceStopped):
                reasoner.before_verdict(told(base, case), {})
        else:
            assert_same(base, reasoner.before_verdict(told(base, case), {}), reading, late=False)


# One thing at a time


SUPPORT = Conclusion(evidence=(Evidence("train", "clear", True),))


def test_two_values_inferred_of_one_fact_stop_the_run_and_are_both_named(tiny: KnowledgeBase) -> None:
    base = small_base(
        tiny, infer("a", "second", True, season="winter"), infer("b", "second", False, train__running=True)
    )
    reasoner = Reasoner(base)
    with pytest.raises(InferenceStopped) as raised:
        reasoner.before_verdict(told(base, {"season": "winter", "train.running": True}), {})
    (fault,) = raised.value.faults
    assert fault.key == "inferred-twice"
    assert "'second': yes and no (by 'b')" in fault.text("en")
    assert "second" in fault.text("zh")
    again = reasoner.before_verdict(told(base, {"season": "winter"}), {})
    assert again.values["second"] is True


def test_two_rules_that_infer_one_value_both_fire_and_the_first_is_named(tiny: KnowledgeBase) -> None:
    base = small_base(
        tiny, infer("a", "second", True, season="winter"), infer("b", "second", True, train__running=True)
    )
    inference = Reasoner(base).before_verdict(told(base, {"season": "winter", "train.running": True}), {})
    assert list(inference.fired) == ["a", "b"]
    assert inference.facts["second"].source.rule == "a"


def test_a_fact_that_was_told_is_never_inferred(tiny: KnowledgeBase) -> None:
    base = small_base(tiny, infer("a", "rider.spikes", True, season="winter"))
    inference = Reasoner(base).before_verdict(told(base, {"season": "winter", "rider.spikes": False}), {})
    assert inference.values["rider.spikes"] is False
    assert not inference.fired
    assert inference.silent["a"].told == "rider.spikes"
    assert inference.facts["rider.spikes"].source == Source("answer")


def test_a_chain_of_inferences_is_followed_whatever_the_order_of_the_rules(tiny: KnowledgeBase) -> None:
    chain = [
        rule("use", Is("third", (True,)), SUPPORT),
        infer("c", "third", True, second=True),
        infer("b", "second", True, first=True),
        infer("a", "first", True, season="winter"),
    ]
    for rules in (chain, chain[::-1], [chain[2], chain[0], chain[3], chain[1]]):
        inference = Reasoner(small_base(tiny, *rules)).before_verdict(told(tiny, {"season": "winter"}), {})
        assert list(inference.fired) == ["a", "b", "c", "use"]


def test_a_rule_with_two_true_alternatives_fires_once(tiny_consultant: Consultant) -> None:
    base = tiny_consultant.base
    inference = tiny_consultant.reasoner.before_verdict(
        told(base, {"trip.distance": 3.0, "rider.bicycle": "electric"}), {}
    )
    fired = inference.fired["ways.short-ways-suit-the-bicycle"]
    assert [test.truth for test in fired.tests] == [Truth.TRUE] * 3
    assert [fired.cycle for fired in inference.fired.values()] == list(range(1, len(inference.fired) + 1))


def test_every_test_of_a_rule_says_what_it_saw_and_where_that_stands(tiny_consultant: Consultant) -> None:
    case: dict[str, Value] = {"weather.sky": "dry", "weather.rain_chance": Interval(0.4, 0.6)}
    inference = tiny_consultant.reasoner.before_verdict(told(tiny_consultant.base, case), {})
    silent = inference.silent["ways.rain-spoils-the-ride"]
    assert silent.truth is Truth.UNKNOWN
    assert [(test.truth, test.value) for test in silent.tests] == [
        (Truth.FALSE, "dry"), (Truth.UNKNOWN, Interval(0.4, 0.6)),
    ]  # fmt: skip
    assert [test.fact_id for test in silent.tests] == [1, 2]
    gear = inference.silent["ways.gear-keeps-the-rain-off"].tests
    assert [(test.negated, test.truth, test.fact_id) for test in gear] == [
        (False, Truth.UNKNOWN, None), (True, Truth.TRUE, 1), (True, Truth.UNKNOWN, None),
    ]  # fmt: skip


def test_a_defeater_that_is_defeated_lets_its_victim_stand(tiny: KnowledgeBase) -> None:
    def stands(links: int) -> bool:
        """Whether the first of a chain of rules stands, each of which defeats the one before."""
        rules = [rule("r0", Is("season", ("winter",)), SUPPORT)]
        rules += [rule(f"r{n}", Is("season", ("winter",)), Conclusion(defeats=(f"r{n - 1}",))) for n in range(1, links)]
        inference = Reasoner(small_base(tiny, *rules)).before_verdict(told(tiny, {"season": "winter"}), {})
        assert len(inference.fired) == links
        return "r0" not in inference.defeated

    assert [stands(links) for links in range(1, 6)] == [True, False, True, False, True]


def test_an_undecided_defeater_defeats_nothing(tiny_consultant: Consultant) -> None:
    inference = tiny_consultant.reasoner.before_verdict(told(tiny_consultant.base, {"weather.sky": "snow"}), {})
    assert inference.silent["road.spikes-grip"].truth is Truth.UNKNOWN
    assert inference.defeated == {}


def test_what_is_known_may_be_asked_after_the_verdict(tiny_consultant: Consultant) -> None:
    def advice(case: Mapping[str, Value]) -> list[str]:
        (judged,) = tiny_consultant.consult(profile_with(tiny_consultant.base, case)).judgements
        return [item.id for item in judged.advice]

    assert advice({"season": "winter"}) == ["gap.measure-the-way"]
    assert advice({"season": "winter", "trip.distance": Interval(1.0, 100.0)}) == []


# One after the other


CASES: list[dict[str, Value]] = [
    {"weather.sky": "snow", "rider.spikes": True, "trip.distance": 40.0},
    {},
    {"train.running": False, "season": "winter"},
    {"trip.distance": Interval(4.0, 30.0), "rider.bicycle": "electric", "train.running": True},
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_case_after_another_is_the_case_alone(number: int, tiny: KnowledgeBase) -> None:
    tool = Tool("trip-advisor", "1")

    def trace(consultant: Consultant, case: Mapping[str, Value]) -> bytes:
        return write_trace(consultant.consult(profile_with(tiny, case)), tool, "t", "2026-01-01")

    alone = trace(Consultant(tiny), CASES[number])
    for before in CASES:
        consultant = Consultant(tiny)
        trace(consultant, before)
        assert trace(consultant, CASES[number]) == alone


def test_a_case_after_one_that_was_stopped_is_the_case_alone(tiny: KnowledgeBase) -> None:
    base = small_base(
        tiny, infer("a", "second", True, season="winter"), infer("b", "second", False, train__running=True)
    )
    used, fresh = Consultant(base), Consultant(base)
    with pytest.raises(FaultError):
        used.consult(profile_with(base, {"season": "winter", "train.running": True}))
    case = profile_with(base, {"season": "winter"})
    assert used.consult(case).judgements[0].inference == fresh.consult(case).judgements[0].inference


def test_real_profiles_of_one_process_do_not_touch_each_other(real: KnowledgeBase, real_consultant: Consultant) -> None:
    texts = [
        "profile: 1\ncompliance: {residency: on_premises}\noperations: {team: none}\n",
        "profile: 1\nstage: online_inference\ndemand: {pattern: steady, utilization: 40-90%, gpus_steady: 8}\n",
    ]
    tool = Tool("advisor", "1")
    first, second = (profile_of(real, text) for text in texts)
    alone = write_trace(real_consultant.consult(second), tool, "t", "2026-01-01")
    real_consultant.consult(first)
    assert write_trace(real_consultant.consult(second), tool, "t", "2026-01-01") == alone
    assert write_trace(real_consultant.consult(first), tool, "t", "2026-01-01") != alone


def test_the_order_in_which_facts_are_told_makes_no_difference_to_what_fires(tiny_consultant: Consultant) -> None:
    case = CASES[3]
    ways = [{path: Given(case[path], Source("answer")) for path in order} for order in (case, reversed(case))]
    found = [tiny_consultant.reasoner.before_verdict(way, {}) for way in ways]
    assert list(found[0].fired) == list(found[1].fired)
    assert found[0].values == found[1].values
