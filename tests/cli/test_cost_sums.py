"""What a costing works out for its page: where owning meets renting over a range of months, and moving the data."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from engine.figures import FigureValues
from engine.values import Interval, Value, bounds
from knowledge import knowledge_base
from knowledge.accounting import Account
from knowledge.bands import as_value
from knowledge.costing import ON_DEMAND, OWN, Costing, first_crossing, never
from knowledge.statement import Statement
from tests.cli.costings import SIXTEEN

BASE = knowledge_base()
TOLD: Mapping[str, Any] = {"server_price": 300_000.0, "residual_share": 0.5, "cloud_price_per_gpu_hour": 2.2}


def facts(changed: Mapping[str, Value | None]) -> dict[str, Value | None]:
    return {**dict.fromkeys(BASE.vocabulary.facts), **SIXTEEN, **changed}


def costing(changed: Mapping[str, Value | None], told: Mapping[str, Any] = TOLD) -> Costing:
    return Statement(facts(changed), FigureValues(BASE.figures, told)).costing(None)


def month_of(found: Costing) -> tuple[float, float]:
    month = next(item.month for item in found.break_even if item.mode == ON_DEMAND)
    assert month is not None
    return bounds(month)


@pytest.mark.parametrize("price", [1.6, 2.2, 3.0, 5.0])
def test_what_comes_back_at_the_end_of_the_shorter_case_makes_no_crossing(price: float) -> None:
    """The need lasts 24 to 48 months; in the least case half of the price comes back after 24 of them."""
    found = costing({"demand.horizon_months": Interval(24, 48)}, {**TOLD, "cloud_price_per_gpu_hour": price})
    own, rented = found.option(OWN), found.option(ON_DEMAND)
    assert own is not None
    assert rented is not None
    wanted = []
    for end, horizon in ((0, 24.0), (1, 48.0)):
        back = sum((line.least, line.most)[end] for line in own.lines if line.at_end)
        cash = [paid - back * (month >= horizon) for month, paid in zip(own.months, own.cumulative[end], strict=True)]
        assert all(later >= sooner - 1e-6 for sooner, later in pairwise(cash))
        wanted.append(first_crossing(own.months, cash, rented.cumulative[1 - end]))
    assert month_of(found) == tuple(wanted)


def test_at_the_price_where_only_what_comes_back_would_help_owning_is_never_met() -> None:
    found = costing({"demand.horizon_months": Interval(24, 48)}, {**TOLD, "cloud_price_per_gpu_hour": 0.5})
    own = found.option(OWN)
    assert own is not None
    assert own.cumulative[0][23] > own.cumulative[0][24]
    assert never(month_of(found)[0])


@pytest.mark.parametrize("changed", [{}, {"demand.gpus_steady": Interval(8, 16)}, {"model.gpu": "H100"}])
@pytest.mark.parametrize("told", [{}, TOLD])
def test_the_utilization_of_the_page_is_the_one_that_the_rules_see(
    changed: Mapping[str, Value], told: Mapping[str, Any]
) -> None:
    account = Account(facts(changed), FigureValues(BASE.figures, told), spanned=False)
    found = costing(changed, told).break_even
    assert found
    for item in found:
        assert item.utilization == as_value(account.break_even_utilization(item.mode))


def test_data_that_has_to_move_has_ways_and_other_data_has_none() -> None:
    assert [way.id for way in costing({}).moving] == ["line_1g", "line_10g"]
    assert costing({"data.uplink_mbps": 100.0}).moving[0].id == "uplink"
    for changed in ({"data.volume_tb": 0.0}, {"data.volume_tb": None}, {"data.location": "nowhere"}):
        assert costing(changed).moving == ()


def test_figures_of_moving_the_data_are_named_and_drive_nothing() -> None:
    found = costing({})
    assert {"line_efficiency", "line_port_per_hour.1g"} <= set(found.figures)
    assert "line_efficiency" not in {swing.name for swing in found.swings}
    assert "line_efficiency" not in costing({"data.volume_tb": 0.0}).figures
