"""How sure a verdict is over the ranges told, as words and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cli.strings import say
from engine.base import KnowledgeBase
from engine.values import bounds, interval, to_json

if TYPE_CHECKING:
    from engine.spread import RangeTold, Spread, Stretch  # NumPy comes with it, and most pages need none

LEAST_TOLD = 0.05
"""Below this share of the doubt a range is not worth naming: so much comes of the points alone."""


def spread_lines(spread: Spread, base: KnowledgeBase, language: str) -> Iterator[str]:
    """The share of each route, then what the range that tells most says at its low end and at its high one."""
    if len(spread.routes) == 1:
        yield say("verdict.spread-all", language, route=_route(next(iter(spread.routes)), base, language))
        return
    shares = [
        say("verdict.spread-share", language, route=_route(route, base, language), share=_percent(share))
        for route, share in spread.routes.items()
    ]
    yield say("verdict.spread-shares", language, shares=say("verdict.list", language).join(shares))
    most = spread.ranges[0]
    if most.tells >= LEAST_TOLD and len(most.stretches) > 1:
        yield _tells(most, base, language)


def _tells(most: RangeTold, base: KnowledgeBase, language: str) -> str:
    ends = {"low": most.stretches[0], "high": most.stretches[-1]}
    leading = {end: next(iter(stretch.routes.items())) for end, stretch in ends.items()}
    return say(
        "verdict.spread-tells",
        language,
        fact=base.vocabulary.facts[most.path].title[language],
        **{end: _values(most.path, stretch, base, language) for end, stretch in ends.items()},
        **{f"{end}_route": _route(route, base, language) for end, (route, _) in leading.items()},
        **{f"{end}_share": _percent(share) for end, (_, share) in leading.items()},
    )


def _values(path: str, stretch: Stretch, base: KnowledgeBase, language: str) -> str:
    """The values of a stretch, to three digits: its ends come of a division."""
    low, high = (float(f"{end:.3g}") for end in bounds(interval(stretch.low, stretch.high)))
    return base.vocabulary.facts[path].show(interval(low, high), language).strip()


def _route(route: str | None, base: KnowledgeBase, language: str) -> str:
    return say("verdict.no-route", language) if route is None else base.routes.route(route).title[language]


def _percent(share: float) -> str:
    """A whole percentage; less than one is not nothing, and nearly all is not all."""
    return f"{min(max(round(share * 100), 1), 99) if 0 < share < 1 else round(share * 100)}%"


def spread_json(spread: Spread | None) -> dict[str, Any] | None:
    """The shares of the routes over the ranges, and of each range; None where none was told."""
    if spread is None:
        return None
    return {
        "points": spread.points,
        "routes": _shares_json(spread.routes),
        "facts": [
            {"fact": one.path, "tells": round(one.tells, 4), "stretches": [_stretch_json(s) for s in one.stretches]}
            for one in spread.ranges
        ],
    }


def _stretch_json(stretch: Stretch) -> dict[str, Any]:
    return {"from": to_json(stretch.low), "to": to_json(stretch.high), "routes": _shares_json(stretch.routes)}


def _shares_json(shares: Mapping[str | None, float]) -> list[dict[str, Any]]:
    return [{"route": route, "share": round(share, 4)} for route, share in shares.items()]
