"""A graph of steps as columns of a data frame, stage by stage.

Every step that is used more than once becomes a column of its own, which later stages read: written into one
expression, shared steps would double it again and again. Columns are let go as soon as no later stage reads them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from engine.frame_graph import Node, Part, reached

Frame: TypeAlias = Any
"""A narwhals frame, eager or lazy: both have all that is used here."""


@dataclass(frozen=True)
class Source:
    """How an input of a graph comes out of the frame's own columns: its flags or numbers, and where it has a code."""

    made: Callable[[], nw.Expr]
    equal: Callable[[float], nw.Expr]
    is_flag: bool


_FEW_STEPS = 4
"""What takes no more steps than this is written out again where it is needed."""
_DEEPEST = 40
"""An expression of more levels is cut: libraries limit them, and go down them by recursion."""


class Stages:
    """Works out nodes on one frame. `sources` has the inputs."""

    def __init__(self, nodes: Iterable[Node], sources: Mapping[str, Source], prefix: str) -> None:
        self.prefix = prefix
        self.sources = sources
        self.ends = {node.number for node in nodes}
        self.order = reached(nodes)
        self._uses = Counter(part.number for node in self.order for part in node.nodes())
        self._columns: dict[int, int] = {}
        """The stage in which a node becomes a column."""
        self._plan()

    def _plan(self) -> None:
        steps: dict[int, int] = {}
        levels: dict[int, int] = {}
        stage: dict[int, int] = {}
        for node in self.order:
            parts = [part for part in node.nodes() if part.number not in self._columns]
            steps[node.number] = 1 + sum(steps[part.number] for part in parts)
            levels[node.number] = 1 + max((levels[part.number] for part in parts), default=0)
            before = [stage[part.number] for part in parts]
            before += [self._columns[part.number] + 1 for part in node.nodes() if part.number in self._columns]
            stage[node.number] = max(before, default=0)
            shared = (self._uses[node.number] - 1) * steps[node.number] > _FEW_STEPS
            if node.step == "input":
                shared = self.sources[node.name].is_flag and self._uses[node.number] > 1
            if node.number in self.ends or shared or levels[node.number] > _DEEPEST:
                self._columns[node.number] = stage[node.number]

    def run(self, frame: Frame) -> Frame:
        """The frame with a column for each node that was asked for."""
        own = [nw.col(name) for name in frame.collect_schema().names()]
        last_read = self._last_read()
        here: list[int] = []
        for number, made in sorted(_by_stage(self._columns).items()):
            here = [one for one in here if last_read[one] >= number]
            kept = [nw.col(self.name(one)) for one in here]
            frame = frame.select(*own, *kept, *self._made(made))
            here += made
        return frame

    def name(self, number: int) -> str:
        return f"{self.prefix}{number}"

    def column(self, node: Node) -> nw.Expr:
        """A node that was asked for, once all stages have run."""
        return nw.col(self.name(node.number))

    def _last_read(self) -> Mapping[int, int]:
        """The last stage that reads each column; what was asked for is kept to the end."""
        never = max(self._columns.values(), default=0) + 1
        found = dict.fromkeys(self._columns, 0)
        stage: dict[int, int] = {}
        for node in reversed(self.order):  # whoever reads a node comes behind it
            at = self._columns.get(node.number, stage.get(node.number, 0))
            for part in node.nodes():
                into = found if part.number in self._columns else stage
                into[part.number] = max(into.get(part.number, 0), at)
        return {number: never if number in self.ends else last for number, last in found.items()}

    def _made(self, numbers: Sequence[int]) -> list[nw.Expr]:
        wanted = set(numbers)
        written: dict[int, nw.Expr] = {}
        return [
            self._written(node, written).alias(self.name(node.number)) for node in self.order if node.number in wanted
        ]

    def _written(self, node: Node, written: dict[int, nw.Expr]) -> nw.Expr:
        """The expression of one node out of columns of earlier stages."""
        if node.step == "input":
            return self.sources[node.name].made()
        if node.step == "equal" and (found := self._coded(node)) is not None:
            return found
        if node.step in ("and", "or"):
            joined = nw.all_horizontal if node.step == "and" else nw.any_horizontal
            return joined(*(self._part(part, written) for part in self._chain(node)), ignore_nulls=False)
        parts = [self._part(part, written) for part in node.parts]
        return _WRITTEN[node.step](*parts)

    def _coded(self, node: Node) -> nw.Expr | None:
        """Whether an input has one code, read off the frame's own column."""
        one, other = node.parts
        if isinstance(one, Node) and one.step == "input" and not isinstance(other, Node):
            return self.sources[one.name].equal(other)
        return None

    def _part(self, part: Part, written: dict[int, nw.Expr]) -> nw.Expr:
        if not isinstance(part, Node):
            return number_of(part)
        if part.number in self._columns:
            return self.column(part)
        if part.number not in written:
            written[part.number] = self._written(part, written)
        return written[part.number]

    def _chain(self, node: Node) -> list[Node]:
        """What a chain of ands, or of ors, holds together, as far as it is written in one expression."""
        found: list[Node] = []
        waiting = list(node.nodes())
        while waiting:
            one = waiting.pop()
            if one.step == node.step and one.number not in self._columns:
                waiting.extend(one.nodes())
            else:
                found.append(one)
        return sorted(found, key=lambda one: one.number)


def number_of(value: float) -> nw.Expr:
    """A number that is the same in every case; nothing stands for none at all."""
    return nw.lit(None, dtype=nw.Float64) if math.isnan(value) else nw.lit(float(value))


def _chosen(condition: nw.Expr, one: nw.Expr, other: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(one).otherwise(other)


_WRITTEN: Mapping[str, Callable[..., nw.Expr]] = {
    "not": lambda one: ~one,
    "at_least": lambda one, other: one >= other,
    "more_than": lambda one, other: one > other,
    "equal": lambda one, other: one == other,
    "add": add,
    "less": lambda one, other: one - other,
    "chosen": _chosen,
}


def _by_stage(columns: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number, stage in columns.items():
        found.setdefault(stage, []).append(number)
    return found
