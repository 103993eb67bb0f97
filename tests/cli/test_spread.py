"""What a verdict says of facts that were told as ranges, in words and in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.outlook import MOST_WORKLOADS, Outlook, outlooks
from cli.render.spread_text import spread_json, spread_lines
from engine.consultation import Consultant
from engine.spread import RangeTold, Spread, Stretch
from knowledge import knowledge_base
from tests.cli.command import LANGUAGES, run_here, write
from tests.engine.helpers import profile_of

SHOWS_OUTLOOK = True

BASE = knowledge_base()
JUDGE = Consultant(BASE)
UTILIZATION = "demand.utilization"
PARTED = RangeTold(
    UTILIZATION,
    0.8,
    (Stretch(0.2, 1 / 3, {"cloud": 0.999, "on_prem": 0.001}), Stretch(1 / 3, 0.9, {"on_prem": 0.7, None: 0.3})),
)
MANY = "profile: 1\nworkloads:\n" + "  - {demand: {utilization: 20-90%}}\n" * (MOST_WORKLOADS + 1)


def lines(spread: Spread, language: str = "en") -> list[str]:
    return list(spread_lines(spread, BASE, language))


def test_one_route_everywhere_is_said_in_one_line() -> None:
    assert lines(Spread(127, {"cloud": 1.0}, (PARTED,))) == ["cloud, wherever in them the true values lie"]


def test_shares_are_whole_percentages_and_what_is_rare_is_neither_nothing_nor_all() -> None:
    said = lines(Spread(127, {"on_prem": 0.996, "cloud": 0.004}, (PARTED,)))
    assert said[0].startswith("own hardware in 99%, cloud in 1%, if")


def test_the_range_that_tells_most_is_named_with_both_its_ends() -> None:
    said = lines(Spread(127, {"on_prem": 0.6, "cloud": 0.4}, (PARTED,)))
    assert said[1] == "GPU utilization tells most: for 20–33.3%, cloud in 99%; for 33.3–90%, own hardware in 70%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_range_that_tells_next_to_nothing_is_not_named(language: str) -> None:
    dull = RangeTold(UTILIZATION, 0.03, PARTED.stretches)
    assert len(lines(Spread(127, {"on_prem": 0.6, "cloud": 0.4}, (dull,)), language)) == 1


def test_in_json_no_route_is_null_and_nothing_told_as_a_range_is_null_too() -> None:
    document = spread_json(Spread(127, {None: 0.25, "cloud": 0.75}, (PARTED,)))
    assert document is not None
    assert document["routes"] == [{"route": None, "share": 0.25}, {"route": "cloud", "share": 0.75}]
    assert document["facts"][0]["stretches"][1]["routes"][1] == {"route": None, "share": 0.3}
    assert spread_json(None) is None


def test_the_verdict_shows_the_same_shares_in_text_and_in_json(tmp_path: Path) -> None:
    profile = write(tmp_path, "profile: 1\nstage: online_inference\ndemand: {pattern: steady, utilization: 20-90%}\n")
    (workload,) = run_here("advise", profile, "--format", "json").document["workloads"]
    shares = workload["ranges"]["routes"]
    assert sum(one["share"] for one in shares) == pytest.approx(1, abs=1e-3)
    page = run_here("advise", profile).out
    assert "Over the ranges that were told" in page
    assert len(shares) == 1 or f"{round(shares[0]['share'] * 100)}%" in page


def test_figures_that_a_profile_replaces_count_over_its_ranges_too() -> None:
    told = "demand: {utilization: 20-90%}\nassumptions: {pue: 1.9}\n"
    consultation = JUDGE.consult(profile_of(BASE, f"profile: 1\n{told}"))
    assert consultation.profile.replaced == {"pue": 1.9}
    assert outlooks(JUDGE, consultation)[0].spread is not None


def test_with_very_many_workloads_nothing_is_worked_out_around_the_verdicts() -> None:
    consultation = JUDGE.consult(profile_of(BASE, MANY))
    assert set(outlooks(JUDGE, consultation)) == {Outlook()}
