"""Every row of the guidance is carried, and taking out the rule that alone carries one is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.base import KnowledgeBase
from engine.checking import bare_rows
from knowledge import knowledge_base

BASE = knowledge_base()
ALONE = [(row, ids[0]) for row, ids in BASE.bearers().items() if len(ids) == 1 and ids[0] in BASE.rules]


def without(base: KnowledgeBase, rule: str) -> KnowledgeBase:
    kept = tuple(one for one in base.ordered.rules if one.id != rule)
    return replace(base, ordered=replace(base.ordered, rules=kept))


def test_no_row_is_bare_or_pending() -> None:
    assert not list(bare_rows(BASE))
    assert not [row.id for row in BASE.guidance.rows.values() if row.pending]


def test_some_rules_carry_a_row_alone() -> None:
    assert ALONE


@pytest.mark.parametrize(("row", "rule"), ALONE)
def test_a_row_whose_only_rule_is_taken_out_is_named(row: str, rule: str) -> None:
    faults = list(bare_rows(without(BASE, rule)))
    assert row in [fault.params["row"] for fault in faults]
    assert all(f"{fault.params['row']}" in fault.text(language) for fault in faults for language in ("en", "zh"))
