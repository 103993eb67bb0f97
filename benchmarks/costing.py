"""One full costing: every option, its lines, where they meet and what drives them; beside it the facts alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from benchmarks.numbers import median_ms, percentile_ms, table
from benchmarks.profiles import measured_profiles
from cli.commands.session import consultant
from engine.consultation import Consultation
from engine.figures import FigureValues
from engine.profile import Profile
from engine.values import Value
from knowledge.accounting import Account
from knowledge.cost_facts import INPUTS
from knowledge.costing import Costing
from knowledge.statement import cost

HEAD = ("profile", "offers", "consult", "account", "costing", "p99", "costing over consult")


def costing(repetitions: int) -> str:
    """A table with a line for each profile of one workload that tells enough for a sum."""
    rows = []
    for name, profile in measured_profiles().items():
        consultation = consultant().consult(profile)
        if len(profile.workloads) == 1 and _costing(consultation)().options:
            rows.append(_row(name, profile, consultation, repetitions))
    title = f"One full costing, warm, {repetitions} repetitions; times in ms, medians where nothing else is said"
    return f"{title}\n{table(HEAD, rows)}"


def _row(name: str, profile: Profile, consultation: Consultation, repetitions: int) -> tuple[str, ...]:
    whole = _timed(_costing(consultation), repetitions)
    consult = _timed(lambda: consultant().consult(profile), repetitions)
    account = _timed(_account(consultation), repetitions)
    times = (median_ms(consult), median_ms(account), median_ms(whole), percentile_ms(whole, 99))
    ratio = median_ms(whole) / median_ms(consult)
    offers = _costing(consultation)().offers
    return (name, str(offers), *(f"{taken:.1f}" for taken in times), f"{ratio:.1f}")


def _costing(consultation: Consultation) -> Callable[[], Costing]:
    told = _told(consultation)
    return lambda: cost(consultation.judgements[0].inference, consultation.base, told)


def _account(consultation: Consultation) -> Callable[[], object]:
    """The bands that the rules read, made anew."""
    values, figures = consultation.judgements[0].inference.values, consultation.base.figures
    facts: Mapping[str, Value | None] = {path: values.get(path) for path in INPUTS}
    return lambda: Account(facts, FigureValues(figures, _told(consultation))).difference


def _told(consultation: Consultation) -> Mapping[str, float]:
    return {name: given.value for name, given in consultation.profile.assumptions.items()}  # type: ignore[misc]  # an assumption is a number


def _timed(work: Callable[[], object], repetitions: int) -> list[float]:
    found = []
    for _ in range(repetitions):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return found
