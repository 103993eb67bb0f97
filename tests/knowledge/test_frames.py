"""The shipped rules on data frames: the same verdicts as on columns, in Polars and in DuckDB."""

from __future__ import annotations

from pathlib import Path

from benchmarks.cases import random_facts
from engine.columns import Judged
from engine.frame_formulas import frame_formulas
from knowledge import knowledge_base
from tests.engine.frame_equality import columns_on, frame_of, in_duckdb, in_lazy_polars, unlike, without_rules

BASE = knowledge_base()
CASES = [
    {path: value for path, value in case.items() if BASE.vocabulary.facts[path].origin == "told"}
    for case in random_facts(BASE, 300, seed=11)
]


def judged() -> Judged:
    return columns_on(BASE, CASES)


def test_polars_gives_every_case_the_verdict_of_the_columns() -> None:
    assert list(unlike(BASE, judged(), in_lazy_polars(BASE, frame_of(BASE, CASES)))) == []


def test_duckdb_gives_every_case_the_verdict_of_the_columns(tmp_path: Path) -> None:
    assert list(unlike(BASE, judged(), in_duckdb(BASE, frame_of(BASE, CASES), tmp_path))) == []


def test_the_cases_come_to_every_route_and_to_ranges_and_gaps() -> None:
    assert {"on_prem", "cloud"} <= set(judged().route_names())
    columns = frame_of(BASE, CASES)
    assert any(name.endswith(".low") for name in columns.columns)
    assert any(count for row in columns.null_count().rows() for count in row)


def test_with_prepared_formulas_costs_speak_in_a_frame_too() -> None:
    few = CASES[:40]
    frame = frame_formulas(BASE, frame_of(BASE, few))
    assert any(name.startswith("computed:cost.") for name in frame.columns)
    assert without_rules(in_lazy_polars(BASE, frame), columns_on(BASE, few, compute=True), BASE) == []
