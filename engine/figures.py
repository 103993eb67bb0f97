"""Figures: shipped numbers, each with unit, date, source and confidence; and formulas over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.faults import Place, Report
from engine.forms import Form
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Sequence
from engine.values import Interval, Text, Value, interval

CONFIDENCES = ("low", "medium", "high")
_KEYS = ("id", "title?", "value?", "low?", "high?", "unit", "as_of", "source", "source_rows?", "confidence", "note?")


@dataclass(frozen=True)
class Figure:
    """One number or range that others measured, published or estimated; the title says it with its unit."""

    id: str
    title: Text
    value: float | Interval
    unit: str
    as_of: str
    source: str
    confidence: str
    rows: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Formula:
    """Computes one fact from told or computed facts and from figures.

    `compute` gets the value of every input, None for an unknown one, and of every figure. It returns None when the
    result is unknown, and an interval over all values that the result can take when it is partly known. It never puts
    a default in the place of an unknown fact. `inputs` tells in which direction each input moves the result: +1, -1,
    or 0 for both.
    """

    fact: str
    inputs: Mapping[str, int]
    figures: tuple[str, ...]
    compute: Callable[[Mapping[str, Value | None], Mapping[str, float | Interval]], Value | None]
    source: str


def read_figures(node: Node, report: Report) -> Mapping[str, Figure]:
    """The figures of one file's root node; a file that holds a table of its own has none."""
    if not isinstance(node, MappingNode) or node.get("figures") is None:
        return {}
    form = Form(node, ["schema", "figures"], report)
    found: dict[str, Figure] = {}
    for item in form.items("figures"):
        figure = _figure(item, report)
        if figure.id in found:
            report.add("duplicate-id", figure.place, id=figure.id, first=str(found[figure.id].place))
        found[figure.id] = figure
    return found


def _figure(node: Node, report: Report) -> Figure:
    form = Form(node, _KEYS, report)
    single = form.number("value")
    low, high = (single, single) if single is not None else (form.number("low"), form.number("high"))
    if low is None or high is None or low > high:
        report.add("figure-without-value", form.place, id=form.word("id"))
        low = high = 0.0
    if "confidence" in form and form.word("confidence") not in CONFIDENCES:
        word, known = form.word("confidence"), list(CONFIDENCES)
        report.add("not-a-choice", form.place_of("confidence"), typed=word, known=known, hint="")
    return Figure(
        id=form.word("id"),
        title=form.text("title"),
        value=interval(low, high),
        unit=form.word("unit"),
        as_of=form.word("as_of"),
        source=form.word("source"),
        confidence=form.word("confidence"),
        rows=form.words("source_rows"),
        place=form.place,
    )


def table_names(node: Node) -> tuple[str, ...]:
    """The ids of a table's entries: the names that a fact of type `name` may take."""
    tables = (
        [value for _, value in node.entries if isinstance(value, Sequence)] if isinstance(node, MappingNode) else []
    )
    found = []
    for item in tables[0].items if tables else ():
        name = item.get("id") if isinstance(item, MappingNode) else None
        found.append(getattr(name, "text", ""))
    return tuple(found)
