"""One small broken base for each fault: the tiny base with a few words changed, and the message that it must give.

The entries stand in tests/broken/*.yaml. `change` replaces `old` by `new` in one file, gives its
`whole` content, or has it `gone`; the mark ‸ stands where the fault must be told, and is taken out. `key` names the
sentence, `says` what must stand in it in every language, `hint` what it must suggest. `also` lists what the same words
break besides.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine.loading
from engine import base as base_module
from engine import ordering
from engine.base import load_base
from engine.checking import check_base
from engine.consultation import Consultant
from engine.faults import LANGUAGES, Fault, FaultError, Place, did_you_mean, messages
from engine.figures import Formula
from engine.loading import Node, read_bytes
from tests.engine.helpers import FORMULAS, TESTS, TINY, load_tiny

MARK = "‸"
LONG = {
    "{digits}": "9" * 5000,
    "{alternatives}": "any: [season: summer, train.running: no, rider.spikes: no]",
    "{conjunction}": "all: [weather.sky: rain, season: winter]",
}
SOURCES = Path(base_module.__file__).parent


@dataclass(frozen=True)
class Broken:
    name: str
    key: str
    change: Sequence[Mapping[str, Any]]
    says: Sequence[str] = ()
    hint: str = ""
    also: Sequence[str] = ()


def _all() -> list[Broken]:
    files = sorted((TESTS / "broken").glob("*.yaml"))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [Broken(**entry) for file in files for entry in yaml.load(file.read_text(encoding="utf-8"), loader)]


BROKEN = _all()


def _changed(text: str, change: Mapping[str, Any]) -> str:
    if "whole" in change:
        return str(change["whole"])
    assert text.replace(MARK, "").count(change["old"]) == 1 == text.count(change["old"]), change["old"]
    new = change["new"]
    for name, long in LONG.items():
        new = new.replace(name, long)
    return text.replace(change["old"], new)


def _place(folder: Path, change: Sequence[Mapping[str, Any]]) -> Place:
    """Where the mark stands in the changed files, which it leaves."""
    found = []
    for name in {part["file"] for part in change}:
        file = folder / name
        before, mark, after = file.read_text(encoding="utf-8").partition(MARK)
        if mark:
            file.write_text(before + after, encoding="utf-8")
            found.append(Place(name, before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1))
    assert len(found) == 1, "one mark in all"
    return Place(found[0].file) if any(part.get("at_file") for part in change) else found[0]


def broken_base(folder: Path, change: Sequence[Mapping[str, Any]]) -> Place:
    """Makes a copy of the tiny base with the changes, and says where the fault is to be found."""
    shutil.copytree(TINY, folder)
    for part in change:
        file = folder / part["file"]
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(_changed(text, part), encoding="utf-8")
    place = _place(folder, change)
    for part in change:
        if part.get("gone"):
            (folder / part["file"]).unlink()
    return place


_read_once = cache(read_bytes)


@pytest.fixture(autouse=True)
def _unchanged_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all files are the same in every base, and reading them is most of the time."""

    def read_file(path: Path, name: str) -> Node:
        return _read_once(path.read_bytes(), name) if path.exists() else engine.loading.read_file(path, name)

    monkeypatch.setattr(base_module, "read_file", read_file)


def faults_of(folder: Path) -> Sequence[Fault]:
    try:
        base = load_tiny(folder)
    except FaultError as error:
        return error.faults
    return check_base(Consultant(base), folder).faults


def _sentence(key: str, language: str) -> re.Pattern[str]:
    """What a sentence looks like once its {names} are filled."""
    parts = re.split(r"\{\w+\}", messages(language)[key])
    return re.compile(".*".join(re.escape(part) for part in parts), re.DOTALL)


def assert_told(fault: Fault, key: str, place: Place | None, says: Sequence[str], hint: str = "") -> None:
    """The fault is told by its own sentence, at its place, with these words, in every language."""
    assert fault.key == key
    for language in LANGUAGES:
        text = fault.text(language)
        assert text.startswith(f"{place}: " if place else "")
        said = text.removeprefix(f"{place}: ")
        assert _sentence(key, language).fullmatch(said)
        assert [word for word in says if word not in said] == []
        suggestion = did_you_mean(hint)[language] if hint else ""
        assert (suggestion in said) if hint else (did_you_mean("\0")[language].split("\0")[0] not in said)
    assert fault.text("zh") != fault.text("en")


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name.replace(" ", "-"))
def test_a_broken_base_gives_its_own_message_at_its_own_place(broken: Broken, tmp_path: Path) -> None:
    place = broken_base(tmp_path / "base", broken.change)
    faults = faults_of(tmp_path / "base")
    told = [fault for fault in faults if fault.key == broken.key and fault.place == place]
    assert told, "\n".join(fault.text() for fault in faults)
    assert_told(told[0], broken.key, place, broken.says, broken.hint)
    rest = [fault for fault in faults if fault is not told[0]]
    assert Counter(fault.key for fault in rest) == Counter(broken.also)


def test_no_two_broken_bases_have_one_name() -> None:
    assert [name for name, times in Counter(broken.name for broken in BROKEN).items() if times > 1] == []


def test_every_file_of_the_base_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "facts.yaml").write_text("schema: 1\n", encoding="utf-8")
    with pytest.raises(FaultError) as raised:
        load_base(tmp_path)
    missing = ("advice.yaml", "guidance.yaml", "routes.yaml")
    assert [fault.place for fault in raised.value.faults] == [Place(name) for name in missing]
    assert {fault.key for fault in raised.value.faults} == {"cannot-read"}


def test_faults_of_several_files_are_told_together_in_the_order_of_their_places(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "base")
    wrong = (("routes.yaml", "decisive: clear"), ("facts.yaml", "minimum: -60"), ("facts.yaml", "maximum: 60"))
    for name, old in wrong:
        file = tmp_path / "base" / name
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(old, f"{old.partition(':')[0]}: none"), encoding="utf-8")
    places = [fault.place or Place("") for fault in faults_of(tmp_path / "base")]
    assert [place.file for place in places] == ["facts.yaml", "facts.yaml", "routes.yaml"]
    assert places[0].line + 1 == places[1].line


# Formulas are code, and are broken in code


def _formula_faults(*formulas: Formula) -> Sequence[Fault]:
    with pytest.raises(FaultError) as raised:
        load_base(TINY, formulas)
    return raised.value.faults


def test_a_formula_that_reads_an_unknown_fact_is_named() -> None:
    wrong = replace(FORMULAS[0], inputs={"trip.length": 1})
    (fault,) = _formula_faults(wrong, *FORMULAS[1:])
    assert_told(fault, "unknown-fact", Place("formula trip.beyond_station"), ["trip.length"])


def test_a_formula_of_an_unknown_figure_is_named() -> None:
    wrong = replace(FORMULAS[0], figures=("walk_speed",))
    (fault,) = _formula_faults(wrong, *FORMULAS[1:])
    assert_told(fault, "unknown-figure", Place("formula trip.beyond_station"), ["walk_speed"])


@pytest.mark.parametrize("name", ["ferry.*", ".*", "*", "fare.coast-line.first.*"])
def test_what_no_figure_begins_with_is_named_as_no_figure(name: str) -> None:
    wrong = replace(FORMULAS[0], figures=(name,))
    (fault,) = _formula_faults(wrong, *FORMULAS[1:])
    assert_told(fault, "unknown-figure", Place("formula trip.beyond_station"), [name])


def test_a_formula_that_reads_what_is_computed_after_it_is_named() -> None:
    (fault,) = _formula_faults(FORMULAS[0], FORMULAS[2], FORMULAS[1], *FORMULAS[3:])
    assert_told(fault, "formula-order", Place("formula ride.spare_minutes"), ["ride.spare_minutes", "ride.minutes"])


def test_a_base_with_more_rules_than_can_be_fired_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "MAX_RULES", 18)
    with pytest.raises(FaultError) as raised:
        load_tiny()
    (fault,) = raised.value.faults
    assert_told(fault, "too-many-rules", fault.place, ["18"])


# Nothing that is checked goes without a broken base

LOADERS = (
    "advising", "base", "checking", "conditions_file", "divisions", "figure_table", "figure_table_file", "figures_file",
    "forms", "guidance", "ordering", "routes", "rules_file", "sums", "vocabulary_file",
)  # fmt: skip
IN_CODE = {"unknown-figure", "formula-order", "too-many-rules"}
"""Keys whose faults are made by the tests above rather than by a file."""


def _reported(module: str) -> set[str]:
    """The keys of all faults that a module reports by name."""
    tree = ast.parse((SOURCES / f"{module}.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    first = [call.args[0] for call in calls if call.args and call.func.attr == "add"]  # type: ignore[attr-defined]
    return {item.value for item in first if isinstance(item, ast.Constant) and isinstance(item.value, str)}


@pytest.mark.parametrize("module", LOADERS)
def test_every_check_of_a_knowledge_file_has_a_broken_base(module: str) -> None:
    known = {key for key in _reported(module) if key in messages("en")}
    assert known - {broken.key for broken in BROKEN} - IN_CODE == set()


def test_the_list_of_loaders_is_whole() -> None:
    """Modules that are not listed read profiles, frames, overlays, house rules or bytes, and have their own tests."""
    reporting = {file.stem for file in SOURCES.glob("*.py") if _reported(file.stem) & set(messages("en"))}
    others = {"frame_facts", "frames", "house", "loading", "overlays", "profile", "profile_faults"}
    assert reporting - set(LOADERS) == others
