"""The chart and the picture of costs: which series they show, where they cross, and how they look without color."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from cli.render.cost_chart import CROSSING, MARKS, chart_lines, crossing, round_steps, series
from cli.render.cost_page import Costed
from cli.render.cost_picture import cjk_font, drawable, picture
from cli.render.wrapping import cells
from engine.values import Interval
from knowledge.costing import Costing, Line, Option
from tests.cli import costings
from tests.cli.command import LANGUAGES
from tests.cli.costings import ALL, words_of

EVERY = pytest.mark.parametrize("made", ALL.values(), ids=ALL)


def test_each_route_is_drawn_once_by_its_cheapest_option() -> None:
    whole = costings.whole()
    rented = whole.options[1]
    dear = replace(rented, id="spot", lines=(*rented.lines, replace(rented.lines[0], id="surplus")))
    found = series(replace(whole, options=(dear, *whole.options)))
    assert [item.option.id for item in found] == ["own", "on_demand", "base_and_burst"]


def test_the_crossing_is_the_first_month_by_whose_end_owning_cost_no_more() -> None:
    found = series(costings.whole())
    meeting = crossing(found)
    assert meeting is not None
    month, amount = meeting
    own, rented = found[0].middle, found[1].middle
    at = found[0].months.index(month)
    assert own[at] <= rented[at]
    assert own[at - 1] > rented[at - 1]
    assert amount == own[at]


def test_what_comes_back_at_the_end_makes_no_crossing() -> None:
    """Owning costs 1,000 of which 900 come back in month 2; renting comes to 200."""
    lines = (Line("servers", 1000, 1000, (), upfront=True), Line("residual", -900, -900, (), at_end=True))
    own = Option("own", "on_prem", lines, (), None, (0.0, 1.0, 2.0), ((1000.0, 1000.0, 100.0),) * 2)
    rented = Option(
        "spot", "cloud", (Line("compute", 200, 200, ()),), (), None, (0.0, 1.0, 2.0), ((0.0, 100.0, 200.0),) * 2
    )
    costing = replace(costings.whole(), horizon_months=2.0, options=(own, rented))
    assert crossing(series(costing)) is None
    ranged = replace(costing, horizon_months=Interval(1, 2))
    assert series(ranged)[0].cash() == (1000.0, 1000.0 + 450, 100.0 + 900)


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [20, 60, 80, 1000])
def test_a_chart_keeps_to_its_width(made: Callable[[], Costing], language: str, columns: int) -> None:
    lines = chart_lines(made(), words_of(language), columns)
    assert bool(lines) == bool(made().options)
    drawn = [line for line in lines if any(mark in line for mark in "┤│┬┴")]
    assert all(cells(line) <= min(max(columns, 40), 100) for line in drawn)


def test_each_series_has_a_character_of_its_own_and_the_legend_names_it() -> None:
    lines = chart_lines(costings.whole(), words_of("en"), 80)
    drawn, legend = "\n".join(line for line in lines if "│" in line or "┤" in line), lines[-5:]
    assert [mark for mark in (*MARKS.values(), CROSSING) if mark not in drawn] == []
    assert [line[:2] for line in legend[:4]] == ["o ", "+ ", "* ", "X "]
    assert "\x1b" not in "".join(lines)


def test_no_crossing_is_marked_where_there_is_none() -> None:
    lines = chart_lines(costings.renewed(), words_of("en"), 80)
    assert CROSSING not in "".join(lines)


def test_a_chart_after_another_holds_nothing_of_it() -> None:
    first = chart_lines(costings.unpriced(), words_of("en"), 80)
    chart_lines(costings.whole(), words_of("en"), 80)
    assert chart_lines(costings.unpriced(), words_of("en"), 80) == first


def test_a_need_that_costs_nothing_is_drawn_too() -> None:
    whole = costings.whole()
    nothing = tuple(
        replace(option, cumulative=((0.0,) * 37, (0.0,) * 37), lines=option.lines[:1]) for option in whole.options
    )
    assert chart_lines(replace(whole, options=nothing), words_of("en"), 80)


@pytest.mark.parametrize(("low", "high"), [(0, 1.0), (0, 36), (0, 1_123_094), (-5000, 12_000), (0, 0.004), (0, 240)])
def test_steps_are_even_and_few_and_come_near_to_the_end(low: float, high: float) -> None:
    found = round_steps(low, high, 5)
    assert 3 <= len(found) <= 8
    assert found[0] <= low
    steps = {round(second - first, 9) for first, second in pairwise(found)}
    assert len(steps) == 1
    assert high - found[-1] < max(steps)


# Pictures


def test_a_picture_as_svg_keeps_its_text_as_text_in_either_language_and_is_the_same_each_time() -> None:
    costed, texts = [Costed(None, costings.whole())], {}
    for language in LANGUAGES:
        data = picture(costed, words_of(language), ".svg", None)
        root = ET.fromstring(data)  # noqa: S314 - the file is our own
        texts[language] = {"".join(item.itertext()) for item in root.iter("{http://www.w3.org/2000/svg}text")}
        names = {words_of(language).option(option.id) for option in costings.whole().options}
        assert names <= texts[language]
        assert words_of(language).say("cost.picture-crossing", month="26") in texts[language]
    once, again = (picture(costed, words_of("zh"), ".svg", None) for _ in range(2))
    assert once == again


def test_a_picture_as_png_is_one() -> None:
    data = picture([Costed(None, costings.whole())], words_of("en"), ".png", None)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (1350, 780)


def test_workloads_stand_one_below_the_other_and_those_without_sums_are_left_out() -> None:
    costed = [Costed("a $x$", costings.whole()), Costed("b", costings.unknown()), Costed("c", costings.renewed())]
    assert [item.name for item in drawable(costed)] == ["a $x$", "c"]
    data = picture(costed, words_of("en"), ".svg", None).decode()
    assert "a $x$:" in data
    assert 'viewBox="0 0 648 748.8"' in data


def test_a_chinese_font_is_named_only_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import font_manager

    monkeypatch.setattr(font_manager.fontManager, "ttflist", [font_manager.FontEntry(name="DejaVu Sans")])
    assert cjk_font() is None
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [font_manager.FontEntry(name="SimHei")])
    assert cjk_font() == "SimHei"
