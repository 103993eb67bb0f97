"""What a figure's date means, and what a formula gets of the figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import as_of as dates
from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.figures import Declared, Figure, FigureValues, is_past
from engine.values import Interval, Value
from tests.engine.helpers import FORMULAS, examples, profile_of, profile_with

PERIODS = {
    "2026": (date(2026, 1, 1), date(2026, 12, 31)),
    "2026-07": (date(2026, 7, 1), date(2026, 7, 31)),
    "2024-02": (date(2024, 2, 1), date(2024, 2, 29)),
    "2026-07-09": (date(2026, 7, 9), date(2026, 7, 9)),
    "2026-Q1": (date(2026, 1, 1), date(2026, 3, 31)),
    "2026-Q4": (date(2026, 10, 1), date(2026, 12, 31)),
    "2026-H1": (date(2026, 1, 1), date(2026, 6, 30)),
    "2026-H2": (date(2026, 7, 1), date(2026, 12, 31)),
    "undated": None,
}
NO_DATES = (
    "", "26", "0999", "2026-13", "2026-00", "2026-1", "2026-02-30", "2026-Q5", "2026-H3", "2026/07", "July 2026",
    "2026-07-09 ", "2026-W03", "２０２６",
)  # fmt: skip


@pytest.mark.parametrize("text", PERIODS)
def test_a_date_stands_for_every_day_of_its_period(text: str) -> None:
    assert dates.period(text) == PERIODS[text]


@pytest.mark.parametrize("text", NO_DATES)
def test_a_text_of_any_other_form_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match=r"date|month|day"):
        dates.period(text)


# Age


LAST_DAYS = {
    ("2026-07", 3): date(2026, 10, 31),
    ("2026-H1", 3): date(2026, 9, 30),
    ("2026-Q4", 2): date(2027, 2, 28),
    ("2023-12-31", 2): date(2024, 2, 29),
    ("2026-11-09", 1): date(2026, 12, 9),
    ("2025", 12): date(2026, 12, 31),
    ("2026-01-31", 13): date(2027, 2, 28),
}


def figure(base: KnowledgeBase, as_of: str, months: int | None) -> Figure:
    return replace(base.figures["ride_speed"], as_of=as_of, valid_months=months)


@pytest.mark.parametrize(("as_of", "months"), LAST_DAYS)
def test_a_figure_is_past_once_its_months_are_over_and_no_day_sooner(
    as_of: str, months: int, tiny: KnowledgeBase
) -> None:
    last = LAST_DAYS[as_of, months]
    assert not is_past(figure(tiny, as_of, months), last)
    assert is_past(figure(tiny, as_of, months), last + timedelta(days=1))


def test_an_undated_figure_is_past_on_any_day(tiny: KnowledgeBase) -> None:
    assert is_past(figure(tiny, "undated", 1200), date(1900, 1, 1))


def test_a_figure_that_does_not_age_is_never_past(tiny: KnowledgeBase) -> None:
    assert not is_past(figure(tiny, "undated", None), date(2999, 1, 1))
    assert not is_past(figure(tiny, "1990", None), date(2999, 1, 1))


def test_the_age_of_a_figure_at_the_end_of_time_is_told_too(tiny: KnowledgeBase) -> None:
    assert not is_past(figure(tiny, "9999-12-31", 1200), date(9999, 12, 31))


DAYS = st.dates(date(1900, 1, 1), date(2200, 1, 1))
MONTHS = st.integers(1, 1200)


@given(DAYS, DAYS, MONTHS)
@examples(200)
def test_what_was_past_stays_past_and_a_longer_limit_makes_nothing_older(day: date, on: date, months: int) -> None:
    as_of = day.isoformat()
    if dates.is_past(as_of, months, on):
        assert dates.is_past(as_of, months, on + timedelta(days=1))
    else:
        assert not dates.is_past(as_of, months + 1, on)


def _named(day: date, form: str) -> str:
    """A date of this form whose period holds the day."""
    half, quarter = (day.month + 5) // 6, (day.month + 2) // 3
    return form.format(day=day.isoformat(), month=day.isoformat()[:7], year=day.year, quarter=quarter, half=half)


FORMS = st.sampled_from(["{day}", "{month}", "{year}-Q{quarter}", "{year}-H{half}", "{year}"])


@given(DAYS, FORMS)
@examples(200)
def test_every_form_of_a_date_holds_the_days_that_it_is_said_of(day: date, form: str) -> None:
    found = dates.period(_named(day, form))
    assert found is not None
    assert found[0] <= day <= found[1]


@given(DAYS, DAYS, FORMS, FORMS)
@examples(200)
def test_of_two_dates_that_share_no_day_the_later_one_is_newer(one: date, two: date, form: str, other: str) -> None:
    first, second = _named(one, form), _named(two, other)
    ends, starts = dates.period(first), dates.period(second)
    assert ends is not None
    assert starts is not None
    if ends[1] < starts[0]:
        assert dates.recency(first) < dates.recency(second)
    assert dates.recency("undated") < dates.recency(first)


def test_the_newest_date_is_that_of_the_figures_asked_for(tiny: KnowledgeBase) -> None:
    assert tiny.figures_as_of("fare.") == "2025-11"
    assert tiny.figures_as_of("fare.valley-line-north.") == "2024"
    assert tiny.figures_as_of() == "2025-11"
    assert tiny.figures_as_of("ferry.") is None


# What a formula gets


def values(base: KnowledgeBase, *declared: str, **told: float | Interval) -> FigureValues:
    return FigureValues(base.figures, told).declared(Declared.of(declared))


def test_a_figure_has_its_shipped_value_unless_another_was_told(tiny: KnowledgeBase) -> None:
    assert values(tiny, "ride_speed")["ride_speed"] == Interval(12, 20)
    assert values(tiny, "ride_speed", ride_speed=15.0)["ride_speed"] == 15.0


def test_what_was_read_is_recorded_and_what_was_looked_for_is_not(tiny: KnowledgeBase) -> None:
    found = values(tiny, "ride_speed", "fare.*", "rebate")
    assert "ride_speed" in found
    assert not found.is_told("ride_speed")
    assert found.unit("ride_speed") == "km/h"
    assert found.get("rebate") is None
    assert len(found.starting("fare.")) == 3
    assert found.used == set()
    _ = found["fare.coast-line.first"], found.get("ride_speed")
    assert found.used == {"fare.coast-line.first", "ride_speed"}


def test_whatever_is_asked_of_a_figure_that_was_not_declared_is_refused(tiny: KnowledgeBase) -> None:
    found = values(tiny, "rebate", "fare.coast-line.*", ride_speed=15.0)
    asked = (
        lambda: found["ride_speed"], lambda: found.get("ride_speed"), lambda: found.is_told("ride_speed"),
        lambda: found.unit("ride_speed"), lambda: found.attributes("ride_speed"), lambda: "ride_speed" in found,
        lambda: found.starting("fare."), lambda: found["fare.valley-line-north.second"],
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(KeyError):
            ask()
    assert list(found) == ["fare.coast-line.second", "fare.coast-line.first"]


def test_a_star_alone_stands_for_no_figure(tiny: KnowledgeBase) -> None:
    for star in ("*", ".*"):
        with pytest.raises(KeyError):
            values(tiny, star)["ride_speed"]


def test_what_was_told_and_is_no_shipped_figure_has_a_value_and_no_more(tiny: KnowledgeBase) -> None:
    found = values(tiny, "rebate", rebate=0.5)
    assert found.is_told("rebate")
    assert (found["rebate"], found.unit("rebate"), found.attributes("rebate")) == (0.5, "", {})
    assert list(found) == ["rebate"]
    with pytest.raises(KeyError):
        values(tiny, "rebate")["rebate"]


def test_the_views_of_one_case_are_known_by_it_and_count_apart(tiny: KnowledgeBase) -> None:
    case = FigureValues(tiny.figures)
    one, two = case.declared(Declared.of(("ride_speed",))), case.declared(Declared.of(("fare.*",)))
    _ = one["ride_speed"]
    assert one.case is two.case is case.case
    assert (one.used, two.used) == ({"ride_speed"}, set())
    assert FigureValues(tiny.figures).case is not case.case


def test_the_same_figures_with_other_values_are_another_case(tiny: KnowledgeBase) -> None:
    case = FigureValues(tiny.figures, {"rebate": 0.5})
    other = case.with_values({"ride_speed": 15.0, "rebate": 0.25})
    assert (other["ride_speed"], other["rebate"], other.is_told("rebate")) == (15.0, 0.25, True)
    assert (case["ride_speed"], case["rebate"]) == (Interval(12, 20), 0.5)
    assert other.case is not case.case
    assert not other.is_told("ride_speed")
    assert other.with_values({"rebate": 0.0})["ride_speed"] == 15.0


def test_a_formula_reads_through_a_view_of_what_it_declares(tiny: KnowledgeBase) -> None:
    def greedy(_facts: object, figures: FigureValues) -> Value | None:
        return figures["ride_speed"]

    base = replace(tiny, formulas=(replace(FORMULAS[-1], compute=greedy),))
    with pytest.raises(KeyError, match="ride_speed"):
        Consultant(base).consult(profile_with(base, {"trip.people": 1.0}))


FARE: dict[str, Value] = {"trip.people": 2.0, "train.line": "valley-line-north"}


def test_a_computed_fact_rests_on_the_figures_that_were_read_and_on_no_other(
    tiny: KnowledgeBase, tiny_consultant: Consultant
) -> None:
    (judged,) = tiny_consultant.consult(profile_with(tiny, FARE)).judgements
    found = judged.inference.facts["train.fare"]
    assert found.value == 50.0
    assert found.source.figures == {"fare.valley-line-north.second": 25.0}


def test_an_assumption_that_is_no_figure_is_among_what_a_fact_rests_on(tiny: KnowledgeBase) -> None:
    text = "profile: 1\ntrip: {people: 2}\ntrain: {line: coast-line}\nassumptions: {rebate: 50%}\n"
    (judged,) = Consultant(tiny).consult(profile_of(tiny, text)).judgements
    found = judged.inference.facts["train.fare"]
    assert found.value == Interval(4, 9.5)
    assert found.source.figures == {"fare.coast-line.first": 9.5, "fare.coast-line.second": 4.0, "rebate": 0.5}
