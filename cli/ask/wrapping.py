"""How lines are laid out for the questionnaire, by what they take on a screen."""

from __future__ import annotations

import shutil
from typing import TextIO

from cli.render.wrapping import cells, wrap

MAX_COLUMNS = 100
MIN_COLUMNS = 20
BETWEEN = " | "


def columns_of(terminal_columns: int) -> int:
    """The columns to fill: one less than the terminal has, since a full line makes some begin another."""
    return max(min(terminal_columns - 1, MAX_COLUMNS), MIN_COLUMNS)


def padded(text: str, columns: int) -> str:
    """The text, filled with spaces up to this many columns."""
    return text + " " * (columns - cells(text))


def wrapped(text: str, columns: int, lead: str = "") -> list[str]:
    """The lines of a text behind a lead, the following lines indented as far. There is always at least one."""
    return list(wrap(lead + text, columns, cells(lead))) or [""]


def side_by_side(text: str, columns: int) -> list[str]:
    """The lines of a text of items, broken between items where these can stand on a line."""
    lines: list[str] = []
    for item in text.split(BETWEEN):
        if lines and cells(lines[-1] + BETWEEN + item) <= columns:
            lines[-1] += BETWEEN + item
        else:
            lines += wrapped(item, columns)
    return lines


def paragraphs(text: str, stream: TextIO) -> list[str]:
    """The lines of a text for a stream: broken between words on a terminal, as they are elsewhere.

    A line that begins with a space, such as a command to copy, is never broken.
    """
    if not stream.isatty():
        return text.split("\n")
    columns = columns_of(shutil.get_terminal_size().columns)
    broken = [[line] if line[:1] in ("", " ") else wrapped(line, columns) for line in text.split("\n")]
    return [line for lines in broken for line in lines]
