"""What the column reading says of a case beside what the rule engine says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.base import KnowledgeBase
from engine.case_columns import Arrays, Cases, cases_of
from engine.column_logic import Column
from engine.column_rules import Reading
from engine.columns import ColumnReasoner, Judged
from engine.consultation import Consultant
from engine.inference import Inference, Reasoner
from engine.judgement import Judgement
from engine.truth import Truth
from engine.values import Value
from tests.engine.helpers import told


def differences(base: KnowledgeBase, judgement: Judgement, judged: Judged, number: int) -> Iterator[str]:
    """Everything in which the two verdicts on one case differ."""
    tie, division = judgement.decision.tie, judgement.division
    names = {
        "route": (judgement.route, judged.route_names()[number]),
        "status": (judgement.status, judged.status_names()[number]),
        "form": (judgement.form, judged.form_names()[number]),
        "tie": (tie.id if tie else None, _named(base.routes.ties, judged.tie[number])),
        "division": (division.division.id if division else None, _named(base.divisions, judged.division[number])),
        "scores": (dict(judgement.weighing.scores), {r: float(s[number]) for r, s in judged.scores.items()}),
        "score": (judgement.score, None if np.isnan(judged.score[number]) else float(judged.score[number])),
        "excluded": (set(judgement.weighing.exclusions), {r for r, at in judged.excluded.items() if at[number]}),
    }
    yield from (f"{name}: {one} is {other}" for name, (one, other) in names.items() if one != other)
    yield from rule_differences(judgement.inference, judged.fired, judged.standing, judged.undecided, number)


def rule_differences(
    inference: Inference,
    fired: Mapping[str, object],
    standing: Mapping[str, object],
    undecided: Mapping[str, object],
    number: int,
) -> Iterator[str]:
    """Every rule that fires, stands or is undecided in one reading alone."""
    silent = {name for name, one in inference.silent.items() if one.truth is Truth.UNKNOWN}
    for kind, ours, theirs in (
        ("fired", set(inference.fired), fired),
        ("standing", set(inference.fired) - set(inference.defeated), standing),
        ("undecided", silent, undecided),
    ):
        other = {name for name, flags in theirs.items() if _at(flags, number)}
        yield from (f"{kind}: {name}" for name in sorted(ours ^ other))


def _at(flags: object, number: int) -> bool:
    return bool(flags[number]) if isinstance(flags, np.ndarray) else bool(flags)


def _named(items: Sequence[object], code: int) -> str | None:
    return str(items[code].id) if code >= 0 else None  # type: ignore[attr-defined]  # ties and divisions have ids


def by_bounds(base: KnowledgeBase) -> Consultant:
    """A consultant that says settled only where the bounds say so, as the column reading does."""
    return Consultant(base, search=None)


class Both:
    """One knowledge base in both readings, for cases whose verdict is handed in like any other fact."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.reasoner = Reasoner(base)
        self.columns = ColumnReasoner(base)

    def reading(self, cases: Sequence[Mapping[str, Value]]) -> Reading:
        """All rules on the cases."""
        verdict = {path for path, fact in self.base.vocabulary.facts.items() if fact.origin == "verdict"}
        coded = cases_of(cases, self.columns.coder)
        first = Cases(coded.size, {path: column for path, column in coded.columns.items() if path not in verdict})
        filled, _ = self.columns.computer.filled(first.columns, first.size, "all")
        reading = Reading(self.columns.plan, filled, Arrays())
        reading.run(self.columns.plan.first)
        for path in sorted(verdict):
            reading.add(path, coded.columns.get(path, Column(False, 0.0, 0.0)))
        reading.run(self.columns.plan.late)
        return reading

    def inference(self, case: Mapping[str, Value]) -> Inference:
        verdict = {path for path, fact in self.base.vocabulary.facts.items() if fact.origin == "verdict"}
        known = {path: value for path, value in case.items() if path not in verdict}
        inference = self.reasoner.before_verdict(told(self.base, known), {})
        self.reasoner.after_verdict(inference, {path: str(case[path]) for path in case if path in verdict})
        return inference
