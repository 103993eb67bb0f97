"""Puts rules in their order of firing and refuses those that cannot stand together.

A rule stands above the rules that infer the facts it reads (strata). Rules that only advise stand apart, after the
verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from engine.faults import Report, did_you_mean, nearest
from engine.language import Conclusion, Known, NoneOf, Rule, branch_count, branches, facts_read, leaves
from engine.values import Text, Value
from engine.vocabulary import FactType, Vocabulary

MAX_BRANCHES = 64
MAX_RULES = 5000


@dataclass(frozen=True)
class Ordered:
    """Rules in order of firing: those that bear on the verdict, then those that speak after it.

    `inferring` tells for each inferred fact which rules infer it; `defeaters` tells for each rule which may defeat it.
    """

    rules: tuple[Rule, ...]
    after_verdict: frozenset[str]
    inferring: Mapping[str, tuple[str, ...]]
    defeaters: Mapping[str, tuple[str, ...]]


def order_rules(rules: Sequence[Rule], vocabulary: Vocabulary, report: Report) -> Ordered:
    """Checks the rules against each other and orders them. What is wrong goes to the report."""
    unique = _unique(rules, report)
    late = _after_verdict(unique)
    _check_each(unique, late, vocabulary, report)
    _check_size(unique, report)
    _check_defeats(unique, late, report)
    inferring = _inferring(unique.values())
    _check_values(inferring, unique, vocabulary, report)
    otherwise = _unique(_otherwise_rules(inferring, unique, vocabulary), report, unique)
    _check_size(otherwise, report)
    everything = {**unique, **otherwise}
    strata = _strata(everything, report)
    place = {name: number for number, name in enumerate(everything)}
    in_order = sorted(everything, key=lambda name: (name in late, strata.get(name, 0), place[name]))
    return Ordered(
        rules=tuple(everything[name] for name in in_order),
        after_verdict=frozenset(late),
        inferring=_inferring(everything.values()),
        defeaters=_defeaters(everything.values()),
    )


def _unique(rules: Sequence[Rule], report: Report, taken: Mapping[str, Rule] | None = None) -> dict[str, Rule]:
    """The rules by their ids; reports an id that stands twice, or that one of the `taken` has."""
    found: dict[str, Rule] = {}
    for rule in rules:
        first = found.get(rule.id) or (taken or {}).get(rule.id)
        if first:
            report.add("duplicate-id", rule.place, id=rule.id, first=str(first.place))
        found.setdefault(rule.id, rule)
    return found


def _after_verdict(rules: Mapping[str, Rule]) -> set[str]:
    """Rules that only advise or give a form, and rules that defeat only such rules."""
    late = {name for name, rule in rules.items() if not rule.then.moves_route and not rule.then.defeats}
    growing = True
    while growing:
        more = {
            name
            for name, rule in rules.items()
            if name not in late and not rule.then.moves_route and late.issuperset(rule.then.defeats)
        }
        late |= more
        growing = bool(more)
    return late


def _check_each(rules: Mapping[str, Rule], late: set[str], vocabulary: Vocabulary, report: Report) -> None:
    for name, rule in rules.items():
        reads_verdict = [
            p for p in facts_read(rule.when) if p in vocabulary.facts and vocabulary.facts[p].origin == "verdict"
        ]
        if name not in late and reads_verdict:
            report.add("verdict-too-early", rule.place, rule=name, fact=reads_verdict[0])
        if name not in late and any(isinstance(leaf, Known) for leaf in leaves(rule.when)):
            report.add("known-too-early", rule.place, rule=name)
        if name not in late and (rule.then.forms or rule.then.advises):
            report.add("advice-too-early", rule.place, rule=name)


def _check_size(rules: Mapping[str, Rule], report: Report) -> None:
    """Raises at once where something is too large: what follows makes every alternative of every rule."""
    for name, rule in rules.items():
        if branch_count(rule.when) > MAX_BRANCHES:
            report.add("too-many-branches", rule.place, rule=name, limit=MAX_BRANCHES)
    if len(rules) > MAX_RULES:
        report.add("too-many-rules", rules[max(rules)].place, limit=MAX_RULES)
    if any(fault.key in ("too-many-branches", "too-many-rules") for fault in report.faults):
        report.check()


def _check_defeats(rules: Mapping[str, Rule], late: set[str], report: Report) -> None:
    for name, rule in rules.items():
        for target in rule.then.defeats:
            if target not in rules:
                hint = did_you_mean(nearest(target, rules))
                report.add("unknown-rule", rule.place, typed=target, hint=hint)
            elif rules[target].then.infers:
                report.add("defeats-inference", rule.place, rule=name, target=target)
            elif (target in late) != (name in late):
                report.add("defeats-across", rule.place, rule=name, target=target)
    graph = {name: [t for t in rule.then.defeats if t in rules] for name, rule in rules.items()}
    _refuse_circle(graph, rules, "defeat-circle", report)


def _refuse_circle(graph: Mapping[str, Iterable[str]], rules: Mapping[str, Rule], key: str, report: Report) -> bool:
    """Reports a circle as a → b → c → a; the arrows go as the graph's do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        first = min(circle)
        turned = circle[circle.index(first) : -1] + circle[: circle.index(first)] + [first]
        place = rules[first].place if first in rules else None
        report.add(key, place, circle=" → ".join(turned))
        return True
    return False


def _inferring(rules: Iterable[Rule]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in rules:
        for path in rule.then.infers:
            found.setdefault(path, []).append(rule.id)
    return {path: tuple(names) for path, names in found.items()}


def _defeaters(rules: Iterable[Rule]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in rules:
        for target in rule.then.defeats:
            found.setdefault(target, []).append(rule.id)
    return {target: tuple(names) for target, names in found.items()}


def _check_values(
    inferring: Mapping[str, tuple[str, ...]],
    rules: Mapping[str, Rule],
    vocabulary: Vocabulary,
    report: Report,
) -> None:
    """Every value of an inferred fact has a rule or an otherwise; no two rules surely infer different values."""
    for fact in vocabulary.facts.values():
        names = inferring.get(fact.path, ())
        if fact.origin == "inferred" or names:
            _check_inferred(fact, [rules[name] for name in names], report)


def _check_inferred(fact: FactType, rules: Sequence[Rule], report: Report) -> None:
    inferred = {rule.then.infers[fact.path] for rule in rules}
    missing = [str(value) for value in fact.values if value not in inferred]
    if fact.otherwise is None and (missing or not fact.values):
        place = rules[0].place if rules else fact.place
        report.add("no-otherwise", place, fact=fact.path, missing=missing or ["…"])
    for number, rule in enumerate(rules):
        for other in rules[number + 1 :]:
            if rule.then.infers[fact.path] != other.then.infers[fact.path] and _overlaps(rule, other):
                report.add("infers-twice", other.place, fact=fact.path, first=rule.id, second=other.id)


def _overlaps(rule: Rule, other: Rule) -> bool:
    """Whether one rule surely fires whenever the other does: every test of a branch stands in the other's branch."""
    mine, theirs = (
        [frozenset((s.leaf, s.wanted) for s in branch) for branch in branches(r.when)] for r in (rule, other)
    )
    return any(a <= b or b <= a for a in mine for b in theirs)


def _otherwise_rules(
    inferring: Mapping[str, tuple[str, ...]], rules: Mapping[str, Rule], vocabulary: Vocabulary
) -> list[Rule]:
    return [
        _otherwise(fact, fact.otherwise, [rules[name] for name in inferring[fact.path]])
        for fact in vocabulary.facts.values()
        if fact.otherwise is not None and fact.path in inferring
    ]


def _otherwise(fact: FactType, value: Value, rules: Sequence[Rule]) -> Rule:
    """The rule that holds when every rule that infers the fact is known to be false."""
    from engine.faults import LANGUAGES, messages

    def text(key: str) -> Text:
        return {c: messages(c)[key].format(fact=fact.title[c], value=fact.show(value, c)) for c in LANGUAGES}

    return Rule(
        id=f"{fact.path}.otherwise",
        title=text("otherwise-title"),
        source=tuple(dict.fromkeys(row for rule in rules for row in rule.source)),
        when=NoneOf(tuple(rule.when for rule in rules)),
        then=Conclusion(infers={fact.path: value}),
        because=text("otherwise-because"),
        cases=(),
        place=rules[0].place,
        otherwise_of=fact.path,
    )


def _strata(rules: Mapping[str, Rule], report: Report) -> Mapping[str, int]:
    """The stratum of each rule: one above the rules that infer what it reads."""
    inferring = _inferring(rules.values())
    graph = {
        name: tuple(dict.fromkeys(n for path in facts_read(rule.when) for n in inferring.get(path, ())))
        for name, rule in rules.items()
    }
    plain = {
        name: [n for n in below if rules[n].otherwise_of is None]
        for name, below in graph.items()
        if rules[name].otherwise_of is None
    }
    if _refuse_circle(plain, rules, "inference-circle", report) or _refuse_circle(
        graph, rules, "inference-circle", report
    ):
        return {}
    strata: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        strata[name] = 1 + max((strata[below] for below in graph[name]), default=-1)
    return strata
