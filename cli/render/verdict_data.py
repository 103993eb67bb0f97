"""The verdict as JSON data: what scripts read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from cli.outlook import Outlook
from cli.render.flip_data import changes_json, flip_json
from cli.render.spread_text import spread_json
from engine.base import KnowledgeBase
from engine.consultation import Consultation, undecided
from engine.judgement import Judgement
from engine.settling import Settlement, Witness
from engine.trace import Tool, figures_past
from engine.values import to_json
from knowledge.rental import PREFIX

_COST = "cost."


def verdict_json(
    consultation: Consultation,
    language: str,
    tool: Tool,
    on: date | None = None,
    outlooks: Sequence[Outlook] = (),
) -> dict[str, Any]:
    """The whole verdict; only texts of advice depend on the language.

    `on` is the day against which the age of figures is told, today where it is left out. `outlooks` go with the
    workloads one by one; what was not worked out is null.
    """
    around = outlooks or [Outlook() for _ in consultation.judgements]
    base, overall = consultation.base, consultation.overall
    past = figures_past(consultation, on or datetime.now().astimezone().date())
    return {
        "schema": f"{tool.name}/verdict/1",
        "version": tool.version,
        "knowledge": {
            "digest": base.digest,
            "rules": len(base.written),
            "prices_as_of": base.figures_as_of(PREFIX),
            "house": _house_json(base),
            "figures_past": [{"id": f.id, "as_of": f.as_of} for f in past],
        },
        "profile": {"digest": consultation.profile.digest},
        "overall": {
            "route": overall.route,
            "form": overall.form,
            "status": overall.status,
            "reasons": list(overall.reasons),
            "advice": [
                {"id": gap.sum.id, "kind": "gap", "text": gap.text[language], "rule": gap.sum.id}
                for gap in overall.unmet
            ],
        },
        "workloads": [
            {**workload_json(base, judgement, language), **_outlook_json(outlook)}
            for judgement, outlook in zip(consultation.judgements, around, strict=True)
        ],
    }


def _outlook_json(outlook: Outlook) -> dict[str, Any]:
    flips, triggers = outlook.flips, outlook.triggers
    return {
        "flips": None if flips is None else [{**flip_json(one), "changes": changes_json(one)} for one in flips],
        "triggers": None if triggers is None else [{**changes_json(t)[0], "route": t.flip.route} for t in triggers],
        "ranges": spread_json(outlook.spread),
    }


def _house_json(base: KnowledgeBase) -> dict[str, Any] | None:
    """The house rules in force; None where no folder of them was laid over."""
    return {"digest": base.house.digest, "rules": list(base.house.rules)} if base.house else None


def workload_json(base: KnowledgeBase, judgement: Judgement, language: str) -> dict[str, Any]:
    """The verdict on one workload."""
    settlement, weighing = judgement.settlement, judgement.weighing
    composite = {r.id: _composite_score(judgement, r.id) for r in base.routes.routes if not r.primary}
    return {
        "name": judgement.name,
        "route": judgement.route,
        "form": judgement.form,
        "status": judgement.status,
        "proof": settlement.proof,
        "may_become_infeasible": list(settlement.may_become_infeasible),
        "parts": _parts_json(base, judgement, language),
        "scores": {**{route: to_json(score) for route, score in weighing.scores.items()}, **composite},
        "excluded": _excluded_json(base, judgement),
        "rules": _rules_json(base, judgement),
        "tie": judgement.decision.tie.id if judgement.decision.tie else None,
        "unknown": list(settlement.unknown),
        "witness": _witness_json(settlement.witness),
        "tells": _tells_json(settlement),
        "advice": _advice_json(base, judgement, language),
        "cost": _cost_json(judgement),
    }


def _tells_json(settlement: Settlement) -> list[dict[str, Any]]:
    """Answers that change the route, each by itself (`alone`), or all of the witness together."""
    alone = settlement.witness is None or len(settlement.witness.facts) == 1
    return [{"fact": t.path, "value": to_json(t.value), "route": t.route, "alone": alone} for t in settlement.tells]


def _witness_json(witness: Witness | None) -> dict[str, Any] | None:
    """Answers that together lead to another route; None where none were found."""
    if witness is None:
        return None
    return {"set": {path: to_json(value) for path, value in witness.facts.items()}, "route": witness.route}


def _cost_json(judgement: Judgement) -> dict[str, Any] | None:
    """What the accounting came to, by the names of its facts; None where no part of it could be made."""
    facts = judgement.inference.facts
    found = {path.removeprefix(_COST): to_json(fact.value) for path, fact in facts.items() if path.startswith(_COST)}
    if not found:
        return None
    currency = facts.get("finance.currency")
    return {"currency": currency.value if currency else None, **found}


def _composite_score(judgement: Judgement, route: str) -> object:
    return to_json(judgement.score) if judgement.score is not None and judgement.route == route else None


def _excluded_json(base: KnowledgeBase, judgement: Judgement) -> dict[str, list[str]]:
    """The rules that exclude each route; a route made of several falls with those that it needs."""
    exclusions = judgement.weighing.exclusions
    found = {route: list(rules) for route, rules in exclusions.items()}
    for route in base.routes.routes:
        rules = [rule for needed in route.excluded_with for rule in exclusions.get(needed, ())]
        if rules:
            found[route.id] = rules
    return found


def _parts_json(base: KnowledgeBase, judgement: Judgement, language: str) -> list[dict[str, Any]] | None:
    """The verdict of each part where the route is made of parts, else None."""
    if judgement.division is None:
        return None
    found = []
    for part in judgement.division.parts:
        verdict = workload_json(base, part.judgement, language)
        verdict = {key: verdict[key] for key in ("route", "form", "status", "scores", "excluded", "rules", "unknown")}
        found.append({"part": part.part.id, "division": judgement.division.division.id, **verdict})
    return found


def _rules_json(base: KnowledgeBase, judgement: Judgement) -> dict[str, Any]:
    return {
        "fired": list(judgement.inference.fired),
        "defeated": dict(judgement.inference.defeated),
        "undecided": {name: list(facts) for name, facts in undecided(base, judgement).items()},
    }


def _advice_json(base: KnowledgeBase, judgement: Judgement, language: str) -> list[dict[str, str]]:
    return [
        {"id": item.id, "kind": base.advice[item.id].kind, "text": item.text[language], "rule": item.rule}
        for item in judgement.advice
    ]
