"""Cases as a data frame, and what the frame reading says of them beside what the column reading says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from engine.base import KnowledgeBase
from engine.columns import ColumnReasoner, Judged
from engine.frames import About, judge_frame
from engine.values import Interval, Value

ABOUT: tuple[About, ...] = ("fired", "standing", "undecided")
KINDS = {"number": pl.Float64, "flag": pl.Boolean, "choice": pl.String, "name": pl.String}


def frame_of(base: KnowledgeBase, cases: Sequence[Mapping[str, Value]]) -> pl.DataFrame:
    """A row for each case; a range stands in two columns of its own."""
    columns: dict[str, pl.Series] = {"case": pl.Series("case", list(range(len(cases))), pl.Int64)}
    for path in dict.fromkeys(path for case in cases for path in case):
        kind, values = KINDS[base.vocabulary.facts[path].kind], [case.get(path) for case in cases]
        single = [None if isinstance(value, Interval) else value for value in values]
        columns[path] = pl.Series(path, single, kind)
        if any(isinstance(value, Interval) for value in values):
            for end in ("low", "high"):
                ends = [getattr(value, end) if isinstance(value, Interval) else None for value in values]
                columns[f"{path}.{end}"] = pl.Series(f"{path}.{end}", ends, kind)
    return pl.DataFrame(list(columns.values()))


def in_polars(base: KnowledgeBase, frame: pl.DataFrame) -> list[dict[str, Any]]:
    found: pl.DataFrame = judge_frame(base, frame, ABOUT)
    return found.to_dicts()


def in_lazy_polars(base: KnowledgeBase, frame: pl.DataFrame) -> list[dict[str, Any]]:
    found: pl.LazyFrame = judge_frame(base, frame.lazy(), ABOUT)
    return found.collect().to_dicts()


def in_duckdb(base: KnowledgeBase, frame: pl.DataFrame, folder: Path) -> list[dict[str, Any]]:
    path = folder / "cases.parquet"
    frame.write_parquet(path)
    with duckdb.connect() as connection:
        found = judge_frame(base, connection.read_parquet(str(path)), ABOUT).order('"case"')
        names = found.columns
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def unlike(base: KnowledgeBase, judged: Judged, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Everything in which a row differs from the column reading of its case."""
    divisions = [division.id for division in base.divisions]
    routes, forms, statuses = judged.route_names(), judged.form_names(), judged.status_names()
    for number, row in enumerate(rows):
        wanted: dict[str, Any] = {"conflict": bool(judged.conflict[number])}
        if not judged.conflict[number]:
            lead, code = float(judged.lead[number]), int(judged.division[number])
            wanted |= {"route": routes[number], "form": forms[number], "status": statuses[number]}
            wanted |= {"margin": None if math.isnan(lead) else lead, "division": divisions[code] if code >= 0 else None}
            wanted |= {f"score_{route}": float(score[number]) for route, score in judged.scores.items()}
            for about in ABOUT:
                flags = getattr(judged, about)
                wanted |= {f"{about}:{name}": bool(flags[name][number]) for name in base.rules}
        yield from (f"case {number}, {k}: {row[k]} is not {v}" for k, v in wanted.items() if row[k] != v)


def columns_on(base: KnowledgeBase, cases: Sequence[Mapping[str, Value]], compute: bool = False) -> Judged:
    reasoner = ColumnReasoner(base)
    return reasoner.judge(reasoner.cases(cases), "all", compute=compute)


def without_rules(rows: Sequence[Mapping[str, Any]], judged: Judged, base: KnowledgeBase) -> list[str]:
    """What differs, but for rules: of those a formula is asked only where they decide something."""
    return [text for text in unlike(base, judged, rows) if not text.split(", ", 1)[1].startswith(ABOUT)]
