"""How much a rule can bear on the route, directly and through other rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.base import KnowledgeBase
from engine.language import facts_read
from engine.truth import Truth

if TYPE_CHECKING:
    from engine.settling import Bounds


class Bearing:
    """How much a rule can bear on the route: by evidence, by exclusion, by what it defeats or lets be inferred."""

    def __init__(self, base: KnowledgeBase, bounds: Bounds) -> None:
        self.base = base
        self.bounds = bounds
        self.weights = base.routes.weights
        self.exclusion = 3 * max(base.routes.weights.values())
        self._memo: dict[str, float] = {}
        self._readers = _readers(base)

    def rule(self, name: str) -> float:
        if name not in self._memo:
            then = self.base.rules[name].then
            own = sum(self.weights[item.strength] for item in then.evidence) + self.exclusion * len(then.excludes)
            below = [
                *then.defeats,
                *(reader for path in then.infers for reader in self._readers.get(path, ())),
            ]
            live = [other for other in below if self.bounds.truth(other) is not Truth.FALSE]
            self._memo[name] = own + sum(self.rule(other) for other in live)
        return self._memo[name]


def _readers(base: KnowledgeBase) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in base.ordered.rules:
        if rule.id not in base.ordered.after_verdict and rule.otherwise_of is None:
            for path in facts_read(rule.when):
                found.setdefault(path, []).append(rule.id)
    return {path: tuple(names) for path, names in found.items()}
