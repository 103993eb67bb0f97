"""What holds of every formula: a range holds each case that it stands for, and inputs move results as declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.figures import FigureValues, Formula
from engine.values import UNLIMITED, Interval, Value, bounds, interval
from engine.vocabulary import FactType
from knowledge import knowledge_base
from knowledge.arithmetic import Number
from knowledge.gpus import matching

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
BASE = knowledge_base()
# The accounting as a whole has ranges and properties of its own, in test_costs.py.
ACCOUNTING = "knowledge.cost_facts"
PLAIN = [formula for formula in BASE.formulas if formula.compute.__module__ != ACCOUNTING]
FORMULAS = pytest.mark.parametrize("formula", PLAIN, ids=lambda formula: formula.fact)
EVERY_FORMULA = pytest.mark.parametrize("formula", BASE.formulas, ids=lambda formula: formula.fact)
REPLACED_AS_A_WHOLE = ("server_power_kw", "server_power_kw.of_any_class")
NAMES = {None: ("any", "A100", "A100-SXM-40GB", "H100", "RTX-4090", "T4", "MI300X"), "A100": ("A100-SXM-80GB",)}
LIMITS = {"model.parameters": 1e13, "model.tokens": 1e15, "data.volume_tb": 1e5}
# What is told here is no case of what was worked out without it: it goes before it, whether or not the two agree.
TOLD_GOES_BEFORE = {"sizing.job_gpus": ("demand.job_gpus", "demand.gpus_peak")}
# A formula that gives nothing for most cases, such as one for a single region, lets most examples go.
SOME_KNOW_LITTLE = [HealthCheck.filter_too_much, HealthCheck.too_slow]
EVERYTHING = (-UNLIMITED, UNLIMITED)


@dataclass(frozen=True)
class Case:
    """A formula's inputs, and the same told more exactly."""

    vague: Mapping[str, Value | None]
    exact: Mapping[str, Value | None]


def within(value: Number, draw: Draw, whole: bool = False) -> Number:
    """A part of the range, or a point of it."""
    low, high = bounds(value)
    if high == UNLIMITED:
        high = max(low, 1e6)
    one = st.integers(int(low), int(high)).map(float) if whole else st.floats(low, high)
    if low == high:
        return low
    first, second = sorted([draw(one), draw(one)])
    return interval(first, draw(st.sampled_from([first, second])))


def any_number(fact: FactType, draw: Draw) -> Number:
    least = fact.minimum if fact.minimum is not None else 0.01 if fact.above is not None else -1000.0
    most = fact.maximum if fact.maximum is not None else LIMITS.get(fact.path, 2000.0)
    return within(Interval(least, most), draw, fact.whole)


def vague_and_exact(path: str, draw: Draw) -> tuple[Value | None, Value | None]:
    fact = BASE.vocabulary.facts[path]
    if fact.kind == "number":
        value = any_number(fact, draw) if draw(st.integers(0, 3)) else None
        return value, within(any_number(fact, draw) if value is None else value, draw, fact.whole)
    known = NAMES[None] if fact.kind == "name" else fact.values
    vague = draw(st.sampled_from([None, *known]))
    narrower = known if vague is None else NAMES.get(str(vague), ())
    return vague, draw(st.sampled_from([vague, *narrower]))


@st.composite
def cases(draw: st.DrawFn, formula: Formula) -> Case:
    pairs = {path: vague_and_exact(path, draw) for path in formula.inputs}
    for path in TOLD_GOES_BEFORE.get(formula.fact, ()):
        if pairs[path][0] is None:
            pairs[path] = (None, None)
    return Case({p: vague for p, (vague, _) in pairs.items()}, {p: exact for p, (_, exact) in pairs.items()})


@st.composite
def figures(draw: st.DrawFn, formula: Formula) -> tuple[FigureValues, FigureValues]:
    """The figures of a formula, as shipped or replaced, and the same told more exactly."""
    shipped: dict[str, Number] = {n: figure.value for n, figure in BASE.figures.items() if n in formula.declared}
    if draw(st.booleans()):
        shipped = {name: v if name in REPLACED_AS_A_WHOLE else within(v, draw) for name, v in shipped.items()}
    if "gpus_per_server" in shipped and draw(st.booleans()):
        shipped["gpus_per_server"] = within(Interval(1, 16), draw, whole=True)
        if "server_power_kw" in shipped:
            shipped["server_power_kw"] = draw(st.sampled_from([7.0, Interval(5, 20), shipped["server_power_kw"]]))
    exact = {name: v if name in REPLACED_AS_A_WHOLE else within(v, draw) for name, v in shipped.items()}
    all_figures = FigureValues(BASE.figures).declared(formula.declared)
    return all_figures.with_values(shipped), all_figures.with_values(exact)


def as_range(value: Value | None) -> tuple[float, float]:
    if value is None:
        return EVERYTHING
    assert not isinstance(value, str)
    return bounds(float(value) if isinstance(value, bool) else value)


def is_contradictory(facts: Mapping[str, Value | None]) -> bool:
    """Whether more memory is told for each card than the card that is told has: no range can hold both."""
    card, needed = facts.get("model.gpu"), facts.get("model.gpu_memory_gb")
    if needed is None or isinstance(needed, str | bool) or card in (None, "any"):
        return False
    return bounds(needed)[1] > min(gpu.memory_gb for gpu in matching(card))


@FORMULAS
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_range_holds_every_case_that_it_stands_for(formula: Formula, data: st.DataObject) -> None:
    case, (shipped, exact_figures) = data.draw(cases(formula)), data.draw(figures(formula))
    assume(not is_contradictory(case.exact))
    vague = formula.compute(case.vague, shipped)
    if vague is None:
        return
    exact = formula.compute(case.exact, exact_figures)
    assert exact is not None, "what is known stays known as more is told"
    (low, high), (least, most) = as_range(vague), as_range(exact)
    assert low <= least <= most <= high


@FORMULAS
@settings(max_examples=100, deadline=None, suppress_health_check=SOME_KNOW_LITTLE)
@given(data=st.data())
def test_each_input_moves_the_result_as_declared(formula: Formula, data: st.DataObject) -> None:
    given_figures = data.draw(figures(formula))[0]
    facts = dict(data.draw(cases(formula)).exact)
    path = data.draw(st.sampled_from([path for path, sign in formula.inputs.items() if sign != 0]))
    fact = BASE.vocabulary.facts[path]
    points = sorted(bounds(any_number(fact, data.draw))[0] for _ in range(2))
    results = [formula.compute({**facts, path: point}, given_figures) for point in points]
    assume(None not in results)
    (low, high), (later_low, later_high) = (as_range(result) for result in results[:: formula.inputs[path]])
    assert low <= later_low
    assert high <= later_high


@FORMULAS
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_result_keeps_the_bounds_of_its_fact(formula: Formula, data: st.DataObject) -> None:
    fact = BASE.vocabulary.facts[formula.fact]
    case, given_figures = data.draw(cases(formula)), data.draw(figures(formula))[0]
    for facts in (case.vague, case.exact):
        value = formula.compute(facts, given_figures)
        if fact.kind == "number" and value is not None:
            low, high = as_range(value)
            assert fact.minimum is None or low >= fact.minimum
            assert fact.above is None or low > fact.above
            assert not fact.whole or all(end.is_integer() for end in (low, high) if end != UNLIMITED)


@EVERY_FORMULA
def test_nothing_comes_of_nothing(formula: Formula) -> None:
    shipped = FigureValues(BASE.figures).declared(formula.declared)
    assert formula.compute(dict.fromkeys(formula.inputs), shipped) is None


@EVERY_FORMULA
def test_a_formula_uses_no_input_and_no_figure_that_it_does_not_declare(formula: Formula) -> None:
    facts: dict[str, Value | None] = {
        path: "H100" if fact.kind == "name" else fact.values[0] if fact.values else 10.0
        for path, fact in BASE.vocabulary.facts.items()
        if path in formula.inputs
    }
    words = [{"stage": stage} for stage in ("fine_tuning", "pretraining", "online_inference", None)]
    shipped = FigureValues(BASE.figures).declared(formula.declared)
    for word in words:
        for gpu in ("H100", "T4", None):
            formula.compute({**facts, **word, "model.gpu": gpu}, shipped)  # a KeyError tells what is missing


def test_the_text_of_every_module_with_formulas_is_part_of_the_digest() -> None:
    import knowledge

    modules = {formula.compute.__module__ for formula in BASE.formulas} | {"knowledge.arithmetic", "knowledge.gpus"}
    assert {f"{name.removeprefix('knowledge.')}.py" for name in modules} <= set(knowledge._FORMULA_FILES)
