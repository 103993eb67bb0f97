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

    `flips` are the nearest single changes that change the route, `triggers` the nearest of numbers that were told;
    None where they were not worked out. `spread` is None where no fact was told as a range as well.
    """

    flips: Sequence[Confirmed] | None = None
    triggers: Sequence[Confirmed] | None = None
    spread: Spread | None = None


def outlooks(judge: Consultant, consultation: Consultation) -> tuple[Outlook, ...]:
    """One for each workload, in their order."""
    workloads = consultation.profile.workloads
    if len(workloads) > MOST_WORKLOADS:
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
        has_ranges = any(isinstance(value, Interval) for value in facts.values())
        found.append(
            Outlook(flips[:NEAREST], _triggers(flips)[:NEAREST], spread(reasoner, facts) if has_ranges else None)
        )
    return tuple(found)


def _triggers(flips: Sequence[Confirmed]) -> tuple[Confirmed, ...]:
    """The flips by which one number that was told comes to a limit."""
    single = ((one, one.flip.changes[0]) for one in flips if len(one.flip.changes) == 1)
    return tuple(one for one, change in single if change.before is not None and isinstance(change.value, float))
