"""docs/house-rules.md and its Chinese twin: what they show is printed, what they quote stands in the example."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from docs.tour import PROJECT, blocks, differences, steps, walk

PAGES = ("house-rules.md", "house-rules.zh.md")
CHECK = "gpu-advisor rules check --rules examples/house-rules --lang zh"
"""Takes ten seconds and prints the same in both pages, but for the language: it is run for the first of them."""


def text_of(page: str) -> str:
    return (PROJECT / "docs" / page).read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a shell of Unix")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_print_what_the_page_shows_and_leave_nothing_behind(page: str, tmp_path: Path) -> None:
    taken = walk([step for step in steps(text_of(page)) if step.command != CHECK], tmp_path)
    assert len(taken) == 12 - (page != PAGES[0])
    assert differences(taken) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["examples"]


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_quotes_stands_in_the_example(page: str) -> None:
    files = [path.read_text(encoding="utf-8") for path in sorted((PROJECT / "examples/house-rules").glob("*.yaml"))]
    quoted = blocks(text_of(page), "yaml")
    assert len(quoted) == 2
    assert [block for block in quoted if not any(block in file for file in files)] == []


def test_both_pages_quote_the_same_and_have_the_same_sections() -> None:
    english, chinese = (text_of(page) for page in PAGES)
    assert blocks(english, "yaml") == blocks(chinese, "yaml")
    assert len(re.findall(r"^#+ ", english, re.MULTILINE)) == len(re.findall(r"^#+ ", chinese, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_the_page_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#]+)", text_of(page))
    assert len(links) == 3
    assert [link for link in links if not (PROJECT / "docs" / link).exists()] == []
