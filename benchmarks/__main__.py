"""`python -m benchmarks [--quick]`: everything measured once, as text."""

from __future__ import annotations

import argparse
import os
import platform

from benchmarks.cold import cold
from benchmarks.costing import costing
from benchmarks.flipping import flipping
from benchmarks.growth import growth
from benchmarks.memory import memory
from benchmarks.readings import readings
from benchmarks.searching import searching
from benchmarks.warm import warm


def main() -> None:
    """Prints each table as soon as it is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure inference, start and memory.")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a first look, not a figure to quote")
    quick = parser.parse_args().quick
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, {_load()}\n", flush=True)
    print(warm(50 if quick else 500), flush=True)
    print(f"\n{costing(20 if quick else 200)}", flush=True)
    print(f"\n{readings(1000, 10_000 if quick else 100_000, 200 if quick else 2000)}", flush=True)
    print(f"\n{growth(*(2000, 20) if quick else (20_000, 200))}", flush=True)
    print(f"\n{flipping(2 if quick else 10)}", flush=True)
    print(f"\n{searching(30 if quick else 300)}", flush=True)
    print(f"\n{cold(3 if quick else 15)}", flush=True)
    print(f"\n{memory((20, 60, 100) if quick else (100, 500, 1000))}", flush=True)


def _load() -> str:
    """How busy the machine is besides: what is measured beside others is slower than it need be."""
    try:
        return f"load {os.getloadavg()[0]:.1f}"
    except (OSError, AttributeError):
        return "load not known"


if __name__ == "__main__":
    main()
