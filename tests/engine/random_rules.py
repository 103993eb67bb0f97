"""Random conditions, facts and rules over a small vocabulary, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.faults import FaultError, Place, Report
from engine.language import (
    COMPARISONS,
    All,
    Any,
    Compares,
    Conclusion,
    Condition,
    Evidence,
    Is,
    Known,
    NoneOf,
    Rule,
)
from engine.ordering import order_rules
from engine.values import Interval, Value, interval
from engine.vocabulary import FactType, Vocabulary

WORDS = ("season", "weather.sky", "rider.bicycle")
FLAGS = ("rider.spikes", "rider.spikes_worn", "train.running")
NUMBERS = ("weather.degrees", "trip.bags")
LIMITS = (0.0, 1.0, 2.0)
LEVELS = ("first", "second", "third")
"""Facts that are inferred, each level from those below and from told facts."""
_CHOICES = {"season": ("summer", "winter"), "weather.sky": ("dry", "rain", "snow"), "rider.bicycle": ("none", "plain")}
_PLACE = Place("random.yaml", 1, 1)
_TEXT = {"en": "text", "zh": "文"}

ENDS = st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
"""Every limit, and numbers to either side of each."""


def leaf(paths: Sequence[str], known: bool = False) -> st.SearchStrategy[Condition]:
    kinds: list[st.SearchStrategy[Condition]] = []
    for path in paths:
        if path in _CHOICES:
            values = st.lists(st.sampled_from(_CHOICES[path]), min_size=1, max_size=2, unique=True)
            kinds.append(st.builds(Is, st.just(path), values.map(tuple)))
        elif path in NUMBERS:
            kinds.append(st.builds(Compares, st.just(path), st.sampled_from(COMPARISONS), st.sampled_from(LIMITS)))
        else:
            kinds.append(st.builds(Is, st.just(path), st.booleans().map(lambda value: (value,))))
    if known:
        kinds.append(st.builds(Known, st.sampled_from(list(paths))))
    return st.one_of(kinds)


def conditions(paths: Sequence[str] = (*WORDS, *FLAGS, *NUMBERS), known: bool = False) -> st.SearchStrategy[Condition]:
    def group(inner: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
        return st.one_of(st.builds(All, parts), st.builds(Any, parts), st.builds(NoneOf, parts))

    return st.recursive(leaf(paths, known), group, max_leaves=5)


def value_of(path: str) -> st.SearchStrategy[Value]:
    if path in _CHOICES:
        return st.sampled_from(_CHOICES[path])
    if path in NUMBERS:
        return st.tuples(ENDS, ENDS).map(lambda ends: interval(min(ends), max(ends)))
    return st.booleans()


@st.composite
def facts(draw: st.DrawFn) -> Mapping[str, Value]:
    paths = draw(st.lists(st.sampled_from([*WORDS, *FLAGS, *NUMBERS]), unique=True))
    return {path: draw(value_of(path)) for path in paths}


@st.composite
def narrower(draw: st.DrawFn, told: Mapping[str, Value]) -> Mapping[str, Value]:
    """The same facts with some ranges narrowed and some unknown ones made known."""
    found = dict(told)
    for path in (*WORDS, *FLAGS, *NUMBERS):
        if path not in found and draw(st.booleans()):
            found[path] = draw(value_of(path))
        elif isinstance(value := found.get(path), Interval):
            ends = [end for end in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0) if value.low <= end <= value.high]
            low, high = sorted((draw(st.sampled_from(ends)), draw(st.sampled_from(ends))))
            found[path] = interval(low, high)
    return found


# Whole rule bases


def rule(name: str, when: Condition, then: Conclusion) -> Rule:
    return Rule(name, _TEXT, ("A-1",), when, then, _TEXT, (), _PLACE)


def with_levels(tiny: KnowledgeBase) -> Vocabulary:
    """The tiny vocabulary, with a yes/no fact on each level that may be inferred; the first holds otherwise."""
    levels = {
        name: FactType(name, "flag", _TEXT, _TEXT, origin="inferred", otherwise=False if name != "second" else None)
        for name in LEVELS
    }
    return replace(tiny.vocabulary, facts={**tiny.vocabulary.facts, **levels})


@st.composite
def _inferring(draw: st.DrawFn, level: int, value: bool, number: int) -> Rule:
    when = draw(conditions((*WORDS, *FLAGS, *NUMBERS, *LEVELS[:level])))
    return rule(f"infer.{LEVELS[level]}-{number}", when, Conclusion(infers={LEVELS[level]: value}))


@st.composite
def rule_lists(draw: st.DrawFn, contrary: bool = False) -> Sequence[Rule]:
    """Rules that infer on three levels, weigh, exclude and defeat, in any order of standing.

    Only with `contrary` may two rules infer different values of one fact.
    """
    found: list[Rule] = []
    for level in range(len(LEVELS)):
        values = [True, False] if contrary or LEVELS[level] == "second" else [True]
        numbers = range(draw(st.integers(1, 2)))
        found += [draw(_inferring(level, draw(st.sampled_from(values)), number)) for number in numbers]
    readable = (*WORDS, *FLAGS, *NUMBERS, *LEVELS)
    for number in range(draw(st.integers(1, 5))):
        defeats = tuple(f"weigh.{other}" for other in range(number) if draw(st.integers(0, 2)) == 0)
        excludes = draw(st.sampled_from([(), (), ("train",), ("bicycle",)]))
        evidence = (Evidence(*draw(st.tuples(_ROUTES, _STRENGTHS, st.booleans()))),)
        then = Conclusion(evidence=evidence, excludes=excludes, defeats=defeats)
        found.append(rule(f"weigh.{number}", draw(conditions(readable)), then))
    return draw(st.permutations(found))


_ROUTES = st.sampled_from(["train", "bicycle"])
_STRENGTHS = st.sampled_from(["faint", "clear", "heavy"])


def base_of(tiny: KnowledgeBase, rules: Sequence[Rule]) -> KnowledgeBase | None:
    """The tiny base with these rules instead of its own; None where they cannot stand together."""
    vocabulary, report = with_levels(tiny), Report()
    try:
        ordered = order_rules(rules, vocabulary, report)
    except FaultError:
        return None
    if [fault for fault in report.faults if fault.key != "no-otherwise"]:
        return None
    return replace(tiny, vocabulary=vocabulary, ordered=ordered, formulas=(), divisions=(), sums=())
