"""The case that the documentation works by hand is what the program computes, and the hand's arithmetic is right."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from engine.consultation import Consultant
from engine.loading import read_file
from engine.profile import ProfileReader
from knowledge import knowledge_base
from knowledge.costing import ON_DEMAND, OWN, Costing
from knowledge.statement import cost

ROOT = Path(__file__).parents[2]
PAGES = ("docs/costs.md", "docs/costs.zh.md")
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([−\d,.]+) \|$", re.MULTILINE)
TOTAL = re.compile(r"^\| \*\*(?:total|合计)\*\* \| \| \| \*\*([\d,.]+)\*\* \|$", re.MULTILINE)
EVERY_PAGE = pytest.mark.parametrize("page", PAGES)


@cache
def costing() -> Costing:
    base = knowledge_base()
    profile = ProfileReader(base.vocabulary).read(read_file(ROOT / "examples/busy-service-costed.yaml"))
    judgement = Consultant(base).consult(profile).judgements[0]
    told = {name: given.value for name, given in profile.assumptions.items()}
    return cost(judgement.inference, base, told)  # type: ignore[arg-type]


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def reckoned(expression: str) -> float:
    """A product and quotient of numbers, from left to right, as one keys it in."""
    found, sign = 1.0, "×"
    for part in re.split(r" ([×/]) ", expression.strip()):
        if part in "×/":
            sign = part
        else:
            found = found * number(part) if sign == "×" else found / number(part)
    return found


def rows(page: str) -> list[tuple[str, str, float]]:
    found = ROW.findall((ROOT / page).read_text(encoding="utf-8"))
    return [(name, by_hand, number(amount)) for name, by_hand, amount in found]


@EVERY_PAGE
def test_every_line_that_is_worked_by_hand_comes_to_its_amount(page: str) -> None:
    assert len(rows(page)) == 12
    for name, by_hand, amount in rows(page):
        assert round(reckoned(by_hand), 2) == amount, name


@EVERY_PAGE
def test_the_program_has_the_same_lines_with_the_same_amounts(page: str) -> None:
    own, rented = costing().option(OWN), costing().option(ON_DEMAND)
    assert own is not None
    assert rented is not None
    computed = [(line.id, round(line.least, 2), round(line.most, 2)) for line in (*own.lines, *rented.lines)]
    assert computed == [(name, amount, amount) for name, _, amount in rows(page)]


@EVERY_PAGE
def test_the_totals_and_where_they_meet_are_the_programs(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    own, rented = costing().option(OWN), costing().option(ON_DEMAND)
    assert own is not None
    assert rented is not None
    totals = [option.total for option in (own, rented)]
    assert [number(found) for found in TOTAL.findall(text)] == [round(total[0], 2) for total in totals if total]
    found = next(item for item in costing().break_even if item.mode == ON_DEMAND)
    assert isinstance(found.utilization, float)
    assert isinstance(found.price, float)
    assert f"{costing().ratio:.3f}" in text
    assert re.search(rf"\*\*{found.utilization * 100:.1f} ?%\*\*", text)
    assert f"**{found.price:.2f}**" in text
    assert f"**{found.month:.0f}**" in text
