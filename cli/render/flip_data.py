"""Changes that would change the route, as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values import to_json

if TYPE_CHECKING:
    from engine.confirming import Confirmed
    from engine.flip_parts import Change


def flip_json(found: Confirmed) -> dict[str, Any]:
    """What is set, and the verdict that comes of it."""
    judgement = found.judgement
    return {
        "set": {path: to_json(value) for path, value in found.flip.facts.items()},
        "route": judgement.route,
        "form": judgement.form,
        "status": judgement.status,
    }


def changes_json(found: Confirmed) -> list[dict[str, Any]]:
    """Each change with what was told before, None for nothing, and the numbers around it that do as well.

    The limits have the names that they have in rules; those that a change does not have are left out.
    """
    return [_change_json(change) for change in found.flip.changes]


def _change_json(change: Change) -> dict[str, Any]:
    limits = {}
    if change.low is not None:
        limits["at_least" if change.low.closed else "more_than"] = to_json(change.low.number)
    if change.high is not None:
        limits["at_most" if change.high.closed else "less_than"] = to_json(change.high.number)
    before = None if change.before is None else to_json(change.before)
    return {"fact": change.path, "from": before, "to": to_json(change.value), **limits}
