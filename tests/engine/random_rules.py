"""Random conditions, facts and rules over a small vocabulary, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from random import Random

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

_ENDS = (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
ENDS = st.sampled_from(_ENDS)
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
            ends = [end for end in _ENDS if value.low <= end <= value.high]
            low, high = sorted((draw(st.sampled_from(ends)), draw(st.sampled_from(ends))))
            found[path] = interval(low, high)
    return found


# Whole rule bases


def rule(name: str, when: Condition, then: Conclusion) -> Rule:
    return Rule(name, _TEXT, ("A-1",), when, then, _TEXT, (), _PLACE)


def with_levels(tiny: KnowledgeBase) -> Vocabulary:
    """The tiny vocabulary, with a yes/no fact on each level that may be inferred; the first holds otherwise.

    Its numbers can be any.
    """
    levels = {
        name: FactType(name, "flag", _TEXT, _TEXT, origin="inferred", otherwise=False if name != "second" else None)
        for name in LEVELS
    }
    facts = tiny.vocabulary.facts
    numbers = {name: replace(facts[name], minimum=None, above=None, maximum=None, whole=False) for name in NUMBERS}
    return replace(tiny.vocabulary, facts={**facts, **numbers, **levels})


class RuleMaker:
    """Makes rule bases out of a seed: many times quicker than by drawing each part, and as random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # no secret is made here

    def condition(self, paths: Sequence[str], depth: int = 2) -> Condition:
        if depth and self.random.random() < 0.6:
            parts = tuple(self.condition(paths, depth - 1) for _ in range(self.random.randint(1, 3)))
            return self.random.choice((All, Any, NoneOf))(parts)
        path = self.random.choice(paths)
        if path in NUMBERS:
            return Compares(path, self.random.choice(COMPARISONS), self.random.choice(LIMITS))
        values = _CHOICES.get(path, (True, False))
        return Is(path, tuple(self.random.sample(values, self.random.randint(1, len(values) - 1))))

    def inferring(self, level: int, contrary: bool) -> Sequence[Rule]:
        """One or two rules that infer the fact of a level from told facts and from the levels below."""
        readable = (*WORDS, *FLAGS, *NUMBERS, *LEVELS[:level])
        values = [self.random.choice((True, not contrary)) for _ in range(self.random.randint(1, 2))]
        return [
            rule(f"infer.{level}-{n}", self.condition(readable), Conclusion(infers={LEVELS[level]: value}))
            for n, value in enumerate(values)
        ]

    def weighing(self, number: int) -> Rule:
        """A rule that weighs, may exclude a route, and may defeat some of those with a lower number."""
        then = Conclusion(
            evidence=(Evidence(self.random.choice(ROUTES), self.random.choice(STRENGTHS), self.random.random() < 0.5),),
            excludes=self.random.choice([(), (), (), ("train",), ("bicycle",)]),
            defeats=tuple(f"weigh.{other}" for other in range(number) if self.random.random() < 0.3),
        )
        return rule(f"weigh.{number}", self.condition((*WORDS, *FLAGS, *NUMBERS, *LEVELS)), then)

    def rules(self, contrary: bool = False) -> Sequence[Rule]:
        """Rules on three levels, in any order of standing. Only with `contrary` may two infer different values."""
        found = [one for level in range(len(LEVELS)) for one in self.inferring(level, contrary)]
        found += [self.weighing(number) for number in range(self.random.randint(2, 7))]
        self.random.shuffle(found)
        return found

    def facts(self) -> Mapping[str, Value]:
        return {path: self._value(path) for path in (*WORDS, *FLAGS, *NUMBERS) if self.random.random() < 0.5}

    def completed(self, told: Mapping[str, Value], leave: Container[str] = ()) -> Mapping[str, Value]:
        """The same facts with more of them known and ranges narrowed; those to `leave` stay as they are."""
        found = dict(told)
        for path in (*WORDS, *FLAGS, *NUMBERS):
            if path in leave:
                continue
            if isinstance(value := found.get(path), Interval):
                found[path] = self._between([end for end in _ENDS if value.low <= end <= value.high])
            elif path not in found and self.random.random() < 0.7:
                found[path] = self._value(path)
        return found

    def _value(self, path: str) -> Value:
        if path in NUMBERS:
            return self._between(_ENDS)
        return self.random.choice(_CHOICES.get(path, (True, False)))

    def _between(self, ends: Sequence[float]) -> Value:
        one, two = self.random.choice(ends), self.random.choice(ends)
        return interval(min(one, two), max(one, two))


ROUTES = ("train", "bicycle")
STRENGTHS = ("faint", "clear", "heavy")


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


def small_base(tiny: KnowledgeBase, *rules: Rule) -> KnowledgeBase:
    """The tiny base with these few rules instead of its own."""
    report = Report()
    ordered = order_rules(rules, with_levels(tiny), report)
    assert [fault.key for fault in report.faults if fault.key != "no-otherwise"] == []
    return replace(tiny, vocabulary=with_levels(tiny), ordered=ordered, formulas=(), divisions=(), sums=())


def infer(name: str, path: str, value: bool, **when: str | bool) -> Rule:
    """A rule that infers; `train__running=True` is a test on train.running."""
    tests = tuple(Is(p.replace("__", "."), (v,)) for p, v in when.items())
    return rule(name, All(tests), Conclusion(infers={path: value}))
