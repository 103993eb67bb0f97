"""Judges the rows of a data frame: the column reading as expressions of Polars, DuckDB or whatever narwhals knows.

The rules are read once into a graph of steps, and the library that holds the frame works the graph out, lazily where it
is lazy. The verdict on a row is that of `ColumnReasoner` on the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import narwhals.stable.v2 as nw

from engine.base import KnowledgeBase
from engine.case_columns import Coder
from engine.column_logic import ABSENT, Column, Flags, Numbers, negated
from engine.column_rules import Plan, first_of
from engine.column_verdict import Verdict, Verdicts
from engine.faults import Report
from engine.frame_facts import FrameFacts
from engine.frame_graph import Graph, Node
from engine.frame_stages import Frame, Stages, number_of
from engine.routes import STATUSES

About: TypeAlias = Literal["fired", "standing", "undecided"]
"""What may be told of a rule: it fired; it fired and stands; something is missing to tell whether it fires."""


def judge_frame(base: KnowledgeBase, frame: Any, rules: Collection[About] = ()) -> Any:
    """The frame with the verdict on each row, of the library that it came from, and as lazy as it was.

    `route`, `form`, `status` and `division` are ids, missing where there is none; `margin` is how far the route leads,
    missing where there is no route; `score_ROUTE` are the scores. Where `conflict` is true two rules infer different
    values of one fact, and nothing else is right. `rules` adds a column of true and false for each rule, `fired:RULE`.

    A missing value is unknown. No formula is asked; `frame_formulas` prepares what they say. Raises FaultError for
    columns that cannot be facts, and where a column of the verdict is there already.
    """
    table = nw.from_native(frame)
    graph = Graph()
    plan = Plan(base, Coder(base.vocabulary))
    facts = FrameFacts(base, plan.coder, dict(table.collect_schema()), graph)
    verdict = Verdicts(plan, PreparedRows(facts), graph).verdict(facts.told, 0, "all" if rules else "form")
    outputs = _outputs(base, verdict, rules)
    return worked_out(table, facts, outputs).to_native()


def unreadable(base: KnowledgeBase, frame: Any) -> Mapping[str, int]:
    """How many values of each column are there and are nothing that the fact can be, for columns that have such.

    They count as unknown. Reads the whole frame.
    """
    table = nw.from_native(frame).lazy()
    facts = FrameFacts(base, Coder(base.vocabulary), dict(table.collect_schema()), Graph())
    names = facts.told_names()
    if not names:
        return {}
    odd = [(~nw.col(name).is_null() & ~facts.known(name)).cast(nw.Int64).sum().alias(name) for name in names]
    row = table.select(*odd).collect().rows(named=True)[0]
    return {name: int(row[name]) for name in names if row[name]}


@dataclass(frozen=True)
class PreparedRows:
    """How verdicts on a frame get computed facts: from columns that were prepared, in which a gap stays unknown.

    Without any such column for the case, or for a part of it, computed facts that are not told are left out.
    """

    facts: FrameFacts

    def filled(
        self, columns: Mapping[str, Column], size: int, part: str
    ) -> tuple[Mapping[str, Column], Mapping[str, Flags]]:
        del size
        paths = [formula.fact for formula in self.facts.base.formulas]
        prepared = self.facts.computed[part]
        if not prepared:
            return columns, {path: negated(columns.get(path, ABSENT).known) for path in paths}
        choose = self.facts.graph
        found = {p: first_of(columns.get(p, ABSENT), prepared.get(p, ABSENT), choose) for p in paths}
        return {**columns, **found}, {}

    def narrowed(self, columns: Mapping[str, Column], size: int, at: Flags) -> tuple[Mapping[str, Column], int, None]:
        """All rows: what is found of a part counts only where the part is asked for."""
        del at
        return columns, size, None

    def back(self, column: Any, way: None, otherwise: Any) -> Any:
        del way, otherwise
        return column


@dataclass(frozen=True)
class Output:
    """One column that is added: a node, or what is the same in every row, and how it is shown."""

    value: Flags | Numbers
    shown: Callable[[nw.Expr], nw.Expr] = lambda found: found


def worked_out(table: Frame, facts: FrameFacts, outputs: Mapping[str, Output]) -> Frame:
    """The frame with these columns behind its own."""
    own = table.collect_schema().names()
    _check_free(own, outputs)
    nodes = [output.value for output in outputs.values() if isinstance(output.value, Node)]
    stages = Stages(nodes, facts.sources, _unused(own))
    made = []
    for name, output in outputs.items():
        value = output.value
        if isinstance(value, Node):
            found = stages.column(value)
        else:
            found = nw.lit(value) if isinstance(value, bool) else number_of(value)
        made.append(output.shown(found).alias(name))
    return stages.run(table).select(*(nw.col(name) for name in own), *made)


def _outputs(base: KnowledgeBase, verdict: Verdict, rules: Collection[About]) -> dict[str, Output]:
    routes = [route.id for route in base.routes.routes]
    found = {
        "route": Output(verdict.route, _named(routes)),
        "form": Output(verdict.form, _named(verdict.forms)),
        "status": Output(verdict.status, _named(STATUSES)),
        "division": Output(verdict.division, _named([division.id for division in base.divisions])),
        "margin": Output(verdict.lead),
    }
    found |= {f"score_{route}": Output(score) for route, score in verdict.scores.items()}
    found["conflict"] = Output(verdict.conflict)
    for about in dict.fromkeys(rules):
        flags: Mapping[str, Flags] = getattr(verdict, about)
        found |= {f"{about}:{name}": Output(flags[name]) for name in base.rules}
    return found


def _named(names: Sequence[str]) -> Callable[[nw.Expr], nw.Expr]:
    def shown(code: nw.Expr) -> nw.Expr:
        found = nw.lit(None, dtype=nw.String)
        for number, name in enumerate(names):
            found = nw.when(code == nw.lit(float(number))).then(nw.lit(name)).otherwise(found)
        return found

    return shown


def _check_free(own: Collection[str], outputs: Collection[str]) -> None:
    report = Report()
    small = {name.lower() for name in own}  # SQL does not tell capitals apart
    for name in outputs:
        if name.lower() in small:
            report.add("frame-taken", None, typed=name)
    report.check()


def _unused(own: Collection[str]) -> str:
    """What no column of the frame begins with."""
    prefix = "_step"
    while any(name.lower().startswith(prefix) for name in own):
        prefix += "_"
    return prefix
