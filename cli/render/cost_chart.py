"""Cumulative cost by month: which series are drawn, where they cross, and the chart of a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cli.render.cost_wording import Wording, money, number
from cli.render.wrapping import wrap
from engine.values import bounds
from knowledge.costing import OWN, Costing, Option, cheapest_of, first_crossing, never

ROUTES = ("on_prem", "cloud", "hybrid")
MARKS = {"on_prem": "o", "cloud": "+", "hybrid": "*"}
CROSSING = "X"
MOST_COLUMNS = 100
ROWS = 14
_TICKS = 5


@dataclass(frozen=True)
class Series:
    """One option over the months: `least` and `most` paid so far, and what lies midway; `horizon` in either case."""

    option: Option
    horizon: tuple[float, float]
    months: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]

    @property
    def middle(self) -> tuple[float, ...]:
        return tuple((low + high) / 2 for low, high in zip(self.least, self.most, strict=True))

    def cash(self) -> tuple[float, ...]:
        """What has been paid midway, without what comes back in the last month."""
        back = [item for item in self.option.lines if item.at_end]
        least, most = sum(item.least for item in back) / 2, sum(item.most for item in back) / 2
        return tuple(
            value - least * (month >= self.horizon[0]) - most * (month >= self.horizon[1])
            for month, value in zip(self.months, self.middle, strict=True)
        )


def series(costing: Costing) -> tuple[Series, ...]:
    """Owning, the cheapest way of renting, and the cheapest mixed one, as far as each is known."""
    known = [option for option in costing.options if option.months]
    horizon = bounds(costing.horizon_months if costing.horizon_months is not None else math.inf)
    found = (cheapest_of(known, route) for route in ROUTES)
    return tuple(Series(option, horizon, option.months, *option.cumulative) for option in found if option)


def crossing(found: Sequence[Series]) -> tuple[float, float] | None:
    """The month by whose end no more has been paid for owning than for renting, midway, and how much that is."""
    by_route = {item.option.route: item for item in found}
    own, rented = by_route.get("on_prem"), by_route.get("cloud")
    if own is None or rented is None:
        return None
    cash = own.cash()
    month = first_crossing(own.months, cash, rented.middle)
    return None if never(month) else (month, cash[own.months.index(month)])


def chart_lines(costing: Costing, wording: Wording, columns: int) -> list[str]:
    """The chart without color, no line wider than `columns` cells (40 at least), and its legend; empty without series.

    Each series has a character of its own. The legend stands below, since wide characters are out of step in the
    chart itself.
    """
    found = series(costing)
    if not found:
        return []
    meeting = crossing(found)
    drawn = _drawn(found, meeting, min(max(columns, 40), MOST_COLUMNS))
    legend = [_legend(item, wording) for item in found]
    if meeting:
        legend.append(wording.say("cost.chart-crossing", mark=CROSSING, month=number(meeting[0])))
    if any(item.at_end for series_ in found if series_.option.id == OWN for item in series_.option.lines):
        legend.append(wording.say("cost.chart-residual"))
    below = (line for text in (wording.say("cost.chart-months"), *legend) for line in wrap(text, columns, indent=2))
    return [*(line.rstrip() for line in drawn), *below]


def _legend(item: Series, wording: Wording) -> str:
    return wording.say("cost.chart-route", mark=MARKS[item.option.route], option=wording.option(item.option.id))


def _drawn(found: Sequence[Series], meeting: tuple[float, float] | None, columns: int) -> list[str]:
    import plotext

    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.plot_size(columns, ROWS)
    for item in reversed(found):  # owning last, so that it stands above the others
        mark = MARKS[item.option.route]
        figure.draw(figure.signal(list(item.months), list(item.middle), marker=mark).lines(True))
    if meeting:
        figure.draw(figure.signal([meeting[0]], [meeting[1]], marker=CROSSING))
    last = max(item.months[-1] for item in found)
    lowest, highest = min(min(item.middle) for item in found), max(max(item.middle) for item in found)
    heights = round_steps(min(lowest, 0.0), highest or 1.0, _TICKS)
    months = round_steps(0.0, last, 8, whole=True)
    figure.ruler("y").ticks(heights, [money(value) for value in heights])
    figure.ruler("y").lim(heights[0], max(heights[-1], highest))
    figure.ruler("x").ticks(months, [number(value) for value in months])
    figure.ruler("x").lim(0, last)
    figure.axes(False, axis="x", side="upper")
    figure.axes(False, axis="y", side="right")
    return str(figure.build().string(colorless=True)).splitlines()


def round_steps(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    """At most `most` + 1 even steps of a round size that hold `low` and come as near to `high` as they can."""
    raw = max((high - low) / most, 1e-9)
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * part for part in ((1, 2, 2.5, 5, 10) if not whole else (1, 2, 3, 6, 12)) if size * part >= raw)
    step = max(step, 1.0) if whole else step
    start = math.floor(low / step)
    return [step * count for count in range(start, math.floor(high / step + 1e-9) + 1)]
