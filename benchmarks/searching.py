"""What looking for other routes costs, and what comes of it: over ten unknown facts, scenarios, random profiles."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TypeAlias

from benchmarks.numbers import median_ms, percentile_ms, table
from benchmarks.profiles import measured_profiles
from engine.checking import read_scenarios
from engine.consultation import Consultant
from engine.faults import Report
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.profile import is_below
from engine.search_answers import AnswerBook
from engine.values import Interval, Value
from knowledge import FOLDER, knowledge_base

UNKNOWN = 10
_SEED = 300
_SHARES = (0.25, 0.5, 0.75, 0.9, 0.97)
_HEAD = (
    "cases",
    "settled by bounds",
    "by proof",
    "witness",
    "open",
    "other",
    "without",
    "adds",
    "p95",
    "most",
    "ratio",
)

Replaced: TypeAlias = Mapping[str, float | Interval]
Case: TypeAlias = tuple[Mapping[str, Given], Replaced]


def searching(profiles: int) -> str:
    """Two tables: what became of the cases, with times of each; `profiles` counts the random ones."""
    consultants = Consultant(knowledge_base(), search=None), Consultant(knowledge_base())
    rows = [
        _row(f"{UNKNOWN} facts unknown", _nearly_full(), consultants),
        _row("scenarios", _scenarios(), consultants),
        _row("random profiles", _random(profiles), consultants),
    ]
    title = (
        "Settling by search; times in ms: a consultation without it, and what it adds where the bounds leave it open"
    )
    return f"{title}\n{table(_HEAD, rows)}"


def _row(name: str, cases: Iterable[Case], consultants: tuple[Consultant, Consultant]) -> tuple[str, ...]:
    quick, slow = consultants
    found: Counter[str] = Counter()
    without, added = [], []
    for facts, replaced in cases:
        one, first = _timed(quick, facts, replaced)
        other, second = _timed(slow, facts, replaced)
        found[_came(one, other)] += 1
        without.append(first)
        if one.status == "provisional":
            added.append(second - first)
    counts = [str(found[key]) for key in ("bounds", "proof", "witness", "open", "other")]
    times = (median_ms(without), median_ms(added), percentile_ms(added, 95), percentile_ms(added, 100))
    shown = (*(f"{taken:.0f}" for taken in times), f"{times[1] / times[0]:.1f}")
    return (f"{name} ({len(without)})", *counts, *shown)


def _timed(consultant: Consultant, facts: Mapping[str, Given], replaced: Replaced) -> tuple[Judgement, float]:
    begun = time.perf_counter()
    judged = consultant.judge(0, None, facts, replaced)
    return judged, time.perf_counter() - begun


def _came(by_bounds: Judgement, searched: Judgement) -> str:
    if by_bounds.status == "settled":
        return "bounds"
    if searched.status == "settled":
        return "proof"
    return searched.settlement.proof or "other"


def _scenarios() -> Iterator[Case]:
    report = Report()
    for scenario in read_scenarios(FOLDER, knowledge_base(), report):
        for workload in scenario.profile.workloads:
            yield workload.facts, scenario.profile.replaced


def _nearly_full() -> Iterator[Case]:
    """The profile in which every fact is told, less ten neighboring facts, wherever these begin."""
    (workload,) = measured_profiles()["(every fact told)"].workloads
    paths = list(workload.facts)
    for start in range(len(paths)):
        left_out = {paths[(start + step) % len(paths)] for step in range(UNKNOWN)}
        yield {path: given for path, given in workload.facts.items() if path not in left_out}, {}


def _random(count: int) -> Iterator[Case]:
    """Profiles that tell a quarter of the facts, or more, up to nearly all; values of every class alike."""
    book, chance = AnswerBook(knowledge_base()), Random(_SEED)  # noqa: S311  # no secret is made here
    values = {path: book.answers(path, None).values() for path in book.read}
    for number in range(count):
        share = _SHARES[number % len(_SHARES)]
        told: dict[str, Value] = {p: chance.choice(some) for p, some in values.items() if chance.random() < share}
        yield {path: Given(value, Source("answer")) for path, value in _fitted(told).items()}, {}


def _fitted(told: Mapping[str, Value]) -> Mapping[str, Value]:
    """Without the facts that stand below another that they must not be below."""
    floors = {fact.path: fact.not_below for fact in knowledge_base().vocabulary.told() if fact.not_below}
    below = [p for p, f in floors.items() if {p, f} <= told.keys() and is_below(told[p], told[f])]
    return {path: value for path, value in told.items() if path not in below}


if __name__ == "__main__":
    print(searching(300))
