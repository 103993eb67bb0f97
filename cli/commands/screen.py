"""`screen`: a verdict for each row of a table."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.session import STANDARD_INPUT, knowledge_with
from cli.console import console, error
from cli.exit_code import ExitCode
from cli.files import replacing
from cli.strings import say
from engine.faults import LANGUAGES, Fault, Place, fail

if TYPE_CHECKING:
    from cli.screening.judging import Screener
    from cli.screening.sinks import Judged
    from cli.screening.tables import Table

MOST_FAULTS = 20
"""So many faults are told; the others are counted, and each stands in its row."""
_STDIN = "<stdin>"


@dataclass(frozen=True)
class ScreenOptions:
    """`out` is a file for the table, standard output where it is None; `figures` and `rules` as for a verdict."""

    table: str
    out: str | None = None
    figures: Sequence[str] = ()
    rules: str | None = None


def screen(language: str, options: ScreenOptions) -> ExitCode:
    """Writes the table with a verdict for each row, then tells what came out; says no where a row is at fault."""
    from cli.render.screen_text import print_summary, shown
    from cli.screening.header import read_header
    from cli.screening.judging import Screener

    _spare_the_table(options)
    base = knowledge_with(options.figures, options.rules)
    told: list[Fault] = []
    with closing(_opened(options.table)) as table:
        header = read_header(table.names, base.vocabulary, Place(table.name, 1, 1))
        screener = Screener(base, header, table.name, _wording)
        with shown(language) as advance:
            _write(table, _judged(table, screener, advance, told), options)
    for fault in told:
        error(fault.text(language))
    if screener.tally.faulty > len(told):
        error(say("screen.more-faults", language, count=screener.tally.faulty - len(told)))
    print_summary(console(sys.stderr), screener.tally, header, base, language)
    return ExitCode.CHECK_SAID_NO if screener.tally.faulty else ExitCode.DONE


def _spare_the_table(options: ScreenOptions) -> None:
    """Raises FaultError where the result would be written over the table that it is read from."""
    if options.out and options.table != STANDARD_INPUT:
        table, out = Path(options.table), Path(options.out)
        if table.exists() and out.exists() and out.samefile(table):
            raise fail("file-exists", Place(options.out))


def _opened(path: str) -> Table:
    from cli.screening.tables import CsvTable, open_table

    if path == STANDARD_INPUT:
        if sys.stdin is None:  # closed before the start
            raise fail("cannot-read", Place(_STDIN), reason=os.strerror(errno.EBADF))
        return CsvTable(sys.stdin.buffer, _STDIN, 0)
    return open_table(Path(path), path)


def _wording(fault: Fault) -> dict[str, str]:
    return {code: fault.text(code) for code in LANGUAGES}


def _judged(table: Table, screener: Screener, advance: Callable[[float], None], told: list[Fault]) -> Judged:
    """The batches with their verdicts; the first faults go to `told`."""
    for batch in table.batches():
        added = screener.judge(batch)
        told += added.faults[: max(MOST_FAULTS - len(told), 0)]
        yield batch, added
        advance(batch.done)


def _write(table: Table, judged: Judged, options: ScreenOptions) -> None:
    from cli.screening.sinks import PARQUET, write_csv, write_parquet

    if options.out is None:
        output = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
        try:
            write_csv(table, judged, output)
        finally:
            output.detach()  # the stream itself stays open
        return
    with replacing(Path(options.out)) as temporary:
        if Path(options.out).suffix.lower() in PARQUET:
            write_parquet(table, judged, temporary)
        else:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                write_csv(table, judged, file)
