"""What people see, word by word.

After a change that was meant: `.venv/bin/pytest tests/cli/test_screens.py --snapshot-update`; then read the difference.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cli.render.wrapping import cells
from tests.cli.command import EXAMPLES, LANGUAGES, run_here

SHOWS_OUTLOOK = True

SHOWN = ("bank-on-premises", "startup-bursts", "steady-inference")
SIZES = tuple(itertools.product(SHOWN, LANGUAGES, ("80", "120")))
RULE = "compliance.data-must-stay-on-premises"
LINES = 45
DAY = ("--as-of", "2026-12-01")
"""The day against which the age of figures is held: which of them are past must not change with the calendar."""


def screen(*typed: str, language: str, columns: str = "80") -> str:
    """What the command prints at a width; it must end well and say nothing beside it."""
    done = run_here(*typed, "--lang", language, environment={"COLUMNS": columns})
    assert (done.code, done.err) == (0, "")
    return done.out


def example(name: str) -> str:
    return str(EXAMPLES / f"{name}.yaml")


@pytest.mark.parametrize(("name", "language", "columns"), SIZES)
def test_the_verdict_on_an_example(name: str, language: str, columns: str, snapshot: SnapshotAssertion) -> None:
    assert screen("advise", example(name), *DAY, language=language, columns=columns) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_route_did_not_come_out(language: str, snapshot: SnapshotAssertion) -> None:
    assert screen("explain", example("bank-on-premises"), "--why-not", "cloud", language=language) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_rule_did_not_apply(language: str, snapshot: SnapshotAssertion) -> None:
    rule = "finance.long-full-load-repays-hardware"
    assert screen("explain", example("startup-bursts"), "--why-not", rule, language=language) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_rule(language: str, snapshot: SnapshotAssertion) -> None:
    assert screen("rules", "show", RULE, language=language) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verdict_in_markdown(language: str, snapshot: SnapshotAssertion) -> None:
    typed = ("advise", example("startup-bursts"), *DAY, "--format", "markdown")
    assert screen(*typed, language=language) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_explanation_in_markdown(language: str, snapshot: SnapshotAssertion) -> None:
    typed = ("explain", example("startup-bursts"), "--why-not", "on_prem", "--format", "markdown")
    assert screen(*typed, language=language) == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHOWN)
def test_the_verdict_on_one_workload_keeps_to_one_window_of_eighty_columns(name: str, language: str) -> None:
    lines = screen("advise", example(name), *DAY, language=language, columns="80").splitlines()
    assert len(lines) <= LINES
    assert max(cells(line) for line in lines) <= 80


def test_the_same_page_is_shown_wherever_the_profile_lies(tmp_path: Path) -> None:
    moved = tmp_path / "startup-bursts.yaml"
    moved.write_bytes(Path(example("startup-bursts")).read_bytes())
    for command in ("advise", "explain"):
        assert screen(command, str(moved), language="en") == screen(command, example("startup-bursts"), language="en")
