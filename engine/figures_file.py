"""Reads figures from their files, whether they stand one by one or the file is a table of names."""

from __future__ import annotations

import re
from math import isfinite

from engine.as_of import FORMS, period
from engine.faults import Report
from engine.figures import CONFIDENCES, Figure
from engine.forms import Form, file_form
from engine.loading import Mapping, Node, Scalar, Sequence
from engine.values import interval

_KEYS = ("id", "title?", "value?", "low?", "high?", "unit", "as_of", "source", "source_rows?", "confidence", "note?")
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_LONGEST_LIFE = 1200


def read_figures(node: Node, report: Report) -> dict[str, Figure]:
    """The figures of one file's root node; a file that holds a table has none of these."""
    if not isinstance(node, Mapping) or node.get("table") is not None or node.get("figures") is None:
        return {}
    return listed_figures(node, report)


def listed_figures(node: Node, report: Report) -> dict[str, Figure]:
    """The figures that a file lists; reports a file that lists none."""
    form = file_form(node, ["valid_months?", "figures"], report)
    months = valid_months(form, report)
    found: dict[str, Figure] = {}
    for item in form.items("figures"):
        figure = _figure(item, months, report)
        put(figure, found, report)
    return found


def put(figure: Figure, found: dict[str, Figure], report: Report) -> None:
    """Adds a figure to those found; reports an id that is taken already."""
    if figure.id in found:
        report.add("duplicate-id", figure.place, id=figure.id, first=str(found[figure.id].place))
    found[figure.id] = figure


def valid_months(form: Form, report: Report) -> int | None:
    """After how many months the figures of a file count as past, None where they do not age."""
    months = form.number("valid_months")
    if months is None:
        return None
    if not months.is_integer() or not 0 < months <= _LONGEST_LIFE:
        report.add("bad-valid-months", form.place_of("valid_months"), limit=_LONGEST_LIFE)
        return None
    return int(months)


def _figure(node: Node, months: int | None, report: Report) -> Figure:
    form = Form(node, _KEYS, report)
    words = {key: form.word(key) for key in ("id", "unit", "as_of", "source", "confidence")}
    if isinstance(form.node("id"), Scalar) and not _ID.fullmatch(words["id"]):
        report.add("bad-id", form.place_of("id"), typed=words["id"])
    if isinstance(form.node("confidence"), Scalar) and words["confidence"] not in CONFIDENCES:
        known = list(CONFIDENCES)
        report.add("not-a-choice", form.place_of("confidence"), typed=words["confidence"], known=known, hint="")
    if isinstance(form.node("as_of"), Scalar) and not is_date(words["as_of"]):
        report.add("bad-as-of", form.place_of("as_of"), typed=words["as_of"], known=list(FORMS))
    return Figure(
        id=words["id"],
        title=form.text("title"),
        value=interval(*_ends(form, words["id"], report)),
        unit=words["unit"],
        as_of=words["as_of"],
        source=words["source"],
        confidence=words["confidence"],
        rows=form.words("source_rows"),
        place=form.place,
        valid_months=months,
        note=form.word("note"),
    )


def _ends(form: Form, name: str, report: Report) -> tuple[float, float]:
    """Lowest and highest value of a figure; zero where there is none."""
    single = form.number("value")
    low, high = (single, single) if single is not None else (form.number("low"), form.number("high"))
    if low is None or high is None or not 0 <= low <= high or not isfinite(high):
        report.add("figure-without-value", form.place, id=name)
        return 0.0, 0.0
    return low, high


def is_date(text: str) -> bool:
    """Whether the text has one of the forms in which a figure may be dated."""
    try:
        period(text)
    except ValueError:
        return False
    return True


def table_names(node: Node) -> tuple[str, ...]:
    """The ids of the entries of a table of names: what a fact of type `name`, or a cell, may be."""
    tables = [value for _, value in node.entries if isinstance(value, Sequence)] if isinstance(node, Mapping) else []
    found = []
    for item in tables[0].items if tables else ():
        name = item.get("id") if isinstance(item, Mapping) else None
        found.append(getattr(name, "text", ""))
    return tuple(found)
