"""`audit show` and `audit verify`: read a trace, and check it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cli.commands.session import consultant_with, tool
from cli.console import console, error
from cli.exit_code import ExitCode
from cli.strings import say
from engine.faults import Place, fail, printable
from engine.verifying import read_trace
from engine.verifying import verify as verify_trace


def show(language: str, path: str) -> ExitCode:
    """Every record in words, in order. Raises FaultError for a trace whose chain is not whole."""
    from cli.render.trace_text import trace_lines
    from knowledge import knowledge_base

    records = read_trace(_bytes(path), path)
    screen = console()
    for line in trace_lines(records, knowledge_base(), language):
        screen.print(line, soft_wrap=not screen.is_terminal)
    return ExitCode.DONE


def verify(language: str, path: str, figures: Sequence[str] = (), rules: str | None = None) -> ExitCode:
    """Checks the chain, the ends, and the inference made again; says which record is the first that is wrong.

    `figures` are the files that lay over the shipped figures when the trace was made, `rules` the folder of house
    rules.
    """
    data = _bytes(path)
    fault = verify_trace(data, path, consultant_with(figures, language, rules), tool())
    if fault is not None:
        error(fault.text(language))
        return ExitCode.CHECK_SAID_NO
    records = read_trace(data, path)
    print(say("audit.verified", language, path=printable(path), records=len(records), hash=records[-1]["hash"]))
    return ExitCode.DONE


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as reason:
        raise fail("cannot-read", Place(path), reason=reason.strerror or str(reason)) from reason
