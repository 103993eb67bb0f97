"""The rules as steps over columns: inference in strata, defeats, and what undecided rules still wait for.

The second reading of a rule. It must say of every case what `truth` and the rule engine say of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from engine.base import KnowledgeBase
from engine.case_columns import Coder
from engine.column_logic import (
    ABSENT,
    Choosing,
    Column,
    Flags,
    Truths,
    both,
    condition_truths,
    either,
    every,
    leaf_truths,
    negated,
    some,
)
from engine.language import Condition, Is, Known, Leaf, Rule, leaves


class Plan:
    """What the column reading of one knowledge base needs again and again."""

    def __init__(self, base: KnowledgeBase, coder: Coder) -> None:
        self.base = base
        self.coder = coder
        late = base.ordered.after_verdict
        self.first = tuple(rule for rule in base.ordered.rules if rule.id not in late)
        self.late = tuple(rule for rule in base.ordered.rules if rule.id in late)
        self.leaves = {rule.id: tuple(dict.fromkeys(leaves(rule.when))) for rule in base.ordered.rules}

    @cached_property
    def late_for_forms(self) -> tuple[Rule, ...]:
        """The rules after the verdict that give a form, and those that may defeat one of them."""
        wanted = {rule.id for rule in self.late if rule.then.forms}
        waiting = list(wanted)
        while waiting:
            for other in self.base.ordered.defeaters.get(waiting.pop(), ()):
                if other not in wanted:
                    wanted.add(other)
                    waiting.append(other)
        return tuple(rule for rule in self.late if rule.id in wanted)


class Reading:
    """Rules read on one set of cases.

    `columns` holds what is told and computed. `pending` tells where a computed fact was not worked out: there it is
    unknown for now, and counts as something that may still become known.
    """

    def __init__(
        self, plan: Plan, columns: Mapping[str, Column], choose: Choosing, pending: Mapping[str, Flags] | None = None
    ) -> None:
        self.plan = plan
        self.base = plan.base
        self.given = dict(columns)
        self.choose = choose
        self.pending = pending or {}
        self.truths: dict[str, Truths] = {}
        self.fired: dict[str, Flags] = {}
        self.guarded: dict[str, Flags] = {}
        self.conflict: Flags = False
        self._closed: dict[str, Column] = {}
        self._leaves: dict[Leaf, Truths] = {}
        self._standing: dict[str, Flags] = {}
        self._waiting_rules: dict[str, Flags] = {}
        self._waiting_paths: dict[str, Flags] = {}

    def run(self, rules: Iterable[Rule]) -> None:
        """Reads these rules, in their order of firing."""
        for rule in rules:
            self.truths[rule.id] = found = self.condition(rule.when)
            told = some(self.given[path].known for path in rule.then.infers if path in self.given)
            self.guarded[rule.id] = told
            self.fired[rule.id] = both(found.true, negated(told))

    def add(self, path: str, column: Column) -> None:
        """A fact that becomes known after the first rules were read."""
        self.given[path] = self._closed[path] = column
        self._leaves = {leaf: truths for leaf, truths in self._leaves.items() if leaf.fact != path}

    def condition(self, condition: Condition) -> Truths:
        return condition_truths(condition, self)

    def leaf(self, leaf: Leaf) -> Truths:
        if leaf not in self._leaves:
            coder = self.plan.coder
            codes = [coder.word(leaf.fact, value) for value in leaf.values] if isinstance(leaf, Is) else []
            found = leaf_truths(leaf, self.fact(leaf.fact), codes, coder.is_word(leaf.fact))
            if isinstance(leaf, Known) and leaf.fact in self.pending:
                found = Truths(found.true, both(found.false, negated(self.pending[leaf.fact])))
            self._leaves[leaf] = found
        return self._leaves[leaf]

    def fact(self, path: str) -> Column:
        """A fact as it is told, computed or inferred: the rules that infer it stand below those that read it."""
        if path not in self._closed:
            self._closed[path] = self._inferred(path)
        return self._closed[path]

    def _inferred(self, path: str) -> Column:
        column = self.given.get(path, ABSENT)
        earlier: list[tuple[Column, Flags]] = []
        for name in self.base.ordered.inferring.get(path, ()):
            fired = self.fired.get(name, False)
            if fired is False:
                continue
            low, high = self.plan.coder.code(path, self.base.rules[name].then.infers[path])
            for other, before in earlier:
                if (other.low, other.high) != (low, high):
                    self.conflict = either(self.conflict, both(fired, before))
            earlier.append((Column(True, low, high), fired))
            column = first_of(column, Column(fired, low, high), self.choose)
        return column

    # Defeats

    def standing(self, name: str) -> Flags:
        """Where the rule fired and no rule that stands defeats it."""
        if name not in self._standing:
            beaten = some(self.standing(other) for other in self.base.ordered.defeaters.get(name, ()))
            self._standing[name] = both(self.fired.get(name, False), negated(beaten))
        return self._standing[name]

    def undecided(self, name: str) -> Flags:
        return self.truths[name].unknown

    # What could still be told

    def may_change(self, name: str) -> Flags:
        """Where the rule is undecided, and something that somebody could still tell would decide it."""
        open_ones = both(self.truths[name].unknown, negated(self.guarded[name]))
        return both(open_ones, self._waits(name)) if open_ones is not False else False

    def _waits(self, name: str) -> Flags:
        if name not in self._waiting_rules:
            self._waiting_rules[name] = some(
                both(self.leaf(leaf).unknown, self._waits_at(leaf.fact)) for leaf in self.plan.leaves[name]
            )
        return self._waiting_rules[name]

    def _waits_at(self, path: str) -> Flags:
        """Where what is not known of the fact hangs on something that a person could tell, or tell more exactly."""
        if path not in self._waiting_paths:
            self._waiting_paths[path] = self._follow(path)
        return self._waiting_paths[path]

    def _follow(self, path: str) -> Flags:
        found = self.pending.get(path, False)
        if self._is_told(path):
            found = either(found, negated(self.given.get(path, ABSENT).final))
        formula = self.base.formula_of.get(path) if found is not True else None
        for source in formula.inputs if formula else ():
            found = either(found, self._may_narrow(source))
        rules = self.base.ordered.inferring.get(path, ()) if found is not True else ()
        if rules:
            unknown = negated(self.fact(path).known)
            found = either(found, both(unknown, some(self._waits(name) for name in rules)))
        if path in self.given and not self._is_told(path):
            found = both(found, negated(self.given[path].final))
        return found

    def _may_narrow(self, source: str) -> Flags:
        """Where what a formula reads may still become known, or known more exactly."""
        column = self.fact(source)
        wide = both(column.known, column.low < column.high)
        inexact = either(negated(column.known), wide)
        found = both(inexact, self._waits_at(source)) if inexact is not False else False
        if self._is_told(source) and source not in self.base.formula_of:
            found = either(found, wide)
        return found

    def _is_told(self, path: str) -> bool:
        return self.base.vocabulary.facts[path].origin == "told"


def first_of(one: Column, other: Column, choose: Choosing) -> Column:
    """The first column where it is known, else the other."""
    if one.known is True:
        return one
    if one.known is False:
        return other
    known = either(one.known, other.known)
    return Column(known, choose.chosen(one.known, one.low, other.low), choose.chosen(one.known, one.high, other.high))


class ColumnBounds:
    """What may and what must stand of the rules before the verdict: `settling.Bounds`, on columns."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.base = reading.base
        self._surely: dict[str, Flags] = {}
        self._may: dict[str, Flags] = {}

    def surely(self, name: str) -> Flags:
        if name not in self._surely:
            defeaters = self.base.ordered.defeaters.get(name, ())
            fired = self.reading.fired[name]
            self._surely[name] = (
                both(fired, every(negated(self.may(d)) for d in defeaters)) if fired is not False else False
            )
        return self._surely[name]

    def may(self, name: str) -> Flags:
        if name not in self._may:
            defeaters = self.base.ordered.defeaters.get(name, ())
            open_ones = either(self.reading.fired[name], self.reading.may_change(name))
            self._may[name] = (
                both(open_ones, every(negated(self.surely(d)) for d in defeaters)) if open_ones is not False else False
            )
        return self._may[name]

    def surely_excluded(self, route: str) -> Flags:
        return some(self.surely(name) for name in self._excluding(route))

    def may_be_excluded(self, route: str) -> Flags:
        return some(self.may(name) for name in self._excluding(route))

    def _excluding(self, route: str) -> list[str]:
        return [rule.id for rule in self.reading.plan.first if route in rule.then.excludes]

    def least_lead(self, route: str, other: str) -> Flags:
        """The smallest lead that the route's score can have over the other's; a number or a column."""
        choose, weights = self.reading.choose, self.base.routes.weights
        found: Flags = 0.0
        for rule in self.reading.plan.first:
            lead = 0.0
            for item in rule.then.evidence:
                sign = (1 if item.supports else -1) * {route: 1, other: -1}.get(item.route, 0)
                lead += sign * weights[item.strength]
            if lead:
                counted = self.surely(rule.id) if lead > 0 else self.may(rule.id)
                found = found + choose.chosen(counted, lead, 0.0)
        return found

    def surely_decides(self) -> Flags:
        weights, decisive = self.base.routes.weights, self.base.routes.weights[self.base.routes.decisive]
        return some(
            both(self.surely(rule.id), negated(self.may_be_excluded(item.route)))
            for rule in self.reading.plan.first
            for item in rule.then.evidence
            if weights[item.strength] >= decisive
        )

    def is_proved(self, route: str) -> Flags:
        """Where no completion ends in another primary route, those set aside in which no route is left."""
        rivals = [name for name in self.base.routes.primary if name != route]
        alone = every(self.surely_excluded(name) for name in rivals)
        if alone is True:
            return True
        ahead = every(either(self.surely_excluded(rival), self.least_lead(route, rival) > 0) for rival in rivals)
        leads = both(both(negated(self.may_be_excluded(route)), self.surely_decides()), ahead)
        return either(alone, leads)

    def waits_with(self, route: str) -> Flags:
        """Where some rule that bears on the exclusion of the route is undecided: it may become impossible."""
        reached: dict[str, Flags] = {name: self.may(name) for name in self._excluding(route)}
        waiting = list(reached)
        while waiting:
            name = waiting.pop()
            for other in self.base.ordered.defeaters.get(name, ()):
                more = both(reached[name], self.may(other))
                if more is not False:
                    reached[other] = either(reached.get(other, False), more)
                    waiting.append(other)
        return some(both(at, self.reading.may_change(name)) for name, at in reached.items())
