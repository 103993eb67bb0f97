"""The facts and figures that were promised to those who write profiles: each by its name, its values and its bounds.

The lists are written down a second time on purpose: they may grow, but nothing in them may be renamed or dropped.
"""

from __future__ import annotations

import pytest

from engine.faults import FaultError
from engine.values import Interval, Value
from knowledge import knowledge_base

FACTS = knowledge_base().vocabulary.facts

CHOICES = {
    "stage": "exploration hyperparameter_search training fine_tuning pretraining online_inference batch_inference",
    "region": "cn us eu asia other",
    "compliance.residency": "anywhere in_country on_premises",
    "compliance.isolation": "logical dedicated_host physical",
    "compliance.sensitivity": "public internal confidential core_secret",
    "compliance.sector": "general finance healthcare government defense education research",
    "compliance.cloud_assessment": "not_needed not_started in_progress passed failed",
    "operations.team": "none thin solid",
    "operations.cloud_skill": "none basic strong",
    "operations.site": "none office machine_room colocation",
    "finance.funding": "capital operating either",
    "finance.grant": "none equipment cloud_credits allocation",
    "finance.currency": "USD CNY EUR",
    "model.method": "full adapter",
    "demand.pattern": "steady peaks bursts base_and_bursts one_off",
    "demand.latency": "ordinary near_site",
    "data.location": "on_premises cloud nowhere",
    "migration.moving_from": "nothing on_premises cloud",
    "migration.distributed": "single_gpu single_node multi_node",
}
FLAGS = (
    "compliance.domestic_hardware",
    "operations.vendor_run",
    "operations.cloud_capacity_confirmed",
    "operations.fast_network",
    "model.newer_gpus_expected",
    "demand.interruptible",
    "migration.containerized",
    "migration.cuda_pinned",
)
# The least and the most that can be told, and what lies just outside; None where there is no such end.
NUMBERS: dict[str, tuple[str, str | None, str, str | None]] = {
    "compliance.approval_days": ("0", "400", "-1", None),
    "operations.spare_power_kw": ("0", "5000", "-0.1", None),
    "operations.gpus_owned": ("0", "1000", "-1", "1.5"),
    "finance.capital": ("0", "1e9", "-1", None),
    "finance.monthly_budget": ("0", "1e9", "-1", None),
    "finance.electricity_per_kwh": ("0", "3", "-0.1", None),
    "finance.cloud_discount": ("0", "100%", "-1%", "1.01"),
    "finance.commitment_months_left": ("0", "60", "-1", None),
    "model.parameters": ("1", "1000B", "0", None),
    "model.tokens": ("1", "15T", "0", None),
    "model.gpu_memory_gb": ("0.1", "192", "0", None),
    "demand.utilization": ("0", "1", "-0.01", "101%"),
    "demand.gpus_steady": ("0", "10000", "-1", "2.5"),
    "demand.gpus_peak": ("0", "10000", "-1", "2.5"),
    "demand.peak_share": ("0", "100%", "-1%", "101%"),
    "demand.job_gpus": ("1", "10000", "0", "1.5"),
    "demand.horizon_months": ("0.1", "120", "0", None),
    "demand.start_within_days": ("0", "720", "-1", None),
    "data.volume_tb": ("0", "1e6", "-1", None),
    "data.egress_tb_per_month": ("0", "1e6", "-1", None),
    "data.uplink_mbps": ("0.1", "1e6", "0", None),
}
FIGURES = (
    "cloud_price_per_gpu_hour",
    "reserved_price_per_gpu_hour",
    "spot_price_per_gpu_hour",
    "server_price",
    "gpus_per_server",
    "server_power_kw",
    "network_price_per_server",
    "pue",
    "electricity_per_kwh",
    "space_per_kw_month",
    "staff_per_year",
    "servers_per_staff",
    "depreciation_years",
    "residual_share",
    "maintenance_share",
    "overhead_share",
    "lead_time_days",
)
SPELLINGS: dict[str, dict[str, Value]] = {
    "model.parameters": {
        "7e9": 7e9,
        "7B": 7e9,
        "350M": 3.5e8,
        "70亿": 7e9,
        "1000亿": 1e11,
        "7-13B": Interval(7e9, 1.3e10),
    },
    "demand.utilization": {"30%": 0.3, "0.3": 0.3, "40-70%": Interval(0.4, 0.7)},
    "data.volume_tb": {"2": 2.0, "500 GB": 0.5, "1PB": 1000.0},
    "finance.capital": {"3M": 3e6, "50万": 5e5, "1,000,000": 1e6},
    "model.gpu": {"H100": "H100", "h100": "H100", "H100-SXM-80GB": "H100-SXM-80GB", "any": "any"},
    "demand.interruptible": {"yes": True, "no": False, "true": True, "false": False},
}


@pytest.mark.parametrize("path", CHOICES)
def test_a_choice_has_the_values_that_were_promised(path: str) -> None:
    fact = FACTS[path]
    assert (fact.kind, fact.origin) == ("choice", "told")
    assert list(fact.values) == CHOICES[path].split()


@pytest.mark.parametrize("path", FLAGS)
def test_a_yes_or_no_is_neither_a_number_nor_another_word(path: str) -> None:
    fact = FACTS[path]
    assert (fact.kind, fact.origin) == ("flag", "told")
    assert (fact.read("yes"), fact.read("no"), fact.read(True)) == (True, False, True)
    for typed in ("1", "0", 1, 0.0, "maybe", "on", "y"):
        with pytest.raises(FaultError):
            fact.read(typed)


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_has_the_bounds_that_were_promised(path: str) -> None:
    fact, (least, most, below, beyond) = FACTS[path], NUMBERS[path]
    assert (fact.kind, fact.origin) == ("number", "told")
    for inside in filter(None, (least, most)):
        assert isinstance(fact.read(inside), float)
    for outside in filter(None, (below, beyond, "yes", "true", "many", True)):
        with pytest.raises(FaultError):
            fact.read(outside)


def test_the_peak_may_not_be_below_the_steady_need() -> None:
    assert FACTS["demand.gpus_peak"].not_below == "demand.gpus_steady"


@pytest.mark.parametrize(("path", "typed"), [(path, typed) for path, known in SPELLINGS.items() for typed in known])
def test_a_value_may_be_spelled_as_people_spell_it(path: str, typed: str) -> None:
    assert FACTS[path].read(typed) == SPELLINGS[path][typed]


def test_no_fact_can_be_told_that_is_not_listed_here() -> None:
    told = {fact.path for fact in knowledge_base().vocabulary.told()}
    assert told == {*CHOICES, *FLAGS, *NUMBERS, "model.gpu"}


@pytest.mark.parametrize("word", ["unknown", "null", "~", "", None])
def test_every_fact_may_be_unknown(word: str | None) -> None:
    assert [fact.path for fact in knowledge_base().vocabulary.told() if fact.read(word) is not None] == []


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_that_was_promised_may_be_replaced(name: str) -> None:
    assert isinstance(knowledge_base().vocabulary.assumptions[name].read("1"), float)


def test_every_fact_is_worded_in_both_languages() -> None:
    for fact in knowledge_base().vocabulary.told():
        for text in (fact.title, fact.meaning, fact.question, fact.help, *(c.label for c in fact.choices)):
            assert not any("\u4e00" <= c <= "\u9fff" for c in text["en"]), fact.path
            assert any("\u4e00" <= c <= "\u9fff" for c in text["zh"]) or text["zh"] == text["en"], fact.path
        assert fact.kind != "number" or fact.read(fact.example) is not None
