"""README.md tells the truth: its tour can be followed word by word, its picture and its links are right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tour import PROJECT, README, blocks, differences, steps, walk
from tests.cli.terminal import Terminal

TEXT = README.read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tour is written for a shell of Unix")


def test_the_tour_prints_what_it_shows_exits_as_it_says_and_leaves_nothing_behind(tmp_path: Path) -> None:
    taken = walk(steps(TEXT), tmp_path)
    assert len(taken) > 20
    assert differences(taken) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["examples"]


def test_the_questionnaire_opens_with_the_screen_that_is_shown(tmp_path: Path) -> None:
    (shown,) = (block.rstrip("\n") for block in blocks(TEXT, "text") if "Question 1 of" in block)
    terminal = Terminal(("-m", "cli", "ask", "--out", "answers.yaml"), tmp_path)
    assert terminal.wait_for("save, stop") == shown
    terminal.type("q")
    assert terminal.end() == 0


def test_the_picture_is_what_the_program_prints(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "docs/picture.py", str(tmp_path / "new.svg")], cwd=PROJECT, check=True)
    shown, drawn = ((PROJECT / "docs" / "advise.svg"), tmp_path / "new.svg")
    assert words_of(shown) == words_of(drawn), "to draw it again: .venv/bin/python docs/picture.py"


def words_of(picture: Path) -> list[str]:
    """The texts in a picture, whatever version of the drawing library put them there."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)", TEXT))))
def test_every_link_leads_to_a_file_of_the_project(target: str) -> None:
    assert (PROJECT / target).exists()
