"""Flips of real cases beside every change of one word, of two words, and of one number that anybody could make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

import pytest

from engine.columns import ColumnReasoner
from engine.confirming import confirmed
from engine.consultation import Consultant
from engine.flip_parts import Change, Flip
from engine.flips import FlipFinder
from engine.values import Value, bounds
from engine.vocabulary import FactType
from knowledge import knowledge_base
from tests.engine.helpers import told

BASE = knowledge_base()
FACTS: Mapping[str, FactType] = {fact.path: fact for fact in BASE.vocabulary.told() if not fact.names_unit}
CASES: Mapping[str, Mapping[str, Value]] = {
    "a service that stays busy": {
        "stage": "online_inference", "region": "us", "demand.pattern": "steady", "demand.utilization": 0.4,
        "demand.gpus_steady": 16.0, "demand.gpus_peak": 16.0, "demand.horizon_months": 36.0, "model.gpu": "H100",
        "operations.team": "solid", "operations.site": "colocation", "operations.gpus_owned": 0.0,
        "operations.cloud_skill": "basic", "finance.funding": "either", "finance.grant": "none",
        "finance.currency": "USD", "finance.cloud_discount": 0.0, "finance.commitment_months_left": 0.0,
        "data.volume_tb": 2.0, "data.egress_tb_per_month": 1.0,
    },
    "bursts above a base": {
        "stage": "fine_tuning", "demand.pattern": "base_and_bursts", "demand.utilization": 0.55,
        "demand.peak_share": 0.1, "demand.gpus_steady": 8.0, "demand.gpus_peak": 40.0, "demand.horizon_months": 30.0,
        "operations.team": "solid", "finance.funding": "capital", "compliance.residency": "in_country",
    },
    "data that may not leave": {"compliance.residency": "on_premises", "operations.team": "none"},
    "nothing told": {},
}  # fmt: skip
NUMBERS: Mapping[str, Sequence[float]] = {
    "demand.utilization": [n / 200 for n in range(201)],
    "demand.gpus_steady": [float(n) for n in range(16)],
    "demand.gpus_peak": [float(n) for n in range(16, 300)],
    "demand.horizon_months": [n / 2 for n in range(1, 121)],
    "demand.start_within_days": [float(n) for n in range(300)],
    "operations.gpus_owned": [float(n) for n in range(40)],
    "finance.commitment_months_left": [n / 4 for n in range(50)],
    "data.volume_tb": [5.0 * n for n in range(160)],
    "data.egress_tb_per_month": [10.0 * n for n in range(150)],
}


@cache
def finder(name: str) -> FlipFinder:
    return FlipFinder(ColumnReasoner(BASE), CASES[name])


@cache
def pairs_of(name: str) -> Sequence[Flip]:
    return finder(name).pairs()[0]


def routes(name: str, changes: Sequence[Mapping[str, Value | None]]) -> list[str | None]:
    reasoner = finder(name).tries.reasoner
    return reasoner.judge(reasoner.varied(CASES[name], changes), "route").route_names()


def words() -> list[tuple[str, Value]]:
    return [(path, value) for path, fact in FACTS.items() if fact.kind in ("choice", "flag") for value in fact.values]


def word_changes(name: str) -> Mapping[tuple[str, Value], str | None]:
    """The route after each change of a word."""
    changes = [(path, value) for path, value in words() if CASES[name].get(path) != value]
    return dict(zip(changes, routes(name, [{path: value} for path, value in changes]), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_every_word_that_turns_the_route_is_a_flip_and_no_other(name: str) -> None:
    turning = {change: route for change, route in word_changes(name).items() if route != finder(name).route}
    found = {
        (change.path, change.value): flip.route
        for flip in finder(name).singles
        for change in flip.changes
        if FACTS[change.path].kind in ("choice", "flag")
    }
    assert found == turning


@pytest.mark.parametrize("name", list(CASES)[:3])
def test_two_words_turn_the_route_together_where_the_flips_say_so_and_nowhere_else(name: str) -> None:
    quiet = [change for change, route in word_changes(name).items() if route == finder(name).route]
    pairs = [dict(both) for both in combinations(quiet, 2) if both[0][0] != both[1][0]]
    turning = [(pair, route) for pair, route in zip(pairs, routes(name, pairs), strict=True)]
    expected = sorted((sorted(pair.items()), route) for pair, route in turning if route != finder(name).route)
    found = [
        (sorted(flip.facts.items()), flip.route)
        for flip in pairs_of(name)
        if all(FACTS[path].kind in ("choice", "flag") for path in flip.facts)
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)


@pytest.mark.parametrize("name", ["a service that stays busy", "bursts above a base"])
def test_no_number_turns_the_route_before_the_flip_that_names_it(name: str) -> None:
    for path, numbers in NUMBERS.items():
        before = CASES[name].get(path)
        if before is None or isinstance(before, str | bool):
            continue
        low, high = bounds(before)
        found = routes(name, [{path: number} for number in numbers])
        for side in (1, -1):
            flips = [change_of(flip) for flip in finder(name).singles if is_on(flip, path, side, low, high)]
            nearest = min((abs(number_of(change) - low) for change in flips), default=float("inf"))
            turned = [
                abs(number - low)
                for number, route in zip(numbers, found, strict=True)
                if (number - low) * side > 0 and route != finder(name).route
            ]
            assert nearest <= min(turned, default=float("inf")) + 1e-9, (path, side)
            short = [number for number in numbers if 0 < (number - low) * side < nearest]
            assert set(routes(name, [{path: number} for number in short])) <= {finder(name).route}, (path, side)


def change_of(flip: Flip) -> Change:
    (change,) = flip.changes
    return change


def number_of(change: Change) -> float:
    assert isinstance(change.value, float)
    return change.value


def is_on(flip: Flip, path: str, side: int, low: float, high: float) -> bool:
    change = change_of(flip)
    return change.path == path and (number_of(change) > high if side > 0 else number_of(change) < low)


@pytest.mark.parametrize("name", ["a service that stays busy"])
def test_the_rule_engine_confirms_the_flips_of_a_real_case(name: str) -> None:
    flips = [*finder(name).singles[:4], *pairs_of(name)[:2]]
    found = confirmed(Consultant(BASE), told(BASE, CASES[name]), {}, flips)
    assert [one.flip for one in found] == flips
