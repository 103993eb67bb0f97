"""What cost does to verdicts: it moves them the way that prices point, and amounts alone move nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.consultation import Consultant
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.values import Interval, Value, bounds
from knowledge import knowledge_base
from knowledge.currencies import CURRENCIES, currency_of
from knowledge.economics import over

BASE = knowledge_base()
CONSULTANT = Consultant(BASE, search=None)
CASE = Source("case")
TOWARD_CLOUD = {"on_prem": 0, "hybrid": 1, "cloud": 2}
QUOTE = "cloud_price_per_gpu_hour"
PROPERTY = settings(max_examples=30, deadline=None)

USES: dict[str, list[Any]] = {
    "stage": ["exploration", "training", "fine_tuning", "online_inference", "batch_inference"],
    "demand.pattern": ["steady", "peaks", "bursts", "base_and_bursts", "one_off"],
    "demand.utilization": [0.05, 0.3, 0.4, 0.6, 0.75, 0.9, Interval(0.4, 0.7), None],
    "demand.horizon_months": [6.0, 11.0, 12.0, 24.0, 36.0, 60.0],
    "demand.gpus_steady": [0.0, 8.0, 16.0, 256.0],
    "demand.gpus_peak": [8.0, 16.0, 24.0, 300.0],
    "demand.peak_share": [0.05, 0.3, None],
    "demand.job_gpus": [1.0, 8.0, 16.0],
    "demand.interruptible": [True, False],
    "operations.team": ["none", "thin", "solid"],
    "operations.site": ["none", "machine_room", "colocation"],
    "operations.gpus_owned": [0.0, 8.0, None],
    "operations.fast_network": [True, False],
    "finance.funding": ["capital", "operating", "either", None],
    "finance.grant": ["none", "equipment", "cloud_credits", None],
    "finance.cloud_discount": [0.0, 0.2, None],
    "finance.commitment_months_left": [0.0, 6.0, None],
    "compliance.sensitivity": ["public", "internal", "confidential"],
    "compliance.sector": ["general", "finance"],
    "demand.start_within_days": [10.0, 365.0, None],
    "data.volume_tb": [0.0, 20.0],
    "data.egress_tb_per_month": [0.0, 10.0],
    "region": ["us", "eu"],
    "model.gpu": ["H100-SXM-80GB", "A100-SXM-80GB"],
}
AMOUNTS: dict[str, list[Any]] = {
    "finance.capital": [100_000.0, 600_000.0, 5_000_000.0, None],
    "finance.monthly_budget": [2_000.0, 20_000.0, 200_000.0, None],
    "finance.electricity_per_kwh": [0.1, None],
}


@st.composite
def profiles(draw: st.DrawFn) -> dict[str, Value]:
    found = {path: draw(st.sampled_from(values), path) for path, values in {**USES, **AMOUNTS}.items()}
    found["demand.gpus_peak"] = max(found["demand.gpus_peak"], found["demand.gpus_steady"])
    found["finance.currency"] = "USD"
    return {path: value for path, value in found.items() if value is not None}


def judged(facts: Mapping[str, Value], figures: Mapping[str, float | Interval]) -> Judgement:
    told = {path: Given(facts[path], CASE) for path in BASE.vocabulary.facts if path in facts}
    return CONSULTANT.judge(0, None, told, figures)


def all_money(times: float) -> Mapping[str, float | Interval]:
    """Every shipped amount, so many times as large, in US dollars: what is told is in the profile's currency."""
    in_dollars = {name: f.value for name, f in BASE.figures.items() if currency_of(f.unit) == "USD"}
    return {name: over(lambda amount: amount * times, [value]) for name, value in in_dollars.items()}


@PROPERTY
@given(profiles(), st.floats(0.3, 12), st.floats(1, 6))
def test_a_dearer_quote_never_moves_a_route_toward_the_cloud(
    facts: dict[str, Value], price: float, more: float
) -> None:
    before, after = (judged(facts, {QUOTE: amount}) for amount in (price, price * more))
    assume(before.route is not None and after.route is not None)
    assert TOWARD_CLOUD[str(after.route)] <= TOWARD_CLOUD[str(before.route)]


@PROPERTY
@given(profiles(), st.floats(1, 10))
def test_dearer_list_prices_never_move_a_route_toward_the_cloud(facts: dict[str, Value], more: float) -> None:
    dearer = {
        name: over(lambda amount: amount * more, [figure.value])
        for name, figure in BASE.figures.items()
        if name.startswith("cloud_price.") and currency_of(figure.unit) == "USD"
    }
    before, after = judged(facts, {}), judged(facts, dearer)
    assume(before.route is not None and after.route is not None)
    assert TOWARD_CLOUD[str(after.route)] <= TOWARD_CLOUD[str(before.route)]


@PROPERTY
@given(profiles(), st.floats(0.3, 12))
def test_twice_every_amount_and_price_changes_no_route(facts: dict[str, Value], price: float) -> None:
    amounts = {path: bounds(facts[path])[0] * 2 for path in AMOUNTS if path in facts}  # type: ignore[arg-type]
    once = judged(facts, {**all_money(1), QUOTE: price})
    twice = judged({**facts, **amounts}, {**all_money(2), QUOTE: price * 2})
    assert twice.route == once.route
    assert twice.status == once.status


@PROPERTY
@given(profiles(), st.floats(0.3, 12), st.sampled_from([name for name in CURRENCIES if name != "USD"]))
def test_the_currency_in_which_the_same_amounts_are_told_changes_no_route(
    facts: dict[str, Value], price: float, currency: str
) -> None:
    rate = {"CNY": 7.1, "EUR": 1 / 1.08}[currency]
    amounts = {path: bounds(facts[path])[0] * rate for path in AMOUNTS if path in facts}  # type: ignore[arg-type]
    dollars = judged(facts, {QUOTE: price})
    other = judged({**facts, **amounts, "finance.currency": currency}, {QUOTE: price * rate})
    assert other.route == dollars.route


def test_the_rates_of_the_test_are_those_of_the_figures() -> None:
    assert BASE.figures["cny_per_usd"].value == 7.1
    assert BASE.figures["usd_per_eur"].value == 1.08


def test_a_dearer_contract_says_nothing_against_the_hardware_that_it_outlasts() -> None:
    facts: dict[str, Value] = {
        "stage": "training", "demand.pattern": "peaks", "demand.utilization": 0.6, "demand.horizon_months": 36.0,
        "demand.gpus_steady": 0.0, "demand.gpus_peak": 8.0, "demand.interruptible": True, "operations.team": "thin",
        "operations.site": "none", "operations.gpus_owned": 0.0, "finance.commitment_months_left": 6.0,
        "finance.cloud_discount": 0.0, "finance.monthly_budget": 20_000.0, "finance.currency": "USD",
        "data.volume_tb": 0.0, "data.egress_tb_per_month": 0.0, "region": "us", "model.gpu": "A100-SXM-80GB",
    }  # fmt: skip
    found = [judged(facts, {QUOTE: price}).inference.values["cost.own_monthly"] for price in (11.0, 33.0)]
    assert found[0] == found[1]
