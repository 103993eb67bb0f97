"""`python -m benchmarks.screening [--quick]`: `gpu-advisor screen` over tables of two sizes, in time and peak memory.

Each run is the command itself, as a process of its own. The tables are made by another one: what a process holds when
it starts a second is counted with that one's peak.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.numbers import table

if TYPE_CHECKING:
    import numpy as np

SIZES = (100_000, 1_000_000)
HEAD = ("rows", "different rows", "seconds", "rows a second", "peak MB")
_SEED = 20_261_201
_REPEATED = 0.5
"""The share of rows that repeat one of the templates; all others are drawn by themselves."""
_TEMPLATES = 500


@dataclass(frozen=True)
class Run:
    """One run of the command: rows of its table, how many of them differ, seconds, and the most memory it held."""

    rows: int
    different: int
    seconds: float
    peak_bytes: int

    @property
    def cells(self) -> tuple[str, ...]:
        speed = self.rows / self.seconds
        peak = self.peak_bytes / 2**20
        return (f"{self.rows:,}", f"{self.different:,}", f"{self.seconds:.1f}", f"{speed:,.0f}", f"{peak:.0f}")


def main() -> None:
    """Prints a table and how the larger run compares with the smaller, or makes one table for that."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screening", description="Measure screen.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows: not a figure to quote")
    parser.add_argument("--make", nargs=2, metavar=("FILE", "ROWS"), help=argparse.SUPPRESS)
    typed = parser.parse_args()
    if typed.make:
        print(_make(Path(typed.make[0]), int(typed.make[1])))
        return
    print(screening([size // 10 for size in SIZES] if typed.quick else SIZES))


def screening(sizes: tuple[int, ...] | list[int]) -> str:
    """A table with a line for each size, and the ratios of the last to the first."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [measured(Path(folder), size) for size in sizes]
    first, last = runs[0], runs[-1]
    rows, seconds = last.rows / first.rows, last.seconds / first.seconds
    memory = last.peak_bytes / first.peak_bytes
    title = "screen, Parquet in and out, the start of the command counted in"
    ratios = f"{rows:g} times the rows: {seconds:.2f} times the seconds, {memory:.2f} times the peak memory"
    return f"{title}\n{table(HEAD, [run.cells for run in runs])}\n{ratios}"


def measured(folder: Path, rows: int) -> Run:
    """One run over a table of so many rows."""
    told, judged = folder / f"fleet-{rows}.parquet", folder / f"judged-{rows}.parquet"
    maker = [sys.executable, "-m", "benchmarks.screening", "--make", str(told), str(rows)]
    different = int(subprocess.run(maker, capture_output=True, check=True, text=True).stdout)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "cli", "screen", str(told), "--out", str(judged)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Run(rows, different, seconds, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


# The table


def _make(path: Path, rows: int) -> int:
    """Writes a table of workloads, the same each time; how many of its rows differ in what they tell."""
    import numpy as np
    import polars as pl

    random = np.random.default_rng(_SEED)
    drawn = {name: draw(random, rows) for name, draw in _columns().items()}
    template = random.integers(0, _TEMPLATES, rows)
    source = np.where(random.random(rows) < _REPEATED, template, np.arange(rows))
    frame = pl.DataFrame(drawn)[source].with_columns(
        pl.when(pl.Series(random.random(rows) >= unknown)).then(pl.col(name)).alias(name)
        for name, unknown in _unknown().items()
    )
    ids = pl.Series("id", [f"W-{number:07}" for number in range(rows)])
    frame.insert_column(0, ids).write_parquet(path, row_group_size=100_000)
    return frame.drop("id").n_unique()


_Draw = Callable[["np.random.Generator", int], Any]


def _columns() -> Mapping[str, _Draw]:
    """How each fact is drawn."""
    return {
        "stage": _words(training=3, fine_tuning=4, online_inference=5, batch_inference=2, exploration=2),
        "region": _words(cn=4, us=4, eu=2, asia=1),
        "compliance.residency": _words(anywhere=6, in_country=3, on_premises=1),
        "compliance.isolation": _words(logical=8, dedicated_host=1, physical=1),
        "compliance.sensitivity": _words(public=2, internal=5, confidential=3, core_secret=1),
        "operations.team": _words(none=3, thin=5, solid=2),
        "operations.site": _words(none=3, office=3, machine_room=3, colocation=1),
        "operations.cloud_skill": _words(none=1, basic=4, strong=5),
        "operations.gpus_owned": _one_of(0, 0, 0, 4, 8, 16, 64),
        "finance.funding": _words(capital=3, operating=4, either=3),
        "finance.capital": _amount(5e4, 2e7),
        "finance.monthly_budget": _amount(1e3, 5e5),
        "model.parameters": _one_of(3.5e8, 1.5e9, 7e9, 1.3e10, 3.4e10, 7e10, 4e11),
        "model.method": _words(full=1, adapter=2),
        "model.gpu": _words(H100=3, A100=3, L40S=1, any=3),
        "demand.pattern": _words(steady=3, peaks=3, bursts=3, base_and_bursts=2, one_off=1),
        "demand.utilization": lambda random, rows: (random.beta(1.6, 2.2, rows)).round(3),
        "demand.gpus_steady": _one_of(0, 1, 2, 4, 8, 16, 32, 64),
        "demand.gpus_peak": _one_of(64, 96, 128, 160, 256, 512),
        "demand.horizon_months": lambda random, rows: random.integers(1, 61, rows),
        "demand.start_within_days": lambda random, rows: random.integers(3, 400, rows),
        "demand.interruptible": lambda random, rows: random.random(rows) < 0.4,
        "data.volume_tb": _amount(0.1, 2e3),
    }


def _unknown() -> Mapping[str, float]:
    """The share of workloads that do not tell a fact, where it is not always told."""
    return {"finance.capital": 0.5, "finance.monthly_budget": 0.6, "model.gpu": 0.3, "data.volume_tb": 0.3}


def _words(**shares: int) -> _Draw:
    parts = sum(shares.values())
    return lambda random, rows: random.choice(list(shares), rows, p=[share / parts for share in shares.values()])


def _one_of(*numbers: float) -> _Draw:
    return lambda random, rows: random.choice(numbers, rows)


def _amount(low: float, high: float) -> _Draw:
    """Amounts of every order of magnitude between two, in two digits."""

    def draw(random: np.random.Generator, rows: int) -> Any:
        import numpy as np

        found = np.exp(random.uniform(np.log(low), np.log(high), rows))
        scale = 10.0 ** (np.floor(np.log10(found)) - 1)
        return (found / scale).round() * scale

    return draw


if __name__ == "__main__":
    main()
