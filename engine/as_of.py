"""When a number was so: a day, a month, a quarter, a half-year or a year, or `undated`."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

FORMS = ("YYYY", "YYYY-MM", "YYYY-MM-DD", "YYYY-Qn", "YYYY-Hn", "undated")
UNDATED = "undated"
_FORM = re.compile(
    r"(?P<year>[1-9][0-9]{3})"
    r"(?:-(?:(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?|Q(?P<quarter>[1-4])|H(?P<half>[12])))?"
)


def period(as_of: str) -> tuple[date, date] | None:
    """First and last day of the period, both included; None for `undated`.

    Raises ValueError for a text of any other form than FORMS, and for a day that no calendar has.
    """
    if as_of == UNDATED:
        return None
    found = _FORM.fullmatch(as_of)
    if found is None:
        raise ValueError(f"not a date: {as_of!r}")
    year = int(found["year"])
    if found["day"]:
        day = date(year, int(found["month"]), int(found["day"]))
        return day, day
    first, months = _months(found)
    start, last = date(year, first, 1), first + months - 1
    return start, date(year, last, monthrange(year, last)[1])


def _months(found: re.Match[str]) -> tuple[int, int]:
    """First month of the period, and how many it has."""
    if found["month"]:
        return int(found["month"]), 1
    if found["quarter"]:
        return 3 * int(found["quarter"]) - 2, 3
    return (6 * int(found["half"]) - 5, 6) if found["half"] else (1, 12)


def is_past(as_of: str, months: int, on: date) -> bool:
    """Whether the period ended more than so many calendar months before that day; `undated` always did.

    A month after the last of January is the last of February.
    """
    found = period(as_of)
    if found is None:
        return True
    end = found[1]
    years, month = divmod(end.month - 1 + months, 12)
    year, month = end.year + years, month + 1
    day = min(end.day, monthrange(year, month)[1])
    return (on.year, on.month, on.day) > (year, month, day)


def recency(as_of: str) -> tuple[date, date]:
    """What dates are put in order by: the day from which the number may have been so, then the last such day.

    So a day is newer than the year in which it lies, and `undated` is older than everything.
    """
    return period(as_of) or (date.min, date.min)
