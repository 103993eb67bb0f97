"""Flips to depth two beside one consultation: all changes of one fact, and of two, that change the route.

Each repetition consults once and then looks with a reasoner of its own, so that no formula's answer is known before.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from benchmarks.numbers import median_ms, ratio, table
from benchmarks.profiles import facts_told, measured_profiles
from cli.commands.session import consultant
from engine.columns import ColumnReasoner
from engine.flips import FlipFinder
from engine.profile import Profile

SHOWN = 10
HEAD = ("profile", "facts", "flips", "pairs", "consult", "one fact", "two facts", "both", "times the consultation")


@dataclass
class Timed:
    """Seconds of each repetition, and how many flips the last one found."""

    singles_found: int = 0
    pairs_found: int = 0
    consult: list[float] = field(default_factory=list)
    singles: list[float] = field(default_factory=list)
    pairs: list[float] = field(default_factory=list)

    @property
    def both(self) -> list[float]:
        return [one + two for one, two in zip(self.singles, self.pairs, strict=True)]


def flipping(repetitions: int) -> str:
    """A table with a line for each profile of one workload."""
    profiles = {name: profile for name, profile in measured_profiles().items() if len(profile.workloads) == 1}
    rows = [_row(name, profile, _timed(profile, repetitions)) for name, profile in profiles.items()]
    title = f"Flips of one and of two facts, {repetitions} repetitions; times in ms, medians; not confirmed yet"
    return f"{title}\n{table(HEAD, rows)}"


def _timed(profile: Profile, repetitions: int) -> Timed:
    judge = consultant()
    facts = {path: given.value for path, given in profile.workloads[0].facts.items()}
    judge.consult(profile)
    timed = Timed()
    for _ in range(repetitions):
        begun = time.perf_counter()
        judge.consult(profile)
        consulted = time.perf_counter()
        finder = FlipFinder(ColumnReasoner(judge.base, profile.replaced), facts)
        timed.singles_found = len(finder.singles)
        looked = time.perf_counter()
        timed.pairs_found = finder.pairs(SHOWN)[1]
        timed.pairs.append(time.perf_counter() - looked)
        timed.singles.append(looked - consulted)
        timed.consult.append(consulted - begun)
    return timed


def _row(name: str, profile: Profile, timed: Timed) -> tuple[str, ...]:
    counts = (facts_told(profile), timed.singles_found, timed.pairs_found)
    times = [median_ms(taken) for taken in (timed.consult, timed.singles, timed.pairs, timed.both)]
    shown = (f"{taken:.0f}" for taken in times)
    return (name, *(str(count) for count in counts), *shown, f"{ratio(timed.both, timed.consult):.0f}")
