"""One traced inference in a process that has done some already: from the facts to the bytes of the trace."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from benchmarks.numbers import median_ms, percentile_ms, table
from benchmarks.profiles import facts_told, measured_profiles
from cli.commands.session import consultant, tool
from engine.consultation import Consultation
from engine.profile import Profile
from engine.trace import write_trace

WARM_UP = 20
DAY = "2026-01-01"
HEAD = ("profile", "workloads", "facts", "fired", "trace KB", "consult", "trace", "both", "p99 of both", "best")


@dataclass
class Timed:
    """Seconds of each repetition, and what came out of the last."""

    consultation: Consultation
    written: bytes = b""
    consult: list[float] = field(default_factory=list)
    trace: list[float] = field(default_factory=list)

    @property
    def both(self) -> list[float]:
        return [one + other for one, other in zip(self.consult, self.trace, strict=True)]


def warm(repetitions: int) -> str:
    """A table with a line for each profile."""
    rows = [_row(name, profile, _timed(profile, repetitions)) for name, profile in measured_profiles().items()]
    title = f"One traced inference, warm, {repetitions} repetitions; times in ms, medians where nothing else is said"
    return f"{title}\n{table(HEAD, rows)}"


def _timed(profile: Profile, repetitions: int) -> Timed:
    judge, program = consultant(), tool()
    for _ in range(WARM_UP):
        write_trace(judge.consult(profile), program, "", DAY)
    timed = Timed(judge.consult(profile))
    for _ in range(repetitions):
        begun = time.perf_counter()
        timed.consultation = judge.consult(profile)
        judged = time.perf_counter()
        timed.written = write_trace(timed.consultation, program, "", DAY)
        timed.trace.append(time.perf_counter() - judged)
        timed.consult.append(judged - begun)
    return timed


def _row(name: str, profile: Profile, timed: Timed) -> tuple[str, ...]:
    fired = sum(len(judgement.inference.fired) for judgement in timed.consultation.judgements)
    counts = (len(profile.workloads), facts_told(profile), fired, len(timed.written) // 1024)
    both = (median_ms(timed.both), percentile_ms(timed.both, 99), min(timed.both) * 1000)
    times = (median_ms(timed.consult), median_ms(timed.trace), *both)
    return (name, *(str(count) for count in counts), *(f"{taken:.1f}" for taken in times))
