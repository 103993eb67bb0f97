"""Real decisions: the profiles can be read, our stand to each is what comes out, and the pages are current."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from docs.decisions import FOLDER as DOCS
from docs.decisions import PAGES, Judged, judged, page
from engine.consultation import NO_ROUTE
from engine.faults import FaultError
from knowledge import FOLDER, knowledge_base
from knowledge.decisions import read_decisions

MOST_WRONG = 2

# One process judges the accounts for all tests of this file.
pytestmark = pytest.mark.xdist_group("decisions")


@cache
def found() -> tuple[Judged, ...]:
    return judged()


def changed(folder: Path, old: str, new: str) -> Path:
    """A copy of the decisions with one text put in the place of another, wherever it stands first."""
    shutil.copytree(FOLDER / "decisions", folder / "decisions")
    for path in sorted((folder / "decisions").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if old in text:
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            return folder
    raise AssertionError(old)


def test_every_stand_is_what_comes_out() -> None:
    came = {item.decision.id: item.consultation.overall.route or NO_ROUTE for item in found()}
    agrees = {item.decision.id: came[item.decision.id] in item.decision.routes for item in found()}
    stands = {item.decision.id: item.decision.stand == "agrees" for item in found()}
    differs = {name: came[name] for name in agrees if agrees[name] != stands[name]}
    assert differs == {}, "look at the profile, the rules and the stand: knowledge/decisions"


def test_at_most_two_decisions_are_wrong() -> None:
    wrong = [item.decision.id for item in found() if item.decision.stand == "wrong"]
    assert len(wrong) <= MOST_WRONG, wrong


@pytest.mark.parametrize("language", PAGES)
def test_the_page_of_decisions_is_current(language: str) -> None:
    shown = (DOCS / PAGES[language]).read_text(encoding="utf-8")
    assert shown == page(found(), language), "to write it again: .venv/bin/python docs/decisions.py"


def test_no_profile_of_a_decision_is_empty() -> None:
    assert [item.decision.id for item in found() if not all(w.facts for w in item.decision.profile.workloads)] == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("route: [on_prem]", "route: [onprem]", "'onprem'"),
        ("kind: agrees", "kind: agree", "'agree'"),
        ("- id: D10", "- id: D02", "D02"),
        ("pattern: steady", "pattern: stable", "demand.pattern"),
        ("- {en: bursts, zh: 突发}", "", "D37"),
    ],
)
def test_a_mistake_in_a_decision_is_told_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(FaultError) as error:
        read_decisions(knowledge_base(), changed(tmp_path, old, new))
    text = str(error.value)
    assert told in text
    assert text.startswith("decisions/")
