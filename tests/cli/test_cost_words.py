"""The words of a costing: read strictly, and there for everything that a costing can name."""

from __future__ import annotations

import pytest

from engine.faults import FaultError, Report
from engine.loading import read_bytes
from knowledge import knowledge_base
from knowledge.cost_lines import cost_words, read_cost_words
from knowledge.costing import BASE_AND_BURST, BRIDGE, ON_DEMAND, OWN, RESERVED, SPOT
from knowledge.terms import TOLD_PER
from knowledge.transfer import DEDICATED, DEVICE, DEVICES
from tests.cli import costings
from tests.cli.costings import ALL, words_of

RIGHT = """schema: 1
options:
  - {id: own, title: {en: own, zh: 自建}}
lines:
  - {id: servers, title: {en: servers, zh: 服务器}, formula: {en: a × b, zh: 甲 × 乙}}
inputs:
  - {id: price, title: {en: price, zh: 价格}}
ways:
  - {id: uplink, title: {en: line, zh: 线路}}
units:
  - {id: GPU-hour, title: {en: GPU-hour, zh: GPU 小时}}
"""


def faults_of(text: str) -> list[str]:
    report = Report()
    node = read_bytes(text.encode(), "words.yaml", report)
    report.check()
    with pytest.raises(FaultError) as raised:
        read_cost_words(node)
    return [str(fault.text()) for fault in raised.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("schema: 1", "schema: 2", "words.yaml:1:9"),
        ("{en: own, zh: 自建}", "{en: own}", "words.yaml:3:22"),
        ("formula", "formla", "words.yaml:5:50"),
        ("{id: price,", "{id: price, kind: x,", "words.yaml:7:17"),
        ("units:", "unit:", "words.yaml:10:1"),
        (
            "  - {id: price,",
            "  - {id: price, title: {en: p, zh: 价}}\n  - {id: price,",
            "words.yaml:8:5",
        ),
    ],
)
def test_a_slip_in_the_file_is_told_with_its_place(old: str, new: str, where: str) -> None:
    assert old in RIGHT
    assert any(fault.startswith(where) for fault in faults_of(RIGHT.replace(old, new, 1)))


def test_every_option_has_a_title() -> None:
    assert set(cost_words().options) == {OWN, ON_DEMAND, *RESERVED, SPOT, BASE_AND_BURST, BRIDGE}


def test_an_input_goes_by_the_longest_id_that_begins_it() -> None:
    words = cost_words()
    assert words.input_title("server_price.l40s") == words.inputs["server_price"]
    assert words.input_title("draw_share.idle") == words.inputs["draw_share.idle"]
    assert words.input_title("draw_share") is None
    assert words.input_title("server_prices") is None


def test_every_part_of_a_unit_is_put_into_words() -> None:
    assert cost_words().unit("CNY/GPU-hour", "zh") == "CNY/GPU 小时"
    assert cost_words().unit("USD", "zh") == "USD"
    assert words_of("en").amount(1, 1, "servers") == "1 server"
    assert words_of("en").amount(1, 2, "servers") == "1–2 servers"


def test_a_unit_of_several_words_is_put_into_words_too() -> None:
    words = cost_words()
    units = {figure.unit for figure in knowledge_base().figures.values() if " " in figure.unit}
    assert [unit for unit in sorted(units) if words.unit(unit, "zh") == unit] == []
    assert words.unit("share of the price a year", "en") == "× the price, each year"
    assert words.unit("USD/port-hour", "zh") == "USD/端口小时"


def test_every_way_to_move_data_has_a_title() -> None:
    assert set(cost_words().ways) == {
        "uplink",
        *(f"line_{name}" for name in DEDICATED),
        *(f"{DEVICE}.{n}" for n in DEVICES),
    }


def test_a_price_that_was_told_is_the_price_of_what_its_declaration_says() -> None:
    """Facts.yaml names such units; here they are as they stand behind an amount."""
    per = {
        "money_per_hour": "/GPU-hour",
        "money_per_kwh": "/kWh",
        "money_per_kw_month": "/kW/month",
        "money_per_year": "/year",
    }
    declared = knowledge_base().vocabulary.assumptions
    assert {name: per[i.unit.id] for name, i in declared.items() if i.unit and i.unit.id in per} == TOLD_PER


def test_everything_that_a_costing_names_has_words() -> None:
    words = words_of("zh")
    names = {item.name for made in ALL.values() for o in made().options for line in o.lines for item in line.inputs}
    names |= {swing.name for swing in costings.whole().swings}
    assert [name for name in sorted(names) if words.input(name) == name] == []
    assert words.input("no_such.figure") == "no_such.figure"
