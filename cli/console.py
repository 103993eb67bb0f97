"""Standard output and standard error as they are: terminal or pipe, wide or narrow, colored or plain, UTF-8 or not."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

UNBROKEN = 100_000


def wants_color(environment: Mapping[str, str], is_terminal: bool) -> bool:
    """NO_COLOR first, then FORCE_COLOR (0 means off), then what the terminal can do."""
    if environment.get("NO_COLOR"):
        return False
    if "FORCE_COLOR" in environment:
        return environment["FORCE_COLOR"] not in ("", "0")
    return is_terminal and environment.get("TERM", "") not in ("dumb", "")


def console(stream: TextIO | None = None) -> Console:
    """A console on standard output. In a pipe no line is broken, unless COLUMNS asks for a width."""
    from rich.console import Console

    target = stream or sys.stdout
    color = wants_color(os.environ, target.isatty())
    width = None if target.isatty() or os.environ.get("COLUMNS", "").isdigit() else UNBROKEN
    return Console(
        file=target,
        width=width,
        color_system="standard" if color else None,
        force_terminal=color or None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def never_fail_on_characters() -> None:
    """Characters that the terminal's code page lacks are replaced; they never end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def write_json(document: object) -> None:
    """One JSON document on standard output; beyond ASCII only where the stream can hold it."""
    import json

    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(document, ensure_ascii=not unicode, indent=2))


def error(text: str) -> None:
    """A message to the user, beside the result."""
    print(text, file=sys.stderr)
