"""Adds up what several workloads need of a supply that was told once, and says which sums cannot be met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.faults import LANGUAGES
from engine.judgement import Judgement
from engine.sums import Sum
from engine.truth import Truth, truth
from engine.values import Text, Value, bounds
from engine.vocabulary import Vocabulary

_Told: TypeAlias = tuple[str, str | None, int | None]
"""Where a supply was told: workloads for which it was told in one place share it."""


@dataclass(frozen=True)
class Unmet:
    """A sum that cannot be met, worded."""

    sum: Sum
    text: Text


def unmet(sums: Iterable[Sum], judgements: Sequence[Judgement], vocabulary: Vocabulary) -> tuple[Unmet, ...]:
    """The sums over several workloads that surely exceed their supply."""
    return tuple(found for item in sums for found in _unmet(item, judgements, vocabulary))


def _unmet(item: Sum, judgements: Sequence[Judgement], vocabulary: Vocabulary) -> Iterable[Unmet]:
    for supply, needs in _drawing(item, judgements).values():
        least = sum(bounds(need)[0] for need in needs if not isinstance(need, str | bool))
        if len(needs) > 1 and not isinstance(supply, str | bool) and least > bounds(supply)[1]:
            yield Unmet(item, _worded(item, least, supply, vocabulary))


def _drawing(item: Sum, judgements: Sequence[Judgement]) -> Mapping[_Told, tuple[Value, list[Value]]]:
    """By the place where a supply was told: the supply, and the needs of the workloads that draw on it."""
    found: dict[_Told, tuple[Value, list[Value]]] = {}
    for judgement in judgements:
        for one in _leaves(judgement):
            facts = one.inference.facts
            supply, need = facts.get(item.supply), facts.get(_drawn(item, one) or "")
            if supply and need:
                key = (supply.source.kind, supply.source.file, supply.source.line)
                found.setdefault(key, (supply.value, []))[1].append(need.value)
    return found


def _drawn(item: Sum, judgement: Judgement) -> str | None:
    """The need that counts against the supply in this case, None where nothing is drawn."""
    values = judgement.inference.values
    return next((draw.need for draw in item.draws if truth(draw.when, values) is Truth.TRUE), None)


def _leaves(judgement: Judgement) -> Sequence[Judgement]:
    """A divided case counts by its parts."""
    return [part.judgement for part in judgement.division.parts] if judgement.division else [judgement]


def _worded(item: Sum, need: float, supply: Value, vocabulary: Vocabulary) -> Text:
    shown = vocabulary.facts[item.draws[0].need], vocabulary.facts[item.supply]
    return {
        code: item.gap[code].format(need=shown[0].show(need, code).strip(), supply=shown[1].show(supply, code).strip())
        for code in LANGUAGES
    }
