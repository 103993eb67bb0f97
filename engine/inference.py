"""Forward chaining over one case: told facts in; firings, defeats and silent rules out, with the facts behind each.

Every firing goes through the agenda of the rule engine behind `experta_port`; this module turns rules into its
productions and records what it does. A rule with alternatives is several productions and fires once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from engine.base import KnowledgeBase
from engine.experta_port import Conflict, LimitReached, Network, Pattern, Production
from engine.experta_port import Firing as PortFiring
from engine.faults import LANGUAGES, Fault, InferenceStopped
from engine.figures import FigureValues
from engine.language import Known, Leaf, Rule, Signed, branches, signed_leaves
from engine.truth import Truth, leaf_truth, truth
from engine.values import Interval, Value
from engine.vocabulary import FactType

Number: TypeAlias = float | Interval

ROUTE_FACT = "verdict.route"
STATUS_FACT = "verdict.status"
DIVISION_FACT = "verdict.division"
_UNTOLD = "untold:"
_SILENT = "unknown:"
_AFTER = "after-verdict"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from; only what belongs to its kind is set.

    kind: profile (file, line), option, answer, case, inferred (rule), division (rule), verdict, or computed
    (inputs: path -> fact id; figures: id -> value used).
    """

    kind: str
    file: str | None = None
    line: int | None = None
    rule: str | None = None
    inputs: Mapping[str, int | None] = field(default_factory=dict)
    figures: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Given:
    """A told value and where it was told."""

    value: Value
    source: Source


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact of this case under its number in the trace."""

    id: int
    path: str
    value: Value
    source: Source


@dataclass(frozen=True, slots=True)
class Tested:
    """One test of a rule as it stood: its truth, the value it saw (None: unknown) and that fact's number.

    `negated`: the test stands under `none`, and its truth is told after turning it around.
    """

    leaf: Leaf
    negated: bool
    truth: Truth
    value: Value | None
    fact_id: int | None


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired, in which cycle, on which tests."""

    cycle: int
    rule: Rule
    tests: tuple[Tested, ...]


@dataclass(frozen=True, slots=True)
class Silent:
    """A rule that did not fire: it is false, or undecided for want of facts.

    `told` names the fact that it would have inferred, had that not been told.
    """

    rule: Rule
    truth: Truth
    tests: tuple[Tested, ...]
    told: str | None = None


@dataclass
class Inference:
    """What one run made of a case. Grows in two stages: before and after the verdict."""

    facts: dict[str, KnownFact] = field(default_factory=dict)
    fired: dict[str, Fired] = field(default_factory=dict)
    defeated: dict[str, str] = field(default_factory=dict)
    silent: dict[str, Silent] = field(default_factory=dict)
    _values: dict[str, Value] = field(default_factory=dict, init=False, repr=False)

    @property
    def values(self) -> Mapping[str, Value]:
        """The value of every known fact, as far as the run has come."""
        return self._values

    def standing(self) -> tuple[Rule, ...]:
        """The rules that fired and were not defeated, in order of firing."""
        return tuple(f.rule for name, f in self.fired.items() if name not in self.defeated)

    def add(self, path: str, value: Value, source: Source) -> None:
        self.facts[path] = KnownFact(len(self.facts) + 1, path, value, source)
        self._values[path] = value


class Reasoner:
    """Runs the rules of one knowledge base, case after case, on one network that is built once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.inferable = tuple(base.ordered.inferring)
        self._branch_rule: dict[str, Rule] = {}
        self._tests = {rule.id: signed_leaves(rule.when) for rule in base.ordered.rules}
        self._silent_paths = _paths_tested_for_silence(base)
        self.network = Network(self._productions())

    def _productions(self) -> list[Production]:
        rules = self.base.ordered.rules
        found = []
        for position, rule in enumerate(rules):
            for number, branch in enumerate(branches(rule.when)):
                name = f"{rule.id}#{number}"
                self._branch_rule[name] = rule
                found.append(Production(name, self._patterns(rule, branch), salience=len(rules) - position))
        return found

    def _patterns(self, rule: Rule, branch: tuple[Signed, ...]) -> tuple[Pattern, ...]:
        guards = [Pattern(_UNTOLD + path, _anything) for path in rule.then.infers]
        if rule.id in self.base.ordered.after_verdict:
            guards.append(Pattern(_AFTER, _anything))
        return (*guards, *(_pattern(signed) for signed in branch))

    def before_verdict(self, told: Mapping[str, Given], replaced: Mapping[str, Number]) -> Inference:
        """The first stage: all rules that bear on the verdict.

        `told` is in the order of the vocabulary; `replaced` holds figures that the profile sets itself.
        """
        inference = Inference()
        for path, given in told.items():
            inference.add(path, given.value, given.source)
        self._compute(inference, replaced)
        guards = [(_UNTOLD + path, True) for path in self.inferable if path not in inference.facts]
        facts = [(fact.path, fact.value) for fact in inference.facts.values()]
        self._chain(self.network.run, [*guards, *facts], inference)
        self._close(inference, after=False)
        return inference

    def after_verdict(self, inference: Inference, verdict: Mapping[str, str]) -> None:
        """The second stage, on the same working memory: the verdict's facts join, and advice and forms follow."""
        for path, value in verdict.items():
            inference.add(path, value, Source("verdict"))
        unknown = [(_SILENT + path, True) for path in self._silent_paths if path not in inference.facts]
        facts = [*verdict.items(), *unknown, (_AFTER, True)]
        self._chain(self.network.resume, facts, inference)
        self._close(inference, after=True)

    def _chain(self, go: Callable[..., None], facts: Sequence[tuple[str, object]], inference: Inference) -> None:
        """One stretch of forward chaining. Raises InferenceStopped where it cannot come to an end that holds."""
        try:
            go(facts, self._recorder(inference), self._limit)
        except LimitReached as error:
            rule = self._branch_rule[error.production].id
            raise InferenceStopped([Fault("limit-reached", {"limit": self._limit, "rule": rule})]) from error
        except Conflict as error:
            rule = self._branch_rule[error.production].id if error.production else "-"
            fact = self.base.vocabulary.facts[error.path]
            shown = {"first": _both(fact, error.old), "second": _both(fact, error.new)}
            fault = Fault("inferred-twice", {"fact": error.path, "rule": rule, **shown})
            raise InferenceStopped([fault]) from error

    @property
    def _limit(self) -> int:
        """Firings before a run is stopped: each production can fire once, so a rule base that is right stays below."""
        return len(self._branch_rule) + 100

    def _compute(self, inference: Inference, replaced: Mapping[str, Number]) -> None:
        case = FigureValues(self.base.figures, replaced)
        for formula in self.base.formulas:
            if formula.fact in inference.facts:
                continue
            inputs = {path: inference.facts.get(path) for path in formula.inputs}
            seen = {path: fact.value if fact else None for path, fact in inputs.items()}
            figures = case.declared(formula.declared)
            value = formula.compute(seen, figures)
            if value is not None:
                ids = {path: fact.id if fact else None for path, fact in inputs.items()}
                used = {name: figures[name] for name in sorted(figures.used)}
                inference.add(formula.fact, value, Source("computed", inputs=ids, figures=used))

    def _recorder(self, inference: Inference) -> Callable[[PortFiring], Iterable[tuple[str, Value]]]:
        def on_fire(firing: PortFiring) -> Iterable[tuple[str, Value]]:
            rule = self._branch_rule[firing.production]
            if rule.id in inference.fired:
                return ()
            tests = self._tested(rule, inference)
            inference.fired[rule.id] = Fired(len(inference.fired) + 1, rule, tests)
            for path, value in rule.then.infers.items():
                if path not in inference.facts:
                    inference.add(path, value, Source("inferred", rule=rule.id))
            return tuple(rule.then.infers.items())

        return on_fire

    def _close(self, inference: Inference, after: bool) -> None:
        """Works out defeats among the rules of this stage, and why the others stayed silent."""
        ordered = self.base.ordered
        for rule in ordered.rules:
            if (rule.id in ordered.after_verdict) != after:
                continue
            if rule.id in inference.fired:
                _note_defeat(rule.id, ordered.defeaters, inference)
            else:
                told = next((p for p in rule.then.infers if _was_told(inference.facts.get(p))), None)
                tests = self._tested(rule, inference)
                inference.silent[rule.id] = Silent(rule, truth(rule.when, inference.values), tests, told)

    def _tested(self, rule: Rule, inference: Inference) -> tuple[Tested, ...]:
        """Every test of the rule on the facts as they stand."""
        return tuple(test_on(signed, inference.facts.get(signed.leaf.fact)) for signed in self._tests[rule.id])


def _note_defeat(name: str, defeaters: Mapping[str, tuple[str, ...]], inference: Inference) -> bool:
    """Whether the rule stands; records by whom it is defeated. A defeater counts only while it stands itself."""
    for other in defeaters.get(name, ()):
        if other in inference.fired and _note_defeat(other, defeaters, inference):
            inference.defeated[name] = other
            return False
    return True


def test_on(signed: Signed, fact: KnownFact | None) -> Tested:
    """One test as it stands on one fact, None for an unknown one."""
    value = fact.value if fact else None
    one = leaf_truth(signed.leaf, value)
    return Tested(signed.leaf, not signed.wanted, one if signed.wanted else ~one, value, fact.id if fact else None)


def _both(fact: FactType, value: object) -> Mapping[str, str]:
    """The value in every language."""
    shown = value if isinstance(value, str | bool | float | Interval) else str(value)
    return {code: fact.show(shown, code) for code in LANGUAGES}


def _was_told(fact: KnownFact | None) -> bool:
    return fact is not None and fact.source.kind not in ("inferred", "computed", "verdict")


def _pattern(signed: Signed) -> Pattern:
    if isinstance(signed.leaf, Known):
        return Pattern(signed.leaf.fact if signed.wanted else _SILENT + signed.leaf.fact, _anything)
    return Pattern(signed.leaf.fact, _test(signed))


@cache
def _test(signed: Signed) -> Callable[[object], bool]:
    """The test as a predicate that never raises; equal tests are one predicate, so that they share a node."""
    wanted = Truth.of(signed.wanted)

    def holds(value: object) -> bool:
        return leaf_truth(signed.leaf, value) is wanted  # type: ignore[arg-type]  # values are what was declared

    return holds


def _anything(_value: object) -> bool:
    return True


def _paths_tested_for_silence(base: KnowledgeBase) -> tuple[str, ...]:
    found = [
        signed.leaf.fact
        for rule in base.ordered.rules
        for branch in branches(rule.when)
        for signed in branch
        if isinstance(signed.leaf, Known) and not signed.wanted
    ]
    return tuple(dict.fromkeys(found))
