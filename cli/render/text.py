"""A verdict page or an explanation on the terminal, at its width; in a pipe every item is one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.page import Item, Page
from cli.render.steps import unfold
from cli.render.wrapping import wrap
from cli.strings import say

if TYPE_CHECKING:
    from rich.console import Console

    from engine.rule_steps import Step

_STATUS_STYLE = {"settled": "green", "provisional": "yellow", "tied": "yellow"}


def print_pages(console: Console, pages: Iterable[Page], footer: str | None, language: str) -> None:
    """Each page below the one before, then the line on figures."""
    for number, page in enumerate(pages):
        if number:
            console.print()
        _print_page(console, page, language)
    if footer:
        console.print()
        print_text(console, footer, style="dim")


def _print_page(console: Console, page: Page, language: str) -> None:
    if page.name is not None:
        print_text(console, page.name, style="bold underline")
    print_text(console, page.headline, style="bold")
    print_text(console, page.sure, style=_STATUS_STYLE.get(page.status, "red"))
    for section in page.sections:
        console.print()
        print_text(console, section.title, style="bold")
        if section.inline:
            print_text(console, say("verdict.list", language).join(_words(item) for item in section.items), indent=2)
            continue
        for item in section.items:
            _print_item(console, item)


def _words(item: Item) -> str:
    return f"{item.text} [{item.note}]" if item.note else item.text


def _print_item(console: Console, item: Item) -> None:
    note = f"[{item.note}]" if item.note else ""
    whole = Text("\n").join(Text(line) for line in wrap(f"  - {item.text} {note}", console.width, indent=4))
    if note:  # the note stands at the end, but for what wrapping put into it
        whole.stylize("dim", whole.plain.rfind(note.split(maxsplit=1)[0]))
    console.print(whole, soft_wrap=True)


def print_text(console: Console, text: str, style: str = "", indent: int = 0, hanging: int = 0) -> None:
    """One paragraph, indented, its further lines by `hanging` more."""
    for line in wrap(" " * indent + text, console.width, indent + hanging):
        console.print(Text(line, style=style), soft_wrap=True)


def print_steps(
    console: Console, step: Step, language: str, depth: int = 0, told: set[tuple[str, str]] | None = None
) -> None:
    """An explanation, every step indented below the one that rests on it; what was told above is not told again."""
    told = set() if told is None else told
    style = {"part": "bold", "route": "bold", "workload": "bold underline", "fact": "dim", "figure": "dim"}
    mark = "" if step.kind in ("route", "workload", "verdict") else "- "
    children = unfold(step, told)
    text = (
        step.text[language]
        if children or not step.children
        else say("explain.above", language, step=step.text[language])
    )
    print_text(console, mark + text, style.get(step.kind, ""), 2 * depth, len(mark))
    for child in children:
        print_steps(console, child, language, depth + 1, told)
