"""The strongest reason for each of many verdicts: the first of those that `Judgement.deciding` gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.base import KnowledgeBase
from engine.columns import Judged

NO_REASON = -1


def strongest(base: KnowledgeBase, judged: Judged) -> tuple[Any, tuple[str, ...]]:
    """For each case a place among the names, -1 where nothing decided; and the names: rules, ties, divisions.

    A division first, then a tie, then the first rule that excludes another route, then the heaviest evidence.
    """
    names = (
        *(division.id for division in base.divisions),
        *(tie.id for tie in base.routes.ties),
        *(rule.id for rule in base.ordered.rules),
    )
    place = {name: number for number, name in enumerate(names)}
    ties = len(base.divisions)
    found = np.where(judged.division >= 0, judged.division, np.where(judged.tie >= 0, ties + judged.tie, NO_REASON))
    for name, where in _in_order(base, judged):
        found = np.where((found == NO_REASON) & where, place[name], found)
    return found, names


def _in_order(base: KnowledgeBase, judged: Judged) -> Iterator[tuple[str, Any]]:
    """Every rule that may decide, the strongest first, and the cases in which it does."""
    first = [
        rule for rule in base.ordered.rules if rule.id in judged.standing and rule.id not in base.ordered.after_verdict
    ]
    for route in base.routes.primary:
        elsewhere = judged.route != judged.routes.index(route)
        yield from ((rule.id, judged.standing[rule.id] & elsewhere) for rule in first if route in rule.then.excludes)
    weights = base.routes.weights
    pieces = [(weights[item.strength], item, rule.id) for rule in first for item in rule.then.evidence]
    for _, item, name in sorted(pieces, key=lambda piece: -piece[0]):
        taken = judged.route == judged.routes.index(item.route)
        for_it = taken if item.supports else ~taken
        yield name, judged.standing[name] & (for_it | (judged.route < 0))
