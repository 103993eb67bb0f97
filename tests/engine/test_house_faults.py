"""What is wrong in a folder of house rules is told with its place there; so is a folder that is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.faults import LANGUAGES, Fault, FaultError
from tests.engine.helpers import load_tiny
from tests.engine.house_files import GUIDANCE, HEAD, STRIKE, WHOLE, house_at

WINTER_ID = "house.no-riding-in-winter"
STRIKE_ID = "house.trains-are-never-on-strike"
DEFEATS = "defeats: [ways.no-trains-on-strike]"
BACK = STRIKE.replace(STRIKE_ID, "house.back").replace(DEFEATS, f"defeats: [{STRIKE_ID}]")
WHEN_WINTER = "      season: winter\n"

# Of each: the file, what is changed in it to what, the key of the fault, and what must stand in its sentence.
FAULTS: Mapping[str, tuple[str, Mapping[str, str], str, str]] = {
    "the id of a rule of the base": (
        "winter.yaml", {WINTER_ID: "ways.long-rides-tire"}, "duplicate-id", "rules/ways.yaml",
    ),
    "the id of another house rule": ("winter.yaml", {"house.mother-knows": WINTER_ID}, "duplicate-id", "winter.yaml"),
    "the id of a division": ("winter.yaml", {WINTER_ID: "to_the_station"}, "duplicate-id", "divisions.yaml"),
    "the id of a tie": ("winter.yaml", {WINTER_ID: "tie.fresh-air"}, "duplicate-id", "routes.yaml"),
    "the id of a route": ("winter.yaml", {WINTER_ID: "train"}, "duplicate-id", "routes.yaml"),
    "the path of a fact": ("winter.yaml", {WINTER_ID: "season"}, "duplicate-id", "facts.yaml"),
    "an id with a space": ("winter.yaml", {WINTER_ID: "no riding"}, "bad-id", "no riding"),
    "the id of a row of the base": ("guidance.yaml", {"M-1": "A-1"}, "duplicate-id", "guidance.yaml"),
    "the id of a document of the base": ("guidance.yaml", {"id: M\n": "id: A\n"}, "duplicate-id", "'A'|“A”"),
    "a row of a document of the base": ("guidance.yaml", {"M-1": "A-77"}, "unknown-document", "A-77"),
    "the id of an advice item of the base": (
        "advice.yaml", {"house.ask-mother": "guard.take-lights"}, "duplicate-id", "advice.yaml",
    ),
    "an unknown fact": ("winter.yaml", {WHEN_WINTER: "      saeson: winter\n"}, "unknown-fact", "season"),
    "an unknown row": ("strike.yaml", {"[B-1]": "[B-9]"}, "unknown-row", "B-9"),
    "no Chinese": ("winter.yaml", {", zh: 母亲说的。": ""}, "not-localized", "zh"),
    "no undecided case": (
        "strike.yaml", {"outcome: undecided": "outcome: silent"}, "no-such-case", "undecided",
    ),
    "a rule that weighs and reads the verdict": (
        "winter.yaml", {WHEN_WINTER: "      all: [season: winter, verdict.route: bicycle]\n"},
        "verdict-too-early", "verdict.route",
    ),
    "a circle of inference": (
        "winter.yaml",
        {WHEN_WINTER: "      road.slippery: no\n", "excludes: [bicycle]": "infer: {road.slippery: yes}"},
        "inference-circle", WINTER_ID,
    ),
    "a circle of defeats": (
        "strike.yaml", {STRIKE: STRIKE.replace(DEFEATS, "defeats: [house.back]") + BACK}, "defeat-circle", STRIKE_ID,
    ),
    "the defeat of an inference": (
        "strike.yaml", {"ways.no-trains-on-strike": "road.snow-is-slippery"},
        "defeats-inference", "road.snow-is-slippery",
    ),
    "the defeat of advice by what weighs": (
        "winter.yaml",
        {"excludes: [bicycle]": "excludes: [bicycle]\n      defeats: [afterwards.dark-evenings-need-lights]"},
        "defeats-across", "afterwards.dark-evenings-need-lights",
    ),
    "the defeat of no rule": (
        "strike.yaml", {"no-trains-on-strike": "no-trains-in-strike"}, "unknown-rule", "ways.no-trains-on-strike",
    ),
    "advice on a fact that may be unknown": (
        "winter.yaml", {"known: trip.distance, ": ""}, "placeholder-not-required", "trip.distance",
    ),
    "advice that is not there": (
        "winter.yaml", {"house.ask-mother": "house.ask-father"}, "unknown-advice", "house.ask-mother",
    ),
    "another version": ("winter.yaml", {"schema: 1": "schema: 2"}, "unknown-schema", "2"),
    "no YAML": ("winter.yaml", {HEAD: "rules: [\n"}, "bad-yaml", ""),
}  # fmt: skip


def refused(folder: Path | str) -> tuple[Fault, ...]:
    with pytest.raises(FaultError) as raised:
        load_tiny(rules_over=folder)
    return raised.value.faults


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_in_house_rules_is_told_with_the_place_in_them(name: str, tmp_path: Path) -> None:
    file, change, key, word = FAULTS[name]
    text = WHOLE[file]
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    house_at(tmp_path, {**WHOLE, file: text})
    found = [fault for fault in refused(tmp_path) if fault.key == key]
    assert found
    assert found[0].place is not None
    assert found[0].place.file == str(tmp_path / file)
    assert found[0].place.line > 0
    assert all(any(one in found[0].text(language) for one in word.split("|")) for language in LANGUAGES)


def test_the_house_that_is_changed_is_right_as_it_stands(tmp_path: Path) -> None:
    assert load_tiny(rules_over=house_at(tmp_path, WHOLE)).house is not None


# Folders that are none


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path / "hose")
    assert (fault.key, str(fault.place)) == ("house-missing", str(tmp_path / "hose"))


def test_an_empty_path_is_not_the_folder_that_one_stands_in() -> None:
    (fault,) = refused("")
    assert fault.key == "house-missing"


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (fault,) = refused(house_at(tmp_path, WHOLE) / "winter.yaml")
    assert fault.key == "house-not-a-folder"


@pytest.mark.parametrize(
    "files", [{}, {"guidance.yaml": GUIDANCE}, {"notes.txt": "x"}, {"w.yaml": "schema: 1\nrules: []\n"}]
)
def test_a_folder_without_a_rule_is_told(files: Mapping[str, str], tmp_path: Path) -> None:
    (fault,) = refused(house_at(tmp_path, files))
    assert (fault.key, str(fault.place)) == ("house-empty", str(tmp_path))


@pytest.mark.parametrize("name", ["more.yml", "more.YAML", "more.Yml"])
def test_a_file_that_would_be_passed_over_for_its_ending_is_told(name: str, tmp_path: Path) -> None:
    (fault,) = refused(house_at(tmp_path, {**WHOLE, name: HEAD + STRIKE}))
    assert (fault.key, str(fault.place)) == ("house-ending", str(tmp_path / name))


def test_what_an_editor_or_a_system_left_beside_the_rules_is_passed_over(tmp_path: Path) -> None:
    bare = load_tiny(rules_over=house_at(tmp_path / "bare", WHOLE))
    files = {**WHOLE, ".winter.yaml": "not: [", "._winter.yaml": "\0", "README.md": "x"}
    assert load_tiny(rules_over=house_at(tmp_path / "littered", files)).digest == bare.digest


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to this user")
def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    closed = house_at(tmp_path / "closed", WHOLE)
    closed.chmod(0)
    try:
        (fault,) = refused(closed)
    finally:
        closed.chmod(0o700)
    assert (fault.key, str(fault.place)) == ("cannot-read", str(closed))


def test_every_file_that_cannot_be_read_is_told_at_once(tmp_path: Path) -> None:
    house = house_at(tmp_path, {**WHOLE, "bad.yaml": "a: [", "worse.yaml": ""})
    (house / "folder.yaml").mkdir()
    found = [(fault.key, fault.place.file if fault.place else "") for fault in refused(house)]
    names = [("bad-yaml", "bad.yaml"), ("cannot-read", "folder.yaml"), ("empty-file", "worse.yaml")]
    assert found == [(key, str(house / name)) for key, name in names]
