"""Input that is hard on sums: it is counted rightly or refused, and never ends in a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.exit_code import ExitCode
from tests.cli.command import EXAMPLES, run_here

QUOTED = str(EXAMPLES / "busy-service-costed.yaml")
BURSTS = str(EXAMPLES / "startup-bursts.yaml")
STEADY = str(EXAMPLES / "steady-inference.yaml")


@pytest.mark.parametrize("command", ["cost", "advise"])
@pytest.mark.parametrize("months", ["1-60", "36-60", "12-60", "0.01", "500"])
def test_a_horizon_of_any_length_or_range_is_counted(command: str, months: str) -> None:
    done = run_here(command, QUOTED, "--set", f"demand.horizon_months={months}", "--format", "json")
    assert (done.code, done.err) == (ExitCode.DONE, "")


@pytest.mark.parametrize(
    ("profile", "changed"), [(BURSTS, []), (QUOTED, ["--set", "region=cn", "--set", "assumptions.pue=1.2"])]
)
def test_a_contract_whose_rent_nobody_knows_leaves_owning_unknown_and_not_without_end(
    profile: str, changed: list[str]
) -> None:
    done = run_here("cost", profile, "--set", "finance.commitment_months_left=6", *changed, "--format", "json")
    assert done.code == ExitCode.DONE
    for option in json.loads(done.out)["workloads"][0]["options"]:
        assert "unlimited" not in json.dumps(option["total"])


@pytest.mark.parametrize(
    "setting",
    [
        "assumptions.service_life_years=0",
        "assumptions.usd_per_eur=0",
        "assumptions.cny_per_usd=0",
        "assumptions.gpus_per_server=0",
        "assumptions.servers_per_staff=0",
    ],
)
def test_nothing_is_told_to_be_divided_by_nothing(setting: str) -> None:
    done = run_here("advise", STEADY, "--set", setting)
    assert done.code == ExitCode.BAD_INPUT
    assert setting in done.err


@pytest.mark.parametrize("name", ["usd_per_eur", "service_life_years", "gpus_per_server"])
def test_nor_is_it_by_a_file_of_figures(name: str, tmp_path: Path) -> None:
    shown = run_here("figures", "show", name, "--format", "json").out
    unit = json.loads(shown)["figures"][0]["unit"]
    file = tmp_path / "mine.yaml"
    file.write_text(
        f"schema: 1\nfigures:\n  - id: {name}\n    value: 0\n    unit: {unit}\n    as_of: '2026'\n    source: me\n"
        "    confidence: low\n",
        encoding="utf-8",
    )
    done = run_here("cost", QUOTED, "--figures", str(file))
    assert done.code == ExitCode.BAD_INPUT
    assert str(file) in done.err


def test_an_eighth_of_a_quoted_server_cannot_be_bought() -> None:
    done = run_here("cost", QUOTED, "--set", "demand.gpus_steady=1", "--set", "demand.gpus_peak=1", "--format", "json")
    own = next(o for o in json.loads(done.out)["workloads"][0]["options"] if o["id"] == "own")
    assert own["total"][0] == own["total"][1]


def test_amounts_in_no_currency_are_added_to_nothing() -> None:
    done = run_here("cost", QUOTED, "--set", "finance.currency=unknown", "--format", "json")
    assert json.loads(done.out)["workloads"][0]["options"] == []
    assert "finance.currency" in done.out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_verdict_tells_no_break_even_that_is_never_reached(language: str) -> None:
    done = run_here("advise", QUOTED, "--set", "demand.utilization=0", "--lang", language)
    assert done.code == ExitCode.DONE
    assert "unlimited" not in done.out
    assert "不限" not in done.out


def test_a_file_that_is_all_ending_is_no_picture() -> None:
    assert run_here("cost", QUOTED, "--plot", ".svg").code == ExitCode.BAD_INPUT


def test_a_picture_is_not_written_over_the_quotes_that_it_was_made_from(tmp_path: Path) -> None:
    quotes = tmp_path / "quotes.svg"
    quotes.write_text("schema: 1\nfigures: []\n", encoding="utf-8")
    before = quotes.read_bytes()
    run_here("cost", QUOTED, "--figures", str(quotes), "--plot", str(quotes))
    assert quotes.read_bytes() == before
