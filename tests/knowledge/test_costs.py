"""What owning and renting cost in whole cases: what the rules see, and what a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.figures import FigureValues
from engine.values import UNLIMITED, Interval, Value
from knowledge import knowledge_base
from knowledge.accounting import Account
from knowledge.cost_facts import INPUTS
from knowledge.costing import BASE_AND_BURST, BRIDGE, ON_DEMAND, OWN, Missing
from knowledge.economics import over
from knowledge.statement import Statement

BASE = knowledge_base()
SIXTEEN: Mapping[str, Value] = {
    "demand.gpus_steady": 16.0,
    "demand.gpus_peak": 16.0,
    "demand.utilization": 0.9,
    "demand.horizon_months": 36.0,
    "demand.interruptible": False,
    "model.gpu": "H100-SXM-80GB",
    "region": "us",
    "operations.gpus_owned": 0.0,
    "operations.fast_network": False,
    "operations.site": "colocation",
    "sizing.spans_nodes": True,
    "finance.currency": "USD",
    "finance.cloud_discount": 0.0,
    "finance.commitment_months_left": 0.0,
    "data.volume_tb": 0.0,
    "data.egress_tb_per_month": 0.0,
    "compliance.sensitivity": "internal",
    "compliance.isolation": "logical",
}
NOTHING_TOLD: Mapping[str, Value | None] = dict.fromkeys(INPUTS)


def figures(told: Mapping[str, Any] | None = None) -> FigureValues:
    return FigureValues(BASE.figures, told or {})


def account(changed: Mapping[str, Any] | None = None, told: Mapping[str, Any] | None = None) -> Account:
    return Account({**NOTHING_TOLD, **SIXTEEN, **(changed or {})}, figures(told))


def statement(changed: Mapping[str, Value | None] | None = None, told: Mapping[str, Any] | None = None) -> Any:
    facts = {**dict.fromkeys(BASE.vocabulary.facts), **SIXTEEN, **(changed or {})}
    return Statement(facts, figures(told)).costing(None)


def quoted(price: float) -> Mapping[str, Any]:
    return {"cloud_price_per_gpu_hour": price}


def ratio(found: Account) -> tuple[float, float]:
    assert found.ratio is not None
    return found.ratio


# What is missing


def test_a_price_that_no_offer_has_in_the_region_leaves_renting_unknown_and_names_card_and_region() -> None:
    found = account({"region": "cn"})
    assert found.rented_band is None
    assert found.ratio is None
    assert list(found.rent_terms.missing) == [Missing("price", "H100-SXM-80GB", "cn")]


def test_owning_is_still_known_where_nothing_can_be_rented() -> None:
    assert account({"region": "cn"}).own_band is not None


def test_a_card_that_nobody_quoted_a_server_of_leaves_owning_unknown() -> None:
    found = account({"model.gpu": "MI300X"})
    assert found.own_band is None
    assert [item.kind for item in found.terms.missing] == ["server_price"]


def test_while_no_card_is_named_the_card_is_what_is_missing() -> None:
    found = account({"model.gpu": None})
    assert found.ratio is None
    assert Missing("fact", "model.gpu") in {**found.terms.missing, **found.rent_terms.missing}


def test_two_quotes_of_ones_own_need_neither_card_nor_region() -> None:
    told = {"cloud_price_per_gpu_hour": 3.0, "server_price": 300_000.0}
    assert account({"model.gpu": None, "region": None}, told).ratio is not None


def test_a_quote_in_a_currency_that_nobody_told_is_not_counted() -> None:
    found = account({"finance.currency": None}, quoted(3.0))
    assert found.rented_band is None
    assert Missing("fact", "finance.currency") in found.rent_terms.missing


@pytest.mark.parametrize("path", ["demand.gpus_steady", "demand.gpus_peak", "demand.horizon_months"])
def test_without_size_or_length_there_is_no_sum(path: str) -> None:
    found = account({path: None})
    assert found.own_band is None
    assert found.rented_band is None
    assert Missing("fact", path) in found.terms.missing


def test_the_data_of_a_hospital_are_not_priced_on_a_marketplace() -> None:
    open_to_all, guarded = (
        account({"region": "cn", "model.gpu": "H20"}),
        account({"region": "cn", "model.gpu": "H20", "compliance.sensitivity": "confidential"}),
    )
    assert open_to_all.rented_band is not None
    assert guarded.rented_band is None


# What is unknown spans all that it can be


@pytest.mark.parametrize(
    "path", ["finance.cloud_discount", "operations.gpus_owned", "data.egress_tb_per_month", "data.volume_tb"]
)
def test_an_unknown_fact_widens_the_ratio_and_never_narrows_it(path: str) -> None:
    (low, high), (wider_low, wider_high) = ratio(account()), ratio(account({path: None}))
    assert wider_low <= low
    assert wider_high >= high
    assert (wider_low, wider_high) != (low, high)


POINTS: dict[str, list[Any]] = {
    "demand.utilization": [0.0, 0.3, 1.0],
    "demand.gpus_steady": [0.0, 1.0, 8.0, 40.0],
    "demand.gpus_peak": [1.0, 8.0, 40.0, 64.0],
    "demand.peak_share": [0.0, 0.2, 1.0],
    "demand.horizon_months": [3.0, 36.0, 73.0],
    "operations.gpus_owned": [0.0, 8.0, 100.0],
    "finance.cloud_discount": [0.0, 0.3],
    "finance.commitment_months_left": [0.0, 6.0, 60.0],
    "data.volume_tb": [0.0, 50.0],
    "data.egress_tb_per_month": [0.0, 50.0],
    "demand.interruptible": [True, False],
    "operations.fast_network": [True, False],
    "sizing.spans_nodes": [True, False],
    "operations.site": ["none", "office", "machine_room", "colocation"],
    "region": ["us", "eu", "cn", "asia"],
    "compliance.sensitivity": ["public", "confidential"],
}
SPANNED = [path for path in POINTS if path not in ("demand.gpus_steady", "demand.gpus_peak", "demand.horizon_months")]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_band_of_a_cost_holds_the_cost_of_every_case_that_the_unknown_facts_allow(data: st.DataObject) -> None:
    exact = {path: data.draw(st.sampled_from(values), path) for path, values in POINTS.items()}
    exact["demand.gpus_peak"] = max(exact["demand.gpus_peak"], exact["demand.gpus_steady"])
    vague: dict[str, Any] = dict(exact)
    for path in data.draw(st.lists(st.sampled_from(SPANNED), unique=True)):
        vague[path] = None
    for path in data.draw(st.lists(st.sampled_from(["demand.gpus_steady", "demand.horizon_months"]), unique=True)):
        vague[path] = Interval(exact[path], exact[path] + 20)
    wide, narrow = account(vague), account(exact)
    for name in ("own_band", "rented_band", "ratio", "capital", "difference"):
        outer, inner = getattr(wide, name), getattr(narrow, name)
        if outer is not None:
            assert inner is not None, f"{name} stays known as more is told"
            tiny = 1e-9 * max(1.0, abs(inner[1]) if inner[1] != UNLIMITED else 1.0)
            assert outer[0] <= inner[0] + tiny, name
            assert outer[1] >= inner[1] - tiny, name


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_costs_are_neither_negative_nor_without_end_where_all_is_told(data: st.DataObject) -> None:
    exact = {path: data.draw(st.sampled_from(values), path) for path, values in POINTS.items()}
    exact["demand.gpus_peak"] = max(exact["demand.gpus_peak"], exact["demand.gpus_steady"])
    found = account(exact)
    for band in (found.own_band, found.rented_band, found.capital):
        if band is not None:
            assert 0 <= band[0] <= band[1] < UNLIMITED


# How things move


@given(st.floats(0.1, 50), st.floats(0, 10))
@settings(max_examples=25, deadline=None)
def test_a_dearer_quote_never_raises_own_over_cloud(price: float, more: float) -> None:
    cheap, dear = ratio(account(told=quoted(price))), ratio(account(told=quoted(price + more)))
    assert dear[0] <= cheap[0]
    assert dear[1] <= cheap[1]


def test_the_currency_alone_changes_no_ratio() -> None:
    dollars, yuan = ratio(account()), ratio(account({"finance.currency": "CNY"}))
    assert yuan == pytest.approx(dollars)


def test_twice_every_amount_is_twice_every_cost_and_the_same_ratio() -> None:
    money = {name: figure.value for name, figure in BASE.figures.items() if figure.unit[:3] in ("USD", "CNY", "EUR")}
    doubled = {name: over(lambda amount: amount * 2, [value]) for name, value in money.items()}
    in_dollars = {n: v for n, v in doubled.items() if BASE.figures[n].unit.startswith("USD")}
    once, twice = account(), account(told=in_dollars)
    assert once.own_band is not None
    assert once.rented_band is not None
    assert twice.own_band == pytest.approx([2 * end for end in once.own_band])
    assert twice.rented_band == pytest.approx([2 * end for end in once.rented_band])
    assert ratio(twice) == pytest.approx(ratio(once))


def test_owned_gpus_are_not_bought_again_and_still_draw_power() -> None:
    found = account({"operations.gpus_owned": 16.0})
    assert found.capital == pytest.approx((0, 0))
    assert found.own_band is not None
    assert found.own_band[0] > 0


def test_a_contract_that_still_runs_may_have_to_be_paid_although_one_owns() -> None:
    without, with_one = account(told=quoted(4.0)), account({"finance.commitment_months_left": 6.0}, quoted(4.0))
    assert without.own_band is not None
    assert with_one.own_band is not None
    six_months = 16 * 0.9 * 730.5 * 6 * 4.0
    assert with_one.own_band[0] == without.own_band[0], "how much of the need it covers is not told"
    assert with_one.own_band[1] - without.own_band[1] == pytest.approx(six_months)


@pytest.mark.parametrize("months", [36.0, 37.0, 47.0, 48.0])
def test_a_month_after_a_term_is_rented_by_the_hour_where_that_is_cheaper(months: float) -> None:
    told = {**quoted(4.0), "reserved_price_per_gpu_hour": 2.3}
    found = account({"demand.horizon_months": months, "demand.utilization": 1.0}, told).rented_band
    rest, hour = months - 36, 16 * 730.5
    dearest = hour * 36 * 2.3 + min(hour * rest * 4.0, hour * 12 * 2.3 if rest else 0.0)
    assert found == pytest.approx((dearest, dearest))


def test_a_peak_that_fits_the_instances_of_the_base_costs_no_more_than_the_base() -> None:
    level = account({"demand.utilization": 1.0})
    swinging = account({"demand.gpus_steady": 12.0, "demand.peak_share": 0.5, "demand.utilization": 1.0})
    assert level.rented_band is not None
    assert swinging.rented_band is not None
    assert swinging.rented_band[1] <= level.rented_band[1]


def test_servers_of_four_are_quoted_at_half_of_servers_of_eight() -> None:
    eight, four = account(), account(told={"gpus_per_server": 4.0})
    assert eight.bought["H100-SXM-80GB"][0].least == four.bought["H100-SXM-80GB"][0].least


def test_a_service_life_told_as_a_range_holds_each_of_its_ends() -> None:
    late = {"demand.horizon_months": 66.0}
    ranged = account(late, {"service_life_years": Interval(5.0, 7.0)}).own_band
    assert ranged is not None
    for years in (5.0, 6.0, 7.0):
        one = account(late, {"service_life_years": years}).own_band
        assert one is not None
        assert ranged[0] <= one[0] + 1e-6
        assert one[1] <= ranged[1] + 1e-6


def test_data_of_unknown_sensitivity_may_be_on_any_offer_and_the_band_holds_them_all() -> None:
    case = {"model.gpu": "RTX-4090", "data.egress_tb_per_month": 50.0}
    unknown = account({**case, "compliance.sensitivity": None}).rented_band
    assert unknown is not None
    for told in ("public", "internal", "confidential"):
        known = account({**case, "compliance.sensitivity": told}).rented_band
        assert known is not None
        assert unknown[0] <= known[0]
        assert known[1] <= unknown[1]


@pytest.mark.parametrize("horizon", [(6.0, 36.0), (1.0, 12.0), (3.0, 80.0)])
def test_a_costing_over_a_ranged_horizon_has_a_break_even_month_in_order(horizon: tuple[float, float]) -> None:
    found = statement({"demand.horizon_months": Interval(*horizon)})
    for item in found.break_even:
        assert item.month is not None


def test_a_discount_goes_off_list_prices_and_not_off_ones_own_quote() -> None:
    listed, off = account(), account({"finance.cloud_discount": 0.5})
    assert listed.rented_band is not None
    assert off.rented_band is not None
    assert off.rented_band[1] == pytest.approx(listed.rented_band[1] / 2)
    own_quote = account({"finance.cloud_discount": 0.5}, quoted(4.0))
    assert own_quote.rented_band == account(told=quoted(4.0)).rented_band


def test_a_need_of_ten_days_is_not_charged_for_a_month() -> None:
    ten_days = account({"demand.horizon_months": 240 / 730.5, "demand.utilization": 1.0}, quoted(1.0))
    assert ten_days.rented_band == pytest.approx((240 * 16, 240 * 16))


def test_an_overhead_on_rented_services_goes_on_renting_alone() -> None:
    plain, surcharged = account(told=quoted(4.0)), account(told={**quoted(4.0), "overhead_share": 0.57})
    assert plain.rented_band is not None
    assert surcharged.rented_band == pytest.approx([end * 1.57 for end in plain.rented_band])
    assert surcharged.own_band == plain.own_band


def test_a_reserved_price_caps_what_use_can_cost() -> None:
    told = {**quoted(4.0), "reserved_price_per_gpu_hour": 2.0}
    idle, busy = account({"demand.utilization": 0.3}, told), account({"demand.utilization": 1.0}, told)
    assert idle.rented_band is not None
    assert busy.rented_band == pytest.approx((16 * 730.5 * 36 * 2.0,) * 2)
    assert idle.rented_band[0] == pytest.approx(16 * 0.3 * 730.5 * 36 * 4.0)


# The costing that a person reads


def test_the_lines_of_every_option_add_up_to_its_last_month() -> None:
    found = statement({"demand.gpus_peak": 64.0, "demand.peak_share": 0.1})
    assert {option.id for option in found.options} >= {OWN, ON_DEMAND, BASE_AND_BURST, BRIDGE}
    for option in found.options:
        assert option.cumulative[0][-1] == pytest.approx(option.total[0])
        assert option.cumulative[1][-1] == pytest.approx(option.total[1])


def test_a_costing_without_a_discount_told_is_at_list_price_and_says_what_it_leaves_out() -> None:
    found = statement({"finance.cloud_discount": None, "operations.gpus_owned": None})
    assert found.at_list_price
    assert set(found.not_counted) == {"finance.cloud_discount", "operations.gpus_owned"}
    assert found.option(ON_DEMAND).total == statement().option(ON_DEMAND).total


def test_no_use_has_no_break_even_and_divides_by_nothing() -> None:
    found = statement({"demand.utilization": 0.0})
    assert found.no_use
    on_demand = next(item for item in found.break_even if item.mode == ON_DEMAND)
    assert on_demand.price is None or on_demand.price == UNLIMITED


def test_offers_and_providers_that_were_compared_are_counted() -> None:
    found = statement()
    assert found.offers >= found.providers > 3


def test_the_rent_drives_the_ratio_more_than_the_tariff_does() -> None:
    swings = statement().swings
    names = [swing.name for swing in swings]
    assert names.index("rented") < names.index("electricity_per_kwh.us")
    assert [swing.width for swing in swings] == sorted((swing.width for swing in swings), reverse=True)


def test_sums_are_before_a_grant_and_name_it() -> None:
    plain, granted = statement({"finance.grant": "none"}), statement({"finance.grant": "equipment"})
    assert (plain.grant, granted.grant) == (None, "equipment")
    assert granted.option(OWN).total == plain.option(OWN).total


def test_a_costing_in_another_currency_names_the_rate_that_it_used() -> None:
    assert statement().rates == ()
    assert statement({"finance.currency": "CNY"}).rates == ("cny_per_usd",)


def test_a_quote_is_no_list_price() -> None:
    assert not statement({"finance.cloud_discount": None}, quoted(3.0)).at_list_price
