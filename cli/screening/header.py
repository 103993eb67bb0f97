"""Which columns of a table hold facts, and which are only carried along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.faults import Place, Report, did_you_mean
from engine.vocabulary import FactType, Vocabulary

ADDED = ("route", "form", "status", "margin", "reason")
"""The columns that are added, in this order."""


@dataclass(frozen=True)
class Header:
    """The facts among the columns, by the number of the column; all other names are carried along unread."""

    names: tuple[str, ...]
    facts: Mapping[int, FactType]

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(name for number, name in enumerate(self.names) if number not in self.facts)


def read_header(names: Sequence[str], vocabulary: Vocabulary, place: Place) -> Header:
    """Raises FaultError where a name with a dot is no fact that can be told, where a name stands twice or is one of
    those that are added, and where no column holds a fact."""
    report = Report()
    told = {fact.path: fact for fact in vocabulary.told()}
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            report.add("table-column-twice", place, column=name)
        if name in ADDED:
            report.add("table-column-taken", place, column=name)
        if "." in name and name not in told:
            report.add("unknown-fact", place, typed=name, hint=did_you_mean(vocabulary.suggestion(name, told)))
    facts = {number: told[name] for number, name in enumerate(names) if name in told}
    if not facts and not report.faults:
        report.add("no-fact-column", place, example=next(iter(told)))
    report.check()
    return Header(tuple(names), facts)
