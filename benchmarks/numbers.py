"""What is made of measured times, and how it is shown: medians, percentiles, plain tables."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def median_ms(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return statistics.median(seconds) * 1000


def percentile_ms(seconds: Sequence[float], percent: int) -> float:
    """The smallest time that `percent` of all times do not exceed, in milliseconds."""
    place = -(-len(seconds) * percent // 100) - 1
    return sorted(seconds)[max(place, 0)] * 1000


def ratio(times: Sequence[float], others: Sequence[float]) -> float:
    """The median of the ratios round by round, so that a slow spell of the machine meets both sides."""
    return statistics.median(one / other for one, other in zip(times, others, strict=True))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns two spaces apart: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(_line(row, widths) for row in (head, *rows))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = row
    cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
    return "  ".join(cells).rstrip()
