"""When capacity must be there against when own hardware could be: days of slack, and what owned GPUs already cover."""

from __future__ import annotations

from collections.abc import Mapping

from engine.figures import Formula
from engine.values import UNLIMITED, Interval, Value, bounds, interval

Number = float | Interval


def slack_days(facts: Mapping[str, Value | None], figures: Mapping[str, Number]) -> Number | None:
    """Days from the earliest day that own hardware could run to the day that it is needed; negative: it comes too late.

    From the day needed less the slowest delivery to the day needed less the quickest one. Unknown while the day is.
    """
    start = _number(facts["demand.start_within_days"])
    if start is None:
        return None
    quickest, slowest = bounds(figures["lead_time_days"])
    return interval(bounds(start)[0] - slowest, bounds(start)[1] - quickest)


def cover(owned: Value | None, needed: Value | None) -> Number | None:
    """Owned GPUs as a multiple of the needed ones, from the worst to the best case; unlimited where none are needed."""
    have, want = _number(owned), _number(needed)
    if have is None or want is None:
        return None
    (fewest, most), (least, greatest) = bounds(have), bounds(want)
    return interval(_ratio(fewest, greatest), _ratio(most, least))


def _ratio(owned: float, needed: float) -> float:
    return UNLIMITED if needed == 0 else owned / needed


def _number(value: Value | None) -> Number | None:
    return None if isinstance(value, str | bool) else value


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
)
