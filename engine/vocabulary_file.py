"""Reads the vocabulary from its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from engine.faults import FaultError, Report, did_you_mean
from engine.forms import Form, file_form, report_twins
from engine.loading import Node, Scalar
from engine.numbers import Unit
from engine.values import Value
from engine.vocabulary import Choice, FactType, Group, Kind, Origin, Vocabulary

_Word = TypeVar("_Word", bound=str)
_KINDS: tuple[Kind, ...] = ("choice", "flag", "number", "name")
_ORIGINS: tuple[Origin, ...] = ("told", "computed", "inferred", "verdict")
_FACT_KEYS = (
    "path", "type", "origin?", "unit?", "minimum?", "above?", "maximum?", "whole?", "not_below?",
    "names_unit?", "names?", "otherwise?", "title", "meaning", "question?", "help?", "example?", "source?", "values?",
)  # fmt: skip
_ASSUMPTION_KEYS = ("name", "unit", "minimum?", "above?", "maximum?", "whole?", "title", "meaning")


def read_vocabulary(node: Node, names: Mapping[str, tuple[str, ...]], report: Report) -> Vocabulary:
    """The vocabulary of the file's root node. `names` holds, by list name, what a fact of type `name` may be."""
    form = file_form(node, ["units", "groups", "facts", "assumptions?"], report)
    units = {key.text: _unit(key.text, value, report) for key, value in form.entries("units")}
    groups = [_group(item, report) for item in form.items("groups")]
    reader = _FactReader(units, names, report)
    facts = [reader.fact(item) for item in form.items("facts")]
    assumptions = [reader.assumption(item) for item in form.items("assumptions")]
    for part, key in (("groups", "path"), ("facts", "path"), ("assumptions", "name")):
        report_twins(form.items(part), key, report)
    vocabulary = Vocabulary(
        facts={fact.path: fact for fact in facts},
        groups={group.path: group for group in groups},
        units=units,
        assumptions={fact.path: fact for fact in assumptions},
    )
    _check_references(vocabulary, form, report)
    return vocabulary


def _unit(name: str, node: Node, report: Report) -> Unit:
    form = Form(node, ["title", "symbol?", "suffixes?", "show?"], report)
    suffixes: dict[str, Decimal] = {}
    for key, value in form.entries("suffixes"):
        try:
            suffixes[key.text] = Decimal(value.text if isinstance(value, Scalar) else "")
        except ArithmeticError:
            report.add("expected-number-of", value.place, key=key.text)
    for word in form.scalars("show"):
        if word.text not in suffixes:
            report.add("not-a-choice", word.place, typed=word.text, known=list(suffixes), hint="")
    shown = tuple(word for word in form.words("show") if word in suffixes)
    return Unit(name, form.text("title"), form.text("symbol"), suffixes, shown)


def _group(node: Node, report: Report) -> Group:
    form = Form(node, ["path", "title", "about?"], report)
    return Group(form.word("path"), form.text("title"), form.text("about"))


class _FactReader:
    def __init__(self, units: Mapping[str, Unit], names: Mapping[str, tuple[str, ...]], report: Report) -> None:
        self.units = units
        self.names = names
        self.report = report

    def fact(self, node: Node) -> FactType:
        form = Form(node, _FACT_KEYS, self.report)
        kind = self._one_of(form, "type", _KINDS)
        report_twins(form.items("values"), "value", self.report)
        fact = FactType(
            path=form.word("path"),
            kind=kind,
            title=form.text("title"),
            meaning=form.text("meaning"),
            origin=self._one_of(form, "origin", _ORIGINS),
            choices=tuple(self._choice(item) for item in form.items("values")),
            names=self.names.get(form.word("names"), ()),
            unit=self._unit_of(form) if kind == "number" else None,
            minimum=form.number("minimum"),
            above=form.number("above"),
            maximum=form.number("maximum"),
            whole=form.flag("whole"),
            not_below=form.word("not_below") or None,
            names_unit=form.flag("names_unit"),
            question=form.text("question"),
            help=form.text("help"),
            example=form.word("example"),
            source=form.words("source"),
            place=form.place,
        )
        self._check(fact, form)
        return self._with_otherwise(fact, form)

    def _with_otherwise(self, fact: FactType, form: Form) -> FactType:
        node = form.node("otherwise")
        if node is None:
            return fact
        otherwise: Value | None = None
        try:
            otherwise = fact.read(node)
        except FaultError as error:
            for fault in error.faults:
                self.report.add(fault.key, node.place, **fault.params)
        return replace(fact, otherwise=otherwise)

    def assumption(self, node: Node) -> FactType:
        form = Form(node, _ASSUMPTION_KEYS, self.report)
        return FactType(
            path=form.word("name"),
            kind="number",
            title=form.text("title"),
            meaning=form.text("meaning"),
            unit=self._unit_of(form),
            minimum=form.number("minimum"),
            above=form.number("above"),
            maximum=form.number("maximum"),
            whole=form.flag("whole"),
            example="1",
            place=form.place,
        )

    def _one_of(self, form: Form, key: str, known: tuple[_Word, ...]) -> _Word:
        word = form.word(key, known[0])
        for name in known:
            if name == word:
                return name
        self.report.add("not-a-choice", form.place_of(key), typed=word, known=list(known), hint="")
        return known[0]

    def _choice(self, node: Node) -> Choice:
        form = Form(node, ["value", "label", "implies?"], self.report)
        return Choice(form.word("value"), form.text("label"), form.text("implies"))

    def _unit_of(self, form: Form) -> Unit:
        name = form.word("unit")
        if name not in self.units:
            self.report.add("unknown-unit", form.place_of("unit"), typed=name, known=sorted(self.units))
            return Unit(name, {}, {}, {})
        return self.units[name]

    def _check(self, fact: FactType, form: Form) -> None:
        if form.word("type") == "choice" and not fact.choices:
            self.report.add("missing-key", form.place, missing="values")
        if fact.kind == "name" and not fact.names:
            self.report.add("missing-key", form.place, missing="names")
        if form.word("origin", "told") == "told" and not (fact.question and fact.help):
            self.report.add("missing-key", form.place, missing="question, help")


def _check_references(vocabulary: Vocabulary, form: Form, report: Report) -> None:
    for fact, node in zip(vocabulary.facts.values(), form.items("facts"), strict=False):
        if fact.not_below is not None and fact.not_below not in vocabulary.facts:
            hint = did_you_mean(vocabulary.suggestion(fact.not_below))
            report.add("unknown-fact", node.place, typed=fact.not_below, hint=hint)
        group = fact.path.rpartition(".")[0]
        if group and group not in vocabulary.groups and fact.origin == "told":
            report.add("unknown-group", node.place, typed=group, known=sorted(vocabulary.groups))
