"""Cases a second of each reading of the same rules, the sets of fired rules held equal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.cases import Facts, random_facts, without_formulas
from benchmarks.interpreter import Interpreter
from benchmarks.numbers import table
from engine.base import KnowledgeBase
from engine.columns import ColumnReasoner
from engine.inference import Given, Reasoner, Source
from engine.weighing import weigh
from knowledge import knowledge_base

_TOLD = Source("case")
_TIMES = 7
"""So often the columns are read, and the median is taken: one reading is too short to be timed once."""
HEAD = ("reading", "cases timed", "cases a second", "columns are faster by")


class Unequal(Exception):
    """Two readings let different rules fire on one case."""


def readings(few: int, many: int, sample: int) -> str:
    """A table for each number of cases; what goes case by case is timed on a sample of so many where there are more.

    Raises Unequal where a reading lets other rules fire than the rule engine.
    """
    base = without_formulas(knowledge_base())
    return "\n\n".join(_table(base, count, sample) for count in (few, many))


def _table(base: KnowledgeBase, count: int, sample: int) -> str:
    cases = random_facts(base, count)
    reasoner = ColumnReasoner(base)
    columns = reasoner.cases(cases)
    judged = reasoner.judge(columns, "route", compute=False)
    taken = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        reasoner.judge(columns, "route", compute=False)
        taken.append(time.perf_counter() - begun)
    fast = count / median(taken)
    names = [rule.id for rule in reasoner.plan.first]
    fired = [frozenset(name for name in names if judged.fired[name][number]) for number in range(min(sample, count))]
    rows = [("columns, with scores, routes and statuses", f"{count:,}", f"{fast:,.0f}", "1")]
    for title, reading, most in _others(base, sample):
        timed = cases[: min(most, count)]
        begun = time.perf_counter()
        found = [reading(case) for case in timed]
        speed = len(timed) / (time.perf_counter() - begun)
        if found != fired[: len(found)]:
            raise Unequal(title)
        rows.append((title, f"{len(timed):,}", f"{speed:,.0f}", f"{fast / speed:,.0f}"))
    return f"{count:,} cases without formulas; fired sets equal\n{table(HEAD, rows)}"


def _others(base: KnowledgeBase, sample: int) -> Sequence[tuple[str, Callable[[Facts], frozenset[str]], int]]:
    """Each other reading, what it says of one case, and on how many it is timed."""
    interpreter, reasoner = Interpreter(base), Reasoner(base)
    place = {path: number for number, path in enumerate(base.vocabulary.facts)}

    def by_experta(case: Facts) -> frozenset[str]:
        told = {path: Given(case[path], _TOLD) for path in sorted(case, key=lambda path: place[path])}
        with reasoner.network:
            inference = reasoner.before_verdict(told, {})
        weigh(inference.standing(), base.routes)
        return frozenset(inference.fired)

    found: list[tuple[str, Callable[[Facts], frozenset[str]], int]] = [
        ("plain interpreter, with scores", lambda case: interpreter.judge(case).fired, sample),
        ("experta, with scores and a trace of every test", by_experta, max(sample // 20, 20)),
    ]
    try:
        from benchmarks.in_clips import InClips
    except ImportError:
        return found
    clips = InClips(base)
    return [("CLIPS 6.4 through clipspy, fired rules alone", clips.fired, sample), *found]
