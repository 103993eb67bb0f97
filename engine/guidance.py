"""The statements that the rules carry, row by row, and the advice items: what stands beside the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.faults import Place, Report
from engine.forms import Form, file_form, report_twins
from engine.loading import Node
from engine.values import Text

ADVICE_KINDS = ("blueprint", "risk", "migration", "guard", "gap", "doubt")


@dataclass(frozen=True)
class Row:
    """One statement of a document, or one conflict between two of them. `pending`: nothing carries it yet."""

    id: str
    section: str
    kinds: tuple[str, ...]
    statement: Text
    sides: tuple[str, ...]
    pending: bool
    place: Place


@dataclass(frozen=True)
class Advice:
    """Something to do or to mind, of one of the kinds of advice."""

    id: str
    kind: str
    text: Text
    place: Place


@dataclass(frozen=True)
class Guidance:
    """The documents' titles by their letter, and their rows by id."""

    documents: Mapping[str, Text]
    rows: Mapping[str, Row]

    def document_of(self, row: str) -> Text:
        return self.documents[row.partition("-")[0]]

    def document_place(self, document: str) -> str:
        """Where the document's first row stands; empty where it has none."""
        return next((str(row.place) for row in self.rows.values() if row.id.partition("-")[0] == document), "")


def read_guidance(node: Node, report: Report, beside: Guidance | None = None) -> Guidance:
    """The guidance of the file's root node, behind that which stands `beside` it; ids must be new.

    A row belongs to a document of its own file, and its sides may be rows of either.
    """
    before = beside or Guidance({}, {})
    form = file_form(node, ["documents", "rows"], report)
    report_twins(form.items("documents"), "id", report)
    documents = dict(_document(item, report) for item in form.items("documents"))
    for taken in before.documents.keys() & documents.keys():
        report.add("duplicate-id", form.place_of("documents"), id=taken, first=before.document_place(taken))
    rows: dict[str, Row] = {**before.rows}
    for item in form.items("rows"):
        row = _row(item, report)
        if row.id in rows:
            report.add("duplicate-id", row.place, id=row.id, first=str(rows[row.id].place))
        if row.id.partition("-")[0] not in documents:
            report.add("unknown-document", row.place, id=row.id, known=sorted(documents))
        rows.setdefault(row.id, row)
    for row in rows.values():
        for side in row.sides:
            if side not in rows:
                report.add("unknown-row", row.place, typed=side, hint="")
    return Guidance({**documents, **before.documents}, rows)


def _document(node: Node, report: Report) -> tuple[str, Text]:
    form = Form(node, ["id", "title"], report)
    return form.word("id"), form.text("title")


def _row(node: Node, report: Report) -> Row:
    form = Form(node, ["id", "section", "kind", "statement", "sides?", "pending?"], report)
    return Row(
        form.word("id"),
        form.word("section"),
        form.words("kind"),
        form.text("statement"),
        form.words("sides"),
        form.flag("pending"),
        form.place,
    )


@dataclass(frozen=True)
class Invariant:
    """What holds for all cases, and the test that holds it."""

    id: str
    source: tuple[str, ...]
    statement: Text
    held_by: str


def read_invariants(node: Node, guidance: Guidance, report: Report) -> tuple[Invariant, ...]:
    """The invariants of the file's root node."""
    form = file_form(node, ["invariants"], report)
    return tuple(_invariant(item, guidance, report) for item in form.items("invariants"))


def _invariant(node: Node, guidance: Guidance, report: Report) -> Invariant:
    form = Form(node, ["id", "source", "statement", "held_by"], report)
    for row in form.scalars("source"):
        if row.text not in guidance.rows:
            report.add("unknown-row", row.place, typed=row.text, hint="")
    return Invariant(form.word("id"), form.words("source"), form.text("statement"), form.word("held_by"))


def read_advice(node: Node, report: Report, beside: Mapping[str, Advice] | None = None) -> Mapping[str, Advice]:
    """The advice items of the file's root node, by id, behind those that stand `beside` them; ids must be new."""
    form = file_form(node, ["advice"], report)
    found: dict[str, Advice] = {**(beside or {})}
    for item in form.items("advice"):
        part = Form(item, ["id", "kind", "text"], report)
        advice = Advice(part.word("id"), part.word("kind"), part.text("text"), part.place)
        if advice.id in found:
            report.add("duplicate-id", part.place, id=advice.id, first=str(found[advice.id].place))
        if "kind" in part and advice.kind not in ADVICE_KINDS:
            known = list(ADVICE_KINDS)
            report.add("not-a-choice", part.place_of("kind"), typed=advice.kind, known=known, hint="")
        found.setdefault(advice.id, advice)
    return found
