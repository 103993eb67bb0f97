"""Verdicts on the rows of a table, batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cli.screening.header import Header
from cli.screening.tables import Batch
from cli.screening.values import CellReader, ReadColumn
from engine.base import KnowledgeBase
from engine.case_columns import Cases
from engine.column_logic import Column
from engine.column_reasons import strongest
from engine.columns import ColumnReasoner, Judged
from engine.faults import Fault, Place
from engine.routes import STATUSES

INVALID = "invalid"
"""What the reason of a row begins with that was not judged; the fact at fault follows."""


@dataclass
class Tally:
    """What came out so far, counted."""

    rows: int = 0
    faulty: int = 0
    verdicts: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Added:
    """The columns that a batch gets, in the order of the header's; all five are None but for the reason where a row is
    at fault."""

    columns: Sequence[Sequence[Any]]
    faults: Sequence[Fault]


class Screener:
    """Judges batches of one table. `wording` makes text of a fault for every language."""

    def __init__(self, base: KnowledgeBase, header: Header, name: str, wording: Callable[[Fault], object]) -> None:
        self.base = base
        self.header = header
        self.name = name
        self.tally = Tally()
        self._wording = wording
        self._reasoner = ColumnReasoner(base)
        self._readers = {number: CellReader(fact, self._reasoner.coder) for number, fact in header.facts.items()}
        self._number_of = {fact.path: number for number, fact in header.facts.items()}

    def judge(self, batch: Batch) -> Added:
        """The verdict on every row; rows at fault have none, and are told with their line and fact."""
        size = len(batch.lines)
        read = {number: reader.read(batch.cells[number]) for number, reader in self._readers.items()}
        faults = dict(sorted(self._faults(batch, read), key=lambda item: item[0]))
        columns = {self.header.facts[number].path: one.column for number, one in read.items()}
        judged = self._reasoner.judge(Cases(size, columns), "form")
        for row in np.flatnonzero(judged.conflict).tolist():
            faults.setdefault(row, ("", Fault("row-conflict", {}, Place(self.name, batch.lines[row], 1))))
        self._reasoner.computer.forget()
        added = self._columns(judged, {row: path for row, (path, _) in faults.items()})
        return Added(added, [fault for _, fault in faults.values()])

    # Faults

    def _faults(self, batch: Batch, read: dict[int, ReadColumn]) -> Iterator[tuple[int, tuple[str, Fault]]]:
        """The first fault of each row, with the fact that it is about."""
        seen: set[int] = set()
        for row, path, fault in (*self._short(batch), *self._unreadable(batch, read), *self._below(batch, read)):
            if row not in seen:
                seen.add(row)
                yield row, (path, fault)

    def _short(self, batch: Batch) -> Iterator[tuple[int, str, Fault]]:
        for row in sorted(batch.short):
            place = Place(self.name, batch.lines[row], 1)
            yield row, "", Fault("row-short", {"wanted": len(self.header.names)}, place)

    def _unreadable(self, batch: Batch, read: dict[int, ReadColumn]) -> Iterator[tuple[int, str, Fault]]:
        for number, one in read.items():
            path = self.header.facts[number].path
            for row, fault in one.faults.items():
                place = Place(self.name, batch.lines[row], number + 1)
                yield row, path, Fault("bad-value", {"fact": path, "reason": self._wording(fault)}, place)

    def _below(self, batch: Batch, read: dict[int, ReadColumn]) -> Iterator[tuple[int, str, Fault]]:
        """Facts that stand below the one that they may not be below."""
        for number, fact in self.header.facts.items():
            floor = self._number_of.get(fact.not_below or "")
            if floor is None:
                continue
            value, least = read[number].column, read[floor].column
            other = self.header.facts[floor]
            for row in np.flatnonzero(value.known & least.known & (value.high < least.low)).tolist():
                shown = {"value": fact.show(_at(value, row)), "limit": other.show(_at(least, row))}
                place = Place(self.name, batch.lines[row], number + 1)
                yield row, fact.path, Fault("below-other", {"fact": fact.path, "other": other.path, **shown}, place)

    # Columns

    def _columns(self, judged: Judged, faulty: dict[int, str]) -> list[list[Any]]:
        codes, names = strongest(self.base, judged)
        reasons = [names[code] if code >= 0 else None for code in codes.tolist()]
        leads = [None if lead != lead else lead for lead in judged.lead.tolist()]
        found: list[list[Any]] = [judged.route_names(), judged.form_names(), judged.status_names(), leads, reasons]
        for row, path in faulty.items():
            for column in found:
                column[row] = None
            reasons[row] = f"{INVALID}: {path}" if path else INVALID
        self._count(found, faulty)
        return found

    def _count(self, found: Sequence[Sequence[Any]], faulty: dict[int, str]) -> None:
        tally = self.tally
        tally.rows += len(found[0])
        tally.faulty += len(faulty)
        sound = [row for row in zip(*found, strict=True) if row[2] is not None]
        tally.verdicts.update((route, form) for route, form, *_ in sound)
        tally.statuses.update(status for _, _, status, *_ in sound)
        tally.reasons.update(reason for *_, reason in sound if reason is not None)


def _at(column: Column, row: int) -> float:
    return float(column.high[row])


def in_order(counts: Counter[str]) -> list[tuple[str, int]]:
    """Statuses from the strongest to the weakest, with how often each came."""
    return [(status, counts[status]) for status in reversed(STATUSES) if counts[status]]
