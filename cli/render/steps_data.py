"""An explanation as JSON data."""

from __future__ import annotations

from typing import Any

from engine.rule_steps import Step


def steps_json(step: Step, language: str) -> dict[str, Any]:
    """The step and what it rests on, in one language."""
    return {
        "kind": step.kind,
        "id": step.id,
        "text": step.text[language],
        "rows": list(step.rows),
        "because": [steps_json(child, language) for child in step.children],
    }
