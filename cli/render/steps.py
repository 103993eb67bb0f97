"""An explanation that is read from above: what has been told is not told again."""

from __future__ import annotations

from engine.rule_steps import Step


def unfold(step: Step, told: set[tuple[str, str]]) -> tuple[Step, ...]:
    """What the step rests on, but for a rule or a fact that has been told: then nothing."""
    if step.kind in ("rule", "fact") and step.children:
        if (step.kind, step.id) in told:
            return ()
        told.add((step.kind, step.id))
    return step.children
