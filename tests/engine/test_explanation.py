"""Why, and why not: conditions part by part as they stand, what lacks least first, and the rows that are cited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hypothesis import given
from hypothesis import strategies as st

from cli.render.steps import unfold
from engine.explanation import Explainer
from engine.language import All, Any, Compares, Condition, Is, NoneOf, leaves
from engine.rule_steps import Step
from engine.truth import Truth, leaf_truth, truth
from engine.values import Value
from engine.words import Words
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import examples, load_tiny, told
from tests.engine.random_profiles import Profiles

TINY = load_tiny()
JUDGE = by_bounds(TINY)
WORDS = Words(TINY)
MARKS = {Truth.TRUE: "", Truth.FALSE: "not met: ", Truth.UNKNOWN: "open"}


def explainer(facts: Mapping[str, Value]) -> Explainer:
    return Explainer(WORDS, JUDGE.judge(0, None, told(TINY, facts), {}))


def steps(step: Step, *kinds: str) -> Iterator[Step]:
    if step.kind in kinds:
        yield step
    for child in step.children:
        yield from steps(child, *kinds)


@given(Profiles(TINY).told(), st.data())
@examples(40)
def test_every_rule_shows_the_parts_that_made_it_what_it_is(facts: Mapping[str, Value], data: st.DataObject) -> None:
    ours = explainer(facts)
    rule = data.draw(st.sampled_from(list(TINY.rules.values())))
    values = ours.inference.values
    found = truth(rule.when, values)
    shown = [s for s in ours.rule(rule.id).children if s.kind in ("test", "group")]
    if rule.id in ours.inference.fired:
        assert shown
        assert not any(step.text["en"].startswith((MARKS[Truth.FALSE], MARKS[Truth.UNKNOWN])) for step in shown)
    elif not ours.inference.silent[rule.id].told:
        assert shown
        assert all(step.text["en"].startswith(("not met: ", "open")) for step in shown)
        assert any(step.text["en"].startswith("not met: ") for step in shown) == (found is Truth.FALSE)


@given(Profiles(TINY).told())
@examples(30)
def test_every_test_is_shown_as_true_as_it_is(facts: Mapping[str, Value]) -> None:
    ours = explainer(facts)
    for rule in TINY.rules.values():
        truths = {leaf.fact: set() for leaf in leaves(rule.when)}  # type: dict[str, set[Truth]]
        for leaf in leaves(rule.when):
            one = leaf_truth(leaf, ours.inference.values.get(leaf.fact))
            truths[leaf.fact] |= {one, ~one}
        for step in (s for s in ours.rule(rule.id).children if s.kind == "test"):
            said = next(t for t in (Truth.FALSE, Truth.UNKNOWN, Truth.TRUE) if step.text["en"].startswith(MARKS[t]))
            assert said in truths[step.id]


def test_what_lacks_least_is_told_first() -> None:
    ours = explainer({"rider.bicycle": "plain", "trip.distance": 30.0})
    (part,) = [s for s in ours.route_not("bicycle").children if s.id == "silent-for"]
    lacking = [ours.missing(TINY.rules[step.id].when) for step in part.children]
    assert lacking == sorted(lacking)
    assert len(lacking) > 1


SNOW, COLD = Is("weather.sky", ("snow",)), Compares("weather.degrees", "less_than", 0.0)
SPIKES = Is("rider.spikes", (True,))


def missing(condition: Condition, facts: Mapping[str, Value]) -> float:
    return explainer(facts).missing(condition)


def test_a_false_part_lacks_one_and_an_open_one_half() -> None:
    assert missing(All((SNOW, COLD, SPIKES)), {"weather.sky": "rain", "rider.spikes": True}) == 1.5


def test_of_alternatives_the_nearest_counts() -> None:
    assert missing(Any((All((SNOW, COLD)), SPIKES)), {"weather.sky": "rain", "weather.degrees": 5.0}) == 0.5


def test_what_must_be_false_lacks_while_it_is_true_or_open() -> None:
    assert missing(NoneOf((SNOW, SPIKES)), {"weather.sky": "snow"}) == 1.5
    assert missing(NoneOf((All((SNOW, SPIKES)),)), {"weather.sky": "rain"}) == 0


def test_alternatives_stand_as_a_group_with_what_each_of_them_lacks() -> None:
    ours = explainer({"weather.sky": "rain", "weather.degrees": 5.0})
    (group,) = ours._parts(Any((All((SNOW, COLD)), SPIKES)), True, met=False)
    assert group.text["en"].startswith("open: at least one of these")
    both, spikes = group.children
    assert [step.text["en"][:8] for step in both.children] == ["not met:", "not met:"]
    assert spikes.text["en"].startswith("open: ")


def test_of_met_alternatives_only_those_are_shown_that_met_it() -> None:
    ours = explainer({"weather.sky": "snow", "rider.spikes": False})
    (group,) = ours._parts(Any((SNOW, SPIKES)), True, met=True)
    assert [step.id for step in group.children] == ["weather.sky"]


def test_a_rule_that_is_asked_for_tells_the_rows_that_it_rests_on() -> None:
    rule = next(rule for rule in TINY.rules.values() if rule.source)
    rows = list(steps(explainer({}).why(rule.id), "row"))
    assert [step.id for step in rows] == list(rule.source)
    assert all(TINY.guidance.rows[step.id].statement["en"] in step.text["en"] for step in rows)


def test_what_was_told_above_is_not_told_again() -> None:
    fact = Step("fact", "ride.minutes", {"en": "x"}, (), (Step("fact", "trip.distance", {"en": "y"}),))
    told_before: set[tuple[str, str]] = set()
    assert unfold(fact, told_before) == fact.children
    assert unfold(fact, told_before) == ()
