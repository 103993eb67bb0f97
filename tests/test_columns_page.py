"""docs/columns.md and its Chinese twin: their code runs as it stands, and is the same in both."""

from __future__ import annotations

import re

import pytest

from docs.tour import PROJECT, blocks

PAGES = ("columns.md", "columns.zh.md")


def text_of(page: str) -> str:
    return (PROJECT / "docs" / page).read_text(encoding="utf-8")


def test_the_code_of_the_page_runs_from_top_to_bottom() -> None:
    code = blocks(text_of("columns.md"), "python")
    assert len(code) == 3
    exec(compile("\n".join(code), "columns.md", "exec"), {})  # noqa: S102  # what it runs stands in the page


def test_both_pages_have_the_same_code_and_sections() -> None:
    english, chinese = (text_of(page) for page in PAGES)
    assert blocks(english, "python") == blocks(chinese, "python")
    assert len(re.findall(r"^#+ ", english, re.MULTILINE)) == len(re.findall(r"^#+ ", chinese, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_the_page_names_is_there(page: str) -> None:
    names = re.findall(r"\]\(([^)#:]+)\)|`(tests/[^`]+)`", text_of(page))
    assert names
    for link, path in names:
        assert (PROJECT / "docs" / link).exists() if link else (PROJECT / path).exists()
