"""Strict CSV as nodes that know their line and column: a row is a list of texts, and stands in one line."""

from __future__ import annotations

import re
from pathlib import Path

from engine.faults import FaultError, Place, Report, fail
from engine.loading import MAX_FAULTS, Scalar, Sequence, read_text

_CELL = re.compile(r'"((?:[^"]|"")*)"(?=,|$)|([^",]*)')


def read_rows(path: Path, name: str) -> Sequence:
    """The rows of a CSV file in UTF-8, its header among them; blank lines are left out.

    `name` is how faults call the file. Raises FaultError with every line that is none of CSV.
    """
    report = Report()
    rows: list[Sequence] = []
    for number, line in enumerate(read_text(path, name).splitlines(), start=1):
        try:
            rows += [_row(line, name, number)] if line.strip() else []
        except FaultError as error:
            report.extend(error.faults)
            if len(report.faults) == MAX_FAULTS:
                break
    report.check()
    if not rows:
        raise fail("empty-file", Place(name))
    return Sequence(tuple(rows), Place(name, 1, 1))


def _row(line: str, name: str, number: int) -> Sequence:
    cells: list[Scalar] = []
    at = 0
    while True:
        found = _CELL.match(line, at)
        assert found is not None
        quoted, bare = found[1], found[2]
        text = bare if quoted is None else quoted.replace('""', '"')
        cells.append(Scalar(text.strip(), True, Place(name, number, at + 1)))
        at = found.end()
        if at == len(line):
            return Sequence(tuple(cells), cells[0].place)
        if line[at] != ",":
            raise fail("bad-csv", Place(name, number, at + 1))
        at += 1
