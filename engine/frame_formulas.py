"""What formulas say of the rows of a data frame, as columns that `judge_frame` reads.

Formulas are Python, and no library of data frames works them out: the rows are taken into memory, each different set of
inputs is computed once, and what comes of it stands in columns of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from engine.base import KnowledgeBase
from engine.case_columns import Arrays, Coder, cases_of
from engine.column_logic import ABSENT, Column, Flags
from engine.column_rules import Plan
from engine.column_verdict import Verdicts
from engine.computing import Computer
from engine.faults import FaultError
from engine.frame_facts import COMPUTED, HIGH, LOW, FrameFacts
from engine.frame_graph import Graph
from engine.values import Interval, Value
from engine.vocabulary import FactType


def frame_formulas(base: KnowledgeBase, frame: Any, replaced: Mapping[str, float | Interval] | None = None) -> Any:
    """The frame with what formulas say of each row, and of each part into which a row may be divided.

    `frame` is one that is in memory, of whatever library; `replaced` are figures to be used instead of the shipped
    ones, by id. Raises FaultError for columns that cannot be facts.
    """
    table = nw.from_native(frame, eager_only=True)
    coder = Coder(base.vocabulary)
    facts = FrameFacts(base, coder, dict(table.collect_schema()), Graph())
    cases = cases_of([dict(_told(facts, row)) for row in table.iter_rows(named=True)], coder)
    plan = Plan(base, coder)
    recorder = _Recorder(Computer(plan, replaced or {}))
    Verdicts(plan, recorder, Arrays()).verdict(cases.columns, len(table), "form")
    made = [
        nw.new_series(name, values, _KINDS[base.vocabulary.facts[formula.fact].kind], backend=table.implementation)
        for part, columns in recorder.found.items()
        for formula in base.formulas
        for name, values in _columns(f"{part}:" if part else COMPUTED, formula.fact, columns, len(table), coder)
    ]
    return (table.with_columns(*made) if made else table).to_native()


_KINDS: Mapping[str, Any] = {"number": nw.Float64, "flag": nw.Boolean, "choice": nw.String, "name": nw.String}


def _columns(
    before: str, path: str, columns: Mapping[str, Column], size: int, coder: Coder
) -> Iterator[tuple[str, list[Any]]]:
    """A computed fact as columns of a frame: single values, and the ends of ranges where there are any."""
    column = columns.get(path, ABSENT)
    if column.known is False or not np.any(column.known):
        return
    known, low, high = (np.broadcast_to(np.asarray(p), size).tolist() for p in (column.known, column.low, column.high))
    values = [coder.value(path, *ends) if is_known else None for is_known, *ends in zip(known, low, high, strict=True)]
    yield f"{before}{path}", [None if isinstance(value, Interval) else value for value in values]
    if any(isinstance(value, Interval) for value in values):
        for end in ("low", "high"):
            yield f"{before}{path}.{end}", [getattr(v, end) if isinstance(v, Interval) else None for v in values]


def _told(facts: FrameFacts, row: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    """The facts that a row tells, as a profile would be read; what is no value of its fact is unknown."""
    for fact in facts.told_facts:
        names = [facts.name_of(f"{fact.path}{end}") for end in ("", LOW, HIGH)]
        single, low, high = (row[name] if name else None for name in names)
        value = _read(fact, single)
        if value is None and low is not None and high is not None and low <= high:
            value = _read(fact, [float(low), float(high)])
        if value is not None:
            yield fact.path, value


def _read(fact: FactType, cell: Any) -> Value | None:
    if cell is None:
        return None
    number = fact.kind == "number" and not isinstance(cell, list)
    if fact.origin != "told":
        return float(cell) if number else cell
    try:
        return fact.read(float(cell) if number else cell)
    except (FaultError, ValueError):
        return None


class _Recorder:
    """Computes on all rows, and keeps what was computed of the whole and of each part."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer
        self.found: dict[str, Mapping[str, Column]] = {}

    def filled(
        self, columns: Mapping[str, Column], size: int, part: str
    ) -> tuple[Mapping[str, Column], Mapping[str, Flags]]:
        found, pending = self.computer.filled(columns, size, "route" if part else "form")
        self.found[part] = found
        return found, pending

    def narrowed(self, columns: Mapping[str, Column], size: int, _at: Flags) -> tuple[Mapping[str, Column], int, None]:
        """All rows: a frame has columns of one length."""
        return columns, size, None

    def back(self, column: Any, _way: None, _otherwise: Any) -> Any:
        return column
