"""The only door to experta 1.9.4: its import, a total order, a leaner matcher, and networks built from data.

experta has had no release since 2019, so what it gets wrong is put right here, through the places that it
leaves open (`__strategy__`, `__matcher__`), and any other version is refused. `Any` stays behind this door.
"""

from __future__ import annotations

import collections
import collections.abc
import logging
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType, ModuleType, TracebackType
from typing import Any, NamedTuple, Protocol, TypeAlias

EXPERTA_VERSION = "1.9.4"


def import_experta() -> ModuleType:
    """Import experta without side effects. Raises ImportError unless it is whole and of the wanted version.

    It calls `logging.basicConfig()` while it is imported; the root logger gets its own handlers back.
    """
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        with suppress(ImportError):  # told below: experta lacks its KnowledgeEngine then
            _import_frozendict()
        experta = import_module("experta")
    except ImportError as error:
        raise ImportError(f"experta {EXPERTA_VERSION} is wanted, and there is none: {error}") from error
    finally:
        for handler in [handler for handler in root.handlers if handler not in before]:
            root.removeHandler(handler)
    found = getattr(experta, "__version__", "of no version")
    if found != EXPERTA_VERSION:
        raise ImportError(f"found experta {found}, where {EXPERTA_VERSION} is wanted: the port fits no other")
    if not hasattr(experta, "KnowledgeEngine"):  # experta swallows the ImportErrors of its own parts
        raise ImportError(f"found experta {found} without KnowledgeEngine: something it requires is missing")
    return experta


def _import_frozendict() -> None:
    """Import frozendict 1.2, in which a class statement wants `collections.Mapping`, gone since Python 3.10.

    The alias stands during that import alone, so nothing stays patched.
    """
    patched: Any = collections
    alias = "frozendict" not in sys.modules and not hasattr(collections, "Mapping")
    if alias:
        patched.Mapping = collections.abc.Mapping
    try:
        import_module("frozendict")
    finally:
        if alias:
            del patched.Mapping


_experta: Any = import_experta()
_constraints: Any = import_module("experta.fieldconstraint")
_rete: Any = import_module("experta.matchers.rete")
_checks: Any = import_module("experta.matchers.rete.check")
_nodes: Any = import_module("experta.matchers.rete.nodes")
_utils: Any = import_module("experta.matchers.rete.utils")
_Strategy: Any = import_module("experta.abstract").Strategy

_Agenda: TypeAlias = Any
_Callback: TypeAlias = Any
_Fact: TypeAlias = Any
_Node: TypeAlias = Any
_Rule: TypeAlias = Any
_Token: TypeAlias = Any


class Activation(Protocol):
    """What is used of an activation of experta's: a rule, and the facts and bindings that it may fire on."""

    rule: Any
    facts: set[Any]
    context: dict[str, Any]
    key: tuple[Any, ...]


Listener: TypeAlias = Callable[[Sequence[Activation], Sequence[Activation]], None]


class OrderedStrategy(_Strategy):  # type: ignore[misc]  # experta has no annotations
    """A total order of firing, and withdrawal that always finds its activation.

    The stock strategy leaves ties to the order of a set, which differs from process to process. It looks for
    a withdrawn activation at three places only, so that among tied rules a withdrawn one still fires. Here two
    activations are level only if they are one rule on the same facts with the same bindings, as OR can make.

    `listener`, if set, is called after each change of the agenda with the activations that came on to it and
    with those withdrawn before they fired, both in the order of firing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.listener: Listener | None = None

    @staticmethod
    def order(activation: Activation) -> tuple[Any, ...]:
        """Ascending in the order of firing: higher salience, lower `rule_order`, newer facts, then the name.

        A rule that declares no `rule_order` has 0. So among such, newer facts go first, as they do in the
        stock strategy.
        """
        rule = activation.rule
        facts = sorted(-fact["__factid__"] for fact in activation.facts)
        told = [(role, _shown(bound)) for role, bound in activation.context.items() if role[:2] != "__"]
        name = getattr(rule, "__name__", "")
        return (-rule.salience, getattr(rule, "rule_order", 0), [*facts, 1], name, sorted(told))

    def _update_agenda(self, agenda: _Agenda, added: Iterable[Activation], removed: Iterable[Activation]) -> None:
        arrived, gone = self._sorted(added), self._sorted(removed)
        withdrawn = [activation for activation in gone if _taken_out(activation, agenda.activations)]
        if arrived:
            agenda.activations.extend(arrived)
            agenda.activations.sort(key=_key, reverse=True)  # the agenda takes the next from its end
        if self.listener and (arrived or withdrawn):
            self.listener(arrived, withdrawn)

    def _sorted(self, activations: Iterable[Activation]) -> list[Activation]:
        listed = list(activations)
        for activation in listed:
            activation.key = self.order(activation)
        return sorted(listed, key=_key)


def _key(activation: Activation) -> tuple[Any, ...]:
    return activation.key


def _shown(bound: object) -> str:
    """A bound fact by its id, a bound value as it is written: what tells two bindings of one rule apart."""
    return f"f-{bound.__factid__}" if isinstance(bound, _experta.Fact) else repr(bound)


def _taken_out(activation: Activation, activations: list[Activation]) -> bool:
    """Whether the activation (same rule, facts and bindings) was waiting still. It waits no more."""
    with suppress(ValueError):
        activations.remove(activation)
        return True
    return False


class _TypedBus(_nodes.BusNode):  # type: ignore[misc]  # experta has no annotations
    """The root of a network, which shows a fact to the patterns of its own type alone.

    The stock root asks every pattern. With a type for each answer, that would be most of the work.
    """

    def __init__(self) -> None:
        super().__init__()
        self._by_type: dict[type, list[_Callback]] = {}
        self._untyped: list[_Callback] = []

    def add_child(self, node: _Node, callback: _Callback) -> None:
        super().add_child(node, callback)
        check = getattr(node, "matcher", None)
        if isinstance(check, _checks.TypeCheck):
            self._by_type.setdefault(check.fact_type, []).append(callback)
        else:
            self._untyped.append(callback)

    def add(self, fact: _Fact) -> None:
        self._send(_nodes.Token.valid(fact), fact)

    def remove(self, fact: _Fact) -> None:
        self._send(_nodes.Token.invalid(fact), fact)

    def _send(self, token: _Token, fact: _Fact) -> None:
        for callback in (*self._by_type.get(type(fact), ()), *self._untyped):
            callback(token)


_BUILDING = threading.Lock()
"""Held while a network is built, since experta's tables of checks are common to all networks."""


class LeanMatcher(_rete.ReteMatcher):  # type: ignore[misc]  # experta has no annotations
    """The stock matcher with less work, and with nothing left behind.

    The stock one asks every rule for news before every firing, finds its rules through a cache with one place
    for all engines, resets a node once for each way to it, and joins the same facts anew for each rule. It
    keeps the news of a run that failed half-way, and the checks of every network that was ever built.
    """

    _news = False

    def build_network(self) -> None:
        """Build the network under a root that goes by type, and leave the tables of checks as they were."""
        self.root_node = _TypedBus()
        with _BUILDING:
            kinds = (_checks.TypeCheck, _checks.FactCapture, _checks.FeatureCheck)
            tables = [(kind._instances, set(kind._instances)) for kind in kinds]
            try:
                super().build_network()
            finally:
                for table, before in tables:
                    for key in table.keys() - before:
                        del table[key]

    @staticmethod
    def prepare_ruleset(engine: PortedEngine) -> set[_Rule]:
        """The rules in normal form. A plain rule has it already, and is only copied, as others would be."""
        rules = engine.get_rules()
        return {rule.new_conditions(*rule) if _plain(rule) else _utils.prepare_rule(rule) for rule in rules}

    @staticmethod
    def build_beta_part(ruleset: Iterable[_Rule], alpha_terminals: Mapping[_Fact, _Node]) -> None:
        """Join the facts of each rule, left to right. Plain rules that begin alike share what they can."""
        joins: dict[tuple[int, int], _Node] = {}
        for rule in ruleset:
            if not _plain(rule):
                _rete.ReteMatcher.build_beta_part([rule], alpha_terminals)
                continue
            node, *others = [alpha_terminals[condition] for condition in rule]
            for other in others:
                place = (id(node), id(other))
                node = joins[place] if place in joins else joins.setdefault(place, _join(node, other))
            end = _nodes.ConflictSetNode(rule)
            node.add_child(end, end.activate)

    @cached_property
    def _all_nodes(self) -> list[_Node]:
        """Every node once. Found at the first use, when the network is complete."""
        found: dict[int, _Node] = {}
        waiting = [self.root_node]
        while waiting:
            node = waiting.pop()
            if id(node) not in found:
                found[id(node)] = node
                waiting.extend(child.node for child in node.children)
        return list(found.values())

    @cached_property
    def _conflict_set(self) -> list[_Node]:
        return [node for node in self._all_nodes if isinstance(node, _nodes.ConflictSetNode)]

    def changes(
        self, adding: Sequence[_Fact] | None = None, deleting: Sequence[_Fact] | None = None
    ) -> tuple[list[Activation], list[Activation]]:
        """Tell the network which facts came and went; the activations that came and went with them.

        If a predicate raises, what the network knew by then comes with the next call, or is lost by `reset`.
        """
        self._news = self._news or bool(adding) or bool(deleting)
        for fact in deleting or ():
            self.root_node.remove(fact)
        for fact in adding or ():
            self.root_node.add(fact)
        added: list[Activation] = []
        removed: list[Activation] = []
        if self._news:
            for node in self._conflict_set:
                if node.added or node.removed:
                    came, went = node.get_activations()
                    added.extend(came)
                    removed.extend(went)
        self._news = False
        return added, removed

    def reset(self) -> None:
        """Forget all facts, and all that was not told yet."""
        for node in self._all_nodes:
            node._reset()
        for node in self._conflict_set:
            node.get_activations()
        self._news = False


def _plain(rule: _Rule) -> bool:
    """Whether the rule is facts that must all be there, each tested field by field without and, or, not."""
    compound = (_constraints.ANDFC, _constraints.ORFC, _constraints.NOTFC)
    return bool(rule) and all(
        isinstance(condition, _experta.Fact)
        and not any(isinstance(constraint, compound) for constraint in condition.values())
        for condition in rule
    )


def _join(left: _Node, right: _Node) -> _Node:
    """A new node that passes on each pair of what the two have found, if their bindings agree."""
    node = _nodes.OrdinaryMatchNode(_checks.SameContextCheck())
    left.add_child(node, node.activate_left)
    right.add_child(node, node.activate_right)
    return node


class PortedEngine(_experta.KnowledgeEngine):  # type: ignore[misc]  # experta has no annotations
    """experta's engine with the strategy and the matcher above, and of use again after any exception.

    `rules` join those declared as methods: a class made only to hold rules would never be freed.
    """

    __strategy__ = OrderedStrategy
    __matcher__ = LeanMatcher

    def __init__(self, rules: Iterable[_Rule] = ()) -> None:
        self._given_rules = list(rules)
        super().__init__()

    def get_rules(self) -> list[_Rule]:
        """The rules declared as methods, then those given."""
        return [*super().get_rules(), *self._given_rules]

    def run(self, steps: float = float("inf")) -> None:
        """Fire what is on the agenda. `running` is false afterwards, even if a rule raised."""
        try:
            super().run(steps)
        finally:
            self.running = False


Test: TypeAlias = Callable[[object], bool]
Answers: TypeAlias = Iterable[tuple[str, object]]


class Pattern(NamedTuple):
    """One condition on one answer.

    `test` says true or false of whatever the path may hold, and never raises. Patterns whose test is the same
    object share a node. Equal tests do not: one for 1 may well be equal to one for True.
    """

    path: str
    test: Test


@dataclass(frozen=True)
class Production:
    """One branch of one rule. It fires once, if every pattern's path has an answer that passes its test.

    `name` is unlike the others in its network, and there is at least one pattern. Higher salience fires
    first, then what stands first in the network.
    """

    name: str
    patterns: tuple[Pattern, ...]
    salience: int = 0


@dataclass(frozen=True, slots=True)
class Firing:
    """A production that fired, with the ids of the facts that met its patterns: by path, in their order."""

    production: str
    facts: Mapping[str, int]


OnFire: TypeAlias = Callable[[Firing], Answers]


class LimitReached(Exception):
    """More would have fired than was allowed; `production` is the first that did not."""

    def __init__(self, production: str) -> None:
        super().__init__(production)
        self.production = production

    def __str__(self) -> str:
        return f"stopped at the limit, before {self.production}"


class Conflict(Exception):
    """Two values for one path. `production` gave the new one; None if it came from outside the network."""

    def __init__(self, path: str, old: object, new: object, production: str | None) -> None:
        super().__init__(path, old, new, production)
        self.path, self.old, self.new, self.production = path, old, new, production

    def __str__(self) -> str:
        return f"{self.path} is {self.old!r}, and {self.production or 'an answer given'} says {self.new!r}"


class _Held(NamedTuple):
    """A value with its type, because to Python, and so to experta, 1, 1.0 and True are one value."""

    kind: type
    value: object


class _Answer(_experta.Fact):  # type: ignore[misc]  # experta has no annotations
    """The answer for one path. Each path has a subclass, so that an answer meets no other path's tests."""


@cache
def _answer_type(path: str) -> Callable[[object], _Fact]:
    """The type of the path's answers, made once in a process: types are slow to make and slow to be freed."""
    return type(path, (_Answer,), {})


class _RightHandSide:
    """What experta calls when a production fires. experta copies its attributes to the rule."""

    def __init__(self, production: Production, place: int, fire: Callable[[Firing], None]) -> None:
        self.__name__ = production.name
        self.rule_order = place
        self._paths = tuple(dict.fromkeys(pattern.path for pattern in production.patterns))
        self._fire = fire

    def __call__(self, _engine: PortedEngine, /, **matched: _Fact) -> None:
        facts = {path: matched[_bound(path)].__factid__ for path in self._paths}
        self._fire(Firing(self.__name__, MappingProxyType(facts)))


def _bound(path: str) -> str:
    """The name that a path's answer is bound to; never one with a meaning of its own, such as `self`."""
    return f"at {path}"


class Network:
    """Productions as an experta network: built once, run on any number of cases.

    Threads may share it, for each call holds a lock. Where several calls belong to one case (`run`, `ids`,
    `resume`), a `with network:` statement keeps the lock for all of them.
    """

    def __init__(self, productions: Sequence[Production]) -> None:
        """Raises ValueError for a name that stands twice, or a production without patterns."""
        _check(productions)
        self._tests: dict[int, Callable[[_Held], bool]] = {}
        self._engine = PortedEngine([self._rule(item, place) for place, item in enumerate(productions)])
        self._lock = threading.RLock()
        self._known: dict[str, _Held] = {}
        self._ids: dict[str, int] = {}
        self._busy = False
        self._on_fire: OnFire = _silent
        self._left = 0
        self._owner: int | None = None

    def __enter__(self) -> Network:
        self._lock.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    @property
    def ids(self) -> Mapping[str, int]:
        """Path -> id of its fact in the newest run, in the order declared. Later runs do not touch it."""
        return MappingProxyType(self._ids)

    def run(self, facts: Answers, on_fire: OnFire, limit: int) -> None:
        """Forget everything, declare the facts in their order, and fire until nothing is left to fire.

        `on_fire` is called for every firing, in order, and returns answers to declare; one that is known
        already changes nothing. Raises Conflict for another value of a path, LimitReached when more than
        `limit` would fire, and whatever `on_fire` raises. After an exception the network can be run again.
        """
        with self:
            self._refuse_inside_firing()
            self._known, self._ids = {}, {}
            self._engine.reset()
            self._go(facts, on_fire, limit)

    def resume(self, facts: Answers, on_fire: OnFire, limit: int) -> None:
        """Declare more facts on top of the newest run, and go on as `run` does. `limit` counts from here.

        Raises RuntimeError where there is nothing to go on from: no run yet, one that failed, or one by
        another thread since.
        """
        with self:
            self._refuse_inside_firing()
            if self._owner != threading.get_ident():
                raise RuntimeError("there is no finished run by this thread to resume")
            self._go(facts, on_fire, limit)

    def _refuse_inside_firing(self) -> None:
        if self._busy:
            raise RuntimeError("a network cannot be run from inside one of its own firings")

    def _go(self, facts: Answers, on_fire: OnFire, limit: int) -> None:
        self._busy, self._on_fire, self._left, self._owner = True, on_fire, limit, None
        try:
            self._declare(facts, None)
            self._engine.run()
        finally:
            self._busy, self._on_fire = False, _silent
        self._owner = threading.get_ident()

    def _fire(self, firing: Firing) -> None:
        if self._left <= 0:
            raise LimitReached(firing.production)
        self._left -= 1
        self._declare(self._on_fire(firing), firing.production)

    def _declare(self, answers: Answers, production: str | None) -> None:
        """Declare the answers that are not known yet, in one call: experta goes over its agenda at each."""
        new: dict[str, _Fact] = {}
        for path, value in answers:
            held = _Held(type(value), value)
            old = self._known.setdefault(path, held)
            if old is held:
                new[path] = _answer_type(path)(held)
            elif old != held:
                raise Conflict(path, old.value, value, production)
        self._engine.declare(*new.values())
        self._ids.update((path, fact.__factid__) for path, fact in new.items())

    def _rule(self, production: Production, place: int) -> _Rule:
        conditions = [
            _bound(path) << _answer_type(path)(_experta.P(self._on_held(test))) for path, test in production.patterns
        ]
        rule = _experta.Rule(*conditions, salience=production.salience)
        return rule(_RightHandSide(production, place, self._fire))

    def _on_held(self, test: Test) -> Callable[[_Held], bool]:
        """The test for held values: one for each test, since experta goes by the identity of a predicate."""
        return self._tests.setdefault(id(test), lambda held: test(held.value))


def _silent(_firing: Firing) -> Answers:
    """Stands in while nothing runs, so that a network does not keep what its last caller recorded."""
    return ()


def _check(productions: Iterable[Production]) -> None:
    seen: set[str] = set()
    for production in productions:
        if not production.patterns:
            raise ValueError(f"the production {production.name} has no pattern")
        if production.name in seen:
            raise ValueError(f"two productions are named {production.name}")
        seen.add(production.name)
