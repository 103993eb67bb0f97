"""Reads what the columns of a table of figures may hold, and what becomes of its rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import inf

from engine.faults import LANGUAGES, Report, did_you_mean, nearest
from engine.figure_table import FIXED, HOLE, Band, Between, Column, Table
from engine.figures_file import valid_months
from engine.forms import Form, file_form
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, plain

_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.csv")

_COLUMN_KEYS = ("table?", "values?", "many?", "number?")


def csv_name(node: Node) -> str | None:
    """The CSV file that a figures file names, as far as it is the name of one; None for any other file."""
    table = node.get("table") if isinstance(node, MappingNode) else None
    file = table.get("file") if isinstance(table, MappingNode) else None
    return file.text if isinstance(file, Scalar) and _FILE.fullmatch(file.text) else None


def read_table(node: Node, names: Mapping[str, tuple[str, ...]], report: Report) -> Table | None:
    """The table of a figures file's root node; None for a file that holds none.

    `names` holds the names that cells may be taken from, by the name of their table.
    """
    if not isinstance(node, MappingNode) or node.get("table") is None:
        return None
    root = file_form(node, ["valid_months?", "table"], report)
    form = Form(root.node("table") or node, ["file", "id", "title", "columns", "between?"], report)
    columns = tuple(_column(key.text, value, names, report) for key, value in form.entries("columns"))
    table = Table(
        file=form.word("file"),
        id=form.word("id"),
        title=form.text("title"),
        columns=columns,
        between=_between(form, columns, report),
        valid_months=valid_months(root, report),
        place=form.place,
    )
    _check(table, form, report)
    return table


def _check(table: Table, form: Form, report: Report) -> None:
    if "file" in form and not _FILE.fullmatch(table.file):
        report.add("bad-csv-name", form.place_of("file"), typed=table.file)
    if "id" in form and not re.fullmatch(r"[a-z0-9][a-z0-9_.-]*\.", table.prefix):
        report.add("table-without-prefix", form.place_of("id"), typed=table.id)
    for clash in [column.name for column in table.columns if column.name in FIXED]:
        report.add("column-taken", form.place_of("columns"), typed=clash)
    known = [column.name for column in table.columns]
    for key, text in (("id", table.id), *(("title", text) for text in table.title.values())):
        for hole in [hole for hole in HOLE.findall(text) if hole not in known]:
            hint = did_you_mean(nearest(hole, known))
            report.add("unknown-column", form.place_of(key), typed=hole, known=known, hint=hint)


def _column(name: str, node: Node, names: Mapping[str, tuple[str, ...]], report: Report) -> Column:
    form = Form(node, _COLUMN_KEYS, report)
    if len([key for key in ("table", "values", "number") if key in form]) > 1:
        report.add("column-of-two-kinds", form.place, column=name)
    table = form.word("table")
    if "table" in form and table not in names:
        known = sorted(names)
        hint = did_you_mean(nearest(table, known))
        report.add("not-a-choice", form.place_of("table"), typed=table, known=known, hint=hint)
    found = names.get(table, ()) if "table" in form else None
    return Column(name, found, form.words("values"), form.flag("many"), form.flag("number"))


def _between(form: Form, columns: Sequence[Column], report: Report) -> Between | None:
    node = form.node("between")
    if node is None:
        return None
    inner = Form(node, ["by", "bands", "otherwise?"], report)
    by = inner.word("by")
    column = next((column for column in columns if column.name == by), None)
    if column is None:
        known = [column.name for column in columns]
        report.add("unknown-column", inner.place_of("by"), typed=by, known=known, hint=did_you_mean(nearest(by, known)))
        return None
    for key, _ in inner.entries("bands"):
        fault = column.fault(key)
        if fault is not None:
            report.add("bad-cell", key.place, column=by, reason={code: fault.text(code) for code in LANGUAGES})
    bands = {key.text: _band(value, report) for key, value in inner.entries("bands")}
    otherwise = inner.node("otherwise")
    return Between(by, bands, _band(otherwise, report) if otherwise else None)


def _band(node: Node, report: Report) -> Band:
    ends = plain(node)
    if isinstance(ends, list) and len(ends) == 2 and all(type(end) in (int, float) for end in ends):
        low, high = (float(end) for end in ends)
        if 0 <= low < high:
            return low, high
    report.add("bad-band", node.place)
    return 0.0, inf
