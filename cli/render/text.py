"""A verdict page or an explanation on the terminal, at its width; in a pipe every item is one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from cli.console import UNBROKEN
from cli.render.page import Item, Page

if TYPE_CHECKING:
    from rich.console import Console

    from engine.explanation import Step

_ROUTE_STYLE = "bold"
_STATUS_STYLE = {"settled": "green", "provisional": "yellow", "tied": "yellow"}


def print_pages(console: Console, pages: Iterable[Page], footer: str | None) -> None:
    """Each page below the one before, then the line on figures."""
    for number, page in enumerate(pages):
        if number:
            console.print()
        _print_page(console, page)
    if footer:
        console.print()
        console.print(Text(footer, style="dim"))


def _print_page(console: Console, page: Page) -> None:
    if page.name is not None:
        console.print(Text(page.name, style="bold underline"))
    console.print(Text(page.headline, style=_ROUTE_STYLE))
    console.print(Text(page.sure, style=_STATUS_STYLE.get(page.status, "red")))
    for section in page.sections:
        console.print()
        console.print(Text(section.title, style="bold"))
        _print_items(console, section.items)


def _print_items(console: Console, items: Iterable[Item]) -> None:
    """Items with a hanging indent on a terminal; one line each in a pipe."""
    if console.width >= UNBROKEN:
        for item in items:
            console.print(Text("  - ").append_text(_line(item)))
        return
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=3, no_wrap=True, justify="right")
    grid.add_column(overflow="fold")
    for item in items:
        grid.add_row("-", _line(item))
    console.print(grid)


def _line(item: Item) -> Text:
    line = Text(item.text)
    return line.append(f"  [{item.note}]", style="dim") if item.note else line


def print_steps(console: Console, step: Step, language: str) -> None:
    """An explanation as a tree, every step below the one that rests on it."""
    tree = Tree(Text(step.text[language], style="bold"), guide_style="dim")
    _grow(tree, step, language)
    console.print(tree)


def _grow(tree: Tree, step: Step, language: str) -> None:
    for child in step.children:
        style = "bold" if child.kind in ("part", "route") else "dim" if child.kind == "fact" else ""
        _grow(tree.add(Text(child.text[language], style=style)), child, language)
