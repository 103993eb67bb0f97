"""The words of a costing: titles of options, lines, inputs, ways to move the data and units, and formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.faults import Report
from engine.forms import Form, file_form, report_twins
from engine.loading import Node, read_file
from engine.values import Text

_NAME = "cost_lines.yaml"
_FILE = Path(__file__).parent / _NAME


@dataclass(frozen=True)
class LineWords:
    """A line of a sum: its title, and how it is computed, in words."""

    title: Text
    formula: Text


@dataclass(frozen=True)
class CostWords:
    """The wording of every option, line, input, way to move the data and unit, by id."""

    options: Mapping[str, Text]
    lines: Mapping[str, LineWords]
    inputs: Mapping[str, Text]
    ways: Mapping[str, Text]
    units: Mapping[str, Text]

    def input_title(self, name: str) -> Text | None:
        """The title of an input: that of the longest id which is its name or the beginning of it, up to a dot."""
        parts = name.split(".")
        starts = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
        return next((self.inputs[start] for start in starts if start in self.inputs), None)

    def unit(self, name: str, language: str) -> str:
        """A unit in one language, part by part; a part that has no words, such as a currency, stays as it is."""
        parts = name.split("/")
        return "/".join(self.units[part][language] if part in self.units else part for part in parts)


@cache
def cost_words() -> CostWords:
    """The words that are shipped. Raises FaultError where their file is not in order."""
    return read_cost_words(read_file(_FILE, _NAME))


def read_cost_words(node: Node) -> CostWords:
    """The words of the file's root node. Raises FaultError with all that is wrong."""
    report = Report()
    form = file_form(node, ["options", "lines", "inputs", "ways", "units"], report)
    lines = form.items("lines")
    report_twins(lines, "id", report)
    found = CostWords(
        _titles(form.items("options"), report),
        dict(_line(item, report) for item in lines),
        _titles(form.items("inputs"), report),
        _titles(form.items("ways"), report),
        _titles(form.items("units"), report),
    )
    report.check()
    return found


def _titles(items: Iterable[Node], report: Report) -> Mapping[str, Text]:
    nodes = tuple(items)
    report_twins(nodes, "id", report)
    forms = [Form(node, ["id", "title"], report) for node in nodes]
    return {form.word("id"): form.text("title") for form in forms}


def _line(node: Node, report: Report) -> tuple[str, LineWords]:
    form = Form(node, ["id", "title", "formula"], report)
    return form.word("id"), LineWords(form.text("title"), form.text("formula"))
