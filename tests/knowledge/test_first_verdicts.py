"""The verdicts that must never be otherwise, from the shortest profiles on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.judgement import Judgement
from engine.values import Value
from knowledge import knowledge_base
from tests.knowledge.random_cases import CHOICES, Told, cases, examples, judged

STAY = "compliance.residency"
NEVER = ("cloud", "hybrid")
ALONE = [(path, value) for path, values in CHOICES.items() for value in dict.fromkeys(values)]
# All that speaks for renting at once.
RENTING: Told = {
    "stage": "exploration",
    "operations.team": "none",
    "operations.vendor_run": False,
    "operations.site": "none",
    "operations.cloud_skill": "strong",
    "operations.cloud_capacity_confirmed": True,
    "operations.gpus_owned": 0.0,
    "finance.funding": "operating",
    "finance.grant": "cloud_credits",
    "finance.capital": 0.0,
    "finance.commitment_months_left": 36.0,
    "compliance.cloud_assessment": "passed",
    "model.newer_gpus_expected": True,
    "demand.pattern": "one_off",
    "demand.utilization": 0.02,
    "demand.gpus_steady": 0.0,
    "demand.gpus_peak": 512.0,
    "demand.horizon_months": 0.5,
    "demand.start_within_days": 0.0,
    "demand.interruptible": True,
    "data.location": "cloud",
}


def is_kept_at_home(judgement: Judgement) -> bool:
    """Whether the cloud is excluded and no route leads to it, not even for a part."""
    excluded = bool(judgement.weighing.exclusions.get("cloud"))
    return excluded and judgement.route not in NEVER and judgement.division is None


def kinds(judgement: Judgement) -> set[str]:
    return {knowledge_base().advice[item.id].kind for item in judgement.advice}


def test_data_that_must_stay_alone_is_never_cloud() -> None:
    judgement = judged({STAY: "on_premises"})
    assert judgement.route == "on_prem"
    assert is_kept_at_home(judgement)
    assert "compliance.data-must-stay-on-premises" in judgement.deciding()


def test_nothing_at_all_is_undetermined_and_names_the_facts_that_would_tell_most() -> None:
    judgement = judged({})
    assert (judgement.route, judgement.form, judgement.status) == (None, None, "undetermined")
    unknown = judgement.settlement.unknown
    assert len(unknown) == len(set(unknown)) > 10
    assert STAY in unknown[:5]
    told = {fact.path for fact in knowledge_base().vocabulary.told()}
    assert set(unknown) <= told


def test_must_stay_without_a_team_and_with_operating_money_only_is_own_hardware_run_by_a_vendor_with_gaps() -> None:
    judgement = judged({STAY: "on_premises", "operations.team": "none", "finance.funding": "operating"})
    assert (judgement.route, judgement.form) == ("on_prem", "vendor_run")
    assert is_kept_at_home(judgement)
    assert "gap" in kinds(judgement)
    assert len(judgement.inference.defeated) >= 2


@pytest.mark.parametrize(("path", "value"), ALONE)
def test_one_more_fact_never_takes_data_that_must_stay_away_from_home(path: str, value: Value) -> None:
    if path != STAY:
        assert is_kept_at_home(judged({path: value, STAY: "on_premises"}))


@pytest.mark.parametrize(("path", "value"), ALONE)
def test_not_even_all_that_speaks_for_renting_and_one_fact_otherwise_does(path: str, value: Value) -> None:
    if path != STAY:
        assert is_kept_at_home(judged({**RENTING, path: value, STAY: "on_premises"}))


def test_what_speaks_for_renting_does_lead_to_the_cloud_where_nothing_forbids_it() -> None:
    assert judged(RENTING).route == "cloud"


@examples(100)
@given(cases(compliance__residency=st.just("on_premises")))
def test_whatever_else_is_told_data_that_must_stay_never_gets_cloud_or_hybrid(told: Told) -> None:
    assert is_kept_at_home(judged(told))
