"""What a costing says, in one language, before any form is given to it: the summary first, details after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cli.render.cost_wording import Wording, money, number, percent
from cli.strings import say
from engine.faults import printable
from engine.values import UNLIMITED, Interval, bounds
from knowledge.costing import OWN, BreakEven, Costing, Option, Swing, cheapest_of
from knowledge.transfer import Way, cheapest, quickest

MOST_SWINGS = 5
WEAK_FROM = 0.5
"""Share of an option's amounts on figures of low confidence above which its sources are called weak."""
_BAR = 24


@dataclass(frozen=True)
class Costed:
    """The costing of one workload; `name` is None for a lone one without a name.

    `told`: ids of the figures that the profile replaces.
    """

    name: str | None
    costing: Costing
    told: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Heading:
    """`level` 1 for a workload, 2 for a part of its page."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    """Sentences that stand one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """Cells of a table, and what stands below them over the whole width."""

    cells: tuple[str, ...]
    below: str = ""


@dataclass(frozen=True)
class Table:
    """The first column is text; `numbers` of the columns after it are aligned to the right; the rest is text."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    numbers: int = 2


@dataclass(frozen=True)
class Chart:
    """The place of the chart; only the form knows how wide it may be."""

    costing: Costing


Block: TypeAlias = Heading | Paragraph | Items | Table | Chart


def pages(costed: Sequence[Costed], wording: Wording, everything: bool = False) -> Iterator[Block]:
    """All pages, one workload below the other; `everything`: every option line by line, and all that drives it."""
    for number_, item in enumerate(costed):
        if len(costed) > 1 or item.name:
            unnamed = say("verdict.unnamed", wording.language, number=number_ + 1)
            yield Heading(printable(item.name) if item.name else unnamed, 1)
        yield from CostPage(item, wording, everything).blocks()


class CostPage:
    """The page of one workload."""

    def __init__(self, costed: Costed, wording: Wording, everything: bool = False) -> None:
        self.everything = everything
        self.costing = costed.costing
        self.told = costed.told
        self.wording = wording
        self.say = wording.say

    def blocks(self) -> Iterator[Block]:
        yield Items(tuple(self._head()))
        if self.costing.options:
            yield from (Heading(self.say("cost.options")), self._options(), Paragraph(self.say("cost.basis-means")))
        if self.costing.ratio is not None:
            yield Paragraph(self.say("cost.ratio", ratio=self._ratio(self.costing.ratio)))
        yield from self._listed("cost.break-even", self._break_even())
        yield from self._swings()
        if any(option.months for option in self.costing.options) and not self.costing.no_use:
            yield from (Heading(self.say("cost.chart", currency=self.costing.currency)), Chart(self.costing))
        yield from self._moving()
        yield from self._listed("cost.missing", self._missing())
        yield from self._listed("cost.not-counted", (self.wording.fact(path) for path in self.costing.not_counted))
        yield from self._details()
        yield from self._figures()

    def _head(self) -> Iterator[str]:
        costing = self.costing
        if costing.no_use:
            yield self.say("cost.no-use")
        elif not any(option.total for option in costing.options):
            yield self.say("cost.no-sum")
        if costing.horizon_months is not None:
            yield self.say("cost.horizon", months=self._span(costing.horizon_months))
        if costing.gpu_hours_per_month is not None:
            yield self.say("cost.hours", hours=self._span(costing.gpu_hours_per_month))
        if costing.cards:
            yield self.say("cost.cards", cards=self.say("cost.list").join(costing.cards))
        yield self.say("cost.compared", offers=costing.offers, providers=costing.providers)
        if costing.at_list_price:
            yield self.say("cost.list-price")
        if costing.options:
            yield self.say("cost.currency", currency=costing.currency)
        for rate in self.wording.shipped(costing.rates, self.told):
            yield self.say(
                "cost.rate", title=self.wording.figure(rate.id), value=self._span(rate.value), date=rate.as_of
            )
        if costing.grant is not None:
            yield self.say(f"cost.grant-{costing.grant}")

    def _span(self, value: float | Interval) -> str:
        return self.wording.span(*bounds(value))

    def _ratio(self, value: float | Interval) -> str:
        low, high = bounds(value)
        return self.wording.span(_two_digits(low), _two_digits(high))

    def _figures(self) -> Iterator[Block]:
        used = self.wording.shipped(self.costing.figures, self.told)
        if not used:
            return
        low, past = sum(f.confidence == "low" for f in used), [f for f in used if self.wording.is_past(f)]
        yield Heading(self.say("cost.figures-title"))
        yield Paragraph(self.say("cost.figures", count=len(used), low=low))
        if past:
            yield Paragraph(self.say("cost.past", count=len(past), date=self.wording.on.isoformat()))

    # The summary

    def _options(self) -> Table:
        head = tuple(self.say(key) for key in ("cost.option", "cost.least", "cost.most", "cost.basis"))
        return Table((*head, ""), tuple(self._option(option) for option in self.costing.options))

    def _option(self, option: Option) -> Row:
        name, total = self.wording.option(option.id), option.total
        if total is None:
            return Row((name, self.say("cost.not-known"), self.say("cost.not-known"), "", ""))
        return Row((name, money(total[0]), money(total[1]), self._basis(option), self._mark(option)))

    def _basis(self, option: Option) -> str:
        """A word for how much of an option rests on figures of low confidence."""
        share = self.wording.low_share(option, self.costing.figures, self.told)
        if share == 0:
            return self.say("cost.basis-good")
        return self.say("cost.basis-mixed" if share <= WEAK_FROM else "cost.basis-weak")

    def _mark(self, option: Option) -> str:
        """A word for what is surely the cheapest, or else for all that may be."""
        totals = {other.id: other.total for other in self.costing.options if other.total}
        mine, others = totals[option.id], [total for name, total in totals.items() if name != option.id]
        if self.costing.no_use or not others or any(mine[0] > other[1] for other in others):
            return ""
        surely = all(mine[1] <= other[0] for other in others)
        return self.say("cost.cheapest" if surely else "cost.may-be-cheapest")

    def _listed(self, title: str, items: Iterable[str]) -> Iterator[Block]:
        """A heading and what stands under it, where anything does."""
        found = tuple(items)
        if found:
            yield from (Heading(self.say(title)), Items(found))

    def _missing(self) -> Iterator[str]:
        """What the page or one of its options waits for."""
        found = [*self.costing.missing, *(item for option in self.costing.options for item in option.missing)]
        return self.wording.all_missing(found)

    def _break_even(self) -> Iterator[str]:
        for item in self.costing.break_even:
            sentences = [self._use(item), self._month(item), self._price(item)]
            found = [self.say("cost.against", mode=self.wording.option(item.mode)), *filter(None, sentences)]
            if len(found) > 1:
                yield (" " if self.wording.language == "en" else "").join(found)

    def _use(self, item: BreakEven) -> str:
        if item.utilization is None:
            return ""
        low, high = bounds(item.utilization)
        if low == high:
            alone = {0.0: "cost.use-any", UNLIMITED: "cost.use-never"}
            return self.say(alone.get(low, "cost.use-from"), share=percent(low))
        if high == UNLIMITED:
            return self.say("cost.use-any-or-never" if low == 0 else "cost.use-from-or-never", low=percent(low))
        return self.say(
            "cost.use-any-or-from" if low == 0 else "cost.use-between", low=percent(low), high=percent(high)
        )

    def _month(self, item: BreakEven) -> str:
        if item.month is None:
            return ""
        low, high = bounds(item.month)
        if low == high:
            return self.say("cost.month-never" if low == UNLIMITED else "cost.month-at", month=number(low))
        key = "cost.month-or-never" if high == UNLIMITED else "cost.month-between"
        return self.say(key, low=number(low), high=number(high))

    def _price(self, item: BreakEven) -> str:
        if item.price is None or UNLIMITED in bounds(item.price):
            return ""
        (low, high), currency = bounds(item.price), self.costing.currency
        if low == high:
            return self.say("cost.price-at", price=self.wording.amount(low, high, currency))
        return self.say("cost.price-between", low=number(low), high=self.wording.amount(high, high, currency))

    # Moving the data

    def _moving(self) -> Iterator[Block]:
        ways = self.costing.moving
        if not ways:
            return
        head = tuple(self.say(key) for key in ("cost.way", "cost.days", "cost.fee"))
        yield Heading(self.say("cost.moving"))
        yield Table(head, tuple(Row((self.wording.way(w), self._span(w.days), self.wording.fee(w))) for w in ways))
        yield Items((self._quickest(ways), self._cheapest(ways)))

    def _quickest(self, ways: tuple[Way, ...]) -> str:
        found = quickest(ways)
        return self._of_ways("cost.quickest" if len(found) == 1 else "cost.may-be-quickest", found)

    def _cheapest(self, ways: tuple[Way, ...]) -> str:
        """What is surely the cheapest, or may be; a fee that is unknown may turn out to be lower."""
        found = cheapest(ways)
        if not found:
            return self.say("cost.no-fee")
        surely = len(found) == 1 and not found[0].at_least and all(way.fee is not None for way in ways)
        return self._of_ways("cost.cheapest-way" if surely else "cost.may-be-cheapest-way", found)

    def _of_ways(self, key: str, ways: tuple[Way, ...]) -> str:
        return self.say(key, ways=self.say("cost.list").join(self.wording.way(way) for way in ways))

    # Details

    def _details(self) -> Iterator[Block]:
        """Owning and the cheapest way of renting line by line, and how many more there are; all of them if asked."""
        options = self.costing.options
        wanted = (self.costing.option(OWN), cheapest_of(options, "cloud"))
        shown = [option for option in options if option.lines and (self.everything or option in wanted)]
        for option in shown:
            yield from self._lines(option)
        more = sum(1 for option in options if option.lines) - len(shown)
        if more:
            yield Paragraph(self.say("cost.more-options" if more > 1 else "cost.one-more-option", count=more))

    def _swings(self) -> Iterator[Block]:
        swings = self.costing.swings
        if not swings:
            return
        shown = swings if self.everything else swings[:MOST_SWINGS]
        ends = [end for swing in shown for end in (swing.ratio_at_low, swing.ratio_at_high) if end != UNLIMITED]
        scale = (min([*ends, 1.0]), max([*ends, 1.0]))
        key = "cost.swings" if len(shown) == len(swings) else "cost.swings-part"
        yield Heading(self.say(key, shown=len(shown), count=len(swings)))
        yield Table(
            (self.say("cost.bar"), ""), tuple(Row((bar(swing, scale),), self._swing(swing)) for swing in shown), 0
        )
        yield Paragraph(
            self.say("cost.swing-scale", low=number(_two_digits(scale[0])), high=number(_two_digits(scale[1])))
        )

    def _swing(self, swing: Swing) -> str:
        ends = {"low": number(_two_digits(swing.ratio_at_low)), "high": number(_two_digits(swing.ratio_at_high))}
        unit = swing.unit or self._unit(swing)
        span = self.wording.amount(swing.low, swing.high, unit)
        if unit.startswith("share"):
            span = self.wording.shares(swing.low, swing.high)
        if swing.kind == "fact" and not unit:
            fact = self.wording.base.vocabulary.facts[swing.name]
            span = fact.show(Interval(swing.low, swing.high), self.wording.language)
        return self.say("cost.swing", title=self.wording.input(swing.name), span=span, **ends)

    def _unit(self, swing: Swing) -> str:
        """The currency of an amount that is told, since the costing names it once for all."""
        return self.costing.currency if swing.name == "rented" else ""

    def _lines(self, option: Option) -> Iterator[Block]:
        head = tuple(self.say(key) for key in ("cost.line", "cost.least", "cost.most"))
        rows = [
            Row((self.wording.line(n.id), money(n.least), money(n.most)), self.wording.computed_from(n.inputs))
            for n in option.lines
        ]
        yield Heading(self.say("cost.lines", option=self.wording.option(option.id)))
        yield Table(head, tuple(rows))
        if option.offers:
            least, most = (self.wording.offer(name) for name in option.offers)
            key = "cost.offer" if least == most else "cost.offers"
            yield Paragraph(self.say(key, offer=least, least=least, most=most))


def bar(swing: Swing, scale: tuple[float, float]) -> str:
    """A bar from one ratio to the other on the scale; where the ratio is 1 stands a colon.

    `=` runs from the lower to the higher ratio, `L` and `H` mark the input at its lowest and highest, dots the rest.
    """
    low, high = scale
    width = (high - low) or 1.0

    def cell(ratio: float) -> int:
        return round((min(max(ratio, low), high) - low) / width * (_BAR - 1))

    cells = ["."] * _BAR
    at_low, at_high = cell(swing.ratio_at_low), cell(swing.ratio_at_high)
    for place in range(min(at_low, at_high), max(at_low, at_high) + 1):
        cells[place] = "="
    cells[cell(1.0)] = ":"
    cells[at_low], cells[at_high] = "L", "H"
    return "".join(cells)


def _two_digits(ratio: float) -> float:
    """A ratio as it is shown: to the hundredth, and below that to two digits."""
    return ratio if abs(ratio) == UNLIMITED else round(ratio, 2) if abs(ratio) >= 0.1 else float(f"{ratio:.2g}")
