"""How what each reading costs grows with the rules: the real ones, and two, four and eight times as many."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from benchmarks.cases import Facts, random_facts, without_formulas
from benchmarks.interpreter import Interpreter
from benchmarks.numbers import table
from engine.base import KnowledgeBase
from engine.columns import ColumnReasoner
from engine.faults import Report
from engine.inference import Given, Reasoner, Source
from engine.language import Rule
from engine.ordering import order_rules
from knowledge import knowledge_base

TIMES = (1, 2, 4, 8)
_TOLD = Source("case")


def growth(columns: int, one_by_one: int) -> str:
    """A table with a line for each number of rules: milliseconds a case, and how many times that of the real base.

    Columns are timed on so many cases at once, all else on so many one by one.
    """
    base = without_formulas(knowledge_base())
    measured: list[dict[str, float]] = []
    rules: list[int] = []
    for times in TIMES:
        grown = multiplied(base, times)
        rules.append(len(grown.ordered.rules))
        measured.append(_measured(grown, random_facts(base, columns), one_by_one))
    rows = []
    for count, found in zip(rules, measured, strict=True):
        cells = [f"{found[name]:.4g} (×{found[name] / measured[0][name]:.1f})" for name in measured[0]]
        rows.append((f"{count:,}", *cells))
    title = "Milliseconds a case as the rules grow; experta's network is built once for all cases, in milliseconds"
    return f"{title}\n{table(('rules', *measured[0]), rows)}"


def multiplied(base: KnowledgeBase, times: int) -> KnowledgeBase:
    """The base with so many copies of each rule that was written, each copy defeating its own."""
    copies = [_copy(rule, number) for number in range(times) for rule in base.written]
    report = Report()
    ordered = order_rules(copies, base.vocabulary, report)
    report.check()
    return replace(base, ordered=ordered)


def _copy(rule: Rule, number: int) -> Rule:
    if not number:
        return rule
    then = replace(rule.then, defeats=tuple(f"{name}.{number}" for name in rule.then.defeats))
    return replace(rule, id=f"{rule.id}.{number}", then=then)


def _measured(base: KnowledgeBase, cases: list[Facts], one_by_one: int) -> dict[str, float]:
    reasoner = ColumnReasoner(base)
    columns = reasoner.cases(cases)
    few = cases[:one_by_one]
    begun = time.perf_counter()
    network = Reasoner(base)
    found = {"experta's network": (time.perf_counter() - begun) * 1000}
    place = {path: number for number, path in enumerate(base.vocabulary.facts)}

    def by_experta(case: Facts) -> None:
        told = {path: Given(case[path], _TOLD) for path in sorted(case, key=lambda path: place[path])}
        with network.network:
            network.before_verdict(told, {})

    found["columns"] = _milliseconds(lambda: reasoner.judge(columns, "route", compute=False), len(cases))
    found["interpreter"] = _each(Interpreter(base).judge, few)
    found["experta"] = _each(by_experta, few)
    try:
        from benchmarks.in_clips import InClips
    except ImportError:
        return found
    found["CLIPS"] = _each(InClips(base).fired, few)
    return found


def _each(reading: Callable[[Facts], object], cases: list[Facts]) -> float:
    return _milliseconds(lambda: [reading(case) for case in cases], len(cases))


def _milliseconds(run: Callable[[], object], count: int) -> float:
    run()
    begun = time.perf_counter()
    run()
    return (time.perf_counter() - begun) * 1000 / count
