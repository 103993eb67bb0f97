"""Many cases as columns of numbers, and the codes that words have in them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.column_logic import ABSENT, Column, Flags, Numbers
from engine.values import Value, bounds, interval
from engine.vocabulary import Vocabulary


class Coder:
    """The number that each word of each fact has in a column; yes is 1 and no is 0.

    A word that a fact was never seen with gets the next number, so one coder goes with all columns that are compared.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._codes: dict[str, dict[str, float]] = {}
        self._words: dict[str, list[str]] = {}
        for fact in vocabulary.facts.values():
            for value in (*fact.values, *fact.names):
                if isinstance(value, str):
                    self._code_of(fact.path, value)

    def is_word(self, path: str) -> bool:
        """Whether the fact holds a word, yes or no, and not a number."""
        return self.vocabulary.facts[path].kind != "number"

    def word(self, path: str, value: str | bool) -> float:
        """The code of a word, of yes or of no; NaN for what the fact cannot be, which equals nothing."""
        flag = self.vocabulary.facts[path].kind == "flag"
        if isinstance(value, bool):
            return float(value) if flag else float("nan")
        return float("nan") if flag or not self.is_word(path) else self._code_of(path, value)

    def code(self, path: str, value: Value) -> tuple[float, float]:
        """Both ends of a value as a column holds them."""
        if isinstance(value, str | bool):
            code = self.word(path, value)
            return code, code
        return bounds(value)

    def value(self, path: str, low: float, high: float) -> Value:
        """The value that has these two ends."""
        kind = self.vocabulary.facts[path].kind
        if kind == "number":
            return interval(low, high)
        return bool(low) if kind == "flag" else self._words[path][int(low)]

    def _code_of(self, path: str, word: str) -> float:
        codes = self._codes.setdefault(path, {})
        if word not in codes:
            codes[word] = float(len(codes))
            self._words.setdefault(path, []).append(word)
        return codes[word]


@dataclass(frozen=True)
class Cases:
    """Told facts of many cases, by path; a path that is not there is unknown in every case."""

    size: int
    columns: Mapping[str, Column]

    def taken(self, rows: Any) -> Cases:
        """The cases of these rows: an array of places, or of yes and no."""
        places = np.flatnonzero(rows) if getattr(rows, "dtype", None) == np.bool_ else np.asarray(rows, dtype=np.intp)
        return Cases(len(places), {path: taken(column, places) for path, column in self.columns.items()})

    def with_column(self, path: str, column: Column) -> Cases:
        return Cases(self.size, {**self.columns, path: column})

    def case(self, number: int, coder: Coder) -> Mapping[str, Value]:
        """The told facts of one case."""
        found = {}
        for path in coder.vocabulary.facts:
            one = taken(self.columns.get(path, ABSENT), np.array([number]))
            if _first(one.known):
                found[path] = coder.value(path, float(_first(one.low)), float(_first(one.high)))
        return found


def _first(column: Any) -> Any:
    return column[0] if isinstance(column, np.ndarray) else column


def taken(column: Column, places: Any) -> Column:
    """The entries of these places; what is the same in every case stays so."""
    parts = (*_parts(column), column.final)
    return Column(*(part[places] if isinstance(part, np.ndarray) else part for part in parts))


def _parts(column: Column) -> tuple[Flags, Numbers, Numbers]:
    return column.known, column.low, column.high


def cases_of(facts: Sequence[Mapping[str, Value]], coder: Coder) -> Cases:
    """The cases of dictionaries, one a case."""
    columns: dict[str, Column] = {}
    for path in dict.fromkeys(path for one in facts for path in one):
        known = np.array([path in one for one in facts])
        ends = np.array([coder.code(path, one[path]) if path in one else (0.0, 0.0) for one in facts], dtype=float)
        columns[path] = Column(known, ends[:, 0].copy(), ends[:, 1].copy())
    return Cases(len(facts), columns)


def varied(facts: Mapping[str, Value], changes: Sequence[Mapping[str, Value | None]], coder: Coder) -> Cases:
    """The same facts in every case, with each change over them; None makes a fact unknown."""
    size = len(changes)
    columns = {path: Column(True, *coder.code(path, value)) for path, value in facts.items()}
    rows: dict[str, list[tuple[int, Value | None]]] = {}
    for number, change in enumerate(changes):
        for path, value in change.items():
            rows.setdefault(path, []).append((number, value))
    for path, values in rows.items():
        before = columns.get(path, ABSENT)
        known, low, high = (np.full(size, part) for part in _parts(before))
        for number, value in values:
            known[number] = value is not None
            low[number], high[number] = (0.0, 0.0) if value is None else coder.code(path, value)
        columns[path] = Column(known, low, high)
    return Cases(size, columns)


class Arrays:
    """NumPy's way to choose between columns.

    Choosing itself takes NumPy ten times as long as arithmetic does; where arithmetic comes to exactly the same, it is
    taken instead.
    """

    def chosen(self, condition: Flags, one: Numbers, other: Numbers) -> Numbers:
        if isinstance(condition, bool):
            return one if condition else other
        if isinstance(other, int | float) and other == 0 and isinstance(one, int | float) and math.isfinite(one):
            return np.multiply(condition, one)
        if _is_whole(one) and _is_whole(other):
            return other + condition * (one - other)
        return np.where(condition, one, other)

    def may_hold(self, flags: Flags) -> bool:
        return bool(np.any(flags))


def _is_whole(numbers: Numbers) -> bool:
    return isinstance(numbers, int) or (isinstance(numbers, np.ndarray) and numbers.dtype.kind == "i")
