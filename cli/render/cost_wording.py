"""Numbers, units and names of a costing as a reader sees them."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from datetime import date

from cli.strings import say
from engine.base import KnowledgeBase
from engine.faults import printable
from engine.figures import Figure, is_past
from engine.values import UNLIMITED
from knowledge.cost_lines import cost_words
from knowledge.costing import Input, Missing


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
        return self.say("cost.described", number=self.span(item.least, item.most), title=self.input(item.name))

    def fact(self, path: str) -> str:
        return self.say("cost.fact", title=self.input(path), path=path)

    def missing(self, item: Missing) -> str:
        """What a sum waits for, and what to try."""
        if item.kind == "fact":
            return self.say("cost.missing-fact", title=self.input(item.name), path=item.name)
        server = item.kind == "server_price"
        if item.region is None:
            key = "cost.missing-server" if server else "cost.missing-price"
            return self.say(key, card=item.name)
        key = "cost.missing-server-in" if server else "cost.missing-price-in"
        return self.say(key, card=item.name, region=self.region(item.region))


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
