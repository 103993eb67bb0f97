"""What would turn a verdict, at the command line: in words, in JSON, and with what cannot change held fixed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from cli.exit_code import ExitCode
from cli.render.flip_text import FlipWords
from engine.confirming import Confirmed
from engine.flip_parts import Change, Flip
from engine.judgement import Judgement
from engine.limits import Limit
from knowledge import knowledge_base
from tests.cli.command import EXAMPLES, LANGUAGES, run_here, write

SHOWS_OUTLOOK = True

BANK = str(EXAMPLES / "bank-on-premises.yaml")
BASE = knowledge_base()


class Verdict:
    """As much of a judgement as a line needs."""

    route, form, status = "cloud", None, "settled"


def words(language: str = "en") -> FlipWords:
    return FlipWords(BASE, language, lambda route, _: str(route))


def flip(*changes: Change) -> Confirmed:
    return Confirmed(Flip(changes, "cloud", 1.0), cast(Judgement, Verdict()))


def use(value: float, low: Limit | None, high: Limit | None, before: Any = 0.3) -> Change:
    return Change("demand.utilization", before, value, low, high)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (use(0.62, Limit(0.62), None), "GPU utilization from 30% to 62% or more"),
        (use(0.61, Limit(0.6, closed=False), None), "GPU utilization from 30% to more than 60%"),
        (use(0.2, None, Limit(0.2)), "GPU utilization from 30% to 20% or less"),
        (use(0.19, None, Limit(0.2, closed=False)), "GPU utilization from 30% to less than 20%"),
        (use(0.5, Limit(0.5), Limit(0.7)), "GPU utilization from 30% to between 50% and 70%"),
        (use(0.51, Limit(0.5, closed=False), Limit(0.7)), "GPU utilization from 30% to more than 50% and at most 70%"),
        (use(0.5, Limit(0.5), Limit(0.7, closed=False)), "GPU utilization from 30% to at least 50% and less than 70%"),
        (use(0.5, Limit(0.5), Limit(0.5)), "GPU utilization from 30% to 50%"),
        (use(0.5, Limit(0.5), None, before=None), "GPU utilization, not told so far, is 50% or more"),
        (Change("operations.team", "none", "thin"), "operations team from nobody to one or two people"),
        (Change("demand.interruptible", None, True), "interruptible, not told so far, is yes"),
    ],
)
def test_a_change_says_from_where_to_where(change: Change, said: str) -> None:
    assert words().line([flip(change)]) == f"{said}: cloud"


def test_words_that_do_the_same_stand_on_one_line() -> None:
    other = use(0.62, Limit(0.62), None)
    alike = [flip(other, Change("stage", "training", stage)) for stage in ("exploration", "fine_tuning")]
    apart = flip(use(0.7, Limit(0.7), None), Change("stage", "training", "exploration"))
    assert words().merged([*alike, apart]) == [alike, [apart]]
    assert words().line(alike).endswith("to exploration or fine-tuning: cloud")


@pytest.mark.parametrize("language", LANGUAGES)
def test_flips_are_told_in_both_languages(language: str) -> None:
    done = run_here("flip", BANK, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert ("27.9 days or less" if language == "en" else "27.9 天 及以下") in done.out


def test_the_json_tells_what_to_set_and_what_comes_of_it() -> None:
    document = run_here("flip", BANK, "--format", "json", "--fix", "compliance.residency").document
    assert document["schema"] == "gpu-advisor/flips/1"
    assert document["fixed"] == ["compliance.residency"]
    (workload,) = document["workloads"]
    assert workload["route"] == "on_prem"
    assert workload["flips"]
    for flip_found in workload["flips"]:
        typed = [f"--set={fact}={value}" for fact, value in flip_found["set"].items()]
        (again,) = run_here("advise", BANK, *typed, "--format", "json").document["workloads"]
        assert [again[key] for key in ("route", "form")] == [flip_found[key] for key in ("route", "form")]


def test_what_is_fixed_is_told_and_stays() -> None:
    done = run_here("flip", BANK, "--fix", "demand.start_within_days")
    assert "27.9" not in done.out
    assert "Held as they are: days until the start" in done.out


def test_a_name_that_is_no_fact_is_refused_with_the_nearest_one() -> None:
    done = run_here("flip", BANK, "--fix", "demand.utilisation", "--fix", "cost.own_total")
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert "--fix: unknown fact 'demand.utilisation'; did you mean 'demand.utilization'?" in done.err
    assert "'cost.own_total'" in done.err


def test_where_nothing_leads_elsewhere_it_says_so(tmp_path: Path) -> None:
    profile = write(tmp_path, "profile: 1\ncompliance: {residency: on_premises, isolation: physical}\n")
    fixed = [f"--fix={path}" for path in ("compliance.residency", "compliance.isolation", "demand.start_within_days")]
    done = run_here("flip", profile, *fixed)
    assert "No change of one fact, and none of two, leads to another route." in done.out


def test_house_rules_count_for_flips_too(tmp_path: Path) -> None:
    """Under them core secrets bar the cloud; without them they speak against it."""
    fixed = ["--fix=compliance.residency", "--fix=compliance.isolation", "--fix=demand.start_within_days"]
    secret = write(tmp_path, "profile: 1\ncompliance: {residency: in_country, sensitivity: internal}\n")
    typed = ("flip", secret, *fixed, "--rules", str(EXAMPLES / "house-rules"), "--format", "json")
    (workload,) = run_here(*typed).document["workloads"]
    found = {tuple(flip_found["set"].items()): flip_found["status"] for flip_found in workload["flips"]}
    assert found[("compliance.sensitivity", "core_secret"),] == "settled"


def test_the_verdict_names_the_three_nearest_and_when_to_ask_again() -> None:
    (workload,) = run_here("advise", BANK, "--format", "json").document["workloads"]
    assert [f["set"] for f in workload["flips"]] == [{"demand.start_within_days": 27.9}]
    assert [(t["fact"], t["high"]) for t in workload["triggers"]] == [("demand.start_within_days", {"at_most": 27.9})]
    assert "Ask again when" in run_here("advise", BANK, "--all").out
