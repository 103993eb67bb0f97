"""A verdict page or an explanation as Markdown, for a merge request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cli.render.page import Page
from cli.render.steps import unfold
from cli.strings import say

if TYPE_CHECKING:
    from engine.rule_steps import Step

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_LIST = re.compile(r"^(\d*)([-+.)])")


def pages_markdown(pages: Iterable[Page], footer: str | None) -> str:
    """All pages as one document."""
    lines = [line for page in pages for line in _page(page)]
    return "\n".join([*lines, *([f"_{plain(footer)}_", ""] if footer else [])])


def _page(page: Page) -> Iterator[str]:
    if page.name is not None:
        yield from (f"# {plain(page.name)}", "")
    yield from (f"## {plain(page.headline)}", "", plain(page.sure), "")
    for section in page.sections:
        yield from (f"### {plain(section.title)}", "")
        for item in section.items:
            yield f"- {plain(item.text)}" + (f" ({plain(item.note)})" if item.note else "")
        yield ""


def steps_markdown(step: Step, language: str) -> str:
    """An explanation as nested lists; what was told above is not told again."""
    return "\n".join([f"## {plain(step.text[language])}", "", *_steps(step.children, language, 0, set()), ""])


def _steps(steps: Iterable[Step], language: str, depth: int, told: set[tuple[str, str]]) -> Iterator[str]:
    for step in steps:
        children = unfold(step, told)
        text = step.text[language]
        if step.children and not children:
            text = say("explain.above", language, step=text)
        yield f"{'  ' * depth}- {plain(text)}"
        yield from _steps(children, language, depth + 1, told)


def plain(text: str) -> str:
    """The text with every character escaped that Markdown would read as a mark."""
    return _LIST.sub(r"\1\\\2", _MARKS.sub(r"\\\1", text))
