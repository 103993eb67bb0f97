"""Figures as JSON data: what scripts read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from cli.render.figures_text import Checked, readers, warning_line
from engine.base import KnowledgeBase
from engine.faults import Place
from engine.figures import CONFIDENCES, Figure, is_past
from engine.trace import Tool
from engine.values import to_json
from knowledge.price_checks import PriceWarning


def figures_json(base: KnowledgeBase, figures: Iterable[Figure], on: date, language: str, tool: Tool) -> dict[str, Any]:
    """Some figures with all that is known of them; only their titles depend on the language."""
    return {**_head("figures", base, on, tool), "figures": [figure_json(base, f, on, language) for f in figures]}


def check_json(base: KnowledgeBase, checked: Checked, language: str, tool: Tool) -> dict[str, Any]:
    """What a check found; only the texts of warnings depend on the language."""
    return {
        **_head("figures-check", base, checked.on, tool),
        "figures": {file: _counts(figures, checked.on) for file, figures in checked.by_file().items()},
        "past": [{"id": figure.id, "as_of": figure.as_of} for figure in checked.past],
        "offers": {card: dict(regions) for card, regions in checked.offers.items()},
        "warnings": [_warning(warning, language) for warning in checked.warnings],
    }


def _head(kind: str, base: KnowledgeBase, on: date, tool: Tool) -> dict[str, Any]:
    return {
        "schema": f"{tool.name}/{kind}/1",
        "version": tool.version,
        "knowledge": {"digest": base.digest},
        "as_of": on.isoformat(),
    }


def figure_json(base: KnowledgeBase, figure: Figure, on: date, language: str) -> dict[str, Any]:
    """One figure. `past`: older than it may be on that day; `read_by`: computed facts whose formulas may read it."""
    return {
        "id": figure.id,
        "title": figure.title.get(language),
        "value": to_json(figure.value),
        "unit": figure.unit,
        "as_of": figure.as_of,
        "valid_months": figure.valid_months,
        "past": is_past(figure, on),
        "source": figure.source,
        "confidence": figure.confidence,
        "note": figure.note or None,
        "rows": list(figure.rows),
        "place": _place(figure.place),
        "attributes": dict(figure.attributes),
        "read_by": list(readers(base, figure)),
    }


def _place(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line}


def _counts(figures: Iterable[Figure], on: date) -> dict[str, int]:
    found = {**dict.fromkeys(CONFIDENCES, 0), "past": 0}
    for figure in figures:
        found[figure.confidence] += 1
        found["past"] += is_past(figure, on)
    return found


def _warning(warning: PriceWarning, language: str) -> dict[str, Any]:
    prices = {"price": warning.figure, "on_demand": warning.on_demand}
    return {
        "kind": warning.kind,
        **{
            key: {
                "id": figure.id,
                "value": to_json(figure.value),
                "unit": figure.unit,
                "place": _place(figure.place),
            }
            for key, figure in prices.items()
        },
        "text": warning_line(warning, language),
    }
