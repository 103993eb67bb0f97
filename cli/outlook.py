"""What lies around a verdict, worked out when it is shown and in no trace: the nearest flips, and the ranges told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.consultation import Consultant, Consultation
from engine.values import Interval

if TYPE_CHECKING:
    from engine.confirming import Confirmed
    from engine.spread import Spread

MOST_WORKLOADS = 5
"""Beyond so many workloads nothing is worked out: it would take longer than the verdicts themselves."""
NEAREST = 3


@dataclass(frozen=True)
class Outlook:
    """What lies around the verdict on one workload.

    `flips` are the nearest single changes that change the route, `changes` the nearest of facts that were told,
    `triggers` the nearest of numbers that were told; None where they were not worked out. `spread` is None where no
    fact was told as a range as well.
    """

    flips: Sequence[Confirmed] | None = None
    changes: Sequence[Confirmed] | None = None
    triggers: Sequence[Confirmed] | None = None
    spread: Spread | None = None


def outlooks(judge: Consultant, consultation: Consultation, quick: bool = False) -> tuple[Outlook, ...]:
    """One for each workload, in their order; `quick` leaves everything out."""
    workloads = consultation.profile.workloads
    if quick or len(workloads) > MOST_WORKLOADS:
        return tuple(Outlook() for _ in workloads)
    from engine.columns import ColumnReasoner
    from engine.confirming import confirmed
    from engine.flips import FlipFinder
    from engine.spread import spread

    replaced = consultation.profile.replaced
    reasoner = ColumnReasoner(judge.base, replaced)
    found = []
    for workload in workloads:
        facts = {path: given.value for path, given in workload.facts.items()}
        nearest = FlipFinder(reasoner, facts).nearest(NEAREST)
        flips = tuple(confirmed(judge, workload.facts, replaced, nearest))
        told = [one for one in flips if one.flip.changes[0].before is not None]
        numbers = [one for one in told if isinstance(one.flip.changes[0].value, float)]
        has_ranges = any(isinstance(value, Interval) for value in facts.values())
        around = spread(reasoner, facts) if has_ranges else None
        found.append(Outlook(flips[:NEAREST], told[:NEAREST], numbers[:NEAREST], around))
    return tuple(found)
