"""When capacity must be there against when it could be, and what owned GPUs already cover."""

from __future__ import annotations

from collections.abc import Mapping

from engine.figures import Formula
from engine.values import UNLIMITED, Value
from knowledge.arithmetic import Number, monotone, number


def slack_days(facts: Mapping[str, Value | None], figures: Mapping[str, Number]) -> Number | None:
    """Days from the earliest day that own hardware could run to the day that it is needed; negative: it comes too late.

    From the day needed less the slowest delivery to the day needed less the quickest one. Unknown while the day is.
    """
    return difference(facts["demand.start_within_days"], figures["lead_time_days"])


def approval_slack_days(facts: Mapping[str, Value | None], _figures: Mapping[str, Number]) -> Number | None:
    """Days from a cloud's approval to the day that capacity is needed; negative: the approval comes too late."""
    return difference(facts["demand.start_within_days"], facts["compliance.approval_days"])


def owned_surplus(facts: Mapping[str, Value | None], _figures: Mapping[str, Number]) -> Number | None:
    """Owned GPUs beyond those needed most of the time; none where all of them are needed."""
    return difference(facts["operations.gpus_owned"], facts["demand.gpus_steady"], at_least=0)


def difference(more: Value | None, less: Value | None, at_least: float = -UNLIMITED) -> Number | None:
    """One less the other, and never below `at_least`; unknown where either is."""
    first, second = number(more), number(less)
    if first is None or second is None:
        return None
    return monotone(lambda a, b: max(a - b, at_least), [first], [second])


def cover(owned: Value | None, needed: Value | None) -> Number | None:
    """Owned GPUs as a multiple of the needed ones, from the worst to the best case; unlimited where none are needed."""
    have, want = number(owned), number(needed)
    if have is None or want is None:
        return None
    return monotone(lambda a, b: UNLIMITED if b == 0 else a / b, [have], [want])


FORMULAS = (
    Formula(
        fact="delivery.slack_days",
        inputs={"demand.start_within_days": 1},
        figures=("lead_time_days",),
        compute=slack_days,
        source="C-3.2b, C-4.1",
    ),
    Formula(
        fact="operations.owned_cover_steady",
        inputs={"operations.gpus_owned": 1, "demand.gpus_steady": -1},
        figures=(),
        compute=lambda facts, _: cover(facts["operations.gpus_owned"], facts["demand.gpus_steady"]),
        source="X-5",
    ),
    Formula(
        fact="operations.owned_cover_peak",
        inputs={"operations.gpus_owned": 1, "demand.gpus_peak": -1},
        figures=(),
        compute=lambda facts, _: cover(facts["operations.gpus_owned"], facts["demand.gpus_peak"]),
        source="X-5",
    ),
    Formula(
        fact="operations.owned_surplus",
        inputs={"operations.gpus_owned": 1, "demand.gpus_steady": -1},
        figures=(),
        compute=owned_surplus,
        source="X-7",
    ),
    Formula(
        fact="compliance.approval_slack_days",
        inputs={"demand.start_within_days": 1, "compliance.approval_days": -1},
        figures=(),
        compute=approval_slack_days,
        source="C-3.3c, C-4.1",
    ),
)
