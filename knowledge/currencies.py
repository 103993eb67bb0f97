"""The currencies that amounts may be in, and the rates between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.faults import Report
from engine.figures import Figure

CURRENCIES = ("USD", "CNY", "EUR")
RATES = {"CNY": "cny_per_usd", "EUR": "usd_per_eur"}
_MONEY = re.compile(r"([A-Z]{3})(/.*)?")


def currency_of(unit: str) -> str | None:
    """The currency with which a unit of money begins (`USD/GB`), None where it is no unit of money."""
    found = _MONEY.fullmatch(unit)
    return found[1] if found else None


def check_currencies(figures: Iterable[Figure]) -> None:
    """Raises FaultError where the unit of a figure is in a currency that no rate is known of."""
    report = Report()
    for figure in figures:
        currency = currency_of(figure.unit)
        if currency not in (None, *CURRENCIES):
            report.add("not-a-choice", figure.place, typed=currency, known=list(CURRENCIES), hint="")
    report.check()
