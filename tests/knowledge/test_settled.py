"""Verdicts of the real base: settled ones stay, and the answers that are said to change a route do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from engine.consultation import Consultant
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.values import Value
from knowledge import knowledge_base
from tests.engine.random_profiles import Profiles
from tests.knowledge.random_cases import Told, cases, examples, judged

PROFILES = Profiles(knowledge_base())


@cache
def searching() -> Consultant:
    return Consultant(knowledge_base())


def searched(told: Told) -> Judgement:
    return searching().judge(0, None, {path: Given(value, Source("answer")) for path, value in told.items()}, {})


def answers(before: Judgement) -> Iterator[tuple[Mapping[str, Value], str | None]]:
    """What is said to lead to another route, and to which."""
    witness = before.settlement.witness
    if witness is not None:
        yield witness.facts, witness.route
    if witness is None or len(witness.facts) == 1:
        yield from (({tell.path: tell.value}, tell.route) for tell in before.settlement.tells[:3])


@given(cases())
@examples(8)
def test_answers_that_are_said_to_change_the_route_do(told: Told) -> None:
    before = searched(told)
    for changed, route in answers(before):
        after = judged({**told, **changed})
        assert after.route == route != before.route
        assert after.status != "infeasible"


@given(cases(), st.data())
@examples(15)
def test_a_settled_verdict_gets_no_other_route_whatever_becomes_known(told: Told, data: st.DataObject) -> None:
    before = searched(told)
    if before.status != "settled":
        return
    for _ in range(2):
        after = judged(data.draw(PROFILES.completed(told)))
        assert after.route == before.route or after.status == "infeasible"


def test_the_same_case_is_settled_alike_again() -> None:
    told: Told = {
        "stage": "training",
        "demand.pattern": "steady",
        "demand.utilization": 0.6,
        "operations.team": "solid",
    }
    assert (
        searched(told).settlement
        == Consultant(knowledge_base())
        .judge(0, None, {path: Given(value, Source("answer")) for path, value in told.items()}, {})
        .settlement
    )
