"""The verdict on one case, with everything that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.divisions import Division, Part
from engine.inference import Inference, Tested
from engine.settling import Settlement
from engine.truth import Truth
from engine.values import Text
from engine.weighing import Decision, Weighing


@dataclass(frozen=True)
class Advised:
    """An advice item, the first rule that gave it, and its text with the values of the case."""

    id: str
    rule: str
    text: Text


@dataclass(frozen=True)
class PartJudgement:
    """A part of a divided case and the verdict on it; `lead` is how far its route leads the others."""

    part: Part
    judgement: Judgement
    lead: float


@dataclass(frozen=True)
class Tried:
    """A division that was tried: its condition as it stood, and its parts where they were judged."""

    division: Division
    truth: Truth
    tests: tuple[Tested, ...]
    parts: tuple[PartJudgement, ...]
    came_out: bool


@dataclass(frozen=True)
class Judgement:
    """The verdict on one case. `score` is that of a route made of parts, where one came out."""

    workload: int
    name: str | None
    inference: Inference
    weighing: Weighing
    decision: Decision
    settlement: Settlement
    form: str | None
    advice: tuple[Advised, ...]
    tried: tuple[Tried, ...] = ()
    score: float | None = None

    @property
    def route(self) -> str | None:
        return self.decision.route

    @property
    def status(self) -> str:
        return self.settlement.status

    @property
    def division(self) -> Tried | None:
        """The division by which the route came out, if one did."""
        return next((tried for tried in self.tried if tried.came_out), None)

    def deciding(self) -> tuple[str, ...]:
        """The rules that weigh most: exclusions of other routes, then evidence for this one, strongest first.

        Of a route made of parts: the division, then what decided each part.
        """
        if self.division:
            parts = (name for part in self.division.parts for name in part.judgement.deciding())
            return tuple(dict.fromkeys([self.division.division.id, *parts]))
        return tuple(dict.fromkeys(self._deciding()))

    def _deciding(self) -> Iterator[str]:
        if self.decision.tie:
            yield self.decision.tie.id
        for route, rules in self.weighing.exclusions.items():
            if route != self.route:
                yield from rules
        pieces = [item for item in self.weighing.evidence if self._speaks_for(item.route, item.weight)]
        yield from (item.rule for item in sorted(pieces, key=lambda item: -abs(item.weight)))

    def _speaks_for(self, route: str, weight: float) -> bool:
        if self.route is None:
            return True
        return weight > 0 if route == self.route else weight < 0
