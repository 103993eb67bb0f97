"""What is measured side by side says the same: else the measurements compare nothing."""

from __future__ import annotations

import pytest

from benchmarks.cases import random_facts, without_formulas
from benchmarks.growth import multiplied
from benchmarks.interpreter import Interpreter
from benchmarks.readings import Unequal, readings
from engine.columns import ColumnReasoner
from knowledge import knowledge_base

BASE = without_formulas(knowledge_base())


def test_the_readings_let_the_same_rules_fire() -> None:
    assert "plain interpreter" in readings(40, 60, 30)


def test_a_reading_that_lets_other_rules_fire_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Interpreter.judge

    def wrong(self: Interpreter, told: dict[str, str]) -> object:
        return judge(self, {path: value for path, value in told.items() if path != "operations.team"})

    monkeypatch.setattr(Interpreter, "judge", wrong)
    with pytest.raises(Unequal):
        readings(40, 60, 30)


def test_the_plain_interpreter_weighs_as_the_columns_do() -> None:
    cases = random_facts(BASE, 60, seed=5)
    reasoner, interpreter = ColumnReasoner(BASE), Interpreter(BASE)
    judged = reasoner.judge(reasoner.cases(cases), "route", compute=False)
    for number, case in enumerate(cases):
        assert interpreter.judge(case).scores == {route: score[number] for route, score in judged.scores.items()}


def test_twice_the_rules_weigh_twice_as_much() -> None:
    (case,) = random_facts(BASE, 1, seed=7)
    once, twice = (Interpreter(base).judge(case).scores for base in (BASE, multiplied(BASE, 2)))
    assert twice == {route: 2 * score for route, score in once.items()}
    assert any(once.values())
