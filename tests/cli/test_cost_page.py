"""The page of costs: what stands on it, at every width, in both languages, without color."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from cli.console import console
from cli.render.cost_page import MOST_SWINGS, Costed, Row, Table, bar, pages
from cli.render.cost_text import page_markdown, print_page
from cli.render.cost_wording import Wording, money, number, percent
from cli.render.wrapping import cells
from engine.values import UNLIMITED, Interval
from knowledge.costing import BreakEven, Costing, Missing, Swing
from knowledge.transfer import Way
from tests.cli import costings
from tests.cli.command import LANGUAGES
from tests.cli.costings import ALL, words_of

EVERY = pytest.mark.parametrize("made", ALL.values(), ids=ALL)
CHINESE = re.compile("[\u4e00-\u9fff]")
ENGLISH_SENTENCE = re.compile(r"\b[a-z]+ [a-z]+ [a-z]+ [a-z]+\b")


def text_of(
    costing: Costing, language: str = "en", columns: str = "80", name: str | None = None, everything: bool = False
) -> str:
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", columns)
        print_page(console(stream), pages([Costed(name, costing)], words_of(language), everything), words_of(language))
    return stream.getvalue()


def flat(costing: Costing, language: str = "en") -> str:
    """The page with every paragraph on one line."""
    return text_of(costing, language, "1000")


@EVERY
@pytest.mark.parametrize(("language", "columns"), list(itertools.product(LANGUAGES, ("60", "80", "132"))))
def test_no_line_is_wider_than_the_terminal(made: Callable[[], Costing], language: str, columns: str) -> None:
    lines = text_of(made(), language, columns, everything=True).splitlines()
    assert [line for line in lines if cells(line) > int(columns)] == []


@EVERY
def test_a_page_is_of_one_language(made: Callable[[], Costing]) -> None:
    assert not CHINESE.search(text_of(made(), "en", everything=True))
    assert not ENGLISH_SENTENCE.search(text_of(made(), "zh", everything=True))


@EVERY
def test_a_page_has_no_color_where_none_is_wanted(made: Callable[[], Costing]) -> None:
    assert "\x1b" not in text_of(made())


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
def test_both_forms_hold_the_same_amounts(made: Callable[[], Costing], language: str) -> None:
    words = words_of(language)
    marked = page_markdown(pages([Costed(None, made())], words, everything=True), words).replace("\\", "")
    for option in made().options:
        for line in option.lines:
            assert words.line(line.id) in marked
            assert f"| {money(line.least)} | {money(line.most)} | {words.computed_from(line.inputs)} |" in marked


def test_the_summary_stands_before_the_details() -> None:
    page = flat(costings.whole())
    order = [
        "Horizon:",
        "What each option costs",
        "Where owning meets",
        "What drives",
        "midway",
        "Moving",
        "Not told",
        "Line by",
    ]
    assert sorted(order, key=page.index) == order


def test_columns_of_numbers_end_at_the_same_cell_in_chinese_too() -> None:
    lines = text_of(costings.whole(), "zh").splitlines()
    start = lines.index("各方案在测算期内的成本") + 2
    ends = {cells(line[: line.index("可能")].rstrip()) for line in lines[start : start + 3]}
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("totals", "marked"),
    [
        ([(1, 2), (3, 4)], ["cheapest", ""]),
        ([(1, 3), (2, 4)], ["may be cheapest", "may be cheapest"]),
        ([(1, 3), (2, 4), (5, 6)], ["may be cheapest", "may be cheapest", ""]),
        ([(1, 2)], [""]),
    ],
)
def test_only_what_is_surely_the_cheapest_is_called_so(totals: list[tuple[float, float]], marked: list[str]) -> None:
    names = ("own", "on_demand", "spot")
    base = costings.whole().options[1]
    options = tuple(
        replace(base, id=name, lines=(replace(base.lines[0], least=least, most=most),))
        for name, (least, most) in zip(names, totals, strict=False)
    )
    blocks = list(pages([Costed(None, replace(costings.whole(), options=options))], words_of("en")))
    table = next(block for block in blocks if isinstance(block, Table))
    assert [row.cells[-1] for row in table.rows] == marked


def test_an_option_that_waits_for_a_price_has_no_total() -> None:
    whole = costings.whole()
    waiting = replace(whole.options[1], missing=(Missing("price", "H100-SXM-80GB", "cn"),))
    page = flat(replace(whole, options=(whole.options[0], waiting)))
    assert re.search(r"cloud on demand +not known +not known", page)
    assert "No price of renting H100-SXM-80GB in mainland China is known" in page


def test_an_own_option_and_the_cheapest_rented_one_stand_line_by_line_and_all_on_demand() -> None:
    whole = costings.whole()
    dear = replace(whole.options[1], id="spot", lines=(*whole.options[1].lines, whole.options[1].lines[0]))
    costing = replace(whole, options=(*whole.options, dear))
    heads = [f"Line by line: {words_of('en').option(option.id)}" for option in costing.options]
    page, everything = flat(costing), text_of(costing, everything=True)
    assert [head in page for head in heads] == [True, True, False, False]
    assert [head in everything for head in heads] == [True, True, True, True]
    assert "2 more options can be had line by line with --all." in page
    assert "One more option" in flat(whole)
    assert "--all" not in everything


@pytest.mark.parametrize(
    ("low", "word"), [((), "good"), (("power",), "mixed"), (("servers", "residual", "maintenance"), "weak")]
)
def test_an_option_says_how_much_of_it_rests_on_figures_of_low_confidence(low: tuple[str, ...], word: str) -> None:
    """Electricity is the smallest of its lines, the price of a server stands behind the largest."""
    whole, words = costings.whole(), words_of("en")
    own = whole.options[0]
    names = {item.name for line in own.lines if line.id in low for item in line.inputs}
    figures = {
        name: replace(figure, confidence="low" if name in names else "medium")
        for name, figure in words.base.figures.items()
    }
    wording = Wording(replace(words.base, figures=figures), "en", words.on)
    table = next(b for b in pages([Costed(None, whole)], wording) if isinstance(b, Table))
    assert table.rows[0].cells[3] == word


def test_what_a_quantity_was_worked_out_from_counts_among_its_sources_unless_it_was_told() -> None:
    whole, words = costings.whole(), words_of("en")
    names = {"draw_share.idle"}
    figures = {
        name: replace(figure, confidence="low" if name in names else "medium")
        for name, figure in words.base.figures.items()
    }
    wording = Wording(replace(words.base, figures=figures), "en", words.on)
    own = whole.options[0]
    power = next(line for line in own.lines if line.id == "power")
    sizes = sum(abs(line.least) + abs(line.most) for line in own.lines)
    share = wording.low_share(own, names, frozenset())
    assert share == pytest.approx((power.least + power.most) / sizes)
    assert wording.low_share(own, names, names) == 0


def test_ways_to_move_the_data_stand_with_days_and_fee_and_an_unknown_fee_is_said_to_be_so() -> None:
    page = flat(costings.whole())
    assert re.search(r"over the line that was told +4\.6 +0\n", page)
    assert re.search(r"dedicated line of 10 Gbit/s +0\.05–0\.07 +at least 2\.8–3\.6 USD\n", page)
    assert re.search(r"Lightning Cube II, 1–2 devices +5–21 +not known\n", page)
    assert "Quickest: dedicated line of 10 Gbit/s." in page
    assert "May be the cheapest, as far as fees are known: over the line that was told." in page


@pytest.mark.parametrize(
    ("fees", "sentence"),
    [
        (((0.0, False), (5.0, True)), "Cheapest: over the line that was told."),
        (((4.0, False), (5.0, True)), "Cheapest: over the line that was told."),
        (((4.0, True), (5.0, False)), "fees are known: over the line that was told, dedicated line of 1 Gbit/s."),
        (((None, False), (None, True)), "Which one is the cheapest is not known, since no fee is."),
    ],
)
def test_a_way_is_called_the_cheapest_only_where_that_is_sure(
    fees: tuple[tuple[float | None, bool], ...], sentence: str
) -> None:
    names = ("uplink", "line_1g")
    ways = tuple(Way(name, 1.0, fee, "USD", more) for name, (fee, more) in zip(names, fees, strict=True))
    assert sentence in flat(replace(costings.whole(), moving=ways))
    assert "May be the quickest: over the line that was told, dedicated" in flat(replace(costings.whole(), moving=ways))


def test_without_data_to_move_the_page_says_nothing_of_it() -> None:
    assert "Moving the data" not in flat(replace(costings.whole(), moving=()))


def test_on_a_wide_terminal_what_a_line_was_computed_from_stands_beside_it() -> None:
    wide, narrow = (text_of(costings.whole(), columns=columns) for columns in ("120", "60"))
    assert re.search(r"^  servers .*400,000  1 server × 255,237–400,000 USD$", wide, re.MULTILINE)
    assert re.search(r"^    1 server × 255,237–400,000 USD$", narrow, re.MULTILINE)
    assert len(wide.splitlines()) < len(narrow.splitlines()) - 9


def test_under_each_line_stands_what_it_was_computed_from() -> None:
    assert "1 server × 255,237–400,000 USD × 15%–30% (residual share)" in flat(costings.whole())


def test_cards_without_a_price_in_one_region_stand_in_one_sentence() -> None:
    missing = (Missing("price", "T4", "cn"), Missing("price", "A10"), Missing("price", "L4", "cn"))
    page = flat(replace(costings.unpriced(), missing=missing))
    assert "No price of renting T4, L4 in mainland China is known" in page
    assert "No price of renting A10 is known" in page


def test_what_is_missing_says_what_to_try() -> None:
    page = flat(costings.unpriced())
    assert page.count("add one with --figures FILE") == 3
    assert "--set demand.gpus_peak=…" in page
    assert "server_price under assumptions:" in page


def test_figures_past_their_age_limit_are_counted_on_the_day_asked_for() -> None:
    costing = replace(costings.whole(), figures=("server_price.h100-sxm-80gb", "pue"))
    words = words_of("en")
    later = Wording(words.base, "en", date(2040, 1, 1))
    told = frozenset({"pue"})

    def page(wording: Wording, told: frozenset[str]) -> str:
        return page_markdown(pages([Costed(None, costing, told)], wording), wording).replace("\\", "")

    assert "2 of them are past their age limit on 2040-01-01" in page(later, frozenset())
    assert "1 of them are past their age limit on 2040-01-01" in page(later, told)
    assert "past their age limit" not in page(Wording(words.base, "en", date(2020, 1, 1)), told)


def test_no_use_has_no_cost_per_hour_and_nothing_is_called_cheapest() -> None:
    page = flat(replace(costings.idle(), moving=()))
    assert page.splitlines()[0].endswith("neither buying nor renting is due yet.")
    assert "cheapest" not in page
    assert "neither" not in flat(costings.whole())


@pytest.mark.parametrize(
    ("utilization", "sentence"),
    [
        (0.0, "Owning costs no more at any use."),
        (UNLIMITED, "Owning costs more at any use."),
        (0.42, "from a utilization of 42%."),
        (Interval(0.2, 0.5), "of 20% against the dearest price, and of 50% against the cheapest."),
        (Interval(0.0, 0.5), "at any use against the dearest price, and from a utilization of 50%"),
        (Interval(0.2, UNLIMITED), "of 20% against the dearest price, and never against the cheapest."),
        (Interval(0.0, UNLIMITED), "at any use against the dearest price, and never against the cheapest."),
    ],
)
def test_a_break_even_utilization_is_told_in_a_sentence(utilization: float | Interval, sentence: str) -> None:
    page = flat(replace(costings.whole(), break_even=(BreakEven("on_demand", utilization, None, None),)))
    assert page.count(sentence) == 1


@pytest.mark.parametrize(
    ("month", "sentence"),
    [
        (UNLIMITED, "never falls below what was paid for renting within the horizon."),
        (7.0, "By the end of month 7 no more"),
        (Interval(7, 11), "by the end of month 7 at best and of month 11 at worst."),
        (Interval(7, UNLIMITED), "by the end of month 7 at best, and at worst not within the horizon."),
    ],
)
def test_a_break_even_month_is_told_in_a_sentence(month: float | Interval, sentence: str) -> None:
    page = flat(replace(costings.whole(), break_even=(BreakEven("on_demand", None, month, None),)))
    assert page.count(sentence) == 1


@pytest.mark.parametrize(
    ("price", "sentence"),
    [
        (2.5, "at 2.5 USD for a rented GPU-hour."),
        (Interval(2.5, 4), "at 2.5 to 4 USD for a rented GPU-hour."),
    ],
)
def test_a_break_even_price_is_told_in_a_sentence(price: float | Interval, sentence: str) -> None:
    page = flat(replace(costings.whole(), break_even=(BreakEven("on_demand", None, None, price),)))
    assert page.count(sentence) == 1


def test_a_break_even_of_which_nothing_is_known_is_left_out() -> None:
    page = flat(replace(costings.whole(), break_even=(BreakEven("on_demand", None, None, UNLIMITED),)))
    assert "Where owning meets" not in page


def test_a_bar_shows_both_ends_and_where_both_cost_the_same() -> None:
    swing = Swing("pue", "figure", 1.2, 1.6, "", 0.5, 1.0)
    drawn = bar(swing, (0.5, 2.0))
    assert (drawn[0], drawn.index("H"), drawn[-1]) == ("L", 8, ".")
    assert bar(replace(swing, ratio_at_high=0.6), (0.5, 2.0))[8] == ":"
    assert bar(replace(swing, ratio_at_high=UNLIMITED), (0.5, 2.0))[-1] == "H"


def test_all_bars_are_of_one_width_and_a_scale_of_nothing_is_drawn() -> None:
    swing = Swing("pue", "figure", 1.2, 1.6, "", 1.0, 1.0)
    assert len(bar(swing, (1.0, 1.0))) == len(bar(replace(swing, ratio_at_low=0.3), (0.3, 1.0)))


def test_only_the_widest_swings_are_shown_and_the_page_says_of_how_many() -> None:
    swings = tuple(Swing("pue", "figure", 1.0, 2.0, "", 0.5, 1 + n / 10) for n in range(12))
    page = flat(replace(costings.whole(), swings=swings))
    assert f"(the {MOST_SWINGS} widest of 12)" in page
    drawn = re.compile(r"  [.=:LH]{24}  PUE, ", re.MULTILINE)
    assert len(drawn.findall(page)) == MOST_SWINGS
    assert len(drawn.findall(text_of(replace(costings.whole(), swings=swings), columns="200", everything=True))) == 12


def test_each_of_several_workloads_stands_under_its_name() -> None:
    words = words_of("en")
    marked = page_markdown(pages([Costed("search", costings.whole()), Costed(None, costings.idle())], words), words)
    assert [line for line in marked.splitlines() if line.startswith("## ")] == ["## search", "## workload 2"]


def test_a_name_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in text_of(costings.whole(), name="\x1b[2J")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (0.00001234, "0.00001234"),
        (2.99, "2.99"),
        (999.94, "999.9"),
        (255237.4, "255,237"),
        (10.0, "10"),
        (-0.25, "-0.25"),
    ],
)
def test_a_number_has_four_digits_or_is_whole(value: float, shown: str) -> None:
    assert number(value) == shown


def test_amounts_and_shares_are_shown_as_people_write_them() -> None:
    assert [money(-76571.1), money(14.6), money(0.25)] == ["-76,571", "15", "0.25"]
    assert [percent(0.31), percent(1.0)] == ["31%", "100%"]
    assert number(UNLIMITED) == "∞"


def test_a_table_too_wide_wraps_its_first_column_only() -> None:
    stream = io.StringIO()
    table = Table(("what", "least", "most"), (Row(("a long title of a line that is wrapped", "1,000", "2,000")),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "40")
        print_page(console(stream), [table], words_of("en"))
    _, *lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("1,000  2,000")
    assert " ".join(" ".join(lines).split()).startswith("a long title of a")
