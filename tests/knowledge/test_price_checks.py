"""Prices that contradict each other: which pairs are told, and which are no contradiction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.base import KnowledgeBase
from engine.figures import Figure
from engine.values import Interval
from knowledge import knowledge_base
from knowledge.price_checks import PriceWarning, offered, price_warnings

HOURLY = "cloud_price.aws.p4d.24xlarge.us-east-1.on-demand"
SPOT = "cloud_price.aws.p4d.24xlarge.us-east-1.spot"
RESERVED = "cloud_price.aws.p4d.24xlarge.us-east-1.reserved-1y"


def base_of(**priced: tuple[float | Interval, str]) -> KnowledgeBase:
    """The shipped rates, and prices of one instance by their purchase: value and unit."""
    shipped = knowledge_base().figures
    rates = {name: shipped[name] for name in ("cny_per_usd", "usd_per_eur")}
    names = {"on_demand": HOURLY, "spot": SPOT, "reserved_1y": RESERVED}
    prices = {
        names[purchase]: replace(shipped[names[purchase]], value=value, unit=unit)
        for purchase, (value, unit) in priced.items()
    }
    return replace(knowledge_base(), figures={**rates, **prices})


def pairs(warnings: tuple[PriceWarning, ...]) -> list[tuple[str, str, str]]:
    return [(warning.kind, warning.figure.id, warning.on_demand.id) for warning in warnings]


@pytest.mark.parametrize(("spot", "told"), [(1.99, False), (2.0, True), (2.01, True)])
def test_a_spot_price_at_or_above_that_on_demand_is_told(spot: float, told: bool) -> None:
    found = price_warnings(base_of(on_demand=(2.0, "USD/GPU-hour"), spot=(spot, "USD/GPU-hour")))
    assert pairs(found) == ([("spot", SPOT, HOURLY)] if told else [])


@pytest.mark.parametrize(("reserved", "told"), [(1.99, False), (2.0, False), (2.01, True)])
def test_a_reserved_price_is_told_only_above_that_on_demand(reserved: float, told: bool) -> None:
    found = price_warnings(base_of(on_demand=(2.0, "USD/GPU-hour"), reserved_1y=(reserved, "USD/GPU-hour")))
    assert pairs(found) == ([("reserved", RESERVED, HOURLY)] if told else [])


@pytest.mark.parametrize(
    ("unit", "hourly", "spot", "told"),
    [
        ("CNY/GPU-hour", 2.0, 14.1, False),
        ("CNY/GPU-hour", 2.0, 14.3, True),
        ("EUR/GPU-hour", 2.16, 1.99, False),
        ("EUR/GPU-hour", 2.16, 2.01, True),
    ],
)
def test_prices_in_two_currencies_are_compared_at_the_rates_of_the_base(
    unit: str, hourly: float, spot: float, told: bool
) -> None:
    found = price_warnings(base_of(on_demand=(hourly, "USD/GPU-hour"), spot=(spot, unit)))
    assert bool(found) == told


def test_a_range_that_only_overlaps_is_not_told() -> None:
    unit = "USD/GPU-hour"
    assert price_warnings(base_of(on_demand=(Interval(1.0, 2.0), unit), spot=(Interval(1.5, 3.0), unit))) == ()
    assert len(price_warnings(base_of(on_demand=(Interval(1.0, 2.0), unit), spot=(Interval(2.0, 3.0), unit)))) == 1


def test_a_spot_price_without_one_on_demand_is_compared_with_nothing() -> None:
    assert price_warnings(base_of(spot=(25.0, "USD/GPU-hour"))) == ()


def test_every_shipped_price_belongs_to_one_instance_in_one_region() -> None:
    prices = [figure for offer in offered(knowledge_base()).values() for figure in offer.values()]
    assert {figure.id for figure in prices} == {n for n in knowledge_base().figures if n.startswith("cloud_price.")}
    for offer in offered(knowledge_base()).values():
        assert len({place_of(figure) for figure in offer.values()}) == 1


def place_of(figure: Figure) -> tuple[str, ...]:
    return tuple(figure.attributes[column] for column in ("provider", "instance", "region", "gpu", "gpus", "areas"))


def test_one_shipped_spot_price_is_no_lower_than_on_demand_as_it_was_published() -> None:
    assert pairs(price_warnings(knowledge_base())) == [
        (
            "spot",
            "cloud_price.aws.p4d.24xlarge.ap-south-1.spot",
            "cloud_price.aws.p4d.24xlarge.ap-south-1.on-demand",
        )
    ]
