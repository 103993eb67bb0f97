"""Breaks lines by what they take on a screen, where a Chinese character takes two columns."""

from __future__ import annotations

import re
import shutil
from typing import TextIO

from wcwidth import wcswidth, wcwidth

MAX_COLUMNS = 100
_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
_OPENING = "\u201c\u2018\u3008\u300a\u300c\u300e\u3010\uff08"
_CLOSING = "\u2019\u201d\u2026\u3001\u3002\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff1a\uff1b\uff1f"
_PIECE = re.compile(
    rf"(\s*)([{_OPENING}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPENING}{_CLOSING}]+)[{_CLOSING}]*|[{_OPENING}{_CLOSING}]+)"
)


def width(text: str) -> int:
    """The columns that the text takes."""
    return max(0, wcswidth(text))


def padded(text: str, columns: int) -> str:
    """The text, filled with spaces up to this many columns."""
    return text + " " * (columns - width(text))


def wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most this many columns: broken at spaces and around wide characters, never before a closing mark.

    A word that is longer than a line is cut. There is always at least one line.
    """
    lines = [""]
    for space, piece in _PIECE.findall(text):
        if width(lines[-1] + space + piece) <= columns:
            lines[-1] += space + piece if lines[-1] else piece
            continue
        if lines[-1]:
            lines.append("")
        for part in _cut(piece, columns):
            lines[-1:] = [lines[-1] + part] if width(lines[-1] + part) <= columns else [lines[-1], part]
    return lines


def paragraphs(text: str, stream: TextIO) -> list[str]:
    """The lines of a text for a stream: broken between words on a terminal, as they are elsewhere.

    A line that begins with a space, such as a command to copy, is never broken.
    """
    if not stream.isatty():
        return text.split("\n")
    columns = min(shutil.get_terminal_size().columns - 1, MAX_COLUMNS)
    broken = [[line] if line[:1] in ("", " ") else wrapped(line, max(columns, 20)) for line in text.split("\n")]
    return [line for lines in broken for line in lines]


def hanging(lead: str, text: str, columns: int) -> list[str]:
    """The text wrapped behind a lead, the following lines indented as far."""
    indent = width(lead)
    first, *others = wrapped(text, max(columns - indent, 10))
    return [lead + first, *(" " * indent + line for line in others)]


def _cut(piece: str, columns: int) -> list[str]:
    """The piece whole where it fits, else its characters."""
    if width(piece) <= columns:
        return [piece]
    return [character for character in piece if wcwidth(character) >= 0]
