"""What drives a costing: own over rented as each input moves through its range, all others in the middle of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.figures import FigureValues
from engine.values import UNLIMITED, Interval, Value, bounds
from knowledge import economics as formulas
from knowledge.accounting import Account
from knowledge.arithmetic import Number
from knowledge.bands import total
from knowledge.costing import Swing
from knowledge.rental import PREFIX

OWN_DRAW = ("server_power_kw.of_any_class", "server_power_kw")


def swings(facts: Mapping[str, Value | None], figures: FigureValues, used: Iterable[str]) -> list[Swing]:
    """Each ranged input at its two ends, the widest swing first. `used`: the figures behind the sums."""
    middle = _Middle(facts, figures, used)
    found = [*middle.price_swing(), *middle.figure_swings(), *middle.fact_swings()]
    return sorted((swing for swing in found if swing.width > 0), key=lambda swing: (-swing.width, swing.name))


class _Middle:
    """The case with every range at its middle, and one input at a time moved to an end."""

    def __init__(self, facts: Mapping[str, Value | None], figures: FigureValues, used: Iterable[str]) -> None:
        self.facts = {path: _middle(value) for path, value in facts.items()}
        self.ranges = {path: value for path, value in facts.items() if isinstance(value, Interval)}
        self.figures = figures
        self.used = sorted(name for name in used if not self._stands_apart(name))

    def _stands_apart(self, name: str) -> bool:
        """Prices of offers move together, as the rent; one's own server's draw speaks only where it is told."""
        return name.startswith(PREFIX) or (name in OWN_DRAW and not self.figures.is_told(name))

    def _own_and_rented(self, facts: Mapping[str, Value | None], figures: FigureValues) -> tuple[float, list[float]]:
        account = Account(facts, figures, spanned=False)
        card = account.cards[0]
        own = sum(total(account.own[card])) / 2
        by_offer: dict[int, float] = {}
        for rent in account.rented[card]:
            by_offer[id(rent.offer)] = min(by_offer.get(id(rent.offer), UNLIMITED), (rent.least + rent.most) / 2)
        return own, sorted(by_offer.values())

    def _ratio(self, facts: Mapping[str, Value | None], figures: FigureValues) -> float:
        own, rented = self._own_and_rented(facts, figures)
        return formulas.ratio(own, _median(rented))

    def _at_the_middle(self, name: str | None = None, value: float = 0.0) -> FigureValues:
        values = {used: _number_in_the_middle(self.figures[used]) for used in self.used}
        if name is not None:
            values[name] = value
        return self.figures.with_values(values)

    def price_swing(self) -> Iterator[Swing]:
        own, rented = self._own_and_rented(self.facts, self._at_the_middle())
        if rented and rented[0] < rented[-1]:
            low, high = formulas.ratio(own, rented[0]), formulas.ratio(own, rented[-1])
            yield Swing(
                "rented", "line", rented[0], rented[-1], str(self.facts["finance.currency"] or "USD"), low, high
            )

    def figure_swings(self) -> Iterator[Swing]:
        for name in self.used:
            low, high = bounds(self.figures[name])
            if low < high:
                ends = [self._ratio(self.facts, self._at_the_middle(name, end)) for end in (low, high)]
                kind = "assumption" if self.figures.is_told(name) else "figure"
                yield Swing(name, kind, low, high, self.figures.unit(name), *ends)

    def fact_swings(self) -> Iterator[Swing]:
        middle = self._at_the_middle()
        for path, value in self.ranges.items():
            if not path.startswith(("cost.", "sizing.", "delivery.", "model.")):
                ends = [self._ratio({**self.facts, path: end}, middle) for end in bounds(value)]
                yield Swing(path, "fact", *bounds(value), "", *ends)


def _middle(value: Value | None) -> Value | None:
    return _number_in_the_middle(value) if isinstance(value, Interval) else value


def _number_in_the_middle(value: Number) -> float:
    low, high = bounds(value)
    return low if high == UNLIMITED else (low + high) / 2


def _median(numbers: list[float]) -> float:
    half = len(numbers) // 2
    return numbers[half] if len(numbers) % 2 else (numbers[half - 1] + numbers[half]) / 2
