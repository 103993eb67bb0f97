"""Figures as text: one a line, all about one, and what a check of them comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from cli.strings import say
from engine.base import KnowledgeBase
from engine.faults import printable
from engine.figures import CONFIDENCES, Figure, is_past
from engine.values import bounds
from knowledge.cost_lines import cost_words
from knowledge.price_checks import PriceWarning


@dataclass(frozen=True)
class Checked:
    """What a check of the figures found. `on`: the day against which their age was held.

    `offers` counts instances for rent by card, then by region, every card and region included; one that holds in
    several regions counts in each. `offered` is how many there are in all.
    """

    figures: tuple[Figure, ...]
    on: date
    offered: int
    offers: Mapping[str, Mapping[str, int]]
    warnings: tuple[PriceWarning, ...]

    @property
    def past(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if is_past(figure, self.on))

    def by_file(self) -> Mapping[str, tuple[Figure, ...]]:
        """The figures by the file in which they stand."""
        found: dict[str, tuple[Figure, ...]] = {}
        for figure in self.figures:
            found[figure.place.file] = (*found.get(figure.place.file, ()), figure)
        return found

    def unpriced(self) -> tuple[str, ...]:
        """The cards that nobody offers."""
        return tuple(card for card, regions in self.offers.items() if not any(regions.values()))


def amount(figure: Figure, language: str) -> str:
    """The value or range in full, with its unit."""
    low, high = (f"{end:,.12g}" for end in bounds(figure.value))
    value = low if low == high else say("figures.range", language, low=low, high=high)
    return say("figures.amount", language, value=value, unit=printable(cost_words().unit(figure.unit, language)))


def confidence(figure: Figure, language: str) -> str:
    return say(f"verdict.confidence-{figure.confidence}", language)


def listed_line(figure: Figure, on: date, language: str) -> str:
    """One figure in one line."""
    key = "figures.line-past" if is_past(figure, on) else "figures.line"
    value, sure = amount(figure, language), confidence(figure, language)
    return say(key, language, id=figure.id, value=value, date=figure.as_of, confidence=sure)


def warning_line(warning: PriceWarning, language: str) -> str:
    """Which price is doubtful, next to which other one, and where both stand."""
    figure, hourly = warning.figure, warning.on_demand
    key = "figures.warn-spot" if warning.kind == "spot" else "figures.warn-reserved"
    price, other = amount(figure, language), amount(hourly, language)
    return say(key, language, place=figure.place, id=figure.id, price=price, hourly=other, other=hourly.place)


def figure_lines(base: KnowledgeBase, figure: Figure, on: date, language: str) -> Iterator[tuple[int, str]]:
    """Everything about one figure: lines, each with how deep it stands."""
    yield 0, printable(figure.title.get(language, figure.id))
    yield 0, figure.id
    yield 1, say("figures.value", language, value=amount(figure, language))
    yield 1, _date(figure, on, language)
    source = printable(figure.source)
    yield 1, say("figures.source", language, confidence=confidence(figure, language), source=source)
    if figure.note:
        yield 1, say("figures.note", language, note=printable(figure.note))
    yield 1, say("figures.place", language, place=figure.place)
    if figure.rows:
        yield 1, say("figures.rows", language, rows=say("figures.list", language).join(figure.rows))
    if figure.attributes:
        yield 0, say("figures.cells", language)
    for column, cell in figure.attributes.items():
        yield 1, say("figures.cell", language, column=column, cell=printable(cell))
    yield from _readers(base, figure, language)


def readers(base: KnowledgeBase, figure: Figure) -> tuple[str, ...]:
    """The computed facts whose formulas may read the figure."""
    return tuple(formula.fact for formula in base.formulas if figure.id in formula.declared)


def _readers(base: KnowledgeBase, figure: Figure, language: str) -> Iterator[tuple[int, str]]:
    paths = readers(base, figure)
    yield 0, say("figures.read-by", language) if paths else say("figures.read-by-none", language)
    for path in paths:
        yield 1, say("figures.fact", language, title=base.vocabulary.facts[path].title[language], path=path)


def _date(figure: Figure, on: date, language: str) -> str:
    if figure.valid_months is None:
        return say("figures.date", language, date=figure.as_of)
    key = "figures.date-past" if is_past(figure, on) else "figures.date-limit"
    return say(key, language, date=figure.as_of, months=figure.valid_months, on=on.isoformat())


def check_lines(base: KnowledgeBase, checked: Checked, language: str) -> Iterator[tuple[int, str]]:
    """What a check found: lines, each with how deep it stands."""
    yield 0, say("figures.counted", language, count=len(checked.figures))
    for file, figures in checked.by_file().items():
        yield 1, _counted(file, figures, checked.on, language)
    yield 0, say("figures.past", language, date=checked.on.isoformat(), count=len(checked.past))
    for figure in checked.past:
        yield 1, say("figures.past-line", language, id=figure.id, date=figure.as_of)
    yield from _offers(base, checked, language)
    for warning in checked.warnings:
        yield 0, warning_line(warning, language)
    yield 0, say("figures.warnings", language, count=len(checked.warnings))


def _counted(file: str, figures: Sequence[Figure], on: date, language: str) -> str:
    counts = {level: sum(figure.confidence == level for figure in figures) for level in CONFIDENCES}
    past = sum(is_past(figure, on) for figure in figures)
    return say("figures.counted-file", language, file=printable(file), count=len(figures), past=past, **counts)


def _offers(base: KnowledgeBase, checked: Checked, language: str) -> Iterator[tuple[int, str]]:
    yield 0, say("figures.offers", language, count=checked.offered)
    unpriced = checked.unpriced()
    for card, regions in checked.offers.items():
        if card not in unpriced:
            yield 1, say("figures.offers-card", language, card=card, regions=_regions(base, regions, language))
    if unpriced:
        yield 1, say("figures.offers-none", language, cards=_joined(unpriced, language))


def _regions(base: KnowledgeBase, regions: Mapping[str, int], language: str) -> str:
    show = base.vocabulary.facts["region"].show
    each = (
        say("figures.offers-region", language, region=show(region, language), count=count)
        for region, count in regions.items()
    )
    return _joined(each, language)


def _joined(words: Iterable[str], language: str) -> str:
    return say("figures.list", language).join(words)
