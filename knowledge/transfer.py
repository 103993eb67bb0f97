"""How long the data takes to move."""

from __future__ import annotations

from collections.abc import Mapping

from engine.figures import Formula
from engine.values import Value
from knowledge.arithmetic import Number, monotone, number, significant

_MEGABITS_PER_TERABYTE = 8e6
_SECONDS_PER_DAY = 86_400


def upload_days(facts: Mapping[str, Value | None], _figures: Mapping[str, Number]) -> Number | None:
    """Days to send the whole volume once over the usable line, which is told net of overhead and other traffic.

    Nothing to send takes no time over any line. Unknown while the volume is, or the line.
    """
    volume, line = number(facts["data.volume_tb"]), number(facts["data.uplink_mbps"])
    if volume == 0:
        return 0.0
    if volume is None or line is None:
        return None
    return monotone(_days, [volume], [line])


def _days(terabytes: float, megabits_per_second: float) -> float:
    return significant(terabytes * _MEGABITS_PER_TERABYTE / megabits_per_second / _SECONDS_PER_DAY)


FORMULAS = (
    Formula(
        fact="data.upload_days",
        inputs={"data.volume_tb": 1, "data.uplink_mbps": -1},
        figures=(),
        compute=upload_days,
        source="C-6.1, T-6.1",
    ),
)
