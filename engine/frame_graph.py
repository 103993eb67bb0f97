"""Flags and numbers that are not worked out yet: what the column reading does to them becomes a graph.

The same step asked for twice is one node, and what is the same in every case is folded away. So the reading of all
rules stays small enough to be handed to a library of data frames, which would write shared steps out again and again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypeGuard

from engine.column_logic import Flags, Numbers

Step: TypeAlias = Literal["input", "and", "or", "not", "at_least", "more_than", "equal", "add", "less", "chosen"]
Part: TypeAlias = "Node | float"


class Node:
    """One step on columns. It cannot be a Python bool: whoever asks it for one mixes up cases and columns."""

    __slots__ = ("_graph", "name", "number", "parts", "step")

    def __init__(self, graph: Graph, number: int, step: Step, parts: tuple[Part, ...], name: str) -> None:
        self._graph = graph
        self.number = number
        self.step = step
        self.parts = parts
        self.name = name

    def __bool__(self) -> bool:
        raise TypeError("a column of many cases is neither true nor false")

    __hash__ = object.__hash__

    def __and__(self, other: Node) -> Flags:
        return self._graph.both(self, other)

    def __or__(self, other: Node) -> Flags:
        return self._graph.either(self, other)

    def __invert__(self) -> Node:
        return self._graph.negated(self)

    def __eq__(self, other: object) -> Flags:
        return self._graph.equal(self, other) if is_part(other) else NotImplemented

    def __ge__(self, other: Part) -> Flags:
        return True if self is other else self._graph.compared("at_least", self, other)

    def __gt__(self, other: Part) -> Flags:
        return False if self is other else self._graph.compared("more_than", self, other)

    def __lt__(self, other: Part) -> Flags:
        return False if self is other else ~self._graph.compared("at_least", self, other)

    def __le__(self, other: Part) -> Flags:
        return True if self is other else ~self._graph.compared("more_than", self, other)

    def __add__(self, other: Part) -> Part:
        return self._graph.added(self, other)

    def __radd__(self, other: float) -> Part:
        return self._graph.added(other, self)

    def __sub__(self, other: Part) -> Part:
        return self._graph.less(self, other)

    def __rsub__(self, other: float) -> Part:
        return self._graph.less(other, self)

    def __neg__(self) -> Part:
        return self._graph.less(0.0, self)

    def nodes(self) -> Iterator[Node]:
        """The nodes among its parts."""
        return (part for part in self.parts if isinstance(part, Node))


class Graph:
    """All nodes of one reading, and how they choose between each other.

    Comparisons are written as at least and more than alone, turned around by not: no column holds a NaN.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Node] = {}

    def input(self, name: str) -> Node:
        """A column that is there from the beginning."""
        return self._node("input", (), name)

    def chosen(self, condition: Flags, one: Numbers, other: Numbers) -> Numbers:
        if isinstance(condition, bool):
            return one if condition else other
        if one is other or (is_number(one) and is_number(other) and one == other):
            return one
        if isinstance(one, bool) or isinstance(other, bool):
            return self._chosen_flag(condition, one, other)
        if condition.step == "not":
            return self.chosen(condition.parts[0], other, one)
        return self._node("chosen", (condition, one, other))

    def may_hold(self, flags: Flags) -> bool:
        return flags is not False

    def both(self, one: Node, other: Node) -> Flags:
        if one is other:
            return one
        if self._opposite(one, other):
            return False
        return self._node("and", _in_order(one, other))

    def either(self, one: Node, other: Node) -> Flags:
        if one is other:
            return one
        if self._opposite(one, other):
            return True
        return self._node("or", _in_order(one, other))

    def negated(self, one: Node) -> Node:
        before = one.parts[0] if one.step == "not" else None
        return before if isinstance(before, Node) else self._node("not", (one,))

    def equal(self, one: Node, other: Part) -> Flags:
        if one is other:
            return True
        if is_number(other) and math.isnan(other):
            return False
        if is_number(other) and one.step == "chosen" and any(is_number(part) for part in one.parts[1:]):
            condition, first, second = one.parts
            return self._chosen_flag(condition, _same(first, other), _same(second, other))
        return self._node("equal", _in_order(one, other) if isinstance(other, Node) else (one, other))

    def compared(self, step: Literal["at_least", "more_than"], one: Node, other: Part) -> Node:
        return self._node(step, (one, other))

    def added(self, one: Part, other: Part) -> Part:
        if is_number(one) and one == 0:
            return other
        return one if is_number(other) and other == 0 else self._node("add", (one, other))

    def less(self, one: Part, other: Part) -> Part:
        return one if is_number(other) and other == 0 else self._node("less", (one, other))

    def _chosen_flag(self, condition: Flags, one: Flags, other: Flags) -> Flags:
        if one is other:
            return one
        here = one if one is False else condition if one is True else condition & one
        there = other if other is False else ~condition if other is True else ~condition & other
        return there if here is False else here if there is False else here | there

    def _opposite(self, one: Node, other: Node) -> bool:
        return (one.step == "not" and one.parts[0] is other) or (other.step == "not" and other.parts[0] is one)

    def _node(self, step: Step, parts: tuple[Part, ...], name: str = "") -> Node:
        key = (step, name, *((part.number, "") if isinstance(part, Node) else part for part in parts))
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Node(self, len(self._made), step, parts, name)
        return found


def is_number(one: object) -> TypeGuard[float]:
    return isinstance(one, int | float)


def is_part(one: object) -> TypeGuard[Part]:
    return isinstance(one, Node | int | float)


def reached(ends: Iterable[Node]) -> list[Node]:
    """The nodes that these need, each behind its own parts."""
    found: dict[int, Node] = {}
    waiting = list(ends)
    while waiting:
        node = waiting.pop()
        if node.number not in found:
            found[node.number] = node
            waiting.extend(node.nodes())
    return [found[number] for number in sorted(found)]


def _same(one: Part, other: float) -> Flags:
    return one == other


def _in_order(one: Node, other: Node) -> tuple[Node, Node]:
    return (one, other) if one.number < other.number else (other, one)
