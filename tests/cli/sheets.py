"""Reads a workbook and computes it again: by the few functions that ours use, or by LibreOffice where it is there."""

from __future__ import annotations

import csv
import io
import operator
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree as ET

OFFICE = shutil.which("soffice")
Scalar: TypeAlias = float | str | None
Place: TypeAlias = tuple[str, int, int]
"""Sheet, row and column, from 0."""

_NAMES = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
_TOKEN = re.compile(
    r"\"[^\"]*\"|'[^']+'!|\$?[A-Z]{1,2}\$?\d+|[A-Z]+(?=\()|\d+\.?\d*(?:E[-+]?\d+)?|<=|>=|<>|[-+*/(),:<>=]"
)
_REFERENCE = re.compile(r"\$?([A-Z]{1,2})\$?(\d+)")
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}


class NotFound(Exception):
    """A value that is looked up and is not there, or a division by nothing: what IFERROR catches."""


@dataclass
class Book:
    """The cells of a workbook: what was given, the formulas, and the value written beside each formula."""

    given: dict[Place, Scalar] = field(default_factory=dict)
    formulas: dict[Place, str] = field(default_factory=dict)
    written: dict[Place, Scalar] = field(default_factory=dict)
    sheets: list[str] = field(default_factory=list)

    def texts(self, sheet: str) -> list[str]:
        return [
            str(value) for place, value in sorted(self.given.items()) if place[0] == sheet and isinstance(value, str)
        ]

    def find(self, sheet: str, text: str, column: int) -> Place:
        """The first cell of a column that says this. Raises StopIteration where none does."""
        return next(p for p, value in sorted(self.given.items()) if p[0] == sheet and p[2] == column and value == text)

    def changed(self, place: Place, value: float) -> Book:
        return Book({**self.given, place: value}, self.formulas, self.written, self.sheets)

    def computed(self) -> dict[Place, Scalar]:
        """The value of every formula, computed anew from what was given."""
        machine = _Machine(self)
        return {place: machine.value(place) for place in self.formulas}


def read_book(data: bytes) -> Book:
    """The cells of a workbook's bytes."""
    found = Book()
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        shared = [_text(item) for item in _xml(file.read("xl/sharedStrings.xml"))]
        sheets = _xml(file.read("xl/workbook.xml")).iterfind("m:sheets/m:sheet", _NAMES)
        for number, sheet in enumerate(sheets, start=1):
            name = sheet.attrib["name"]
            found.sheets.append(name)
            root = _xml(file.read(f"xl/worksheets/sheet{number}.xml"))
            for cell in root.iterfind("m:sheetData/m:row/m:c", _NAMES):
                _read_cell(found, name, cell, shared)
    return found


def _xml(data: bytes) -> ET.Element:
    return ET.fromstring(data)  # noqa: S314 - the file is our own


def _text(item: ET.Element) -> str:
    return "".join(part.text or "" for part in item.iter() if part.tag.endswith("}t"))


def _read_cell(found: Book, sheet: str, cell: ET.Element, shared: list[str]) -> None:
    place = (sheet, *_row_and_column(cell.attrib["r"]))
    formula, value = cell.find("m:f", _NAMES), cell.find("m:v", _NAMES)
    if value is None or value.text is None:
        return
    kind = cell.attrib.get("t")
    read: Scalar = shared[int(value.text)] if kind == "s" else value.text if kind == "str" else float(value.text)
    if formula is not None:
        found.formulas[place] = formula.text or ""
        found.written[place] = read
    else:
        found.given[place] = read


def _row_and_column(reference: str) -> tuple[int, int]:
    match = _REFERENCE.fullmatch(reference)
    assert match is not None, reference
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1


# The few functions that our workbooks use


class _Machine:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.known: dict[Place, Scalar] = {}

    def value(self, place: Place) -> Scalar:
        if place in self.book.formulas:
            if place not in self.known:
                self.known[place] = _Reader(self, place[0], self.book.formulas[place]).whole()
            return self.known[place]
        return self.book.given.get(place)


class _Reader:
    """Reads one formula from left to right, and computes while it reads."""

    def __init__(self, machine: _Machine, sheet: str, formula: str) -> None:
        self.machine, self.sheet = machine, sheet
        self.tokens = _TOKEN.findall(formula)
        assert "".join(self.tokens) == formula, formula
        self.at = 0

    def whole(self) -> Scalar:
        found = self.comparison()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        assert not isinstance(found, list)
        return found

    def _next(self, *wanted: str) -> str | None:
        if self.at < len(self.tokens) and (not wanted or self.tokens[self.at] in wanted):
            self.at += 1
            return str(self.tokens[self.at - 1])
        return None

    def comparison(self) -> Scalar | list[Scalar]:
        left = self.sum()
        sign = self._next(*_COMPARED)
        return float(_COMPARED[sign](_number(left), _number(self.sum()))) if sign else left

    def sum(self) -> Scalar | list[Scalar]:
        found = self.product()
        while sign := self._next("+", "-"):
            other = _number(self.product())
            found = _number(found) + (other if sign == "+" else -other)
        return found

    def product(self) -> Scalar | list[Scalar]:
        found = self.atom()
        while sign := self._next("*", "/"):
            other = _number(self.atom())
            if sign == "/" and other == 0:
                raise NotFound
            found = _number(found) * other if sign == "*" else _number(found) / other
        return found

    def atom(self) -> Scalar | list[Scalar]:
        word = self._next()
        assert word is not None
        if word == "-":
            return -_number(self.atom())
        if word == "(":
            found = self.comparison()
            assert self._next(")")
            return found
        if word.startswith('"'):
            return word[1:-1]
        if word[0].isdigit():
            return float(word)
        if word.isalpha():
            return self._call(word)
        return self._cells(word)

    def _cells(self, word: str) -> Scalar | list[Scalar]:
        sheet = self.sheet
        if word.endswith("!"):
            sheet, word = word[1:-2], self._next() or ""
        first = _row_and_column(word)
        if not self._next(":"):
            return self.machine.value((sheet, *first))
        last = _row_and_column(self._next() or "")
        assert first[1] == last[1]
        return [self.machine.value((sheet, row, first[1])) for row in range(first[0], last[0] + 1)]

    def _call(self, name: str) -> Scalar | list[Scalar]:
        assert self._next("(")
        found: list[Scalar | list[Scalar]] = []
        failed = False
        while True:
            try:
                found.append(self.comparison())
            except NotFound:
                failed = True
                self._skip()
            if not self._next(","):
                break
        assert self._next(")")
        if name == "IFERROR":
            return found[-1] if failed else found[0]
        if failed:
            raise NotFound
        return _called(name, found)

    def _skip(self) -> None:
        """Goes to the end of an argument that failed."""
        depth = 0
        while depth or self.tokens[self.at] not in (",", ")"):
            depth += {"(": 1, ")": -1}.get(self.tokens[self.at], 0)
            self.at += 1


def _called(name: str, found: list[Scalar | list[Scalar]]) -> Scalar | list[Scalar]:
    if name in ("MAX", "MIN"):
        return {"MAX": max, "MIN": min}[name](_number(item) for item in found)
    if name == "AND":
        return float(all(_number(item) for item in found))
    if name == "IF":
        return found[1] if _number(found[0]) else found[2]
    column = found[1] if name == "MATCH" else found[0]
    assert isinstance(column, list), name
    if name == "INDEX":
        return column[int(_number(found[1])) - 1]
    assert name == "MATCH"
    if found[0] not in column:
        raise NotFound
    return float(column.index(_scalar(found[0])) + 1)


def _scalar(item: Scalar | list[Scalar]) -> Scalar:
    assert not isinstance(item, list)
    return item


def _number(item: Scalar | list[Scalar]) -> float:
    assert isinstance(item, float), item
    return item


# LibreOffice


def recomputed(data: bytes, folder: Path, changes: Mapping[Place, float]) -> dict[Place, str]:
    """What LibreOffice computes, the values beside the formulas taken away first, and some given cells changed."""
    assert OFFICE is not None
    book = read_book(data)
    bare = folder / "bare.xlsx"
    bare.write_bytes(_without_values(data, book, changes))
    filter_ = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    profile = f"-env:UserInstallation={(folder / 'office').as_uri()}"
    command = [OFFICE, profile, "--headless", "--convert-to", filter_, "--outdir", str(folder), str(bare)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return dict(cell for sheet in book.sheets for cell in _csv(folder / f"bare-{sheet}.csv", sheet))


def _csv(path: Path, sheet: str) -> Iterator[tuple[Place, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row, cells in enumerate(csv.reader(file)):
            yield from (((sheet, row, column), text) for column, text in enumerate(cells))


def _without_values(data: bytes, book: Book, changes: Mapping[Place, float]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in file.namelist():
            text = file.read(name)
            found = re.fullmatch(r"xl/worksheets/sheet(\d+)\.xml", name)
            if found:
                text = re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", text)
                for place, value in changes.items():
                    if book.sheets[int(found[1]) - 1] == place[0]:
                        text = _changed(text, place, value)
            copy.writestr(name, text)
    return target.getvalue()


def _changed(text: bytes, place: Place, value: float) -> bytes:
    reference = f"{chr(ord('A') + place[2])}{place[1] + 1}"
    changed, count = re.subn(rf'(<c r="{reference}"[^>]*><v>)[^<]*'.encode(), rf"\g<1>{value}".encode(), text)
    assert count == 1
    return changed
