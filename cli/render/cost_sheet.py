"""The costing as a workbook, .xlsx, whose sums, months and break-even follow when a price in it is changed.

Every formula is written together with the value that it has, so that it is seen where nothing computes it again.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from cli.render.cost_page import Costed
from cli.render.cost_wording import Wording
from engine.faults import printable
from engine.values import UNLIMITED, bounds
from knowledge.costing import OWN, BreakEven, Costing, Input, Line, Meeting, Option, first_crossing, sum_of
from knowledge.economics import break_even_utilization

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

FACTORS: Mapping[str, float] = {
    "servers": 1,
    "renewal": 1,
    "network": 1,
    "installation": 1,
    "residual": -1,
    "power": 1,
    "space": 1,
    "staff": 1,
    "maintenance": 1,
    "failures": 1,
    "contract": 1,
    "compute": 1,
    "surplus": 1,
    "rented_peak": 1,
    "rented_bridge": 1,
    "storage": 1000,
    "egress": 1000,
    "overhead": 1,
}
"""By line: the line is this number times the product of all its inputs. A line without one stays a number."""

ADDED_UP: Mapping[str, frozenset[str]] = {
    "capital_less_residual": frozenset({"servers", "renewal", "network", "installation", "residual"}),
    "rent": frozenset({"compute", "surplus", "rented_peak", "rented_bridge", "storage", "egress"}),
}
"""Inputs that are sums of other lines of the same option: which ones. None of them is below nothing."""

_KIND_KEYS = {
    "fact": "cost.sheet-kind-fact",
    "figure": "cost.sheet-kind-figure",
    "assumption": "cost.sheet-kind-assumption",
    "line": "cost.sheet-kind-line",
}


def workbook(costed: Sequence[Costed], wording: Wording) -> bytes:
    """The workbook of all workloads. It bears the day of the wording, so that the same costing gives the same bytes."""
    from xlsxwriter import Workbook

    target = io.BytesIO()
    book = Workbook(target, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": wording.say("cost.options"), "created": datetime.combine(wording.on, time.min)})
    formats = Formats(book)
    for number, item in enumerate(costed, start=1):
        _Workload(book, formats, wording, item, number if len(costed) > 1 else None).write()
    book.close()
    return target.getvalue()


class Formats:
    """How cells look. What may be changed is blue on yellow, and says so in the sentence above it."""

    def __init__(self, book: Workbook) -> None:
        self.head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.title = book.add_format({"bold": True, "font_size": 13})
        self.total = book.add_format({"bold": True, "top": 1, "num_format": "#,##0"})
        self.money = book.add_format({"num_format": "#,##0"})
        self.number = book.add_format({"num_format": "#,##0.######"})
        self.given = book.add_format({"num_format": "#,##0.######", "font_color": "#0000C0", "bg_color": "#FFFFCC"})
        self.share = book.add_format({"num_format": "0.0%"})
        self.plain = book.add_format({})


@dataclass(frozen=True)
class Cell:
    """A cell of a sheet; rows and columns count from 0."""

    sheet: str
    row: int
    column: int

    def __str__(self) -> str:
        """The cell as a formula names it from any sheet."""
        return f"'{self.sheet}'!${_letter(self.column)}${self.row + 1}"


Cells = tuple[Cell, Cell]
"""The cells of the least and of the most case."""


@dataclass
class Page:
    """A sheet that is filled from the top."""

    sheet: Worksheet
    name: str
    row: int = 0

    def texts(self, *texts: str, look: Any = None) -> None:
        """One row of texts."""
        for column, text in enumerate(texts):
            if text:
                self.sheet.write_string(self.row, column, text, look)
        self.row += 1

    def cell(self, column: int) -> Cell:
        return Cell(self.name, self.row, column)


@dataclass(frozen=True)
class Paid:
    """Where an option's sums stand, by when they are paid; each for the least and the most case."""

    total: Cells
    upfront: Cells
    monthly: Cells
    at_end: Cells
    again: tuple[tuple[Cells, tuple[float, ...]], ...]


@dataclass
class _Workload:
    """Four sheets on one workload."""

    book: Workbook
    formats: Formats
    wording: Wording
    item: Costed
    number: int | None
    rows: dict[object, Cells] = field(default_factory=dict)
    amounts: dict[tuple[str, str, int, float], Cell] = field(default_factory=dict)
    """Where an input stands, by what its name begins with, its unit, the case and its value there."""
    lines: dict[str, dict[str, tuple[Line, Cells]]] = field(default_factory=dict)
    """The lines of each option, by its id, and their cells."""

    @property
    def costing(self) -> Costing:
        return self.item.costing

    def write(self) -> None:
        keys = ("cost.sheet-summary", "cost.sheet-inputs", "cost.sheet-sums", "cost.sheet-months")
        self.summary, self.inputs, self.sums, self.months = (self._page(key) for key in keys)
        self._start_inputs()
        paid = {option.id: self._option(option) for option in self.costing.options}
        self._summarize(paid)
        reached = self._months(paid)
        self._break_even(paid, reached)
        self._waiting()
        self._figures()
        self._widths()

    def _page(self, key: str) -> Page:
        name = self.wording.say(key)
        if self.number is not None:
            name = self.wording.say("cost.sheet-numbered", number=self.number, title=name)
        return Page(self.book.add_worksheet(name), name)

    def _widths(self) -> None:
        for page, widths in (
            (self.summary, (46, 16, 16)),
            (self.inputs, (34, 40, 14, 14, 14, 18, 12, 50, 12, 20)),
            (self.sums, (34, 44, 16, 16, 24, 40)),
            (self.months, (10, *([15] * 20))),
        ):
            for column, width in enumerate(widths):
                page.sheet.set_column(column, column, width)

    def say(self, key: str, /, **params: object) -> str:
        return self.wording.say(key, **params)

    # Inputs

    def _start_inputs(self) -> None:
        self.inputs.texts(self.say("cost.sheet-about"))
        self.inputs.row += 1
        keys = (
            "cost.sheet-input",
            "cost.sheet-id",
            "cost.sheet-kind",
            "cost.least",
            "cost.most",
            "cost.sheet-unit",
            "cost.sheet-date",
            "cost.sheet-source",
            "cost.sheet-confidence",
            "cost.sheet-note",
        )
        self.inputs.texts(*(self.say(key) for key in keys), look=self.formats.head)
        self.inputs.sheet.freeze_panes(self.inputs.row, 1)
        for name, unit, value in (
            ("demand.horizon_months", "months", self.costing.horizon_months),
            ("gpu_hours_per_month", "GPU-hours/month", self.costing.gpu_hours_per_month),
        ):
            if value is not None:
                kind = "fact" if name in self.wording.base.vocabulary.facts else "line"
                self.rows[name] = self._input_row(Input(name, kind, *bounds(value), unit), None)

    def _input(self, item: Input, option: Option, lines: Mapping[str, tuple[Line, Cells]]) -> Cells:
        """The cells of an input; one that stands there already is not written again."""
        horizon = self.costing.horizon_months
        ends = (item.least, item.most)
        if item.name == "months" and horizon is not None and bounds(horizon) == ends:
            return self.rows["demand.horizon_months"]
        key = (item, option.id if item.kind == "line" else option.offers if self._is_offer(item, option) else None)
        if key not in self.rows:
            self.rows[key] = self._input_row(item, option, self._derived(item, lines))
        return self.rows[key]

    def _is_offer(self, item: Input, option: Option) -> bool:
        return option.offers is not None and item.name == option.offers[0]

    def _derived(self, item: Input, lines: Mapping[str, tuple[Line, Cells]]) -> tuple[str, str] | None:
        """The formulas of an input that follows from other cells, if it does and they come to what it is."""
        horizon = self.costing.horizon_months
        if item.name == "years" and horizon is not None:
            cells = self.rows["demand.horizon_months"]
            return _if_same(item, tuple(end / 12 for end in bounds(horizon)), tuple(f"={cell}/12" for cell in cells))
        parts = [lines[name] for name in lines if name in ADDED_UP.get(item.name, ())]
        if not parts:
            return None
        sums = tuple(max(sum((line.least, line.most)[end] for line, _ in parts), 0.0) for end in (0, 1))
        formulas = tuple(f"=MAX(0,{'+'.join(str(cells[end]) for _, cells in parts)})" for end in (0, 1))
        return _if_same(item, sums, formulas)

    def _input_row(self, item: Input, option: Option | None, formulas: tuple[str, str] | None = None) -> Cells:
        page, look = self.inputs, self.formats.number if item.kind == "line" else self.formats.given
        cells = (page.cell(3), page.cell(4))
        for end, value in enumerate((item.least, item.most)):
            if formulas:
                page.sheet.write_formula(page.row, 3 + end, formulas[end], look, value)
            else:
                page.sheet.write_number(page.row, 3 + end, value, look)
            self.amounts.setdefault(_amount(item, end), cells[end])
        kind, unit = self.say(_KIND_KEYS[item.kind]), self.wording.unit(item.unit)
        title = (
            self.say("cost.hours-per-month") if item.name == "gpu_hours_per_month" else self.wording.input(item.name)
        )
        for column, text in enumerate((title, item.name, kind, "", "", unit, *self._origin(item, option))):
            if text:
                page.sheet.write_string(page.row, column, text)
        page.row += 1
        return cells

    def _origin(self, item: Input, option: Option | None) -> tuple[str, str, str]:
        """Date, source and confidence of a figure; of two, where the cases take different ones."""
        names: Sequence[str] = [item.name]
        if option is not None and option.offers and self._is_offer(item, option):
            names = option.offers
        found = [self.wording.base.figures[name] for name in names if name in self.wording.base.figures]
        if item.kind != "figure" or not found:
            return "", "", ""
        columns = zip(*((figure.as_of, figure.source, figure.confidence) for figure in found), strict=True)
        date, source, confidence = (self._one_or_two(texts) for texts in columns)
        return date, source, confidence

    def _one_or_two(self, texts: tuple[str, ...]) -> str:
        shown = [printable(text) for text in texts]
        if shown[0] == shown[-1]:
            return shown[0]
        return self.say("cost.sheet-from-two", least=shown[0], most=shown[-1])

    def _figures(self) -> None:
        """Every figure that was used, as published: also those that only quantities were worked out from."""
        page, used = self.inputs, self.wording.shipped(self.costing.figures, self.item.told)
        if not used:
            return
        page.row += 1
        page.texts(self.say("cost.sheet-published"), look=self.formats.head)
        for figure in used:
            texts = (self.wording.input(figure.id), figure.id, self.say("cost.sheet-kind-figure"))
            for end, value in enumerate(bounds(figure.value)):
                page.sheet.write_number(page.row, 3 + end, value, self.formats.number)
            rest = (self.wording.unit(figure.unit), figure.as_of, printable(figure.source), figure.confidence)
            page.texts(*texts, "", "", *rest, self.say("cost.sheet-past") if self.wording.is_past(figure) else "")

    # Sums

    def _option(self, option: Option) -> Paid:
        page = self.sums
        page.texts(self.wording.option(option.id), look=self.formats.title)
        keys = ("cost.line", "cost.sheet-formula", "cost.least", "cost.most", "cost.sheet-paid", "cost.sheet-note")
        page.texts(*(self.say(key) for key in keys), look=self.formats.head)
        lines = self.lines[option.id] = {}
        for line in option.lines:
            inputs = [self._input(item, option, lines) for item in line.inputs]
            lines[line.id] = (line, self._line(line, inputs))
        paid = self._paid(list(lines.values()))
        page.row += 1
        return paid

    def _line(self, line: Line, inputs: Sequence[Cells]) -> Cells:
        page, cells = self.sums, (self.sums.cell(2), self.sums.cell(3))
        formulas = [_product(line, inputs, end) for end in (0, 1)]
        for end, value in enumerate((line.least, line.most)):
            if formulas[end]:
                page.sheet.write_formula(page.row, 2 + end, formulas[end], self.formats.money, value)
            else:
                page.sheet.write_number(page.row, 2 + end, value, self.formats.money)
        note = "" if all(formulas) else self.say("cost.sheet-as-number")
        page.texts(self.wording.line(line.id), self.wording.formula(line.id), "", "", self._when(line), note)
        return cells

    def _when(self, line: Line) -> str:
        if line.again:
            return self.say("cost.sheet-again", months=self.say("cost.list").join(f"{month:g}" for month in line.again))
        key = "cost.sheet-upfront" if line.upfront else "cost.sheet-at-end" if line.at_end else "cost.sheet-monthly"
        return self.say(key)

    def _paid(self, lines: Sequence[tuple[Line, Cells]]) -> Paid:
        """Rows that add up the lines: all of them, and by when they are paid."""
        again = [pair for pair in lines if pair[0].again]
        upfront = [pair for pair in lines if pair[0].upfront]
        at_end = [pair for pair in lines if pair[0].at_end and not pair[0].upfront]
        monthly = [pair for pair in lines if pair not in (*again, *upfront, *at_end)]
        return Paid(
            self._added("cost.sheet-total", lines, self.formats.total),
            self._added("cost.sheet-upfront", upfront, self.formats.money),
            self._added("cost.sheet-monthly", monthly, self.formats.money),
            self._added("cost.sheet-at-end", at_end, self.formats.money),
            tuple((cells, line.again) for line, cells in again),
        )

    def _added(self, key: str, lines: Sequence[tuple[Line, Cells]], look: Any) -> Cells:
        page, cells = self.sums, (self.sums.cell(2), self.sums.cell(3))
        for end in (0, 1):
            value = sum((line.least, line.most)[end] for line, _ in lines)
            formula = "=" + ("+".join(str(found[end]) for _, found in lines) or "0")
            page.sheet.write_formula(page.row, 2 + end, formula, look, value)
        page.sheet.write_string(page.row, 0, self.say(key), look)
        page.row += 1
        return cells

    # Summary

    def _summarize(self, paid: Mapping[str, Paid]) -> None:
        page = self.summary
        page.texts(printable(self.item.name or "") or self.say("cost.options"), look=self.formats.title)
        page.texts(self.say("cost.currency", currency=self.costing.currency))
        page.texts(self.say("cost.sheet-about"))
        page.row += 1
        page.texts(*(self.say(key) for key in ("cost.option", "cost.least", "cost.most")), look=self.formats.head)
        for option in self.costing.options:
            page.sheet.write_string(page.row, 0, self.wording.option(option.id))
            for end, cell in enumerate(paid[option.id].total):
                value = sum((line.least, line.most)[end] for line in option.lines)
                page.sheet.write_formula(page.row, 1 + end, f"={cell}", self.formats.money, value)
            page.row += 1
        page.row += 1

    def _break_even(self, paid: Mapping[str, Paid], reached: Mapping[str, Cells]) -> None:
        page, own = self.summary, self.costing.option(OWN)
        for item in self.costing.break_even:
            rented = self.costing.option(item.mode)
            if own is None or rented is None or item.mode not in reached:
                continue
            mode = self.wording.option(item.mode)
            heads = ("cost.sheet-at-best", "cost.sheet-at-worst")
            head = (self.say("cost.sheet-break-even", mode=mode), *(self.say(key) for key in heads))
            page.texts(*head, look=self.formats.head)
            self._month_row(own, rented, reached[item.mode])
            if item.price is not None:
                self._price_row(own, paid[OWN])
            self._use_row(item)
            page.row += 1

    def _month_row(self, own: Option, rented: Option, flags: Cells) -> None:
        page, last = self.summary, flags[0].row + len(own.months) - 1
        months = _column(Cell(self.months.name, flags[0].row, 0), last)
        page.sheet.write_string(page.row, 0, self.say("cost.sheet-month"))
        for end, flag in enumerate(flags):
            value = first_crossing(own.months, self._cash(own)[end], rented.cumulative[1 - end])
            formula = f'=IFERROR(INDEX({months},MATCH(1,{_column(flag, last)},0)),"{self.say("cost.sheet-never")}")'
            shown = self.say("cost.sheet-never") if value == UNLIMITED else value
            page.sheet.write_formula(page.row, 1 + end, formula, self.formats.number, shown)
        page.row += 1

    def _price_row(self, own: Option, paid: Paid) -> None:
        """Both cost the same where a GPU-hour costs as much as owning does for each hour that is used."""
        hours, horizon = self.rows.get("gpu_hours_per_month"), self.rows.get("demand.horizon_months")
        per_month, months = self.costing.gpu_hours_per_month, self.costing.horizon_months
        if hours is None or horizon is None or per_month is None or months is None or own.total is None:
            return
        page, never = self.summary, self.say("cost.sheet-never")
        page.sheet.write_string(page.row, 0, self.say("cost.sheet-price"))
        for end in (0, 1):
            used = bounds(per_month)[1 - end] * bounds(months)[1 - end]
            value = max(own.total[end], 0.0) / used if used else never
            formula = f'=IFERROR(MAX(0,{paid.total[end]})/({hours[1 - end]}*{horizon[1 - end]}),"{never}")'
            page.sheet.write_formula(page.row, 1 + end, formula, self.formats.number, value)
        page.row += 1

    def _use_row(self, item: BreakEven) -> None:
        """Busy share at which both cost the same, over sums of its own with the steady GPUs never and always busy."""
        if item.meetings is None:
            return
        sums = self._idle_and_busy(item, item.meetings)
        page, never = self.summary, self.say("cost.sheet-never")
        page.sheet.write_string(page.row, 0, self.say("cost.sheet-use"))
        for case, meeting in enumerate(item.meetings):
            own_idle, own_busy, rented_idle, rented_busy = (str(cells[case]) for cells in sums)
            gap, closing = f"{own_idle}-{rented_idle}", f"({rented_busy}-{rented_idle})-({own_busy}-{own_idle})"
            within = f'IF({gap}<={closing},({gap})/({closing}),"{never}")'
            share = break_even_utilization(meeting.own, meeting.rented)
            shown = never if share == UNLIMITED else share
            formula = f'=IF({gap}<=0,0,IFERROR({within},"{never}"))'
            page.sheet.write_formula(page.row, 1 + case, formula, self.formats.share, shown)
        page.row += 1

    def _idle_and_busy(self, item: BreakEven, meetings: tuple[Meeting, Meeting]) -> list[Cells]:
        """Sums of owning and of renting, each with the steady GPUs never and always busy, at best and at worst."""
        page, mode = self.sums, self.wording.option(item.mode)
        heads = (self.say("cost.sheet-at-best"), self.say("cost.sheet-at-worst"))
        page.texts(self.say("cost.sheet-use-against", mode=mode), look=self.formats.title)
        page.texts("", "", *heads, look=self.formats.head)
        own, rented = [meeting.end for meeting in meetings], [1 - meeting.end for meeting in meetings]
        found = []
        for option, key, ends, lines in (
            (OWN, "cost.sheet-idle", own, [meeting.own_idle for meeting in meetings]),
            (OWN, "cost.sheet-busy", own, [meeting.own_busy for meeting in meetings]),
            (item.mode, "cost.sheet-idle", rented, [meeting.rented_idle for meeting in meetings]),
            (item.mode, "cost.sheet-busy", rented, [meeting.rented_busy for meeting in meetings]),
        ):
            title = self.say(key, option=self.wording.option(option))
            found.append(self._at_use(option, title, list(zip(ends, lines, strict=True))))
        page.row += 1
        return found

    def _at_use(self, option: str, title: str, cases: Sequence[tuple[int, Sequence[Line]]]) -> Cells:
        """One row with the sum of such lines in either case, below rows of what only they are computed from."""
        page, rows = self.sums, dict[tuple[str, str], int]()
        formulas = []
        for column, (end, lines) in enumerate(cases, start=2):
            parts: dict[str, str] = {}
            for line in lines:
                parts[line.id] = self._expression(option, line, (end, column), parts, rows)
            formulas.append(f"=MAX(0,{'+'.join(parts.values())})")
        cells = (page.cell(2), page.cell(3))
        for column, (formula, (end, lines)) in enumerate(zip(formulas, cases, strict=True), start=2):
            page.sheet.write_formula(page.row, column, formula, self.formats.total, max(sum_of(lines, end), 0.0))
        page.sheet.write_string(page.row, 0, title, self.formats.total)
        page.row += 1
        return cells

    def _expression(
        self,
        option: str,
        line: Line,
        at: tuple[int, int],
        parts: Mapping[str, str],
        rows: dict[tuple[str, str], int],
    ) -> str:
        """The line in one case: its cell where the option has the like, else its inputs' cells multiplied."""
        end = at[0]
        amount = (line.least, line.most)[end]
        known = self.lines[option].get(line.id)
        if known is not None and _alike(known[0], line, end):
            return str(known[1][end])
        factor = FACTORS.get(line.id, 0.0)
        if not _same(factor * math.prod((item.least, item.most)[end] for item in line.inputs), amount):
            return f"{amount!r}"
        cells = [self._amount_cell(line, item, at, parts, rows) for item in line.inputs]
        return "*".join([*([f"{factor:g}"] if factor != 1 else []), *cells])

    def _amount_cell(
        self,
        line: Line,
        item: Input,
        at: tuple[int, int],
        parts: Mapping[str, str],
        rows: dict[tuple[str, str], int],
    ) -> str:
        """What stands for an input: its cell, a sum of the lines before it, or a cell in a row of its own."""
        end, column = at
        summed = [part for name, part in parts.items() if name in ADDED_UP.get(item.name, ())]
        if summed:
            return f"MAX(0,{'+'.join(summed)})"
        known = self.amounts.get(_amount(item, end))
        if known is not None:
            return str(known)
        if item.kind != "line":
            return str(self._input_row(item, None)[end])
        page, key = self.sums, (line.id, item.name)
        if key not in rows:
            rows[key] = page.row
            title = self.say("cost.sheet-within", line=self.wording.line(line.id), input=self.wording.input(item.name))
            page.texts(title, self.wording.unit(item.unit))
        value = (item.least, item.most)[end]
        page.sheet.write_number(rows[key], column, value, self.formats.number)
        return str(Cell(page.name, rows[key], column))

    def _waiting(self) -> None:
        """What is missing, and what was not told."""
        for title, items in (
            ("cost.missing", [self.wording.missing(item) for item in self.costing.missing]),
            ("cost.not-counted", [self.wording.fact(path) for path in self.costing.not_counted]),
        ):
            if items:
                self.summary.texts(self.say(title), look=self.formats.head)
                for text in items:
                    self.summary.texts(text)
                self.summary.row += 1

    # Months

    def _months(self, paid: Mapping[str, Paid]) -> Mapping[str, Cells]:
        """The months of every option; gives by purchase mode the first cells of the columns that say `reached`."""
        options = [option for option in self.costing.options if option.months and option.total]
        if not options or self.costing.horizon_months is None:
            return {}
        page, heads = self.months, [self.say("cost.picture-month")]
        first = 1
        for row, month in enumerate(options[0].months):
            page.sheet.write_number(first + row, 0, month)
        middles = []
        for option in options:
            ends = (len(heads), len(heads) + 1)
            heads += [self._head(option, key) for key in ("cost.least", "cost.most")]
            for end in (0, 1):
                self._cumulative(ends[end], option, paid[option.id], end, back=True)
            heads.append(self.say("cost.sheet-middle", option=self.wording.option(option.id)))
            middles.append(self._middle(ends, option))
        reached = self._reached(options, paid, heads)
        page.sheet.freeze_panes(first, 1)
        page.texts(*heads, look=self.formats.head)
        page.row = first + len(options[0].months)
        self._chart(middles, len(options[0].months))
        return reached

    def _head(self, option: Option, case: str) -> str:
        return self.say("cost.sheet-column", option=self.wording.option(option.id), case=self.say(case))

    def _cumulative(self, column: int, option: Option, paid: Paid, end: int, back: bool) -> None:
        """One column: what has been paid by the end of each month, with or without what comes back at last."""
        horizon = self.rows["demand.horizon_months"][end]
        assert self.costing.horizon_months is not None
        limit = bounds(self.costing.horizon_months)[end]
        values = option.cumulative[end] if back else self._cash(option)[end]
        for row, value in enumerate(values, start=1):
            month = f"MIN($A{row + 1},{horizon})"
            parts = [f"={paid.upfront[end]}", f"{paid.monthly[end]}*{month}/{horizon}"]
            if back:
                parts.append(f"IF($A{row + 1}>={horizon},{paid.at_end[end]},0)")
            for cells, again in paid.again:
                due = [when for when in again if when < limit]
                times = "+".join(f"IF({month}>={when:g},1,0)" for when in due)
                if due:
                    parts.append(f"{cells[end]}*({times})/{len(due)}")
            self.months.sheet.write_formula(row, column, "+".join(parts), self.formats.money, value)

    def _cash(self, option: Option) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """What has been paid, without what comes back in the last month."""
        assert self.costing.horizon_months is not None
        found = []
        for end, limit in enumerate(bounds(self.costing.horizon_months)):
            back = sum((line.least, line.most)[end] for line in option.lines if line.at_end)
            pairs = zip(option.months, option.cumulative[end], strict=True)
            found.append(tuple(value - back * (month >= limit) for month, value in pairs))
        return found[0], found[1]

    def _middle(self, ends: tuple[int, int], option: Option) -> int:
        column = ends[1] + 1
        least, most = (_letter(end) for end in ends)
        for row, values in enumerate(zip(*option.cumulative, strict=True), start=1):
            formula = f"=({least}{row + 1}+{most}{row + 1})/2"
            self.months.sheet.write_formula(row, column, formula, self.formats.money, sum(values) / 2)
        return column

    def _reached(self, options: Sequence[Option], paid: Mapping[str, Paid], heads: list[str]) -> Mapping[str, Cells]:
        """Columns of owning without residual value, and of whether it has met each way of renting."""
        columns = {option.id: 1 + 3 * place for place, option in enumerate(options)}
        own = next((option for option in options if option.id == OWN), None)
        if own is None:
            return {}
        cash = len(heads)
        for end, key in enumerate(("cost.least", "cost.most")):
            heads.append(self.say("cost.sheet-cash", case=self.say(key)))
            self._cumulative(cash + end, own, paid[OWN], end, back=False)
        found = {}
        for option in options:
            if option.route == "cloud":
                found[option.id] = self._flags(own, option, (cash, columns[option.id]), heads)
        return found

    def _flags(self, own: Option, rented: Option, columns: tuple[int, int], heads: list[str]) -> Cells:
        """Two columns of 1 and 0: at best owning at its least against renting at its most, at worst the other way."""
        start, (cash, least) = len(heads), columns
        for end, key in enumerate(("cost.sheet-at-best", "cost.sheet-at-worst")):
            heads.append(
                self.say("cost.sheet-reached", mode=self.wording.option(rented.id), case=self.say(key)),
            )
            mine, theirs = _letter(cash + end), _letter(least + 1 - end)
            pairs = zip(own.months, self._cash(own)[end], rented.cumulative[1 - end], strict=True)
            for row, (month, paid, other) in enumerate(pairs, start=1):
                formula = f"=IF(AND($A{row + 1}>0,{mine}{row + 1}<={theirs}{row + 1}),1,0)"
                value = int(month > 0 and paid <= other)
                self.months.sheet.write_formula(row, start + end, formula, self.formats.plain, value)
        return Cell(self.months.name, 1, start), Cell(self.months.name, 1, start + 1)

    def _chart(self, middles: Iterable[int], count: int) -> None:
        chart = self.book.add_chart({"type": "line"})
        dashes = ("solid", "dash", "long_dash_dot", "round_dot", "square_dot", "long_dash", "dash_dot")
        name = self.months.name
        for place, column in enumerate(middles):
            chart.add_series(
                {
                    "name": [name, 0, column],
                    "categories": [name, 1, 0, count, 0],
                    "values": [name, 1, column, count, column],
                    "line": {"dash_type": dashes[place % len(dashes)], "width": 2},
                }
            )
        chart.set_title({"name": self.say("cost.picture-title")})
        chart.set_x_axis({"name": self.say("cost.picture-month"), "interval_unit": max(count // 12, 1)})
        chart.set_y_axis(
            {"name": self.say("cost.picture-amount", currency=self.costing.currency), "num_format": "#,##0"}
        )
        chart.set_size({"width": 900, "height": 420})
        self.summary.sheet.insert_chart("E2", chart)


def _letter(column: int) -> str:
    """A column as a formula names it, from A on."""
    from xlsxwriter.utility import xl_col_to_name

    return str(xl_col_to_name(column))


def _column(first: Cell, last_row: int) -> str:
    """The cells from this one down to a row, as a formula names them."""
    return f"{first}:${_letter(first.column)}${last_row + 1}"


def _amount(item: Input, end: int) -> tuple[str, str, int, float]:
    """By what an input is found again: figures that differ by what follows the first dot may stand for one another."""
    return item.name.split(".")[0], item.unit, end, (item.least, item.most)[end]


def _alike(one: Line, other: Line, end: int) -> bool:
    """Whether two lines of one id are the same sum in one case, from inputs of the same size."""
    ones, others = (
        [(line.least, line.most)[end], *((i.least, i.most)[end] for i in line.inputs)] for line in (one, other)
    )
    return len(ones) == len(others) and all(map(_same, ones, others))


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)


def _if_same(item: Input, values: Sequence[float], formulas: Sequence[str]) -> tuple[str, str] | None:
    if _same(item.least, values[0]) and _same(item.most, values[1]):
        return formulas[0], formulas[1]
    return None


def _product(line: Line, inputs: Sequence[Cells], end: int) -> str:
    """The line as a product of its inputs' cells in one case; empty where that does not come to its amount."""
    factor = FACTORS.get(line.id)
    if factor is None or not inputs:
        return ""
    product = factor * math.prod((item.least, item.most)[end] for item in line.inputs)
    if not _same(product, (line.least, line.most)[end]):
        return ""
    return "=" + "*".join([*([f"{factor:g}"] if factor != 1 else []), *(str(cells[end]) for cells in inputs)])
