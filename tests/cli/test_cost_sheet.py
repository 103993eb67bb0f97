"""The workbook of costs: its formulas come to what the costing says, and follow when a price is changed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from cli.render.cost_page import Costed
from cli.render.cost_sheet import workbook
from cli.render.cost_wording import Wording
from engine.figures import FigureValues
from engine.values import UNLIMITED, Interval, bounds
from knowledge import knowledge_base
from knowledge.cost_lines import cost_words
from knowledge.costing import BASE_AND_BURST, OWN, BreakEven, Costing, Line, Option
from knowledge.rental import QUOTE
from knowledge.statement import Statement
from tests.cli import costings
from tests.cli.command import LANGUAGES
from tests.cli.costings import ALL, SIXTEEN, words_of
from tests.cli.sheets import OFFICE, Book, Place, Scalar, read_book, recomputed

EVERY = pytest.mark.parametrize("made", ALL.values(), ids=ALL)
BASE = knowledge_base()
PRICE, SERVER = costings.OFFERS[0], "server_price.h100-sxm-80gb"


def made_of(costing: Costing, language: str = "en", name: str | None = None) -> bytes:
    return workbook([Costed(name, costing)], words_of(language))


def book_of(costing: Costing, language: str = "en") -> Book:
    return read_book(made_of(costing, language))


def same(one: Scalar, other: Scalar) -> bool:
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return one == other
    return one == pytest.approx(other, rel=1e-9, abs=1e-6)


def said(book: Book, label: str, computed: dict[Place, Scalar]) -> list[Scalar]:
    """The two amounts beside a label of the summary."""
    sheet, row, _ = book.find("Summary", label, 0)
    return [computed[sheet, row, column] for column in (1, 2)]


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_formula_comes_to_the_value_that_stands_beside_it(made: Callable[[], Costing], language: str) -> None:
    book = book_of(made(), language)
    computed = book.computed()
    assert [place for place in computed if not same(computed[place], book.written[place])] == []
    assert bool(book.formulas) == bool(made().options)


def test_totals_and_months_are_those_of_the_costing() -> None:
    costing = costings.whole()
    book = book_of(costing)
    computed = book.computed()
    for option in costing.options:
        assert said(book, cost_words().options[option.id]["en"], computed) == pytest.approx(option.total)
    for place, option in enumerate(costing.options):
        for end in (0, 1):
            column = [computed["Months", row + 1, 1 + 3 * place + end] for row in range(len(option.months))]
            assert column == pytest.approx(list(option.cumulative[end]))


def test_the_break_even_is_computed_and_agrees_with_the_costing() -> None:
    costing = costings.whole()
    book = book_of(costing)
    computed = book.computed()
    (item,) = costing.break_even
    assert isinstance(item.month, Interval)
    assert isinstance(item.price, Interval)
    assert said(book, words_of("en").say("cost.sheet-month"), computed) == [item.month.low, "never"]
    prices = said(book, words_of("en").say("cost.sheet-price"), computed)
    assert prices == pytest.approx([item.price.low, item.price.high])


def test_a_dearer_rent_moves_totals_and_break_even() -> None:
    book = book_of(costings.whole())
    before, month = book.computed(), words_of("en").say("cost.sheet-month")
    sheet, row, _ = book.find("Inputs", PRICE, 1)
    after = book.changed((sheet, row, 3), 8.0).changed((sheet, row, 4), 8.0).computed()
    assert said(book, month, before) == [11.0, "never"]
    early, late = said(book, month, after)
    assert isinstance(early, float)
    assert early < 11
    assert late == 18.0  # 416,480 at once and 11,748 a month, against 35,375 a month
    cloud = cost_words().options["on_demand"]["en"]
    assert said(book, cloud, after)[0] == pytest.approx((151_200 * 8 + 3240) * 1.05)


def test_a_dearer_server_moves_what_hangs_on_it() -> None:
    book = book_of(costings.whole())
    sheet, row, _ = book.find("Inputs", SERVER, 1)
    after = book.changed((sheet, row, 4), 500_000.0).computed()
    worth = 500_000 * 0.85 + 6480 + 10_000
    total = worth + 38_678.4 + 110_160 + 150_000 + 500_000 * 0.1 * 3 + worth * 0.0115
    assert said(book, cost_words().options[OWN]["en"], after)[1] == pytest.approx(total)
    price = said(book, words_of("en").say("cost.sheet-price"), after)
    assert price[1] == pytest.approx(total / (4200 * 36))


def test_an_amount_that_is_not_the_product_of_its_inputs_stays_a_number_and_says_so() -> None:
    book = book_of(costings.whole())
    _, row, _ = book.find("Sums", cost_words().options[BASE_AND_BURST]["en"], 0)
    (servers,) = [p for p in book.given if p[0] == "Sums" and p[2] == 0 and p[1] == row + 2]
    assert book.given["Sums", servers[1], 2] == pytest.approx(255_237 / 2)
    assert book.given["Sums", servers[1], 5] == words_of("en").say("cost.sheet-as-number")


def test_a_line_without_an_expression_stays_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.render.cost_sheet.FACTORS", {})
    book = book_of(costings.whole())
    _, row, _ = book.find("Sums", cost_words().lines["servers"].title["en"], 0)
    assert book.given["Sums", row, 2] == 255_237


def test_every_line_that_has_words_has_an_expression() -> None:
    from cli.render.cost_sheet import FACTORS

    assert set(FACTORS) == set(cost_words().lines)


def test_an_input_that_stands_in_several_options_stands_once() -> None:
    book = book_of(costings.whole())
    _, published, _ = book.find("Inputs", words_of("en").say("cost.sheet-published"), 0)
    names = [
        v for (sheet, row, column), v in book.given.items() if sheet == "Inputs" and column == 1 and row < published
    ]
    assert names.count(SERVER) == names.count("maintenance_share") == names.count(PRICE) == 1
    assert names.count("energy_kwh") == 2  # worked out for each option by itself


def test_a_figure_stands_with_its_unit_date_source_and_confidence() -> None:
    costing = costings.whole()
    shipped = next(figure for figure in words_of("en").base.figures.values() if figure.unit)
    own = costing.options[0]
    power = next(line for line in own.lines if line.id == "power")
    odd = replace(power.inputs[1], name=shipped.id, unit=shipped.unit)
    lines = tuple(
        replace(line, inputs=(line.inputs[0], odd, line.inputs[2])) if line is power else line for line in own.lines
    )
    book = book_of(replace(costing, options=(replace(own, lines=lines), *costing.options[1:])))
    sheet, row, _ = book.find("Inputs", shipped.id, 1)
    stands = [book.given[sheet, row, column] for column in (5, 6, 7, 8)]
    unit = words_of("en").unit(shipped.unit)
    assert stands == [unit, shipped.as_of, shipped.source, shipped.confidence]


def test_every_figure_used_stands_as_published_but_for_those_that_are_replaced() -> None:
    costed = Costed(None, replace(costings.whole(), figures=(SERVER, "pue", "draw_share.idle")), frozenset({"pue"}))
    book = read_book(workbook([costed], words_of("en")))
    _, published, _ = book.find("Inputs", words_of("en").say("cost.sheet-published"), 0)
    ids = [book.given.get(("Inputs", row, 1)) for row in range(published + 1, published + 4)]
    assert ids == [SERVER, "draw_share.idle", None]


def test_what_is_missing_and_what_was_not_told_stands_in_the_summary() -> None:
    texts = book_of(costings.unpriced()).texts("Summary")
    words = words_of("en")
    assert [words.missing(item) for item in costings.unpriced().missing if words.missing(item) not in texts] == []
    assert words.fact("operations.gpus_owned") in texts


def test_several_workloads_have_sheets_of_their_own() -> None:
    both = [Costed("first", costings.whole()), Costed("second", costings.renewed())]
    book = read_book(workbook(both, words_of("en")))
    assert book.sheets == [f"{n} {name}" for n in (1, 2) for name in ("Summary", "Inputs", "Sums", "Months")]
    computed = book.computed()
    assert [place for place in computed if not same(computed[place], book.written[place])] == []


def test_the_workbook_has_a_chart_and_says_the_same_each_time() -> None:
    data = made_of(costings.whole())
    assert "xl/charts/chart1.xml" in zipfile.ZipFile(BytesIO(data)).namelist()
    assert data == made_of(costings.whole())


def test_a_name_that_looks_like_a_formula_stays_text() -> None:
    book = read_book(made_of(costings.whole(), name="=1+1"))
    assert "=1+1" in book.texts("Summary")


def test_a_range_of_months_ends_each_case_at_its_own_horizon() -> None:
    """Owning costs 1,200 at once and 100 comes back; renting costs 100 a month; the need lasts 12 or 24 months."""
    own = (
        Line("servers", 1200, 1200, (), upfront=True),
        Line("residual", -100, -100, (), at_end=True),
    )
    rented = (Line("compute", 1200, 2400, ()),)
    months = tuple(float(month) for month in range(25))
    ends = (12, 24)
    bought = tuple(tuple(1200 - 100 * (m >= end) for m in months) for end in ends)
    paid = tuple(tuple(100 * min(m, end) for m in months) for end in ends)
    options = (
        Option(OWN, "on_prem", own, (), None, months, (bought[0], bought[1])),
        Option("on_demand", "cloud", rented, (), None, months, (paid[0], paid[1])),
    )
    costing = replace(
        costings.whole(),
        horizon_months=Interval(12, 24),
        options=options,
        break_even=(BreakEven("on_demand", None, 12.0, None),),
    )
    book = book_of(costing)
    computed = book.computed()
    assert [place for place in computed if not same(computed[place], book.written[place])] == []
    assert said(book, words_of("en").say("cost.sheet-month"), computed) == [12.0, 12.0]


def told_prices(price: float) -> Costing:
    """Sixteen GPUs for three years where all prices but a few are the shipped ranges, at this price of a GPU-hour."""
    facts = {**dict.fromkeys(BASE.vocabulary.facts), **SIXTEEN}
    return Statement(facts, FigureValues(BASE.figures, {QUOTE: price, "server_price": 300_000.0})).costing(None)


def price_cells(book: Book, sheet: str) -> tuple[Place, Place]:
    _, row, _ = book.find(sheet, QUOTE, 1)
    return (sheet, row, 3), (sheet, row, 4)


def use_of(costing: Costing) -> list[Scalar]:
    """Where owning meets renting by the hour, as the costing says it."""
    item = next(item for item in costing.break_even if item.mode == "on_demand")
    assert item.utilization is not None
    return ["never" if share == UNLIMITED else share for share in bounds(item.utilization)]


@pytest.mark.parametrize("price", [2.0, 4.0, 7.0, 40.0])
def test_the_break_even_utilization_follows_a_price_as_the_costing_does(price: float) -> None:
    book = book_of(told_prices(5.0))
    label = words_of("en").say("cost.sheet-use")
    assert said(book, label, book.computed()) == pytest.approx(use_of(told_prices(5.0)))
    least, most = price_cells(book, "Inputs")
    after = said(book, label, book.changed(least, price).changed(most, price).computed())
    assert [same(one, other) for one, other in zip(after, use_of(told_prices(price)), strict=True)] == [True, True]
    assert after != said(book, label, book.computed())


def test_a_sum_that_no_expression_gives_stays_a_number_in_the_break_even_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.render.cost_sheet.FACTORS", {})
    book = book_of(told_prices(5.0))
    computed = book.computed()
    assert [place for place in computed if not same(computed[place], book.written[place])] == []
    assert said(book, words_of("en").say("cost.sheet-use"), computed) == pytest.approx(use_of(told_prices(5.0)))


def shown(text: str) -> float:
    """A number as LibreOffice writes it."""
    return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_computes_the_same_after_a_price_was_changed(tmp_path: Path) -> None:
    """Every formula comes to what our reader of formulas gives, and the break-even to what the costing says."""
    data = made_of(told_prices(5.0), "zh")
    book = read_book(data)
    least, most = price_cells(book, "输入")
    found = recomputed(data, tmp_path, {least: 7.0, most: 7.0})
    wanted = book.changed(least, 7.0).changed(most, 7.0).computed()
    wrong = []
    for place, value in wanted.items():
        text = found.get(place, "")
        right = text == value if isinstance(value, str) else text and shown(text) == pytest.approx(value, rel=1e-9)
        wrong += [] if right else [(place, value, text)]
    assert wrong == []
    assert len(wanted) > 200
    sheet, row, _ = book.find("汇总", words_of("zh").say("cost.sheet-use"), 0)
    assert [shown(found[sheet, row, column]) for column in (1, 2)] == pytest.approx(use_of(told_prices(7.0)))


def test_wording_is_of_one_language() -> None:
    assert isinstance(words_of("zh"), Wording)
    assert [text for text in book_of(costings.whole(), "zh").texts("汇总") if text.isascii()] == []
