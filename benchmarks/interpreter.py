"""The rules as a plain program would read them: case after case, condition after condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.base import KnowledgeBase
from engine.truth import Truth, truth
from engine.values import Value


@dataclass(frozen=True)
class Interpreted:
    """What came of one case."""

    fired: frozenset[str]
    scores: Mapping[str, float]


class Interpreter:
    """Reads the rules before the verdict."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.rules = [rule for rule in base.ordered.rules if rule.id not in base.ordered.after_verdict]

    def judge(self, told: Mapping[str, Value]) -> Interpreted:
        facts = dict(told)
        fired: set[str] = set()
        for rule in self.rules:
            if any(path in told for path in rule.then.infers) or truth(rule.when, facts) is not Truth.TRUE:
                continue
            fired.add(rule.id)
            facts |= rule.then.infers
        return Interpreted(frozenset(fired), self._scores(fired))

    def _scores(self, fired: set[str]) -> Mapping[str, float]:
        weights = self.base.routes.weights
        scores = dict.fromkeys(self.base.routes.primary, 0.0)
        for rule in self.rules:
            if rule.id in fired and not self._is_defeated(rule.id, fired):
                for item in rule.then.evidence:
                    scores[item.route] += weights[item.strength] * (1 if item.supports else -1)
        return scores

    def _is_defeated(self, name: str, fired: set[str]) -> bool:
        defeaters = self.base.ordered.defeaters.get(name, ())
        return any(other in fired and not self._is_defeated(other, fired) for other in defeaters)
