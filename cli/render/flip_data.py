"""Changes that would change the route, as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values import to_json

if TYPE_CHECKING:
    from engine.confirming import Confirmed
    from engine.flip_parts import Change
    from engine.limits import Limit


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
    """Each change with what was told before, null for nothing, and what bounds the numbers that do as well.

    Limits have the names that they have in rules; null where nothing bounds the numbers, and for words.
    """
    return [_change_json(change) for change in found.flip.changes]


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "fact": change.path,
        "from": None if change.before is None else to_json(change.before),
        "to": to_json(change.value),
        "low": _limit_json(change.low, "at_least", "more_than"),
        "high": _limit_json(change.high, "at_most", "less_than"),
    }


def _limit_json(limit: Limit | None, closed: str, opened: str) -> dict[str, Any] | None:
    return {closed if limit.closed else opened: to_json(limit.number)} if limit else None
