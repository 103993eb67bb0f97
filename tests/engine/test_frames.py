"""The rules on data frames: the same verdicts as on columns, in Polars, eager and lazy, and in DuckDB."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import FaultError
from engine.frame_formulas import frame_formulas
from engine.frames import judge_frame, unreadable
from engine.values import Value
from tests.engine.frame_equality import (
    columns_on,
    frame_of,
    in_duckdb,
    in_lazy_polars,
    in_polars,
    unlike,
    without_rules,
)
from tests.engine.helpers import examples, load_tiny
from tests.engine.random_profiles import Profiles

TINY = load_tiny()


@given(st.lists(Profiles(TINY).told(), min_size=1, max_size=40))
@examples(12)
def test_polars_says_what_the_columns_say(cases: list[Mapping[str, Value]]) -> None:
    judged, frame = columns_on(TINY, cases), frame_of(TINY, cases)
    assert list(unlike(TINY, judged, in_polars(TINY, frame))) == []
    assert list(unlike(TINY, judged, in_lazy_polars(TINY, frame))) == []


@given(cases=st.lists(Profiles(TINY).told(), min_size=20, max_size=40))
@examples(4)
def test_duckdb_says_what_the_columns_say(
    cases: list[Mapping[str, Value]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = in_duckdb(TINY, frame_of(TINY, cases), tmp_path_factory.mktemp("duckdb"))
    assert list(unlike(TINY, columns_on(TINY, cases), rows)) == []


def test_the_frames_own_columns_stay_in_front_and_nothing_else_is_left_behind() -> None:
    found = judge_frame(TINY, pl.DataFrame({"id": ["a"], "weather.sky": ["rain"]}))
    assert found.columns[:2] == ["id", "weather.sky"]
    assert found.columns[2:7] == ["route", "form", "status", "division", "margin"]
    assert not [name for name in found.columns if name.startswith("_")]


def test_two_underscores_stand_for_a_dot() -> None:
    dotted = judge_frame(TINY, pl.DataFrame({"weather.sky": ["snow"], "rider.bicycle": ["none"]}))
    scored = judge_frame(TINY, pl.DataFrame({"weather__sky": ["snow"], "rider__bicycle": ["none"]}))
    assert dotted.drop("weather.sky", "rider.bicycle").equals(scored.drop("weather__sky", "rider__bicycle"))


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"weather.skies": ["rain"]}, "did you mean 'weather.sky'?"),
        ({"weather.sky": ["rain"], "weather__sky": ["rain"]}, "same fact as 'weather.sky'"),
        ({"weather.degrees": ["cold"]}, "numbers are needed"),
        ({"weather.sky": ["rain"], "route": ["bicycle"]}, "the name of one that is added"),
    ],
)
def test_columns_that_could_be_misread_are_refused(frame: Mapping[str, list[str]], said: str) -> None:
    with pytest.raises(FaultError, match=r".*") as raised:
        judge_frame(TINY, pl.DataFrame(dict(frame)))
    assert said in str(raised.value)


def test_what_a_fact_cannot_be_counts_as_unknown_and_is_counted() -> None:
    frame = pl.DataFrame({"weather.sky": ["rain", "frogs", None], "trip.bags": [1.5, -1.0, 2.0]})
    assert unreadable(TINY, frame) == {"weather.sky": 1, "trip.bags": 2}
    known = pl.DataFrame({"weather.sky": ["rain", None, None], "trip.bags": [None, None, 2.0]})
    assert judge_frame(TINY, frame)["route"].to_list() == judge_frame(TINY, known)["route"].to_list()


def test_an_empty_table_stays_empty(tmp_path: Path) -> None:
    frame = pl.DataFrame({"case": [], "weather.sky": []}, schema={"case": pl.Int64, "weather.sky": pl.String})
    assert judge_frame(TINY, frame).height == 0
    assert in_duckdb(TINY, frame, tmp_path) == []


@given(st.lists(Profiles(TINY).told(), min_size=1, max_size=30))
@examples(12)
def test_with_prepared_formulas_a_frame_says_what_the_columns_say_with_them(cases: list[Mapping[str, Value]]) -> None:
    frame = frame_formulas(TINY, frame_of(TINY, cases))
    assert without_rules(in_polars(TINY, frame), columns_on(TINY, cases, compute=True), TINY) == []
