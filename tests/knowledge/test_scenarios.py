"""The scenarios cover what the rule base can say, and no rule of it is idle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest

from engine.base import KnowledgeBase
from engine.checking import Scenario, read_scenarios
from engine.consultation import NO_ROUTE, Consultant, Consultation
from engine.faults import Report
from engine.inference import Inference
from engine.judgement import Judgement
from engine.language import Rule
from engine.ordering import order_rules
from engine.routes import STATUSES
from knowledge import FOLDER, knowledge_base

# One process consults on the scenarios for all tests of this file.
pytestmark = pytest.mark.xdist_group("scenarios")


@dataclass(frozen=True)
class Consulted:
    """A scenario and what came of it."""

    scenario: Scenario
    consultation: Consultation

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return self.consultation.judgements


@cache
def consulted() -> tuple[Consulted, ...]:
    base, report = knowledge_base(), Report()
    consultant = Consultant(base, search=None)
    scenarios = read_scenarios(FOLDER, base, report)
    report.check()
    return tuple(Consulted(item, consultant.consult(item.profile)) for item in scenarios)


def judgements() -> Iterator[Judgement]:
    return (judgement for item in consulted() for judgement in item.judgements)


def with_parts(judgement: Judgement) -> Iterator[Judgement]:
    """The judgement and those of every part that was judged on the way to it."""
    yield judgement
    for tried in judgement.tried:
        yield from (part.judgement for part in tried.parts)


def test_no_two_scenarios_have_one_name() -> None:
    names = [item.scenario.name for item in consulted()]
    assert [name for name in names if names.count(name) > 1] == []


def test_every_form_of_every_route_comes_out_of_some_scenario() -> None:
    base = knowledge_base()
    wholes = {(item.consultation.overall.route, item.consultation.overall.form) for item in consulted()}
    found = {(j.route, j.form) for j in judgements()} | wholes
    wanted = {(route.id, form.id) for route in base.routes.routes for form in route.forms}
    assert sorted(wanted - found) == []


def test_every_status_comes_out_of_some_scenario() -> None:
    assert sorted(set(STATUSES) - {j.status for j in judgements()}) == []
    assert sorted(set(STATUSES) - {item.consultation.overall.status for item in consulted()}) == []


def test_every_division_comes_out_of_some_scenario_and_fails_in_another() -> None:
    tried = [item for j in judgements() for item in j.tried if item.parts]
    ways = {(item.division.id, item.came_out) for item in tried}
    wanted = {(division.id, came_out) for division in knowledge_base().divisions for came_out in (True, False)}
    assert sorted(wanted - ways) == []


def test_every_sum_over_several_workloads_is_unmet_in_some_scenario() -> None:
    unmet = {found.sum.id for item in consulted() for found in item.consultation.overall.unmet}
    assert [item.id for item in knowledge_base().sums if item.id not in unmet] == []


def test_every_advice_item_is_given_in_some_scenario() -> None:
    given = {advised.id for judgement in judgements() for advised in judgement.advice}
    assert [name for name in knowledge_base().advice if name not in given] == []


def test_every_rule_stands_in_some_scenario() -> None:
    stood = {
        rule.id for judgement in judgements() for part in with_parts(judgement) for rule in part.inference.standing()
    }
    assert [rule.id for rule in knowledge_base().written if rule.id not in stood] == []


def test_every_defeat_that_is_written_happens_in_some_scenario() -> None:
    happened = {pair for j in judgements() for part in with_parts(j) for pair in both_fired(part.inference)}
    told = {(rule.id, target) for rule in knowledge_base().written for target in rule.then.defeats}
    assert sorted(told - happened) == []


def both_fired(inference: Inference) -> Iterator[tuple[str, str]]:
    """Who defeats whom: the defeater stands, and the defeated rule fired, by whomever it was defeated first."""
    for rule in inference.standing():
        yield from ((rule.id, target) for target in rule.then.defeats if target in inference.fired)


# What becomes of the verdicts without a rule


def without(base: KnowledgeBase, rule: Rule) -> KnowledgeBase:
    """The rule base less one rule, and less every word of it in the others."""
    rest = [
        replace(other, then=replace(other.then, defeats=tuple(t for t in other.then.defeats if t != rule.id)))
        for other in base.written
        if other.id != rule.id
    ]
    return replace(base, ordered=order_rules(rest, base.vocabulary, Report()))


def outcome(consultation: Consultation) -> Sequence[object]:
    """All that a reader is told to do: routes, forms, statuses and advice. Scores and reasons are left out."""
    told = [(j.route, j.form, j.status, sorted(item.id for item in j.advice)) for j in consultation.judgements]
    return (*told, consultation.overall.route, consultation.overall.status)


def changes_a_verdict(rule: Rule) -> bool:
    """Whether some scenario in which the rule stands ends otherwise without it."""
    consultant = Consultant(without(knowledge_base(), rule), search=None)
    standing = [
        item
        for item in consulted()
        if any(rule in part.inference.standing() for j in item.judgements for part in with_parts(j))
    ]
    standing.sort(key=lambda item: not named(rule, item.scenario))
    return any(outcome(consultant.consult(i.scenario.profile)) != outcome(i.consultation) for i in standing)


def named(rule: Rule, scenario: Scenario) -> bool:
    """Whether the scenario says that the rule fires: the likeliest place to see what it does."""
    return any(rule.id in expected.holds.get("fired", ()) for expected in scenario.workloads)


def changes_advice(rule: Rule) -> bool:
    """Whether some scenario in which the rule stands gets another form or other advice without it."""
    return any(late(j, None) != late(j, rule) for j in judgements() if rule in j.inference.standing())


def late(judgement: Judgement, left_out: Rule | None) -> tuple[str | None, frozenset[str]]:
    """Form and advice as the rules after the verdict give them, less one of them, read off the record."""
    base, inference = knowledge_base(), judgement.inference
    fired = {name for name in inference.fired if left_out is None or name != left_out.id}
    standing = [base.rules[name] for name in fired if not defeated(name, fired, base.ordered.defeaters)]
    named = {rule.then.forms.get(judgement.route or NO_ROUTE) for rule in standing}
    order = base.routes.form_order(judgement.route) if judgement.route else ()
    form = next((form for form in order if form in named), None)
    return form, frozenset(name for rule in standing for name in rule.then.advises)


def defeated(name: str, fired: set[str], defeaters: Mapping[str, Sequence[str]]) -> bool:
    return any(other in fired and not defeated(other, fired, defeaters) for other in defeaters.get(name, ()))


def test_no_rule_is_idle() -> None:
    base = knowledge_base()
    idle = [
        rule.id
        for rule in base.written
        if not (changes_advice(rule) if rule.id in base.ordered.after_verdict else changes_a_verdict(rule))
    ]
    assert idle == []
