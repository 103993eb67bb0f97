"""Breaks text into lines by the width that a terminal gives each character.

Chinese may break between any two characters, but no line begins with a closing mark or ends with an opening one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wcwidth import wcswidth

_CLOSING = "，。、；：！？）》〉】』」”’…%·,.;:!?)]}"
_OPENING = "（《〈【『「“‘([{"
_WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60"
_PIECE = re.compile(rf"[{re.escape(_OPENING)}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{re.escape(_CLOSING)}]*|\s+")


def wrap(text: str, width: int, indent: int = 0) -> Iterator[str]:
    """The lines of the text, none wider than `width` cells; all but the first begin with `indent` spaces.

    A single word wider than the line is broken where it must be.
    """
    line, room = "", max(width, indent + 10)
    for piece in _pieces(text, room - indent):
        if line.strip() and cells(line + piece.rstrip()) > room:
            yield line.rstrip()
            line = " " * indent + piece.lstrip()
        else:
            line += piece
    if line.strip():
        yield line.rstrip()


def _pieces(text: str, room: int) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        rest = piece
        while cells(rest) > room:
            cut = next((n for n in range(len(rest), 0, -1) if cells(rest[:n]) <= room), 1)
            yield rest[:cut]
            rest = rest[cut:]
        yield rest


def cells(text: str) -> int:
    """How many cells of a terminal the text takes; characters without a width count as none."""
    width = wcswidth(text)
    return width if width >= 0 else sum(max(wcswidth(c), 0) for c in text)
