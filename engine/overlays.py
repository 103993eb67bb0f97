"""Figures of one's own over the shipped ones: a file of figures, or rows in the form of a shipped table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.csv_rows import read_rows
from engine.faults import FaultError, Report
from engine.figure_table import Table
from engine.figures import Figure
from engine.figures_file import listed_figures
from engine.loading import Node, read_file
from engine.loading import Sequence as SequenceNode

_CURRENCY = re.compile(r"[A-Z]{3}(?=/|$)")


@dataclass(frozen=True)
class Overlay:
    """One file that was laid over the shipped figures: its root node, or the rows of a CSV file."""

    node: Node
    rows: SequenceNode | None = None


def read_overlays(paths: Iterable[Path]) -> tuple[Overlay, ...]:
    """The files in their order. Raises FaultError with all that cannot be read, each by its path as it was given."""
    report = Report()
    found: list[Overlay] = []
    for path in paths:
        try:
            found.append(_read(path))
        except FaultError as error:
            report.extend(error.faults)
    report.check()
    return tuple(found)


def _read(path: Path) -> Overlay:
    if path.suffix.lower() != ".csv":
        return Overlay(read_file(path))
    rows = read_rows(path, str(path))
    return Overlay(rows, rows)


def overlaid(
    shipped: Mapping[str, Figure], overlay: Overlay, tables: Sequence[Table], report: Report
) -> dict[str, Figure]:
    """The figures with those of one file in the place of those of their ids, and the new ones after them.

    What the file leaves out of title, rows, age limit and attributes stays as it was.
    """
    found = dict(shipped)
    for figure in _figures(overlay, tables, report).values():
        before = shipped.get(figure.id)
        found[figure.id] = figure if before is None else _in_place_of(before, figure, report)
    return found


def _figures(overlay: Overlay, tables: Sequence[Table], report: Report) -> Mapping[str, Figure]:
    if overlay.rows is None:
        return listed_figures(overlay.node, report)
    table = next((table for table in tables if table.has_header(overlay.rows)), None)
    if table is None:
        report.add("no-such-table", overlay.rows.items[0].place, known=[",".join(table.header) for table in tables])
        return {}
    return table.figures(overlay.rows, report)


def _in_place_of(before: Figure, figure: Figure, report: Report) -> Figure:
    if _CURRENCY.sub("", before.unit, count=1) != _CURRENCY.sub("", figure.unit, count=1):
        report.add("other-unit", figure.place, id=figure.id, typed=figure.unit, known=before.unit)
    return replace(
        figure,
        title=figure.title or before.title,
        rows=figure.rows or before.rows,
        valid_months=figure.valid_months or before.valid_months,
        attributes=figure.attributes or before.attributes,
    )
