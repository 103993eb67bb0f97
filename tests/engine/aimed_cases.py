"""Cases aimed at one rule: every test of it just met, just missed, straddled and unknown, all others being met."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from engine.base import KnowledgeBase
from engine.faults import FaultError
from engine.language import (
    All,
    Any,
    Compares,
    Condition,
    Is,
    Leaf,
    NoneOf,
    Rule,
    Signed,
    branches,
    signed_leaves,
)
from engine.truth import Truth, leaf_truth
from engine.values import Interval, Value
from engine.vocabulary import FactType

Case = Mapping[str, Value]
_MOST_BRANCHES = 6


def aimed(base: KnowledgeBase, rule: Rule) -> list[Case]:
    """Cases for one rule; facts of every origin are told."""
    tests: dict[str, list[Signed]] = {}
    for signed in signed_leaves(rule.when):
        tests.setdefault(signed.leaf.fact, []).append(signed)
    found: list[Case] = []
    for branch in branches(rule.when)[:_MOST_BRANCHES]:
        met = _met(base, branch, tests)
        found.append(met)
        for path, ours in tests.items():
            others = {p: value for p, value in met.items() if p != path}
            found.append(others)
            leaves = [signed.leaf for signed in ours]
            found += [{**others, path: value} for value in _candidates(base.vocabulary.facts[path], leaves)]
    return list({tuple(sorted(case.items(), key=lambda item: item[0])): case for case in found}.values())


def _met(base: KnowledgeBase, branch: Sequence[Signed], tests: Mapping[str, Sequence[Signed]]) -> Case:
    """Values that meet every test of the branch and as few others as can be.

    So no alternative that is not in the branch stands in for it.
    """
    found: dict[str, Value] = {}
    for path, ours in tests.items():
        wanted = [signed for signed in ours if signed in branch]
        others = [signed for signed in ours if signed not in branch]
        leaves = [signed.leaf for signed in ours]
        values: list[Value | None] = [*_candidates(base.vocabulary.facts[path], leaves), None]
        fit = [value for value in values if all(_is_met(signed, value) for signed in wanted)]
        if fit:
            best = min(fit, key=lambda value: sum(_is_met(signed, value) for signed in others))
            if best is not None:
                found[path] = best
    return found


def _is_met(signed: Signed, value: Value | None) -> bool:
    return leaf_truth(signed.leaf, value) is Truth.of(signed.wanted)


def _candidates(fact: FactType, tests: Sequence[Leaf]) -> list[Value]:
    """Every word; every limit, one step to either side of it, and a range over it."""
    if fact.kind != "number":
        wanted = [value for leaf in tests if isinstance(leaf, Is) for value in leaf.values]
        return list(dict.fromkeys([*fact.values, *wanted, *fact.names[:2], *(("any",) if fact.kind == "name" else ())]))
    limits = [leaf.limit for leaf in tests if isinstance(leaf, Compares)] or [1.0]
    found: list[Value] = []
    for limit in limits:
        found += [math.nextafter(limit, math.inf), limit, math.nextafter(limit, -math.inf), limit + 1, limit - 1]
        found += [Interval(limit, limit + 1), Interval(limit - 1, limit)]
    return [value for value in found if _can_be(fact, value)]


def _can_be(fact: FactType, value: Value) -> bool:
    try:
        return fact.origin != "told" or fact.read(value) == value
    except FaultError:
        return False


# Faults


def condition_faults(condition: Condition) -> Iterator[tuple[str, Condition]]:
    """The condition with one fault planted: a limit moved, a test or a part dropped, a test turned around."""
    if isinstance(condition, All | Any | NoneOf):
        kind, parts = type(condition), condition.conditions
        for number, part in enumerate(parts):
            around = parts[:number], parts[number + 1 :]
            if len(parts) > 1:
                yield "dropped", kind((*around[0], *around[1]))
            for fault, other in condition_faults(part):
                yield fault, kind((*around[0], other, *around[1]))
        return
    yield "negated", NoneOf((condition,))
    if isinstance(condition, Compares):
        beside = {"at_least": "more_than", "more_than": "at_least", "at_most": "less_than", "less_than": "at_most"}
        yield "boundary", Compares(condition.fact, beside[condition.comparison], condition.limit)  # type: ignore[arg-type]
    if isinstance(condition, Is) and len(condition.values) > 1:
        yield "dropped", Is(condition.fact, condition.values[1:])
        yield "dropped", Is(condition.fact, condition.values[:-1])
