"""The column reading of the real rules says what the rule engine says, and a fault planted in it is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.column_rules import Reading
from engine.columns import ColumnReasoner
from engine.consultation import Consultant
from engine.inference import Inference
from engine.language import Rule
from engine.values import Value
from knowledge import knowledge_base
from tests.engine.aimed_cases import Case, aimed, condition_faults
from tests.engine.column_equality import Both, by_bounds, differences, rule_differences
from tests.engine.helpers import told
from tests.engine.random_profiles import Profiles
from tests.knowledge.random_cases import cases, examples

BASE = knowledge_base()
LIMITS = Profiles(BASE)
FILES = sorted({rule.place.file for rule in BASE.written})


@cache
def readings() -> tuple[Consultant, ColumnReasoner]:
    return by_bounds(BASE), ColumnReasoner(BASE)


def unequal(some: Sequence[Mapping[str, Value]]) -> list[tuple[Mapping[str, Value], str]]:
    consultant, reasoner = readings()
    judged = reasoner.judge(reasoner.cases(some))
    found = []
    for number, case in enumerate(some):
        judgement = consultant.judge(0, None, told(BASE, case), {})
        found += [(case, text) for text in differences(BASE, judgement, judged, number)]
    return found


@given(st.lists(LIMITS.told(), min_size=10, max_size=20))
@examples(12)
def test_profiles_at_every_threshold_get_the_same_verdict_from_both_readings(some: list[Case]) -> None:
    assert unequal(some) == []


@given(st.lists(cases(), min_size=10, max_size=20))
@examples(12)
def test_likely_profiles_get_the_same_verdict_from_both_readings(some: list[Case]) -> None:
    assert unequal(some) == []


@given(st.lists(cases(), min_size=5, max_size=10))
@examples(6)
def test_the_route_alone_is_the_same_as_with_everything_else(some: list[Case]) -> None:
    reasoner = ColumnReasoner(BASE)
    coded = reasoner.cases(some)
    alone, whole = reasoner.judge(coded, "route"), reasoner.judge(coded)
    assert alone.route_names() == whole.route_names()
    assert alone.status_names() == whole.status_names()


# Every rule, at its own limits


@dataclass(frozen=True)
class AtLimits:
    """One rule on the cases aimed at it, in both readings."""

    rule: Rule
    cases: Sequence[Case]
    reading: Reading
    inferences: Sequence[Inference]


@cache
def both() -> Both:
    """Both readings without formulas: a computed fact is told, so that no formula makes two tests stand together."""
    return Both(replace(BASE, formulas=()))


def at_limits(file: str) -> tuple[AtLimits, ...]:
    found = []
    for rule in BASE.ordered.rules:
        if rule.place.file == file:
            some = aimed(BASE, rule)
            found.append(AtLimits(rule, some, both().reading(some), [both().inference(case) for case in some]))
    return tuple(found)


@pytest.mark.parametrize("file", FILES)
def test_every_rule_says_the_same_just_at_its_limits_and_any_fault_planted_in_it_shows(file: str) -> None:
    for one in at_limits(file):
        assert list(_unequal(one)) == []
        assert list(_not_found(one)) == []
        if one.rule.then.evidence:
            stands = np.asarray(one.reading.standing(one.rule.id))
            assert stands.any(), f"{one.rule.id}: another strength would change no score"


def _unequal(one: AtLimits) -> Iterator[str]:
    reading = one.reading
    standing = {name: reading.standing(name) for name in reading.fired}
    undecided = {name: reading.undecided(name) for name in reading.fired}
    for number, inference in enumerate(one.inferences):
        for text in rule_differences(inference, reading.fired, standing, undecided, number):
            yield f"{one.rule.id}: {one.cases[number]}: {text}"


def test_so_many_faults_of_each_kind_were_planted() -> None:
    kinds = Counter(fault for rule in BASE.ordered.rules for fault, _ in condition_faults(rule.when))
    assert min(kinds[kind] for kind in ("boundary", "dropped", "negated")) > 100


def _not_found(one: AtLimits) -> Iterator[str]:
    """The faults with which the columns still say what the rule engine says, on every aimed case."""
    rights = _right(one)
    for fault, condition in condition_faults(one.rule.when):
        found = one.reading.condition(condition)
        fired = np.broadcast_to(np.asarray(found.true & ~np.asarray(one.reading.guarded[one.rule.id])), len(one.cases))
        unknown = np.broadcast_to(np.asarray(found.unknown), len(one.cases))
        if list(zip(fired.tolist(), unknown.tolist(), strict=True)) == rights:
            yield f"{one.rule.id}: {fault}: {condition}"


def _right(one: AtLimits) -> list[tuple[bool, bool]]:
    """Whether the rule engine fires the rule, and leaves it undecided, case by case."""
    name = one.rule.id
    return [
        (name in inference.fired, name in inference.silent and inference.silent[name].truth.value == "unknown")
        for inference in one.inferences
    ]
