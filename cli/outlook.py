"""What lies around a verdict, worked out when it is shown and in no trace: how it shares the ranges that were told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.consultation import Consultation
from engine.values import Interval

if TYPE_CHECKING:
    from engine.spread import Spread

MOST_WORKLOADS = 20
"""Beyond so many workloads nothing is worked out: it would take longer than the verdicts themselves."""


@dataclass(frozen=True)
class Outlook:
    """What lies around the verdict on one workload; None for what was not worked out."""

    spread: Spread | None = None


def outlooks(consultation: Consultation) -> tuple[Outlook, ...]:
    """One for each workload, in their order."""
    workloads = consultation.profile.workloads
    told = [{path: given.value for path, given in workload.facts.items()} for workload in workloads]
    if len(workloads) > MOST_WORKLOADS or not any(isinstance(v, Interval) for facts in told for v in facts.values()):
        return tuple(Outlook() for _ in workloads)
    from engine.columns import ColumnReasoner
    from engine.spread import spread

    reasoner = ColumnReasoner(consultation.base, consultation.profile.replaced)
    return tuple(Outlook(spread(reasoner, facts)) for facts in told)
