"""The costing as JSON data: what scripts read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cli.render.cost_page import Costed
from cli.render.cost_wording import Wording
from engine.consultation import Consultation
from engine.figures import Figure
from engine.trace import Tool
from engine.values import Interval, to_json
from knowledge.costing import BreakEven, Input, Line, Meeting, Missing, Option, Swing
from knowledge.transfer import Way, cheapest, quickest


def cost_json(consultation: Consultation, costed: Sequence[Costed], wording: Wording, tool: Tool) -> dict[str, Any]:
    """Everything of every costing; only titles and formulas in words depend on the language."""
    return {
        "schema": f"{tool.name}/cost/1",
        "version": tool.version,
        "knowledge": {"digest": consultation.base.digest},
        "profile": {"digest": consultation.profile.digest},
        "as_of": wording.on.isoformat(),
        "workloads": [{"name": item.name, **costing_json(item, wording)} for item in costed],
    }


def costing_json(costed: Costed, wording: Wording) -> dict[str, Any]:
    """One costing. Amounts are in its currency; a pair is the least and the most.

    `figures` are those of others that were used: unit and value as published; `past`: older than they may be.
    `moving`: ways to move the data, fees in the currency of each; `quickest` and `cheapest` name those than which none
    is surely quicker, or of those whose fee is known, cheaper.
    """
    costing = costed.costing
    return {
        "currency": costing.currency,
        "horizon_months": _value(costing.horizon_months),
        "gpu_hours_per_month": _value(costing.gpu_hours_per_month),
        "cards": list(costing.cards),
        "no_use": costing.no_use,
        "ratio": _value(costing.ratio),
        "options": [_option(option, costed, wording) for option in costing.options],
        "break_even": [_break_even(item) for item in costing.break_even],
        "swings": [_swing(swing, wording) for swing in costing.swings],
        "moving": [_way(way, wording) for way in costing.moving],
        "quickest": [way.id for way in quickest(costing.moving)],
        "cheapest": [way.id for way in cheapest(costing.moving)],
        "offers": costing.offers,
        "providers": costing.providers,
        "at_list_price": costing.at_list_price,
        "not_counted": list(costing.not_counted),
        "grant": costing.grant,
        "rates": list(costing.rates),
        "missing": [_missing(item, wording) for item in costing.missing],
        "figures": [_figure(f, wording) for f in wording.shipped(costing.figures, costed.told)],
    }


def _value(value: float | Interval | None) -> object:
    return None if value is None else to_json(value)


def _numbers(values: Iterable[float]) -> list[object]:
    return [to_json(value) for value in values]


def _option(option: Option, costed: Costed, wording: Wording) -> dict[str, Any]:
    least, most = option.cumulative
    return {
        "id": option.id,
        "title": wording.option(option.id),
        "route": option.route,
        "total": _numbers(option.total) if option.total else None,
        "low_confidence_share": wording.low_share(option, costed.costing.figures, costed.told),
        "lines": [_line(line, wording) for line in option.lines],
        "offers": list(option.offers) if option.offers else None,
        "missing": [_missing(item, wording) for item in option.missing],
        "months": _numbers(option.months),
        "cumulative": {"least": _numbers(least), "most": _numbers(most)},
    }


def _line(line: Line, wording: Wording) -> dict[str, Any]:
    return {
        "id": line.id,
        "title": wording.line(line.id),
        "formula": wording.formula(line.id),
        "least": to_json(line.least),
        "most": to_json(line.most),
        "upfront": line.upfront,
        "at_end": line.at_end,
        "again": _numbers(line.again),
        "inputs": [_input(item, wording) for item in line.inputs],
    }


def _input(item: Input, wording: Wording) -> dict[str, Any]:
    return {
        "name": item.name,
        "title": wording.input(item.name),
        "kind": item.kind,
        "least": to_json(item.least),
        "most": to_json(item.most),
        "unit": item.unit,
    }


def _missing(item: Missing, wording: Wording) -> dict[str, Any]:
    return {"kind": item.kind, "name": item.name, "region": item.region, "text": wording.missing(item)}


def _break_even(item: BreakEven) -> dict[str, Any]:
    return {
        "mode": item.mode,
        "utilization": _value(item.utilization),
        "month": _value(item.month),
        "price": _value(item.price),
        "meetings": [_meeting(meeting) for meeting in item.meetings] if item.meetings else None,
    }


def _meeting(meeting: Meeting) -> dict[str, Any]:
    """Each pair: what it costs with the steady GPUs never busy, and always."""
    return {
        "case": "most" if meeting.end else "least",
        "own": _numbers(meeting.own),
        "rented": _numbers(meeting.rented),
    }


def _way(way: Way, wording: Wording) -> dict[str, Any]:
    return {
        "id": way.id,
        "title": wording.way(way),
        "days": _value(way.days),
        "fee": _value(way.fee),
        "currency": way.currency,
        "at_least": way.at_least,
        "devices": _value(way.devices),
    }


def _swing(swing: Swing, wording: Wording) -> dict[str, Any]:
    return {
        "name": swing.name,
        "title": wording.input(swing.name),
        "kind": swing.kind,
        "low": to_json(swing.low),
        "high": to_json(swing.high),
        "unit": swing.unit,
        "ratio_at_low": to_json(swing.ratio_at_low),
        "ratio_at_high": to_json(swing.ratio_at_high),
    }


def _figure(figure: Figure, wording: Wording) -> dict[str, Any]:
    return {
        "id": figure.id,
        "value": to_json(figure.value),
        "unit": figure.unit,
        "as_of": figure.as_of,
        "source": figure.source,
        "confidence": figure.confidence,
        "past": wording.is_past(figure),
    }
