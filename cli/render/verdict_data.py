"""The verdict as JSON data: what scripts read."""

from __future__ import annotations

from typing import Any

from engine.base import KnowledgeBase
from engine.consultation import Consultation, Judgement, undecided
from engine.values import to_json

SCHEMA = "verdict/1"


def verdict_json(consultation: Consultation, language: str, version: str) -> dict[str, Any]:
    """The whole verdict; only texts of advice depend on the language."""
    base, overall = consultation.base, consultation.overall
    return {
        "schema": SCHEMA,
        "version": version,
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
    inference, settlement = judgement.inference, judgement.settlement
    composite = {route.id: None for route in base.routes.routes if not route.primary}
    return {
        "name": judgement.name,
        "route": judgement.route,
        "form": judgement.form,
        "status": judgement.status,
        "proof": settlement.proof,
        "may_become_infeasible": list(settlement.may_become_infeasible),
        "parts": None,
        "scores": {**{r: to_json(score) for r, score in judgement.weighing.scores.items()}, **composite},
        "excluded": {route: list(rules) for route, rules in judgement.weighing.exclusions.items()},
        "rules": {
            "fired": list(inference.fired),
            "defeated": dict(inference.defeated),
            "undecided": {name: list(facts) for name, facts in undecided(base, judgement).items()},
        },
        "tie": judgement.decision.tie.id if judgement.decision.tie else None,
        "unknown": list(settlement.unknown),
        "flips": None,
        "advice": [
            {
                "id": a.id,
                "kind": base.advice[a.id].kind,
                "text": base.advice[a.id].text[language],
                "rule": a.rule,
            }
            for a in judgement.advice
        ],
        "cost": None,
    }
