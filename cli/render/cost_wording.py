"""Numbers, units and names of a costing as a reader sees them."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from datetime import date

from cli.strings import say
from engine.base import KnowledgeBase
from engine.faults import printable
from engine.figures import Figure, is_past
from engine.values import UNLIMITED, bounds
from knowledge.cost_lines import cost_words
from knowledge.costing import BEHIND, Input, Missing, Option
from knowledge.transfer import Way

_SHARES = ("lost_share", "residual_share", "share_paid")


class Wording:
    """Puts what a costing names into words of one language. `on`: the day against which figures are held."""

    def __init__(self, base: KnowledgeBase, language: str, on: date) -> None:
        self.base = base
        self.language = language
        self.on = on
        self.words = cost_words()

    def say(self, key: str, /, **params: object) -> str:
        return say(key, self.language, **params)

    def option(self, name: str) -> str:
        return self.words.options[name][self.language]

    def line(self, name: str) -> str:
        return self.words.lines[name].title[self.language]

    def formula(self, name: str) -> str:
        """How a line is computed, in words."""
        return self.words.lines[name].formula[self.language]

    def input(self, name: str) -> str:
        """The title of a fact, a figure or a quantity worked out; its name where it has none."""
        told = self.base.vocabulary.facts.get(name)
        title = told.title if told else self.words.input_title(name)
        if title is None and name in self.base.vocabulary.assumptions:
            title = self.base.vocabulary.assumptions[name].title
        return title[self.language] if title else self.figure(name)

    def figure(self, name: str) -> str:
        """The title of a figure, or its id where it has none."""
        found = self.base.figures.get(name)
        return printable(found.title.get(self.language, name) if found else name)

    def offer(self, name: str) -> str:
        """What a rented price is taken from: the title of the shipped price, or that of one's own."""
        return self.figure(name) if name in self.base.figures else self.input(name)

    def shipped(self, names: Iterable[str], told: Container[str]) -> list[Figure]:
        """The figures of these names, but for those that the profile replaces."""
        return [self.base.figures[name] for name in names if name in self.base.figures and name not in told]

    def is_past(self, figure: Figure) -> bool:
        return is_past(figure, self.on)

    def unit(self, name: str) -> str:
        return self.words.unit(name, self.language)

    def region(self, name: str) -> str:
        return self.base.vocabulary.facts["region"].show(name, self.language)

    def span(self, low: float, high: float) -> str:
        """One number, or two with a dash, the lower one first."""
        first, last = number(min(low, high)), number(max(low, high))
        return first if first == last else self.say("cost.range", low=first, high=last)

    def amount(self, low: float, high: float, unit: str) -> str:
        """A number or a range with its unit, where it has one that is more than a description."""
        shown = self.span(low, high)
        one = unit.removesuffix("s") if low == high == 1 else unit
        return self.say("cost.amount", number=shown, unit=self.unit(one)) if _is_symbol(unit) else shown

    def computed_from(self, inputs: Sequence[Input]) -> str:
        """What a line is the product of: `8 servers × 255,237–400,000 USD`."""
        return " × ".join(self._factor(item) for item in inputs)

    def _factor(self, item: Input) -> str:
        if _is_symbol(item.unit):
            return self.amount(item.least, item.most, item.unit)
        shown = self.shares if item.unit.startswith("share") or item.name in _SHARES else self.span
        return self.say("cost.described", number=shown(item.least, item.most), title=self.input(item.name))

    def shares(self, low: float, high: float) -> str:
        """One percentage, or two with a dash, the lower one first."""
        first, last = percent(min(low, high)), percent(max(low, high))
        return first if first == last else self.say("cost.range", low=first, high=last)

    # Moving the data

    def way(self, way: Way) -> str:
        """What a way is called; with how many devices, where it takes any."""
        title, devices = self.words.ways[way.id][self.language], bounds(way.devices)
        if devices[1] == 0:
            return title
        return self.say("cost.way-devices", title=title, devices=self.amount(*devices, "devices"))

    def fee(self, way: Way) -> str:
        """What a way charges, in the currency of its prices."""
        if way.fee is None:
            return self.say("cost.not-known")
        fee = self.amount(*bounds(way.fee), way.currency or "")
        return self.say("cost.at-least", fee=fee) if way.at_least else fee

    # How sure it is

    def low_share(self, option: Option, used: Collection[str], told: Container[str]) -> float:
        """Share of an option's amounts, midway and by size, that rest on shipped figures of low confidence.

        `used`: ids of the figures of the costing; `told`: those that the profile replaces, which count as sure.
        """
        sizes = {line.id: abs(line.least) + abs(line.most) for line in option.lines}
        unsure = 0.0
        for line in option.lines:
            names = {name for item in line.inputs for name in _behind(item, option, used)}
            if any(figure.confidence == "low" for figure in self.shipped(names, told)):
                unsure += sizes[line.id]
        whole = sum(sizes.values())
        return unsure / whole if whole else 0.0

    def fact(self, path: str) -> str:
        return self.say("cost.fact", title=self.input(path), path=path)

    def missing(self, item: Missing) -> str:
        """What a sum waits for, and what to try."""
        return self._missing(item.kind, item.region, [item.name])

    def all_missing(self, items: Iterable[Missing]) -> Iterator[str]:
        """What sums wait for, each once; cards whose prices are missing in the same place in one sentence."""
        groups: dict[tuple[str, str | None, str], list[str]] = {}
        for item in dict.fromkeys(items):
            apart = item.name if item.kind == "fact" else ""
            groups.setdefault((item.kind, item.region, apart), []).append(item.name)
        return (self._missing(kind, region, names) for (kind, region, _), names in groups.items())

    def _missing(self, kind: str, region: str | None, names: Sequence[str]) -> str:
        if kind == "fact":
            return self.say("cost.missing-fact", title=self.input(names[0]), path=names[0])
        server, card = kind == "server_price", self.say("cost.list").join(names)
        if region is None:
            return self.say("cost.missing-server" if server else "cost.missing-price", card=card)
        key = "cost.missing-server-in" if server else "cost.missing-price-in"
        return self.say(key, card=card, region=self.region(region))


def _behind(item: Input, option: Option, used: Iterable[str]) -> Iterator[str]:
    """The ids of the figures that an input is, or was worked out from."""
    yield item.name
    if option.offers and item.name in option.offers:
        yield from option.offers
    if item.kind == "line":
        yield from (name for name in used if name.split(".")[0] in BEHIND.get(item.name, ()))


def _is_symbol(unit: str) -> bool:
    """Whether a unit can stand behind a number: what is described in several words stands in the title."""
    return bool(unit) and " " not in unit


def number(value: float) -> str:
    """Whole from a thousand on, four digits below; thousands apart."""
    if abs(value) == UNLIMITED:
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 3 - math.floor(math.log10(abs(value))) if value else 0
    shown = f"{value:.{max(digits, 0)}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown.removeprefix("-") if value == 0 else shown


def money(value: float) -> str:
    """An amount of a sum: whole from ten on."""
    return number(value) if abs(value) < 10 else f"{value:,.0f}"


def percent(value: float) -> str:
    return f"{value * 100:.3g}%"
