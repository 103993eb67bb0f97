"""Can another route still come out? Bounds on the scores over every completion of the unknown facts.

A rule surely stands when it fired and nothing that may still stand defeats it; it may stand when it fired or is
undecided and nothing surely defeats it. True and false are final whatever becomes known (Kleene is monotone), so
the bounds hold every completion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.base import KnowledgeBase
from engine.bearing import Bearing
from engine.inference import Inference
from engine.language import Rule
from engine.truth import Truth
from engine.values import Interval, Value
from engine.weighing import Decision


@dataclass(frozen=True)
class Witness:
    """Answers that, told together, lead to another route; None for no route."""

    facts: Mapping[str, Value]
    route: str | None


@dataclass(frozen=True)
class Tell:
    """One answer that leads to another route (None for no route), by itself or with the others of the witness."""

    path: str
    value: Value
    route: str | None


@dataclass(frozen=True)
class Settlement:
    """How sure a verdict is, and what would still tell: `unknown` begins with the facts that `tells` speaks of."""

    status: str
    proof: str | None
    may_become_infeasible: tuple[str, ...]
    unknown: tuple[str, ...]
    witness: Witness | None = None
    tells: tuple[Tell, ...] = ()


class Bounds:
    """What may and what must stand of the rules before the verdict, on one inference."""

    def __init__(self, base: KnowledgeBase, inference: Inference) -> None:
        self.base = base
        self.inference = inference
        self.rules = [rule for rule in base.ordered.rules if rule.id not in base.ordered.after_verdict]
        self.waiting = _Waiting(base, inference)
        self._truth: dict[str, Truth] = {}
        self._surely: dict[str, bool] = {}
        self._may: dict[str, bool] = {}

    def truth(self, name: str) -> Truth:
        """What can become of the rule's condition.

        False where its fact was told and it had nothing to infer, and where it is undecided by the range of a figure
        alone: nothing that anybody could still tell would make it fire.
        """
        if name not in self._truth:
            self._truth[name] = self._found(name)
        return self._truth[name]

    def _found(self, name: str) -> Truth:
        if name in self.inference.fired:
            return Truth.TRUE
        silent = self.inference.silent[name]
        if silent.truth is Truth.UNKNOWN and not silent.told:
            return Truth.UNKNOWN if self.waiting.rule(name) else Truth.FALSE
        return Truth.FALSE if silent.told else silent.truth

    def surely(self, name: str) -> bool:
        """Whether the rule stands in every completion."""
        if name not in self._surely:
            defeaters = self.base.ordered.defeaters.get(name, ())
            self._surely[name] = self.truth(name) is Truth.TRUE and not any(self.may(d) for d in defeaters)
        return self._surely[name]

    def may(self, name: str) -> bool:
        """Whether the rule stands in some completion, as far as the bounds can tell."""
        if name not in self._may:
            defeaters = self.base.ordered.defeaters.get(name, ())
            self._may[name] = self.truth(name) is not Truth.FALSE and not any(self.surely(d) for d in defeaters)
        return self._may[name]

    def surely_excluded(self, route: str) -> bool:
        return any(route in rule.then.excludes and self.surely(rule.id) for rule in self.rules)

    def possible_exclusions(self, route: str) -> list[Rule]:
        return [rule for rule in self.rules if route in rule.then.excludes and self.may(rule.id)]

    def with_defeaters(self, rules: Iterable[Rule]) -> list[Rule]:
        """The rules, whatever may defeat them, whatever may defeat that, and so on: all that decides which stand."""
        found: dict[str, None] = {}
        waiting = [rule.id for rule in rules]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = None
                waiting += [other for other in self.base.ordered.defeaters.get(name, ()) if self.may(other)]
        return [rule for rule in self.rules if rule.id in found]

    def least_lead(self, route: str, other: str) -> float:
        """The smallest lead that the route's score can have over the other's."""
        return sum(self._least(rule, route, other) for rule in self.rules)

    def _least(self, rule: Rule, route: str, other: str) -> float:
        weights = self.base.routes.weights
        lead = 0.0
        for item in rule.then.evidence:
            sign = (1 if item.supports else -1) * {route: 1, other: -1}.get(item.route, 0)
            lead += sign * weights[item.strength]
        if self.surely(rule.id):
            return lead
        return min(0.0, lead) if self.may(rule.id) else 0.0

    @cached_property
    def surely_decides(self) -> bool:
        """Whether some evidence strong enough to decide stands in every completion."""
        weights, decisive = self.base.routes.weights, self.base.routes.weights[self.base.routes.decisive]
        return any(
            weights[item.strength] >= decisive
            for rule in self.rules
            if self.surely(rule.id)
            for item in rule.then.evidence
            if not self.possible_exclusions(item.route)
        )


def settle(base: KnowledgeBase, bounds: Bounds, decision: Decision, proved: bool, divided: Iterable[str]) -> Settlement:
    """The status of the decision and the facts that could still change the route.

    `proved`: no other route comes out of any completion. `divided`: the facts on which divisions of the case wait.
    """
    if decision.status is None and decision.route and proved:
        return settled(base, bounds, decision.route)
    unknown = _unknown_facts(base, bounds, [rule for rule in bounds.rules if bounds.may(rule.id)], divided)
    status = decision.status or "provisional"
    return Settlement(status, "open" if status == "provisional" else None, (), unknown)


def settled(base: KnowledgeBase, bounds: Bounds, route: str) -> Settlement:
    """The route can no longer change, however that was proved; lists what could still make every route impossible."""
    one = base.routes.route(route)
    needed = (route,) if one.primary else one.excluded_with or base.routes.primary
    excluding = [rule for name in needed for rule in bounds.possible_exclusions(name)]
    return Settlement("settled", None, _unknown_facts(base, bounds, bounds.with_defeaters(excluding), ()), ())


def with_answers(found: Settlement, witness: Witness | None, tells: Sequence[Tell]) -> Settlement:
    """The settlement with answers that change the route: the facts that they speak of come first among the unknown."""
    told = dict.fromkeys(tell.path for tell in tells)
    unknown = sorted(found.unknown, key=lambda path: path not in told)
    proof = "witness" if found.proof and witness else found.proof
    return replace(found, proof=proof, unknown=tuple(unknown), witness=witness, tells=tuple(tells))


def is_proved(bounds: Bounds, route: str) -> bool:
    """Whether no completion ends in another primary route, those set aside in which no route is left."""
    others = [name for name in bounds.base.routes.primary if name != route]
    rivals = [name for name in others if not bounds.surely_excluded(name)]
    if not rivals:
        return True
    if bounds.possible_exclusions(route) or not bounds.surely_decides:
        return False
    return all(bounds.least_lead(route, rival) > 0 for rival in rivals)


def _unknown_facts(
    base: KnowledgeBase, bounds: Bounds, rules: Iterable[Rule], divided: Iterable[str]
) -> tuple[str, ...]:
    """The facts that undecided rules and divisions wait for, those that stand for most weight first."""
    told: dict[str, float] = dict.fromkeys((fact.path for fact in base.vocabulary.told()), 0.0)
    weight_of = Bearing(base, bounds)
    for rule in rules:
        if bounds.truth(rule.id) is Truth.UNKNOWN:
            missing = bounds.waiting.rule(rule.id)
            for path in missing:
                told[path] = told.get(path, 0.0) + weight_of.rule(rule.id) / len(missing)
    for path in divided:
        told[path] = told.get(path, 0.0) + max(base.routes.weights.values())
    found = [path for path, weight in told.items() if weight > 0]
    return tuple(sorted(found, key=lambda path: -told[path]))


def missing_facts(base: KnowledgeBase, inference: Inference, name: str) -> tuple[str, ...]:
    """The facts that a person could tell, or tell more exactly, for which an undecided rule waits."""
    return _Waiting(base, inference).rule(name)


def missing_at(base: KnowledgeBase, inference: Inference, path: str) -> tuple[str, ...]:
    """The facts that a person could tell, or tell more exactly, for which this fact waits; itself, where it is told."""
    return _Waiting(base, inference).path(path)


class _Waiting:
    """What rules and facts wait for. Neither rules nor formulas go in circles, so each is followed once."""

    def __init__(self, base: KnowledgeBase, inference: Inference) -> None:
        self.base = base
        self.inference = inference
        self._rules: dict[str, tuple[str, ...]] = {}
        self._paths: dict[str, tuple[str, ...]] = {}

    def rule(self, name: str) -> tuple[str, ...]:
        if name not in self._rules:
            silent = self.inference.silent.get(name)
            open_ones = [test.leaf.fact for test in silent.tests if test.truth is Truth.UNKNOWN] if silent else []
            self._rules[name] = tuple(dict.fromkeys(found for path in open_ones for found in self.path(path)))
        return self._rules[name]

    def path(self, path: str) -> tuple[str, ...]:
        if path not in self._paths:
            self._paths[path] = tuple(dict.fromkeys(self._follow(path)))
        return self._paths[path]

    def _follow(self, path: str) -> Iterator[str]:
        facts = self.inference.facts
        formula = self.base.formula_of.get(path)
        for source in formula.inputs if formula else ():
            if source not in facts or isinstance(facts[source].value, Interval):
                yield from self.path(source)
        for rule in self.base.ordered.inferring.get(path, ()) if path not in facts else ():
            yield from self.rule(rule)
        if self.base.vocabulary.facts[path].origin == "told":
            yield path
