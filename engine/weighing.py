"""From the rules that stand to scores, a route and how far it is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.language import Rule
from engine.routes import Routes, Tie
from engine.truth import Truth, truth
from engine.values import Facts


@dataclass(frozen=True, slots=True)
class Weight:
    """One piece of evidence: what a rule says of a route; `weight` is negative when it speaks against it."""

    rule: str
    route: str
    strength: str
    weight: float


@dataclass(frozen=True)
class Weighing:
    """All evidence that stands, the score of each primary route, and which rules exclude which."""

    evidence: tuple[Weight, ...]
    scores: Mapping[str, float]
    exclusions: Mapping[str, tuple[str, ...]]
    decisive: float

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(route for route in self.scores if route not in self.exclusions)

    @property
    def decides(self) -> bool:
        """Whether some evidence on an open route is strong enough to decide anything."""
        return any(abs(item.weight) >= self.decisive and item.route in self.open for item in self.evidence)


@dataclass(frozen=True)
class Decision:
    """The route that came out, None where none did; `status` is None where a route leads and may still be proved."""

    route: str | None
    status: str | None
    tie: Tie | None = None


def weigh(standing: Iterable[Rule], routes: Routes) -> Weighing:
    """Scores: what supports a route less what opposes it, over the rules that stand."""
    evidence: list[Weight] = []
    exclusions: dict[str, list[str]] = {}
    for rule in standing:
        for item in rule.then.evidence:
            weight = routes.weights[item.strength] * (1 if item.supports else -1)
            evidence.append(Weight(rule.id, item.route, item.strength, weight))
        for route in rule.then.excludes:
            exclusions.setdefault(route, []).append(rule.id)
    scores = {r: sum((item.weight for item in evidence if item.route == r), 0.0) for r in routes.primary}
    ordered = {r: tuple(exclusions[r]) for r in routes.primary if r in exclusions}
    return Weighing(tuple(evidence), scores, ordered, routes.weights[routes.decisive])


def decide(weighing: Weighing, routes: Routes, facts: Facts) -> Decision:
    """The route by exclusions, then by scores, then by the first tie whose condition these facts meet."""
    if not weighing.open:
        return Decision(None, "infeasible")
    if len(weighing.open) == 1:
        return Decision(weighing.open[0], None)
    if not weighing.decides:
        return Decision(None, "undetermined")
    best = max(weighing.scores[route] for route in weighing.open)
    leading = [route for route in weighing.open if weighing.scores[route] == best]
    if len(leading) == 1:
        return Decision(leading[0], None)
    tie = next((tie for tie in routes.ties if tie.route in leading and _holds(tie, facts)), None)
    return Decision(tie.route if tie else leading[0], "tied", tie)


def _holds(tie: Tie, facts: Facts) -> bool:
    return tie.when is None or truth(tie.when, facts) is Truth.TRUE
