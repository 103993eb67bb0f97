"""The verdict as JSON data: what scripts read."""

from __future__ import annotations

from typing import Any

from engine.base import KnowledgeBase
from engine.consultation import Consultation, Judgement, undecided
from engine.trace import Tool
from engine.values import to_json


def verdict_json(consultation: Consultation, language: str, tool: Tool) -> dict[str, Any]:
    """The whole verdict; only texts of advice depend on the language."""
    base, overall = consultation.base, consultation.overall
    return {
        "schema": f"{tool.name}/verdict/1",
        "version": tool.version,
        "knowledge": {"digest": base.digest, "rules": len(base.written), "prices_as_of": None},
        "profile": {"digest": consultation.profile.digest},
        "overall": {
            "route": overall.route,
            "form": overall.form,
            "status": overall.status,
            "reasons": list(overall.reasons),
            "advice": [],
        },
        "workloads": [workload_json(base, judgement, language) for judgement in consultation.judgements],
    }


def workload_json(base: KnowledgeBase, judgement: Judgement, language: str) -> dict[str, Any]:
    """The verdict on one workload."""
    settlement, weighing = judgement.settlement, judgement.weighing
    composite = {route.id: None for route in base.routes.routes if not route.primary}
    return {
        "name": judgement.name,
        "route": judgement.route,
        "form": judgement.form,
        "status": judgement.status,
        "proof": settlement.proof,
        "may_become_infeasible": list(settlement.may_become_infeasible),
        "parts": None,
        "scores": {**{route: to_json(score) for route, score in weighing.scores.items()}, **composite},
        "excluded": {route: list(rules) for route, rules in weighing.exclusions.items()},
        "rules": _rules_json(base, judgement),
        "tie": judgement.decision.tie.id if judgement.decision.tie else None,
        "unknown": list(settlement.unknown),
        "flips": None,
        "advice": _advice_json(base, judgement, language),
        "cost": None,
    }


def _rules_json(base: KnowledgeBase, judgement: Judgement) -> dict[str, Any]:
    return {
        "fired": list(judgement.inference.fired),
        "defeated": dict(judgement.inference.defeated),
        "undecided": {name: list(facts) for name, facts in undecided(base, judgement).items()},
    }


def _advice_json(base: KnowledgeBase, judgement: Judgement, language: str) -> list[dict[str, str]]:
    found = []
    for advised in judgement.advice:
        item = base.advice[advised.id]
        found.append({"id": item.id, "kind": item.kind, "text": item.text[language], "rule": advised.rule})
    return found
