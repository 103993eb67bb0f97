"""Random cases of the domain, with numbers at and beside the limits of the rules and few facts that exclude a route."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.consultation import Consultant
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.values import Interval, Value
from knowledge import knowledge_base

Told = Mapping[str, Value]

GPUS = (0, 1, 2, 4, 5, 8, 16, 64, 72, 127, 128, 256, 512)
CHOICES: Mapping[str, tuple[Value, ...]] = {
    "stage": (
        "exploration", "hyperparameter_search", "training", "fine_tuning", "pretraining", "online_inference",
        "batch_inference",
    ),
    "compliance.residency": ("anywhere", "in_country", "in_country", "on_premises"),
    "compliance.isolation": ("logical", "logical", "dedicated_host", "physical"),
    "compliance.sensitivity": ("public", "internal", "confidential", "core_secret"),
    "compliance.sector": ("general", "finance", "healthcare", "education", "research"),
    "compliance.cloud_assessment": ("not_needed", "not_started", "in_progress", "passed", "passed", "failed"),
    "compliance.approval_days": (0, 29, 60, 200),
    "operations.team": ("none", "thin", "solid"),
    "operations.vendor_run": (True, False),
    "operations.cloud_skill": ("none", "basic", "strong"),
    "operations.cloud_capacity_confirmed": (True, False),
    "operations.site": ("none", "office", "machine_room", "colocation"),
    "operations.spare_power_kw": (0, 40, 400, 4000),
    "operations.fast_network": (True, False),
    "operations.gpus_owned": GPUS,
    "finance.funding": ("capital", "either", "either", "operating"),
    "finance.grant": ("none", "none", "equipment", "cloud_credits", "allocation"),
    "finance.commitment_months_left": (0, 5, 6, 24),
    "model.parameters": (1e8, 3e8, 1e9, 7e9, 7e10, 9.9e10, 1e11, 2e11),
    "model.method": ("full", "adapter"),
    "model.newer_gpus_expected": (True, False),
    "demand.pattern": ("steady", "steady", "peaks", "bursts", "base_and_bursts", "one_off"),
    "demand.utilization": (0.02, 0.24, 0.25, 0.4, 0.41, 0.5, 0.59, 0.6, 0.69, 0.7, 0.9, Interval(0.3, 0.8)),
    "demand.gpus_steady": GPUS,
    "demand.gpus_peak": GPUS,
    "demand.peak_share": (0.05, 0.25, 0.6),
    "demand.job_gpus": (1, 8, 9, 64, 128),
    "demand.horizon_months": (0.5, 6, 11, 12, 23, 24, 35, 36, 48),
    "demand.start_within_days": (0, 2, 3, 27, 28, 90, 91, 180, 181, 400),
    "demand.interruptible": (True, False),
    "demand.latency": ("ordinary", "ordinary", "near_site"),
    "data.volume_tb": (0, 20, 100, 499, 500),
    "data.location": ("on_premises", "cloud", "nowhere"),
    "data.egress_tb_per_month": (0, 249, 250, 1000, 5000),
    "migration.moving_from": ("nothing", "on_premises", "cloud"),
    "migration.containerized": (True, False),
    "migration.cuda_pinned": (True, False),
    "migration.distributed": ("single_gpu", "single_node", "multi_node"),
}  # fmt: skip

_OFTEN_UNKNOWN = (
    "compliance.residency",
    "compliance.isolation",
    "demand.start_within_days",
    "compliance.approval_days",
)


@st.composite
def cases(draw: st.DrawFn, /, **fixed: st.SearchStrategy[Value]) -> Told:
    """Facts that somebody could tell together; those of `fixed` are told in any case, dots written as two lines."""
    drawn = {path: draw(_maybe(path, values)) for path, values in CHOICES.items()}
    told = {path: value for path, value in drawn.items() if value is not None}
    told |= {name.replace("__", "."): draw(strategy) for name, strategy in fixed.items()}
    return fitted(told)


def _maybe(path: str, values: tuple[Value, ...]) -> st.SearchStrategy[Value | None]:
    unknown = (None,) * (3 if path in _OFTEN_UNKNOWN else 1) * len(values)
    return st.sampled_from((*unknown, *values))


def fitted(told: Told) -> Told:
    """The same facts with a peak that is not below the steady need, in the order of the vocabulary."""
    steady, peak = told.get("demand.gpus_steady"), told.get("demand.gpus_peak")
    fits = not isinstance(steady, int | float) or not isinstance(peak, int | float) or peak >= steady
    found = told if fits else {**told, "demand.gpus_peak": steady or 0}
    return {path: _as_read(found[path]) for path in knowledge_base().vocabulary.facts if path in found}


def _as_read(value: Value) -> Value:
    """A number as a profile's reader gives it."""
    return value if isinstance(value, str | bool | Interval) else float(value)


@cache
def consultant() -> Consultant:
    return Consultant(knowledge_base(), search=None)


def judged(told: Told, **replaced: float) -> Judgement:
    """The verdict on a case; `replaced` are figures that the profile sets itself."""
    facts = {path: Given(value, Source("answer")) for path, value in fitted(told).items()}
    return consultant().judge(0, None, facts, replaced)


def without(told: Told, *paths: str) -> Told:
    return {path: value for path, value in told.items() if path not in paths}


def examples(number: int) -> settings:
    """So many examples, the same in every run, however slow the machine is just now."""
    return settings(max_examples=number, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
