"""Figures: shipped numbers, each with unit, date, source and confidence; and formulas over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from engine import as_of as dates
from engine.faults import Place
from engine.values import Interval, Text, Value

CONFIDENCES = ("low", "medium", "high")
_ALL_BELOW = ".*"


@dataclass(frozen=True)
class Figure:
    """One number or range that others measured, published or estimated; the title says it with its unit.

    `valid_months` is the age from which it counts as past, None where it does not age. `attributes` are the cells
    that describe a row of a table, by column; empty for all else.
    """

    id: str
    title: Text
    value: float | Interval
    unit: str
    as_of: str
    source: str
    confidence: str
    rows: tuple[str, ...]
    place: Place
    valid_months: int | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def is_past(figure: Figure, on: date) -> bool:
    """Whether the period of the figure's date ended more than `valid_months` before that day."""
    return figure.valid_months is not None and dates.is_past(figure.as_of, figure.valid_months, on)


@dataclass(frozen=True)
class Declared:
    """The figures that a formula may read: by their ids, and by what their ids begin with (`group.*`)."""

    names: frozenset[str]
    prefixes: tuple[str, ...]

    @staticmethod
    def of(figures: tuple[str, ...]) -> Declared:
        prefixes = tuple(name[:-1] for name in figures if is_prefix(name))
        return Declared(frozenset(name for name in figures if not is_prefix(name)), prefixes)

    def __contains__(self, name: str) -> bool:
        return name in self.names or name.startswith(self.prefixes)

    def covers(self, prefix: str) -> bool:
        """Whether every figure whose id begins so may be read."""
        return prefix.startswith(self.prefixes)


def is_prefix(name: str) -> bool:
    """Whether a declared name stands for every figure whose id begins so."""
    return name.endswith(_ALL_BELOW) and name != _ALL_BELOW


class FigureValues(Mapping[str, float | Interval]):
    """The values of one case's figures: those that were told, and the shipped ones for all others.

    `used` holds the ids of all that were read so far. What was told and is no shipped figure has a value and no more.
    With `declared`, any other id raises KeyError, whatever is asked of it: a formula reads what it says it reads. The
    views of one case share its `case`, in which whoever works something out for it may keep that.
    """

    def __init__(
        self,
        figures: Mapping[str, Figure],
        told: Mapping[str, float | Interval] | None = None,
        declared: Declared | None = None,
    ) -> None:
        self.told: Mapping[str, float | Interval] = told or {}
        self.used: set[str] = set()
        self.case: dict[object, Any] = {}
        self._figures = figures
        self._declared = declared
        self._instead: Mapping[str, float | Interval] = {}

    def declared(self, declared: Declared) -> FigureValues:
        """A view for one formula, with a record of its own of what is read."""
        view = FigureValues(self._figures, self.told, declared)
        view.case, view._instead = self.case, self._instead
        return view

    def with_values(self, values: Mapping[str, float | Interval]) -> FigureValues:
        """The figures of another case: these ones with other values, told where they were told."""
        other = FigureValues(self._figures, self.told, self._declared)
        other._instead = {**self._instead, **values}
        return other

    def __getitem__(self, name: str) -> float | Interval:
        self._check(name)
        for values in (self._instead, self.told):
            if name in values:
                self.used.add(name)
                return values[name]
        value = self._figures[name].value
        self.used.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        """Whether there is such a figure; looking counts as no reading."""
        if not isinstance(name, str):
            return False
        self._check(name)
        return name in self._figures or name in self.told

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys((*self._figures, *self.told))
        return (name for name in names if self._declared is None or name in self._declared)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(  # type: ignore[override]  # an id that was not declared raises KeyError here too
        self, name: str, default: float | Interval | None = None
    ) -> float | Interval | None:
        """The value, or the default where there is no such figure."""
        if name not in self:
            return default
        return self[name]

    def is_told(self, name: str) -> bool:
        """Whether the profile gives the value."""
        self._check(name)
        return name in self.told

    def unit(self, name: str) -> str:
        """The unit of a shipped figure; empty for what was only told. Raises KeyError for anything else."""
        self._check(name)
        return "" if name in self.told and name not in self._figures else self._figures[name].unit

    def attributes(self, name: str) -> Mapping[str, str]:
        """The cells of a table's row, by column; empty for what is no row. Raises KeyError where there is no figure."""
        self._check(name)
        return {} if name in self.told and name not in self._figures else self._figures[name].attributes

    def starting(self, prefix: str) -> tuple[str, ...]:
        """The ids of all shipped figures that begin so, in the order of the base."""
        if self._declared is not None and not self._declared.covers(prefix):
            raise KeyError(f"{prefix}{_ALL_BELOW[1:]} is not declared")
        return tuple(name for name in self._figures if name.startswith(prefix))

    def rows(self, prefix: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """The rows of a table: every shipped figure that begins so, with its cells."""
        return tuple((name, self._figures[name].attributes) for name in self.starting(prefix))

    def _check(self, name: str) -> None:
        if self._declared is not None and name not in self._declared:
            raise KeyError(f"{name} is not declared")


@dataclass(frozen=True)
class Formula:
    """Computes one fact from told or computed facts and from figures.

    `compute` gets the value of every input, None for an unknown one, and the figures. It returns None when the
    result is unknown, and an interval over all values that the result can take when it is partly known. It never puts
    a default in the place of an unknown fact. `inputs` tells in which direction each input moves the result: +1, -1,
    or 0 for both. `figures` names all that may be read: ids, and `group.*` for every figure whose id begins so.
    """

    fact: str
    inputs: Mapping[str, int]
    figures: tuple[str, ...]
    compute: Callable[[Mapping[str, Value | None], FigureValues], Value | None]
    source: str

    @cached_property
    def declared(self) -> Declared:
        return Declared.of(self.figures)
