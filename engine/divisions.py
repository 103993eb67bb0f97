"""How a case may be divided into parts that are judged apart, so that a route made of several can come out: data.

A part holds the facts of the whole, but for those that the division sets anew. A division comes out when its condition
is true and each part takes the route expected of it, by at least the lead that it asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.conditions_file import ConditionReader
from engine.faults import Place, Report
from engine.forms import Form, file_form
from engine.guidance import Guidance
from engine.language import Condition
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar
from engine.routes import Routes
from engine.values import UNLIMITED, UNLIMITED_WORD, Text, Value
from engine.vocabulary import Vocabulary

_DIVISION_KEYS = ("id", "title", "source", "route", "form", "excluded?", "when", "parts", "because")


@dataclass(frozen=True)
class Taken:
    """A fact of the part that takes the value of another fact of the whole, unknown where that is unknown."""

    path: str


Setting: TypeAlias = Value | Taken


@dataclass(frozen=True)
class Part:
    """One part: the facts that it has otherwise than the whole, and the route that it must take.

    `lead` names the strength by which that route must lead the others at least; None asks only that it comes out.
    """

    id: str
    title: Text
    route: str
    lead: str | None
    sets: Mapping[str, Setting]


@dataclass(frozen=True)
class Division:
    """One way to divide a case. `excluded`: tried only where that route is excluded, and by none but these rules."""

    id: str
    title: Text
    source: tuple[str, ...]
    route: str
    form: str
    excluded: str | None
    excluded_by: tuple[str, ...]
    when: Condition
    parts: tuple[Part, ...]
    because: Text
    place: Place = field(compare=False)


def read_divisions(
    node: Node, vocabulary: Vocabulary, routes: Routes, guidance: Guidance, report: Report
) -> tuple[Division, ...]:
    """The divisions of the file's root node, in the order in which they are tried."""
    form = file_form(node, ["divisions"], report)
    reader = _DivisionReader(vocabulary, routes, guidance, report)
    return tuple(reader.division(item) for item in form.items("divisions"))


class _DivisionReader:
    def __init__(self, vocabulary: Vocabulary, routes: Routes, guidance: Guidance, report: Report) -> None:
        self.routes = routes
        self.guidance = guidance
        self.report = report
        self.conditions = ConditionReader(vocabulary, report)

    def division(self, node: Node) -> Division:
        form = Form(node, _DIVISION_KEYS, self.report)
        excluded, by = self._excluded(form.node("excluded"))
        route, named = form.word("route"), form.word("form")
        composite = [r for r in self.routes.routes if not r.primary]
        self._one_of(form, "route", [r.id for r in composite])
        self._one_of(form, "form", [f.id for r in composite if r.id == route for f in r.forms])
        for row in form.scalars("source"):
            if row.text not in self.guidance.rows:
                self.report.add("unknown-row", row.place, typed=row.text, hint="")
        return Division(
            id=form.word("id"),
            title=form.text("title"),
            source=form.words("source"),
            route=route,
            form=named,
            excluded=excluded,
            excluded_by=by,
            when=self.conditions.condition(form.node("when")),
            parts=tuple(self._part(item) for item in form.items("parts")),
            because=form.text("because"),
            place=form.place,
        )

    def _excluded(self, node: Node | None) -> tuple[str | None, tuple[str, ...]]:
        if node is None:
            return None, ()
        form = Form(node, ["route", "by"], self.report)
        self._one_of(form, "route", self.routes.primary)
        return form.word("route"), form.words("by")

    def _part(self, node: Node) -> Part:
        form = Form(node, ["id", "title", "route", "lead?", "set?"], self.report)
        self._one_of(form, "route", self.routes.primary)
        if "lead" in form:
            self._one_of(form, "lead", list(self.routes.weights))
        sets = {key.text: self._setting(key, value) for key, value in form.entries("set")}
        return Part(form.word("id"), form.text("title"), form.word("route"), form.word("lead") or None, sets)

    def _setting(self, key: Scalar, node: Node) -> Setting:
        fact = self.conditions.fact(key)
        if isinstance(node, MappingNode):
            taken = Form(node, ["fact"], self.report)
            for scalar in taken.scalars("fact"):
                self.conditions.fact(scalar)
            return Taken(taken.word("fact"))
        if isinstance(node, Scalar) and node.text == UNLIMITED_WORD:
            return UNLIMITED
        value = self.conditions.value(fact, node) if fact else None
        return 0.0 if value is None else value

    def _one_of(self, form: Form, key: str, known: list[str] | tuple[str, ...]) -> None:
        word = form.word(key)
        if key in form and word not in known:
            self.report.add("not-a-choice", form.place_of(key), typed=word, known=list(known), hint="")


def check_divisions(divisions: tuple[Division, ...], rules: Mapping[str, object], report: Report) -> None:
    """Every rule that a division names must be there, and no two divisions may have one id."""
    seen: dict[str, Division] = {}
    for division in divisions:
        if division.id in seen:
            report.add("duplicate-id", division.place, id=division.id, first=str(seen[division.id].place))
        seen[division.id] = division
        for name in division.excluded_by:
            if name not in rules:
                report.add("unknown-rule", division.place, typed=name, hint="")
        if len(division.parts) < 2:
            report.add("too-few-parts", division.place, division=division.id)
