"""Cells as columns of values: each different cell is read once, exactly as a profile would read it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.case_columns import Coder
from engine.column_logic import Column
from engine.faults import Fault, FaultError
from engine.vocabulary import FactType

MOST_KEPT = 200_000
"""So many different cells of a column are kept; then it begins anew, so that memory does not grow with the table."""


@dataclass(frozen=True)
class ReadColumn:
    """The values of some rows, and the fault of each place that holds none of the fact."""

    column: Column
    faults: Mapping[int, Fault]


class CellReader:
    """Reads the cells of one column."""

    def __init__(self, fact: FactType, coder: Coder) -> None:
        self.fact = fact
        self._coder = coder
        self._forget()

    def _forget(self) -> None:
        self._places: dict[tuple[type, Any], int] = {}
        self._ends: list[tuple[bool, float, float]] = []
        self._faults: dict[int, Fault] = {}

    def read(self, cells: Sequence[Any]) -> ReadColumn:
        if len(self._ends) > MOST_KEPT:
            self._forget()
        places = np.fromiter((self._place(cell) for cell in cells), dtype=np.intp, count=len(cells))
        ends = np.array(self._ends, dtype=float)[places]
        faults = {}
        if self._faults:
            wrong = np.flatnonzero(np.isin(places, list(self._faults)))
            faults = {int(row): self._faults[int(places[row])] for row in wrong}
        return ReadColumn(Column(ends[:, 0] > 0, ends[:, 1].copy(), ends[:, 2].copy()), faults)

    def _place(self, cell: Any) -> int:
        key = (type(cell), repr(cell) if isinstance(cell, list | dict) else cell)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._ends)
            self._ends.append(self._found(cell, place))
        return place

    def _found(self, cell: Any, place: int) -> tuple[bool, float, float]:
        try:
            value = self.fact.read(_as_profile(cell))
        except FaultError as error:
            self._faults[place] = error.faults[0]
            return False, 0.0, 0.0
        return (False, 0.0, 0.0) if value is None else (True, *self._coder.code(self.fact.path, value))


def _as_profile(cell: Any) -> object:
    """The cell as a profile would hold it; a number that is none is an empty cell, as data frames write it."""
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, int | float):
        return None if math.isnan(cell) else float(cell)
    return list(cell) if isinstance(cell, list | tuple) else str(cell)
