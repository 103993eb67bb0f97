"""Checks house rules: their own cases and rows, and which shipped scenarios they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine.checking import Checked, Scenario, bare_rows, came, check_base, check_case
from engine.consultation import NO_ROUTE, Consultant, Consultation
from engine.faults import FaultError, Place, Report
from engine.profile import Profile


@dataclass(frozen=True)
class Moved:
    """A scenario of a base whose verdict house rules change; each verdict as route, form and status."""

    scenario: str
    place: Place
    before: str
    after: str


def check_house(house: Consultant, shipped: Consultant, folder: Path) -> tuple[Checked, tuple[Moved, ...]]:
    """Runs what `check_base` runs on the shipped base, then every case of the house rules on the base under them.

    Scenarios and cases that were shipped keep to the shipped rules: what house rules move there is no fault but told
    beside. A row that only the house has must be carried as any other.
    """
    report, base = Report(), house.base
    ours = [rule for rule in base.written if rule.house]
    report.extend(fault for fault in bare_rows(base) if fault.params["row"] not in shipped.base.guidance.rows)
    for rule in ours:
        for case in rule.cases:
            check_case(house, rule, case, report)
    checked, bearers = check_base(shipped, folder), base.bearers()
    found = replace(
        checked,
        rows=len(base.guidance.rows),
        carried=sum(bool(bearers[row]) for row in base.guidance.rows),
        pending=sum(row.pending for row in base.guidance.rows.values()),
        rules=checked.rules + len(ours),
        cases=checked.cases + sum(len(rule.cases) for rule in ours),
        faults=(*checked.faults, *report.faults),
    )
    return found, tuple(_moved(house, checked.came))


def _moved(house: Consultant, scenarios: Iterable[tuple[Scenario, Consultation | None]]) -> Iterator[Moved]:
    for scenario, shipped in scenarios:
        before, after = _verdicts(shipped) if shipped else NO_ROUTE, _verdicts_of(house, scenario.profile)
        if before != after:
            yield Moved(scenario.name, scenario.place, before, after)


def _verdicts_of(house: Consultant, profile: Profile) -> str:
    """The verdict on each workload; where the engine stopped, why."""
    try:
        return _verdicts(house.by_bounds.consult(profile))
    except FaultError as error:
        return "; ".join(fault.key for fault in error.faults)


def _verdicts(consultation: Consultation) -> str:
    """The verdict on each workload as route, form and status."""
    judged = [came(judgement).values() for judgement in consultation.judgements]
    return "; ".join(" ".join(value or NO_ROUTE for value in values) for values in judged)
