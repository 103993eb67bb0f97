"""What can be rented: the offers that suit a case, and their prices by purchase mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.figures import FigureValues
from engine.values import Value
from knowledge.costing import ON_DEMAND, RESERVED, SPOT

PREFIX = "cloud_price."
QUOTE = "cloud_price_per_gpu_hour"
RESERVED_QUOTE = "reserved_price_per_gpu_hour"
SPOT_QUOTE = "spot_price_per_gpu_hour"
MARKETPLACE = "marketplace"
REGIONS = ("cn", "us", "eu", "asia", "other")
QUOTED = "quoted"
"""The tier of one's own quote: whose it is, nobody has said."""

GUARDED = {
    "compliance.sensitivity": ("confidential", "core_secret"),
    "compliance.isolation": ("dedicated_host", "physical"),
}
"""What a marketplace, where strangers lend their machines, does not give."""


@dataclass(frozen=True)
class Offer:
    """One instance type of one provider in one region; `prices` holds the figure of each purchase mode on sale.

    `size`: GPUs of an instance, of which whole ones are rented. `surely`: whether it suits for certain, or only if
    what is unknown turns out so. `listed`: at list price, from which a negotiated discount may go off.
    """

    provider: str
    tier: str
    size: float
    prices: Mapping[str, str]
    surely: bool = True
    listed: bool = True
    areas: tuple[str, ...] = ()


def offers(facts: Mapping[str, Value | None], figures: FigureValues, cards: Sequence[str]) -> tuple[Offer, ...]:
    """The offers of these cards where the work may run; one's own quote goes before every list price."""
    kept, key = figures.case.setdefault("offers", {}), (facts["region"], _guard(facts), *cards)
    if key not in kept:
        kept[key] = _offers(facts, figures, cards)
    found: tuple[Offer, ...] = kept[key]
    return found


def _offers(facts: Mapping[str, Value | None], figures: FigureValues, cards: Sequence[str]) -> tuple[Offer, ...]:
    if figures.is_told(QUOTE):
        return (Offer(QUOTED, QUOTED, 1.0, dict(_quotes(figures)), listed=False),)
    told = {mode: name for mode, name in _quotes(figures) if mode != ON_DEMAND}
    return tuple(_with(offer, told) for offer in _listed(facts, figures, frozenset(cards)))


def _quotes(figures: FigureValues) -> Iterator[tuple[str, str]]:
    for mode, name in ((ON_DEMAND, QUOTE), (RESERVED[0], RESERVED_QUOTE), (SPOT, SPOT_QUOTE)):
        if figures.is_told(name):
            yield mode, name


def _with(offer: Offer, told: Mapping[str, str]) -> Offer:
    """The offer with one's own reserved and spot prices in the place of the listed ones."""
    if not told:
        return offer
    return replace(offer, prices={**offer.prices, **told})


def _listed(facts: Mapping[str, Value | None], figures: FigureValues, cards: frozenset[str]) -> Iterator[Offer]:
    region, guard = facts["region"], _guard(facts)
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for name, cells in figures.rows(PREFIX):
        fits = cells["gpu"] in cards and (region is None or region in cells["areas"].split())
        if fits and not (cells["tier"] == MARKETPLACE and guard is True):
            key = (cells["provider"], cells["instance"], cells["region"], cells["tier"], cells["gpus"], cells["areas"])
            found.setdefault(key, {})[cells["purchase"]] = name
    for (provider, _, _, tier, gpus, areas), prices in found.items():
        surely = tier != MARKETPLACE or guard is False
        yield Offer(provider, tier, float(gpus), prices, surely, areas=tuple(areas.split()))


def _guard(facts: Mapping[str, Value | None]) -> bool | None:
    """Whether the data ask for more than a marketplace gives; None while unknown."""
    known = [facts[path] in needing if facts[path] is not None else None for path, needing in GUARDED.items()]
    return True if True in known else None if None in known else False
