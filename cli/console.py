"""Standard output and standard error as they are: terminal or pipe, wide or narrow, colored or plain, UTF-8 or not."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from engine.faults import printable, shows

if TYPE_CHECKING:
    from rich.console import Console

UNBROKEN = 100_000
USUAL = 80
_BEYOND_ASCII = re.compile("[^\x00-\x7e]+")


def wants_color(environment: Mapping[str, str], is_terminal: bool) -> bool:
    """NO_COLOR first, then FORCE_COLOR (0 means off), then what the terminal can do. An empty one is as if not set."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return is_terminal and environment.get("TERM", "") not in ("dumb", "")


def console(stream: TextIO | None = None) -> Console:
    """A console on standard output. In a pipe no line is broken, unless COLUMNS asks for a width."""
    from rich.console import Console

    target = stream or sys.stdout
    color = wants_color(os.environ, target.isatty())
    return Console(
        file=target,
        width=_width(target),
        height=24,  # no page is cut to it; without it the library reads LINES, and fails on what is no number
        color_system="standard" if color else None,
        force_terminal=color or None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def _width(target: TextIO) -> int:
    """COLUMNS where it is a number above zero; else that of the terminal; without one, no line is broken."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdecimal() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(target.fileno()).columns or USUAL
    except (OSError, ValueError):  # not a terminal, or not even a file
        return UNBROKEN


def stand_in_for_closed_streams() -> None:
    """Streams that were closed before the start: what goes to standard error is lost; nothing else can be written.

    Without this a message would go to standard output, where the result belongs.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def never_fail_on_characters() -> None:
    """Characters that the terminal's code page lacks are replaced; they never end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def write_json(document: object) -> None:
    """One JSON document on standard output; beyond ASCII only where the stream can hold it."""
    import json

    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not unicode, indent=2)
    print(_BEYOND_ASCII.sub(lambda found: _escaped(found[0]), text))


def _escaped(text: str) -> str:
    """The text with what could steer a terminal, or hide its direction, as JSON escapes it."""
    import json

    return text if text.isprintable() else "".join(c if shows(c) else json.dumps(c)[1:-1] for c in text)


def error(text: str) -> None:
    """A message to the user, beside the result. It is lost where nobody can receive it; the exit code is not."""
    with contextlib.suppress(OSError):
        print("\n".join(printable(line) for line in text.split("\n")), file=sys.stderr)
