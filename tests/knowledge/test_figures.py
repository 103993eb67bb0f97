"""The shipped figures: each says where it comes from and how sure it is, and those that hang together agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.figures import Figure
from engine.values import bounds
from knowledge import knowledge_base
from knowledge.gpus import gpus

BASE = knowledge_base()
PRICES = {id_: figure for id_, figure in BASE.figures.items() if id_.startswith("cloud_price.")}
MONEY = re.compile(r"(USD|CNY|EUR)(/[A-Za-z]+(-[A-Za-z]+)?)*")
AS_OF = re.compile(r"undated|\d{4}(-\d{2}(-\d{2})?|-Q[1-4]|-H[12])?")
# What is money by its name: what it begins with.
PRICED = (
    "cloud_price.",
    "server_price.",
    "workstation_price.",
    "network_price_per_server.",
    "installation_per_server",
    "electricity_per_kwh.",
    "space_per_kw_month.",
    "staff_per_year.",
    "egress_per_gb.",
    "object_storage_per_gb_month",
    "cost_that_matters",
    "cny_per_usd",
    "usd_per_eur",
)
# What rests on estimates, on memory or on excerpts at second hand, and must not be passed off as more.
UNSURE = (
    "server_price.l40s",
    "server_price.rtx-4090",
    "server_price.v100-sxm2-16gb",
    "server_price.h20",
    "server_price.h100-sxm-80gb",
    "workstation_price.rtx-4090",
    "installation_per_server",
    "residual_share.36",
    "maintenance_share",
    "hours_lost_per_interruption",
    "electricity_per_kwh.cn",
    "space_per_kw_month.colocation",
    "space_per_kw_month.own_room",
    "staff_per_year.us",
    "staff_per_year.cn",
    "staff_per_server",
    "servers_per_staff",
    "draw_share.idle",
    "spot_interruption_overhead",
    "cny_per_usd",
    "usd_per_eur",
    "egress_per_gb.cn",
    "cost_that_matters",
)
UNSURE_PROVIDERS = {"nebius", "oci", "novita", "qubrid", "baidu", "alibaba", "huawei", "suanjia", "juchi", "youyun"}
OFFERED_IN_CHINA = {"V100-SXM2-16GB", "T4", "A10", "RTX-4090", "RTX-5090", "RTX-A6000", "H20"}


def price(*cells: str) -> float:
    """The price whose cells these are: provider, instance, region, purchase."""
    names = ("provider", "instance", "region", "purchase")
    found = [f for f in PRICES.values() if tuple(f.attributes[name] for name in names) == cells]
    assert len(found) == 1
    return bounds(found[0].value)[0]


def against_on_demand() -> Iterator[tuple[Figure, Figure]]:
    """Every price that is not on demand, with that of the same instance on demand, where there is one."""
    offers = {_offer(figure): figure for figure in PRICES.values() if figure.attributes["purchase"] == "on_demand"}
    for figure in PRICES.values():
        if figure.attributes["purchase"] != "on_demand" and _offer(figure) in offers:
            yield figure, offers[_offer(figure)]


def _offer(figure: Figure) -> tuple[str, ...]:
    return tuple(figure.attributes[name] for name in ("provider", "instance", "region", "gpus", "gpu"))


def single(name: str) -> float:
    low, high = bounds(BASE.figures[name].value)
    assert low == high
    return low


# Each by itself


def test_every_figure_says_unit_date_source_and_confidence() -> None:
    bare = [f.id for f in BASE.figures.values() if not (f.unit and f.source and AS_OF.fullmatch(f.as_of))]
    assert bare == []
    assert {figure.confidence for figure in BASE.figures.values()} <= {"low", "medium", "high"}


def test_every_title_stands_in_both_languages() -> None:
    assert [f.id for f in BASE.figures.values() if not all(f.title.get(one) for one in ("en", "zh"))] == []


def test_every_amount_of_money_begins_with_its_currency() -> None:
    priced = [figure for figure in BASE.figures.values() if figure.id.startswith(PRICED)]
    assert len(priced) > 200
    assert [(figure.id, figure.unit) for figure in priced if not MONEY.fullmatch(figure.unit)] == []


@pytest.mark.parametrize("start", PRICED)
def test_no_name_of_money_stands_for_nothing(start: str) -> None:
    assert [id_ for id_ in BASE.figures if id_.startswith(start)]


def test_no_figure_is_negative_and_no_price_of_hours_or_servers_is_nothing() -> None:
    assert [figure.id for figure in BASE.figures.values() if bounds(figure.value)[0] < 0] == []
    sold = ("cloud_price.", "server_price.", "workstation_price.")
    assert [f.id for f in BASE.figures.values() if f.id.startswith(sold) and bounds(f.value)[0] == 0] == []


@pytest.mark.parametrize("name", UNSURE)
def test_what_is_uncertain_is_called_so(name: str) -> None:
    assert BASE.figures[name].confidence == "low"


def test_prices_at_second_hand_are_called_uncertain() -> None:
    told = [figure for figure in PRICES.values() if figure.attributes["provider"] in UNSURE_PROVIDERS]
    assert {figure.attributes["provider"] for figure in told} == UNSURE_PROVIDERS
    # The catalog of one price list is at first hand.
    firsthand = {figure.id for figure in told if figure.source.startswith("sooddvs/")}
    assert {figure.id for figure in told if figure.confidence != "low"} == firsthand


def test_prices_grow_old_in_a_quarter_and_what_formulas_take_from_nature_does_not() -> None:
    assert {figure.valid_months for figure in PRICES.values()} == {3}
    assert BASE.figures["cny_per_usd"].valid_months == 3
    assert BASE.figures["server_price.h100-sxm-80gb"].valid_months == 12
    assert BASE.figures["pue"].valid_months == 24
    assert BASE.figures["bytes_per_parameter.weights_16bit"].valid_months is None


# Prices of hours


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("aws", "p5.48xlarge", "us-east-1", "on_demand"), 55.04 / 8),
        (("aws", "p5.48xlarge", "us-west-2", "spot"), 9.3722 / 8),
        (("aws", "p5.48xlarge", "us-east-1", "reserved_3y"), 55.04 / 8 * (1 - 0.568)),
        (("aws", "g6e.xlarge", "us-east-1", "reserved_1y"), 1.861 * (1 - 0.37)),
        (("azure", "Standard_ND96isr_H100_v5", "eastus", "on_demand"), 98.32 / 8),
        (("azure", "Standard_ND96amsr_A100_v4", "eastus", "reserved_3y"), 32.77 / 8 * (1 - 0.481)),
        (("lambda", "8x H100 SXM", "global", "on_demand"), 3.99),
        (("runpod", "H100 SXM secure", "global", "on_demand"), 3.99),
        (("qubrid", "8x H200 bare metal", "global", "reserved_1y"), 210240 / 8 / 8760),
        (("baidu", "BML workspace V100 12vCPU 50GB x1", "cn-beijing", "on_demand"), 11.1),
    ],
)
def test_a_price_is_that_of_one_gpu_for_one_hour(cells: tuple[str, ...], expected: float) -> None:
    assert price(*cells) == pytest.approx(expected, rel=1e-5)


def test_no_other_way_of_buying_is_dearer_than_on_demand() -> None:
    pairs = list(against_on_demand())
    assert {figure.attributes["purchase"] for figure, _ in pairs} == {"spot", "reserved_1y", "reserved_3y"}
    assert [f.id for f, other in pairs if f.unit != other.unit or bounds(f.value)[0] > bounds(other.value)[0]] == []


def test_a_longer_commitment_is_never_dearer() -> None:
    short = {_offer(f): f for f in PRICES.values() if f.attributes["purchase"] == "reserved_1y"}
    long = {_offer(f): f for f in PRICES.values() if f.attributes["purchase"] == "reserved_3y"}
    both = short.keys() & long.keys()
    assert len(both) > 5
    assert [offer for offer in both if bounds(long[offer].value)[0] > bounds(short[offer].value)[0]] == []


def test_a_discounted_price_is_no_surer_than_medium_and_says_what_was_taken_off() -> None:
    derived = [f for f, _ in against_on_demand() if f.attributes["purchase"].startswith("reserved")]
    assert derived
    assert {figure.confidence for figure in derived} <= {"low", "medium"}
    assert [figure.id for figure in derived if not re.match(r"on demand less \d+\.\d%: ", figure.note)] == []


def test_a_row_has_the_memory_of_its_card() -> None:
    memory = {gpu.id: gpu.memory_gb for gpu in gpus()}
    wrong = [f.id for f in PRICES.values() if float(f.attributes["gpu_memory_gb"]) != memory[f.attributes["gpu"]]]
    assert wrong == []


def test_every_card_is_on_offer_somewhere_and_few_in_mainland_china() -> None:
    offered = {figure.attributes["gpu"] for figure in PRICES.values()}
    assert offered == {gpu.id for gpu in gpus()}
    chinese = {figure.attributes["gpu"] for figure in PRICES.values() if "cn" in figure.attributes["areas"].split()}
    assert chinese == OFFERED_IN_CHINA


def test_a_price_that_holds_everywhere_does_not_hold_in_mainland_china() -> None:
    areas = {figure.attributes["areas"] for figure in PRICES.values() if "cn" in figure.attributes["areas"]}
    assert areas == {"cn"}
    everywhere = {figure.attributes["areas"] for figure in PRICES.values() if figure.attributes["region"] == "global"}
    assert everywhere == {"us eu asia other"}


# What was worked out from something else


def test_interruptions_are_those_of_the_published_run() -> None:
    assert single("interruptions_per_gpu_year") == pytest.approx(419 / (16_384 * 54 / 365.25), rel=1e-2)


def test_a_server_of_h20_is_eight_cards_and_the_machine_around_them() -> None:
    assert bounds(BASE.figures["server_price.h20"].value) == pytest.approx((10_000 * 8 * 1.64, 13_000 * 8 * 1.64))


def test_installation_is_a_quarter_of_a_rack() -> None:
    assert bounds(BASE.figures["installation_per_server"].value) == ((5_000 + 10_000) / 4, (10_000 + 30_000) / 4)


def test_an_own_room_costs_at_most_its_building_over_fifteen_years() -> None:
    low, high = bounds(BASE.figures["space_per_kw_month.own_room"].value)
    assert low == 0
    assert high == pytest.approx(17_250_000 / 1_000 / (15 * 12), abs=0.5)


def test_what_matters_is_a_tenth_of_a_year_of_one_engineer() -> None:
    assert single("cost_that_matters") == pytest.approx(single("staff_per_year.us") / 10)


@pytest.mark.parametrize("name", ["electricity_per_kwh", "staff_per_year"])
def test_what_holds_elsewhere_spans_the_united_states_and_mainland_china(name: str) -> None:
    low, high = bounds(BASE.figures[f"{name}.other"].value)
    yuan = bounds(BASE.figures[f"{name}.cn"].value)
    ends = (*bounds(BASE.figures[f"{name}.us"].value), *(amount / single("cny_per_usd") for amount in yuan))
    assert low <= min(ends) * 1.02
    assert high >= max(ends)


def test_less_of_a_server_is_left_the_older_it_is() -> None:
    shares = [bounds(BASE.figures[f"residual_share.{age}"].value) for age in (12, 24, 36, 60)]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < low <= high < 1 for low, high in shares)
