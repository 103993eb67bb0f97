"""`python -m benchmarks.frames [--quick]`: the same cases judged without formulas, in NumPy, Polars and DuckDB.

Each round goes through all of them one after the other, so that what else the machine does meets them alike; ratios are
medians of those of the rounds. A time begins with the facts where each holds them, and ends with every verdict there.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import duckdb
import numpy as np
import polars as pl

from benchmarks.numbers import ratio, table
from engine.base import KnowledgeBase
from engine.case_columns import Cases
from engine.column_logic import Column
from engine.columns import ColumnReasoner
from engine.frames import judge_frame
from engine.vocabulary import FactType
from knowledge import knowledge_base

SIZES = (100_000, 1_000_000)
HEAD = ("cases", "library", "seconds", "cases a second", "times NumPy's")
_UNKNOWN = 0.3


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frames", description="Measure the column readings.")
    parser.add_argument("--quick", action="store_true", help="the smaller size, once: not a figure to quote")
    quick = parser.parse_args().quick
    base = knowledge_base()
    rows = [row for size in SIZES[: 1 if quick else 2] for row in _rows(base, size, 1 if quick else 3)]
    print(table(HEAD, rows))


def _rows(base: KnowledgeBase, size: int, rounds: int) -> list[tuple[str, ...]]:
    times = measured(base, size, rounds)
    return [
        (f"{size:,}", name, f"{statistics.median(taken):.2f}", f"{size / statistics.median(taken):,.0f}",
         f"{ratio(taken, times['NumPy']):.2f}")
        for name, taken in times.items()
    ]  # fmt: skip


def measured(base: KnowledgeBase, size: int, rounds: int) -> Mapping[str, list[float]]:
    """Seconds of every round, by library."""
    facts = random_facts(base, size)
    reasoner = ColumnReasoner(base)
    cases = _cases(reasoner, facts, size)
    frame = pl.DataFrame(facts)
    connection = duckdb.connect()
    connection.register("told", frame.to_arrow())
    connection.execute("CREATE TABLE fleet AS SELECT * FROM told")

    def in_duckdb() -> None:
        connection.execute("DROP TABLE IF EXISTS verdicts")
        judge_frame(base, connection.table("fleet")).create("verdicts")

    ways: Mapping[str, Callable[[], Any]] = {
        "NumPy": lambda: reasoner.judge(cases, "form", compute=False),
        "Polars": lambda: judge_frame(base, frame.lazy()).collect(),
        "DuckDB": in_duckdb,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            begun = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - begun)
    connection.close()
    return times


def random_facts(base: KnowledgeBase, size: int) -> Mapping[str, Any]:
    """Every told fact of so many cases, three in ten of them unknown; the same each time."""
    random = np.random.default_rng(0)
    return {fact.path: _values(fact, random, size) for fact in base.vocabulary.told()}


def _values(fact: FactType, random: np.random.Generator, size: int) -> pl.Series:
    unknown = pl.Series(random.random(size) < _UNKNOWN)
    if fact.kind == "number":
        values = pl.Series(_numbers(fact, random, size))
    else:
        values = pl.Series([*fact.values, *fact.names])[random.integers(len([*fact.values, *fact.names]), size=size)]
    return pl.select(pl.when(~unknown).then(values).alias(fact.path)).to_series()


def _numbers(fact: FactType, random: np.random.Generator, size: int) -> Any:
    """Numbers within the fact's bounds, of every order of magnitude where it has no upper one."""
    if fact.maximum is not None:
        found = random.uniform(fact.minimum or 0.0, fact.maximum, size)
    else:
        found = (fact.minimum or 0.0) + 10 ** random.uniform(-1, 4, size)
    return np.ceil(found) if fact.whole else found


def _cases(reasoner: ColumnReasoner, facts: Mapping[str, Any], size: int) -> Cases:
    """The facts as NumPy columns."""
    columns = {}
    for path, values in facts.items():
        known = values.is_not_null().to_numpy()
        coded = values
        if values.dtype == pl.String:
            words = values.drop_nulls().unique().to_list()
            coded = values.replace_strict({word: reasoner.coder.word(path, word) for word in words})
        numbers = coded.cast(pl.Float64).fill_null(0.0).to_numpy()
        columns[path] = Column(known, numbers, numbers)
    return Cases(size, columns)


if __name__ == "__main__":
    main()
