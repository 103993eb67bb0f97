"""The real knowledge base holds its own examples, and whoever breaks a rule of it is told which and where."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from engine.base import KnowledgeBase
from engine.checking import case_outcome, check_base
from engine.consultation import Consultant
from engine.faults import LANGUAGES, Fault, FaultError, Place
from knowledge import FOLDER, load
from tests.engine.helpers import TINY

RULE = "inference.steady-load-repays-hardware"
FILE = "rules/inference.yaml"


def copy_of_knowledge(folder: Path) -> Path:
    """A copy of the real knowledge without its scenarios, which take most of the time."""
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "scenarios"))
    return folder


def replace_once(file: Path, rule: str, old: str, new: str) -> int:
    """Replaces the first `old` behind the rule's id; returns its line."""
    text = file.read_text(encoding="utf-8")
    at = text.index(old, text.index(f"- id: {rule}\n"))
    file.write_text(text[:at] + new + text[at + len(old) :], encoding="utf-8")
    return text.count("\n", 0, at) + 1


def of_rule(faults: Iterable[Fault], rule: str) -> list[Fault]:
    return [fault for fault in faults if fault.params.get("rule") == rule]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[Fault]]:
    """The knowledge with a threshold moved and a defeat lost, and what its own cases say to that."""
    folder = copy_of_knowledge(tmp_path_factory.mktemp("broken") / "knowledge")
    replace_once(folder / FILE, RULE, "{at_least: 0.6}", "{at_least: 0.9}")
    file, rule = folder / "rules/operations.yaml", "operations.a-vendor-runs-the-hardware"
    replace_once(file, rule, "        - operations.nobody-to-run-hardware\n", "")
    return folder, check_base(Consultant(load(folder)), folder).faults


def test_the_real_knowledge_base_holds_its_own_cases_and_scenarios(real_consultant: Consultant) -> None:
    checked = check_base(real_consultant, FOLDER)
    assert [fault.text() for fault in checked.faults] == []
    assert checked.rules > 100
    assert checked.cases >= 3 * checked.rules
    assert checked.scenarios > 50
    assert checked.carried + checked.pending == checked.rows


@pytest.mark.xdist_group("broken-knowledge")
def test_a_rule_whose_threshold_is_moved_is_named_with_the_case_that_fails(
    broken: tuple[Path, Sequence[Fault]],
) -> None:
    folder, faults = broken
    text = (folder / FILE).read_text(encoding="utf-8").splitlines()
    line = next(n for n, said in enumerate(text, 1) if "{name: a busy level service," in said)
    ours = of_rule(faults, RULE)
    assert {fault.key for fault in ours} == {"case-fails"}
    (told,) = (fault for fault in ours if fault.place == Place(FILE, line, 9))
    for language in LANGUAGES:
        assert told.text(language).startswith(f"{FILE}:{line}:9: ")
        assert all(word in told.text(language) for word in (RULE, "a busy level service", "fires", "silent"))


@pytest.mark.xdist_group("broken-knowledge")
def test_a_rule_that_no_longer_defeats_is_noticed_by_the_case_of_the_defeated_one(
    broken: tuple[Path, Sequence[Fault]],
) -> None:
    ours = of_rule(broken[1], "operations.nobody-to-run-hardware")
    assert {(fault.key, fault.params["wanted"], fault.params["came"]) for fault in ours} == {
        ("case-fails", "defeated", "fires")
    }


BREAKS = {
    "a misspelt fact": ("demand.pattern: steady", "demand.patern: steady", "unknown-fact", "demand.pattern"),
    "a value that is not there": ("demand.pattern: steady", "demand.pattern: stedy", "value-outside-type", "steady"),
    "a threshold beyond the bounds": ("{at_least: 0.6}", "{at_least: 60}", "value-outside-type", "60%"),
    "an unknown row": ("source: [T-5.3a,", "source: [T-5.3x,", "unknown-row", "T-5.3a"),
    "an unknown strength": ("on_prem: moderate", "on_prem: medium", "not-a-choice", "moderate"),
    "a misspelt key": ("    because:", "    becuase:", "unknown-key", "because"),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_rule_does_not_load_and_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    copied = copy_of_knowledge(tmp_path / "knowledge")
    old, new, key, hint = BREAKS[name]
    line = replace_once(copied / FILE, RULE, old, new)
    with pytest.raises(FaultError) as raised:
        load(copied)
    fault = next(fault for fault in raised.value.faults if fault.key == key)
    assert fault.place is not None
    assert (fault.place.file, fault.place.line) == (FILE, line)
    assert all(hint in fault.text(language) for language in LANGUAGES)


def test_every_case_stands_for_what_it_says(tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    outcomes = {
        (rule.id, case.name): case_outcome(tiny_consultant, rule, case.given)
        for rule in tiny.written
        for case in rule.cases
    }
    wanted = {(rule.id, case.name): case.outcome for rule in tiny.written for case in rule.cases}
    assert outcomes == wanted
    assert set(outcomes.values()) == {"fires", "silent", "undecided", "defeated"}


def test_a_base_without_scenarios_is_checked_by_its_cases_alone(tmp_path: Path, tiny_consultant: Consultant) -> None:
    assert check_base(tiny_consultant, tmp_path).scenarios == 0
    assert check_base(tiny_consultant, tmp_path).cases == check_base(tiny_consultant, TINY).cases > 0


def test_a_file_of_scenarios_that_cannot_be_read_is_told_and_the_others_are_checked(
    tmp_path: Path, tiny_consultant: Consultant
) -> None:
    shutil.copytree(TINY / "scenarios", tmp_path / "scenarios")
    (tmp_path / "scenarios" / "a.yaml").write_text("a: [\n", encoding="utf-8")
    checked = check_base(tiny_consultant, tmp_path)
    assert [(fault.key, str(fault.place)) for fault in checked.faults] == [("bad-yaml", "scenarios/a.yaml:2:1")]
    assert checked.scenarios == 12
