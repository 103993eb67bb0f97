"""A table of figures: a YAML file says what its columns may hold, a CSV file beside it holds a figure in each row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from engine.as_of import FORMS
from engine.faults import LANGUAGES, Fault, Place, Report, did_you_mean, nearest
from engine.figures import CONFIDENCES, Figure
from engine.figures_file import is_date, put
from engine.loading import MAX_FAULTS, Node, Scalar, plain
from engine.loading import Sequence as SequenceNode
from engine.values import Text

FIXED = ("value", "unit", "as_of", "source", "confidence", "note", "accept_because")
"""The columns of every table, after those that describe a row."""
HOLE = re.compile(r"\{([^{}]*)\}")
"""A column's name in braces."""
_FOREIGN = re.compile(r"[^a-z0-9.-]")

Cells = Mapping[str, Scalar]
Band = tuple[float, float]


@dataclass(frozen=True)
class Column:
    """What the cells of a column may hold: one of the names of a table, one of some values, a number, or any text."""

    name: str
    names: tuple[str, ...] | None = None
    values: tuple[str, ...] = ()
    many: bool = False
    number: bool = False

    def fault(self, cell: Scalar) -> Fault | None:
        """What is wrong with a cell."""
        if not cell.text:
            return Fault("cell-empty")
        if self.number:
            return _number_fault(cell)
        if self.names is not None and cell.text not in self.names:
            return Fault("unknown-name", {"typed": cell.text, "hint": did_you_mean(nearest(cell.text, self.names))})
        words = cell.text.split() if self.many else [cell.text]
        wrong = next((word for word in words if self.values and word not in self.values), None)
        return _no_choice(wrong, self.values) if wrong is not None else None


@dataclass(frozen=True)
class Between:
    """Between which values a row is plausible, by the cell of one column; None: no value is thought of."""

    by: str
    bands: Mapping[str, Band]
    otherwise: Band | None

    def band(self, cells: Cells) -> Band | None:
        return self.bands.get(cells[self.by].text, self.otherwise)


@dataclass(frozen=True)
class Table:
    """What the rows of a table are, and how each becomes a figure.

    `id` and `title` hold the names of columns in braces; `file` is the CSV file beside the table's own.
    """

    file: str
    id: str
    title: Text
    columns: tuple[Column, ...]
    between: Between | None
    valid_months: int | None
    place: Place

    @property
    def header(self) -> tuple[str, ...]:
        return (*(column.name for column in self.columns), *FIXED)

    @property
    def prefix(self) -> str:
        """What every id of the table begins with, and no other figure's."""
        return self.id.partition("{")[0]

    def has_header(self, rows: SequenceNode) -> bool:
        return _texts(rows.items[0]) == self.header

    def figures(self, rows: SequenceNode, report: Report) -> dict[str, Figure]:
        """The figures of all rows; reports what is wrong, up to as many faults as a reader has use for."""
        faults = Report()
        found: dict[str, Figure] = {}
        if not self.has_header(rows):
            faults.add("wrong-header", rows.items[0].place, known=list(self.header))
        for row in rows.items[1:] if not faults.faults else ():
            figure = self._figure(_scalars(row), row.place, faults)
            if figure is not None:
                put(figure, found, faults)
            if len(faults.faults) >= MAX_FAULTS:
                break
        report.extend(faults.faults[:MAX_FAULTS])
        return found

    def _figure(self, scalars: Sequence[Scalar], place: Place, report: Report) -> Figure | None:
        """The figure of one row; None for a row in which something is wrong."""
        if len(scalars) != len(self.header):
            report.add("wrong-cells", place, found=len(scalars), wanted=len(self.header))
            return None
        cells = dict(zip(self.header, scalars, strict=True))
        wrong = list(self._wrong(cells))
        for name, fault in wrong:
            reason = {code: fault.text(code) for code in LANGUAGES}
            report.add("bad-cell", cells[name].place, column=name, reason=reason)
        return None if wrong else self._made(cells, place)

    def _wrong(self, cells: Cells) -> Iterator[tuple[str, Fault]]:
        for column in (*self.columns, *_FIXED_COLUMNS):
            fault = column.fault(cells[column.name])
            if fault is not None:
                yield column.name, fault
        if cells["as_of"].text and not is_date(cells["as_of"].text):
            yield "as_of", Fault("bad-as-of", {"typed": cells["as_of"].text, "known": list(FORMS)})
        band = self.between.band(cells) if self.between else None
        if band and not cells["accept_because"].text and not _number_fault(cells["value"]):
            yield from _outside(cells["value"], band, cells[self.between.by].text if self.between else "")

    def _made(self, cells: Cells, place: Place) -> Figure:
        said = {column.name: cells[column.name].text for column in self.columns}
        return Figure(
            id=HOLE.sub(lambda hole: _FOREIGN.sub("-", said[hole[1]].lower()), self.id),
            title={code: HOLE.sub(lambda hole: said[hole[1]], self.title[code]) for code in LANGUAGES},
            value=_number(cells["value"]),
            unit=cells["unit"].text,
            as_of=cells["as_of"].text,
            source=cells["source"].text,
            confidence=cells["confidence"].text,
            rows=(),
            place=place,
            valid_months=self.valid_months,
            attributes=said,
            note=cells["note"].text,
        )


_FIXED_COLUMNS = (
    Column("value", number=True),
    Column("unit"),
    Column("as_of"),
    Column("source"),
    Column("confidence", values=CONFIDENCES),
)


def _texts(row: Node) -> tuple[str, ...]:
    return tuple(cell.text for cell in _scalars(row))


def _scalars(row: Node) -> tuple[Scalar, ...]:
    return tuple(cell for cell in row.items if isinstance(cell, Scalar)) if isinstance(row, SequenceNode) else ()


def _number(cell: Scalar) -> float:
    """The number of a cell; not a number where it holds none."""
    value = plain(replace(cell, quoted=False))
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else float("nan")


def _number_fault(cell: Scalar) -> Fault | None:
    value = _number(cell)
    if not isfinite(value):
        return Fault("not-a-number", {"typed": cell.text})
    return Fault("not-above", {"typed": cell.text, "limit": "0"}) if value <= 0 else None


def _no_choice(typed: str, known: Sequence[str]) -> Fault:
    return Fault("not-a-choice", {"typed": typed, "known": list(known), "hint": did_you_mean(nearest(typed, known))})


def _outside(cell: Scalar, band: Band, name: str) -> Iterator[tuple[str, Fault]]:
    low, high = band
    if not low <= _number(cell) <= high:
        ends = f"{low:g}", f"{high:g}"
        yield "value", Fault("outside-band", {"typed": cell.text, "low": ends[0], "high": ends[1], "name": name})
