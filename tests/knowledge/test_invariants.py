"""What holds for every case, whatever else is told: the invariants of the guidance, and common sense."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.commands.session import tool
from cli.render.verdict_data import verdict_json
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.loading import read_bytes
from engine.profile import Profile, ProfileReader, Workload
from engine.values import Value, to_json
from knowledge import knowledge_base
from tests.knowledge.random_cases import GPUS, Told, cases, consultant, examples, judged, without

DECIDING_STAGES = {"exploration", "hyperparameter_search", "pretraining"}
SOFTWARE = ("framework", "pytorch", "tensorflow", "jax", "library", "language", "nccl", "deepspeed")


def outcome(judgement: Judgement) -> tuple[str | None, str | None, str]:
    return judgement.route, judgement.form, judgement.status


def towards_cloud(before: Judgement, after: Judgement) -> bool:
    """Whether the route moved from own hardware to a mixture, or from either or from none to the cloud."""
    rank = {"on_prem": 0, None: 1, "hybrid": 1, "cloud": 2}
    return rank[after.route] > rank[before.route]


# The invariants of the guidance


def test_every_invariant_is_held_by_a_test_of_this_file() -> None:
    assert [item.id for item in knowledge_base().invariants if item.held_by not in globals()] == []


CARDS = st.sampled_from(knowledge_base().vocabulary.facts["model.gpu"].names)


@examples(60)
@given(
    cases(model__gpu_memory_gb=st.sampled_from([16, 24, 48]), demand__job_gpus=st.sampled_from([1, 8, 9, 64])),
    CARDS,
    CARDS,
)
def test_another_card_with_the_same_demand_memory_power_and_prices_never_changes_the_route(
    told: Told, one: str, other: str
) -> None:
    first, second = ({**told, "model.gpu": card} for card in (one, other))
    assert judged(first, server_power_kw=8.0).route == judged(second, server_power_kw=8.0).route


@pytest.mark.parametrize("stage", knowledge_base().vocabulary.facts["stage"].values)
def test_the_stage_alone_decides_only_where_the_documents_say_so(stage: str) -> None:
    assert judged({"stage": stage}).route == ("cloud" if stage in DECIDING_STAGES else None)


@examples(40)
@given(cases(), st.booleans(), st.booleans())
def test_containers_and_pinned_versions_never_change_the_route(told: Told, packed: bool, pinned: bool) -> None:
    bare = without(told, "migration.containerized", "migration.cuda_pinned")
    packed_up = {**bare, "migration.containerized": packed, "migration.cuda_pinned": pinned}
    assert outcome(judged(packed_up)) == outcome(judged(bare))


def test_no_fact_asks_for_the_software() -> None:
    facts = knowledge_base().vocabulary.facts
    assert [path for path in facts if any(word in path for word in SOFTWARE)] == []


@examples(60)
@given(cases(), st.sampled_from(["public", "internal", "confidential"]))
def test_ordinary_sensitivity_never_excludes_the_cloud(told: Told, sensitivity: str) -> None:
    silent = judged(without(told, "compliance.sensitivity"))
    spoken = judged({**told, "compliance.sensitivity": sensitivity})
    assert spoken.weighing.exclusions == silent.weighing.exclusions


@examples(25)
@given(cases(), cases(), st.sampled_from([("a", "b"), ("训练", "推理"), ("b", "a"), (None, None)]))
def test_names_order_and_language_of_workloads_change_nothing(one: Told, two: Told, names: tuple[str, str]) -> None:
    forward = consultant().consult(profile((names[0], one), (names[1], two)))
    backward = consultant().consult(profile((None, two), (None, one)))
    alone = [judged(told) for told in (one, two)]
    first, second = backward.judgements
    for judgements in (forward.judgements, (second, first)):
        assert [outcome(j) for j in judgements] == [outcome(j) for j in alone]
        assert [[item.id for item in j.advice] for j in judgements] == [[i.id for i in j.advice] for j in alone]
    assert (forward.overall.route, forward.overall.status) == (backward.overall.route, backward.overall.status)
    english, chinese = (verdict_json(forward, language, tool()) for language in ("en", "zh"))
    assert without_texts(english) == without_texts(chinese)


def profile(*workloads: tuple[str | None, Told]) -> Profile:
    return Profile(None, tuple(Workload(name, facts(told)) for name, told in workloads))


def facts(told: Told) -> Mapping[str, Given]:
    return {path: Given(value, Source("answer")) for path, value in told.items()}


def without_texts(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_texts(item) for key, item in data.items() if key != "text"}
    return [without_texts(item) for item in data] if isinstance(data, list) else data


# Common sense


@examples(60)
@given(
    cases(), st.sampled_from([("anywhere", "in_country"), ("in_country", "on_premises"), ("anywhere", "on_premises")])
)
def test_a_stricter_residency_never_moves_a_route_toward_the_cloud(told: Told, change: tuple[str, str]) -> None:
    before, after = (judged({**told, "compliance.residency": where}) for where in change)
    assert not towards_cloud(before, after)


@examples(60)
@given(
    cases(), st.sampled_from([("logical", "dedicated_host"), ("dedicated_host", "physical"), ("logical", "physical")])
)
def test_a_stricter_isolation_never_moves_a_route_toward_the_cloud(told: Told, change: tuple[str, str]) -> None:
    before, after = (judged({**told, "compliance.isolation": isolation}) for isolation in change)
    assert not towards_cloud(before, after)


@examples(100)
@given(cases(), st.sampled_from([("none", "thin"), ("thin", "solid"), ("none", "solid")]))
def test_a_better_team_never_moves_a_route_from_own_hardware_to_the_cloud(told: Told, change: tuple[str, str]) -> None:
    before, after = (judged({**told, "operations.team": team}) for team in change)
    assert not (before.route == "on_prem" and towards_cloud(before, after))


@examples(100)
@given(cases(), st.sampled_from(GPUS), st.sampled_from(GPUS))
def test_more_owned_gpus_never_move_a_route_away_from_own_hardware(told: Told, one: int, other: int) -> None:
    before, after = (judged({**told, "operations.gpus_owned": owned}) for owned in sorted((one, other)))
    assert not (before.route == "on_prem" and after.route != "on_prem")


@examples(25)
@given(cases(), st.sampled_from(["unknown", None]))
def test_a_fact_that_is_told_as_unknown_is_as_one_that_is_not_told(told: Told, word: str | None) -> None:
    vocabulary = knowledge_base().vocabulary
    spelled = {fact.path: to_json(told[fact.path]) if fact.path in told else word for fact in vocabulary.told()}
    read = ProfileReader(vocabulary).read(read_bytes(json.dumps(nested(spelled)).encode(), "profile.json"))
    (workload,) = read.workloads
    assert {path: item.value for path, item in workload.facts.items()} == dict(told)
    assert outcome(judged({p: i.value for p, i in workload.facts.items()})) == outcome(judged(told))


def nested(values: Mapping[str, object]) -> dict[str, Any]:
    """The values by group, as a profile has them."""
    found: dict[str, Any] = {"profile": 1}
    for path, value in values.items():
        group, _, name = path.rpartition(".")
        (found.setdefault(group, {}) if group else found)[name] = value
    return found


@examples(40)
@given(cases(), st.sampled_from(["operations.cloud_skill", "operations.team", "operations.vendor_run"]), st.data())
def test_a_verdict_that_is_settled_does_not_hang_on_a_fact_that_was_not_told(
    told: Told, path: str, data: st.DataObject
) -> None:
    before = judged(without(told, path))
    if before.status == "settled":
        value: Value = data.draw(st.sampled_from(knowledge_base().vocabulary.facts[path].values))
        assert judged({**told, path: value}).route in (before.route, None)
