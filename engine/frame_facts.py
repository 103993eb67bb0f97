"""The columns of a data frame as columns of facts: which are there, what they hold, what in them is known.

`PATH` is a fact, `PATH.low` and `PATH.high` are the ends of its range, `computed:PATH` is what a formula said of it,
and `DIVISION/PART:PATH` what it said in a part of a divided case. `__` may stand for every dot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from engine.base import KnowledgeBase
from engine.case_columns import Coder
from engine.column_logic import Column, both
from engine.column_rules import first_of
from engine.faults import Report, did_you_mean, nearest
from engine.frame_graph import Graph
from engine.frame_stages import Source
from engine.vocabulary import ANY_NAME, FactType

COMPUTED = "computed:"
"""What stands before the path of a prepared fact of an undivided case."""
LOW, HIGH = ".low", ".high"


class FrameFacts:
    """The facts in the columns of one frame, as inputs of a graph; `sources` tells how each comes out of one.

    What a fact cannot be counts as unknown. Raises FaultError for a column that is named like a fact and is none, and
    for one that holds something of another kind.
    """

    def __init__(self, base: KnowledgeBase, coder: Coder, schema: Mapping[str, Any], graph: Graph) -> None:
        self.base = base
        self.graph = graph
        self.parts = {f"{d.id}/{part.id}:": f"{d.id}/{part.id}" for d in base.divisions for part in d.parts}
        self.told_facts = [fact for fact in base.vocabulary.facts.values() if fact.origin != "verdict"]
        self._words = {fact.path: _words(coder, fact) for fact in self.told_facts if fact.kind != "number"}
        self.sources: dict[str, Source] = {}
        self._names = self._checked(schema)
        self.told = dict(self._columns("", self.told_facts))
        computed = [base.vocabulary.facts[formula.fact] for formula in base.formulas]
        self.computed = {part: dict(self._columns(before, computed)) for before, part in self._befores().items()}

    def told_names(self) -> list[str]:
        """The frame's columns that hold told facts."""
        return [name for plain, name in self._names.items() if not self._before(plain)]

    def name_of(self, plain: str) -> str | None:
        """The frame's column of this name with dots, None where there is none."""
        return self._names.get(plain)

    def known(self, name: str) -> nw.Expr:
        """Where a column of the frame holds what its fact can be."""
        plain = plain_name(name)
        return self._is_known(self._fact_of(plain), name)

    def _befores(self) -> Mapping[str, str]:
        """What may stand before a path: for computed facts of the whole case, and of each part."""
        return {COMPUTED: "", **self.parts}

    def _before(self, plain: str) -> str:
        return next((before for before in self._befores() if plain.startswith(before)), "")

    # Names

    def _checked(self, schema: Mapping[str, Any]) -> Mapping[str, str]:
        """The frame's columns of facts, by their names with dots."""
        report = Report()
        found: dict[str, str] = {}
        known = {fact.path: fact for fact in self.told_facts}
        groups = {f"{path.rpartition('.')[0]}." for path in known if "." in path}
        for name, kind in schema.items():
            plain = plain_name(name)
            before = self._before(plain)
            path = _without_end(plain.removeprefix(before))
            if path not in known:
                if before or any(path.startswith(group) for group in groups):
                    report.add("frame-no-fact", None, typed=name, hint=did_you_mean(nearest(path, known)))
            elif plain in found:
                report.add("frame-twice", None, typed=name, first=found[plain])
            elif not _holds(known[path], kind):
                report.add("frame-kind", None, typed=name, found=str(kind), expected=_NEEDED[known[path].kind])
            else:
                found[plain] = name
        report.check()
        return found

    def _fact_of(self, plain: str) -> FactType:
        return self.base.vocabulary.facts[_without_end(plain.removeprefix(self._before(plain)))]

    # Columns

    def _columns(self, before: str, facts: Iterable[FactType]) -> Iterator[tuple[str, Column]]:
        for fact in facts:
            column = self._column(f"{before}{fact.path}", fact)
            if column is not None:
                yield fact.path, column

    def _column(self, plain: str, fact: FactType) -> Column | None:
        """The single value where it is known, and else the range."""
        single = self._single(self._names[plain], fact) if plain in self._names else None
        low, high = (self._names.get(f"{plain}{end}") for end in (LOW, HIGH))
        if low is None or high is None:
            return single
        below, above = self._single(low, fact), self._single(high, fact)
        known = both(both(below.known, above.known), below.low <= above.low)
        span = Column(known, below.low, above.low)
        return span if single is None else first_of(single, span, self.graph)

    def _single(self, name: str, fact: FactType) -> Column:
        known = self._input(f"{name}?", Source(lambda: self._is_known(fact, name), lambda _: nw.lit(False), True))
        value = self._input(name, self._value(fact, name))
        return Column(known, value, value)

    def _input(self, name: str, source: Source) -> Any:
        self.sources[name] = source
        return self.graph.input(name)

    def _is_known(self, fact: FactType, name: str) -> nw.Expr:
        if fact.kind == "number":
            column = nw.col(name).cast(nw.Float64)
            return _or_else(column, _in_bounds(fact, column), False)
        if fact.kind == "flag":
            return ~nw.col(name).is_null()
        column = nw.col(name).cast(nw.String)
        return _or_else(column, column.is_in(list(self._words[fact.path])), False)

    def _value(self, fact: FactType, name: str) -> Source:
        """The number, or the code; 0 where there is none, and anything where it cannot be."""
        if fact.kind == "number":
            column = nw.col(name).cast(nw.Float64)

            def same(code: float) -> nw.Expr:
                return _or_else(column, column == nw.lit(code), False)

            return Source(lambda: _or_else(column, column, 0.0), same, False)
        codes = {True: 1.0, False: 0.0} if fact.kind == "flag" else self._words[fact.path]
        column = nw.col(name).cast(nw.Boolean if fact.kind == "flag" else nw.String)

        def made() -> nw.Expr:
            found = nw.lit(0.0)
            for word, code in codes.items():
                found = nw.when(column == nw.lit(word)).then(nw.lit(code)).otherwise(found)
            return _or_else(column, found, 0.0)

        def equal(wanted: float) -> nw.Expr:
            words = [word for word, code in codes.items() if code == wanted]
            return _or_else(column, column == nw.lit(words[0]), False) if words else nw.lit(False)

        return Source(made, equal, False)


def plain_name(name: str) -> str:
    """The name of a column with dots."""
    return name.replace("__", ".")


def _without_end(plain: str) -> str:
    return next((plain.removesuffix(end) for end in (LOW, HIGH) if plain.endswith(end)), plain)


def _or_else(column: nw.Expr, found: nw.Expr, missing: float | bool) -> nw.Expr:
    """What was found out of a column, where the column has a value at all."""
    return nw.when(column.is_null()).then(nw.lit(missing)).otherwise(found)


def _in_bounds(fact: FactType, column: nw.Expr) -> nw.Expr:
    """Whether the fact can have the number, as `FactType.read` tells; a computed one can be any but NaN."""
    found = ~column.is_nan()
    if fact.origin != "told":
        return found
    if fact.minimum is not None:
        found = found & (column >= nw.lit(fact.minimum))
    if fact.above is not None:
        found = found & (column > nw.lit(fact.above))
    if fact.maximum is not None:
        found = found & (column <= nw.lit(fact.maximum))
    if fact.whole:
        found = found & (column.floor() == column) & (column < nw.lit(float("inf")))
    return found


_NEEDED = {
    "number": {"en": "numbers", "zh": "数字"},
    "flag": {"en": "true or false", "zh": "布尔值（true 或 false）"},
    "choice": {"en": "words", "zh": "文本"},
    "name": {"en": "words", "zh": "文本"},
}


def _holds(fact: FactType, kind: Any) -> bool:
    if kind == nw.Unknown:
        return True  # a column in which every value is missing
    if fact.kind == "number":
        return bool(kind.is_numeric())
    if fact.kind == "flag":
        return bool(kind == nw.Boolean)
    return kind in (nw.String, nw.Categorical, nw.Enum)


def _words(coder: Coder, fact: FactType) -> Mapping[str, float]:
    """Every word that the fact can be, and its code; of a name every part that ends where a word of it ends."""
    words: dict[str, None] = {value: None for value in fact.values if isinstance(value, str)}
    if fact.kind == "name":
        words[ANY_NAME] = None
        for name in fact.names:
            parts = name.split("-")
            words.update({"-".join(parts[: number + 1]): None for number in range(len(parts))})
    return {word: coder.word(fact.path, word) for word in words}
