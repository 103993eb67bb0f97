"""The page of costs on a terminal, at its width, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.cost_chart import chart_lines
from cli.render.cost_page import Block, Chart, Heading, Items, Paragraph, Row, Table
from cli.render.cost_wording import Wording
from cli.render.markdown import plain
from cli.render.text import print_text
from cli.render.wrapping import cells, wrap

if TYPE_CHECKING:
    from rich.console import Console

_GAP = 2
_NARROWEST = 12
_BESIDE = 40
"""Cells that there must be for what stands below a row to stand beside it instead."""


def print_page(console: Console, blocks: Iterable[Block], wording: Wording) -> None:
    """Every block below the one before; a heading has an empty line above it."""
    for count, block in enumerate(blocks):
        if isinstance(block, Heading):
            if count:
                console.print()
            print_text(console, block.text, style="bold underline" if block.level == 1 else "bold")
        elif isinstance(block, Table):
            _print_table(console, block)
        else:
            for line in _lines(block, wording, console.width):
                console.print(Text(line), soft_wrap=True)


def _lines(block: Items | Paragraph | Chart, wording: Wording, width: int) -> Iterator[str]:
    if isinstance(block, Items):
        for item in block.items:
            yield from wrap(f"  - {item}", width, indent=4)
    elif isinstance(block, Paragraph):
        yield from wrap(block.text, width)
    else:
        yield from chart_lines(block.costing, wording, width)


def _print_table(console: Console, table: Table) -> None:
    """Columns as wide as they must be, the first one wrapped where the rest leaves too little room.

    What stands below a row stands beside it where the terminal is wide enough.
    """
    rows = [Row(table.head), *table.rows] if table.numbers else list(table.rows)
    widths = [max(cells(row.cells[at]) for row in rows if at < len(row.cells)) for at in range(_columns(rows))]
    rest = sum(width + _GAP for width in widths[1:])
    widths[0] = min(widths[0], max(console.width - rest - _GAP, _NARROWEST))
    start = sum(widths) + _GAP * (len(widths) + 1)
    beside = console.width - start >= _BESIDE
    for number, row in enumerate(rows):
        lines = [
            Text(line, "dim" if number == 0 and table.numbers else "") for line in _row(row, widths, table.numbers)
        ]
        if row.below and beside:
            lines = _beside(lines, list(wrap(row.below, console.width - start)), start)
        elif row.below:
            lines += [Text(line, "dim") for line in wrap(" " * 4 + row.below, console.width, 4)]
        for line in lines:
            console.print(line, soft_wrap=True)


def _beside(lines: list[Text], texts: list[str], start: int) -> list[Text]:
    """The lines of a row with the texts at their right, from the column `start` on."""
    found = []
    for line, text in zip_longest(lines, texts):
        whole = line or Text()
        found.append(whole + Text(" " * (start - cells(whole.plain)) + text, "dim") if text else whole)
    return found


def _columns(rows: list[Row]) -> int:
    return max(len(row.cells) for row in rows)


def _row(row: Row, widths: list[int], numbers: int) -> Iterator[str]:
    first, *more = list(wrap(row.cells[0], widths[0])) or [""]
    line = "  " + _padded(first, widths[0])
    for at, cell in enumerate(row.cells[1:], start=1):
        line += " " * _GAP + _padded(cell, widths[at], right=at <= numbers)
    yield line.rstrip()
    yield from (f"  {part}" for part in more)


def _padded(text: str, width: int, right: bool = False) -> str:
    room = " " * max(width - cells(text), 0)
    return room + text if right else text + room


# Markdown


def page_markdown(blocks: Iterable[Block], wording: Wording) -> str:
    """The page as one Markdown document; the chart stands in a block of its own."""
    return "\n".join(line for block in blocks for line in (*_marked(block, wording), ""))


def _marked(block: Block, wording: Wording) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * (block.level + 1)} {plain(block.text)}"
    elif isinstance(block, Paragraph):
        yield plain(block.text)
    elif isinstance(block, Items):
        yield from (f"- {plain(item)}" for item in block.items)
    elif isinstance(block, Chart):
        yield from ("```text", *chart_lines(block.costing, wording, 78), "```")
    else:
        yield from _marked_table(block, wording)


def _marked_table(table: Table, wording: Wording) -> Iterator[str]:
    if not table.numbers:
        for row in table.rows:
            yield from (f"- {plain(row.below)}", "", f"  `{row.cells[0]}`", "")
        return
    notes = any(row.below for row in table.rows)
    head = [*table.head, wording.say("cost.from")] if notes else list(table.head)
    yield _cells(head)
    yield "|" + "|".join("---:" if 0 < at <= table.numbers else "---" for at in range(len(head))) + "|"
    for row in table.rows:
        yield _cells([*row.cells, row.below] if notes else list(row.cells))


def _cells(texts: Iterable[str]) -> str:
    return "| " + " | ".join(plain(text) for text in texts) + " |"
