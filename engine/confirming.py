"""Flips confirmed by the rule engine before anybody is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.consultation import Consultant
from engine.faults import InferenceStopped
from engine.flip_parts import Flip
from engine.inference import Given, Source
from engine.judgement import Judgement
from engine.values import Interval

_CHANGED = Source("answer")


@dataclass(frozen=True)
class Confirmed:
    """A flip, and the verdict of the rule engine on the case with its changes."""

    flip: Flip
    judgement: Judgement


def confirmed(
    consultant: Consultant,
    facts: Mapping[str, Given],
    replaced: Mapping[str, float | Interval],
    flips: Iterable[Flip],
) -> Iterator[Confirmed]:
    """The flips that lead where they say, in their order; one that did not would not come out."""
    order = {path: place for place, path in enumerate(consultant.base.vocabulary.facts)}
    for flip in flips:
        changed = {**facts, **{path: Given(value, _CHANGED) for path, value in flip.facts.items()}}
        told = {path: changed[path] for path in sorted(changed, key=lambda path: order[path])}
        try:
            judgement = consultant.judge(0, None, told, replaced)
        except InferenceStopped:
            continue
        if judgement.route == flip.route:
            yield Confirmed(flip, judgement)
