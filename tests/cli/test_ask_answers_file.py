"""The answers on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.ask.answers_file import MARKER, Keeper, SeveralWorkloadsError, Stored, is_ours, load, quoted, read_profile
from cli.files import NotWritten
from engine.loading import Scalar, read_bytes
from engine.values import Interval, Value
from knowledge import knowledge_base

VOCABULARY = knowledge_base().vocabulary
ANSWERS: dict[str, Value | None] = {
    "compliance.residency": "in_country",
    "compliance.isolation": None,
    "stage": "fine_tuning",
    "model.parameters": 7e9,
    "demand.utilization": Interval(0.4, 0.7),
    "demand.interruptible": False,
    "operations.team": "none",
}


def keeper(path: Path, beside: Stored | None = None, fresh: bool = True, language: str = "en") -> Keeper:
    return Keeper(path, VOCABULARY, language, beside or Stored(), fresh)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_answered_reads_back_and_so_does_what_is_not_known(tmp_path: Path, language: str) -> None:
    path = tmp_path / "profile.yaml"
    keeper(path, language=language).keep(ANSWERS)
    assert dict(load(path, VOCABULARY).answers) == ANSWERS
    assert is_ours(path)
    told = read_profile(path, VOCABULARY).workloads[0].facts
    assert {fact: given.value for fact, given in told.items()} == {k: v for k, v in ANSWERS.items() if v is not None}


def test_the_file_is_laid_out_for_people(tmp_path: Path) -> None:
    keeper(tmp_path / "p.yaml").keep(
        {"compliance.residency": "in_country", "compliance.isolation": None, "stage": "training"}
    )
    assert (tmp_path / "p.yaml").read_text(encoding="utf-8").splitlines()[2:] == [
        "profile: 1",
        "",
        "compliance:",
        "  residency: in_country  # data residency: in the country",
        "  isolation: unknown     # required isolation: don't know",
        "",
        "stage: training  # stage: training from scratch",
    ]


def test_nothing_is_written_before_something_was_answered(tmp_path: Path) -> None:
    keeper(tmp_path / "profile.yaml").keep({})
    assert list(tmp_path.iterdir()) == []


def test_what_is_never_asked_for_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    path.write_text(
        "profile: 1\nname: \"A: 'team' \\u200e \\U0001F680\"\nassumptions: {pue: 1.3, lead_time_days: [28, 90]}\n"
        'workloads:\n  - {name: "no", stage: training, compliance: {residency: unknown}}\n',
        encoding="utf-8",
    )
    before, stored = read_profile(path, VOCABULARY), load(path, VOCABULARY)
    assert dict(stored.answers) == {"stage": "training", "compliance.residency": None}
    keeper(path, stored, fresh=False).keep({**stored.answers, "region": "cn"})
    after = read_profile(path, VOCABULARY)
    assert (after.name, after.workloads[0].name) == (before.name, before.workloads[0].name)
    assert {n: g.value for n, g in after.assumptions.items()} == {n: g.value for n, g in before.assumptions.items()}
    assert {n: g.value for n, g in after.workloads[0].facts.items()} == {"stage": "training", "region": "cn"}


def test_facts_of_the_whole_profile_and_of_its_one_workload_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    path.write_text("profile: 1\nregion: eu\nworkloads:\n  - stage: training\n", encoding="utf-8")
    assert dict(load(path, VOCABULARY).answers) == {"stage": "training", "region": "eu"}


def test_a_fact_left_empty_was_not_asked_for_yet(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    path.write_text("profile: 1\nstage:\nregion: null\ncompliance:\n", encoding="utf-8")
    assert dict(load(path, VOCABULARY).answers) == {}


def test_several_workloads_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    path.write_text("profile: 1\nworkloads:\n  - {name: a}\n  - {name: b}\n", encoding="utf-8")
    with pytest.raises(SeveralWorkloadsError):
        load(path, VOCABULARY)


def test_a_new_run_keeps_a_copy_of_earlier_answers(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    keeper(path).keep({"stage": "training"})
    second = keeper(path)
    second.keep({"region": "cn"})
    second.keep({"region": "eu"})
    assert second.kept_aside == tmp_path / "profile.yaml.bak"
    assert dict(load(tmp_path / "profile.yaml.bak", VOCABULARY).answers) == {"stage": "training"}
    assert dict(load(path, VOCABULARY).answers) == {"region": "eu"}


def test_a_copy_never_takes_the_place_of_a_file_of_somebody_else(tmp_path: Path) -> None:
    path, foreign = tmp_path / "profile.yaml", tmp_path / "profile.yaml.bak"
    foreign.write_text("mine", encoding="utf-8")
    keeper(path).keep({"stage": "training"})
    keeper(path).keep({"region": "cn"})
    assert foreign.read_text(encoding="utf-8") == "mine"
    assert is_ours(tmp_path / "profile.yaml.bak1")


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    keeper(real).keep({"stage": "training"})
    link.symlink_to(real)
    keeper(link, load(link, VOCABULARY), fresh=False).keep({"stage": "training", "region": "cn"})
    assert link.is_symlink()
    assert dict(load(real, VOCABULARY).answers) == {"stage": "training", "region": "cn"}


def test_where_it_cannot_be_written_the_old_file_stands(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "profile.yaml"
    with pytest.raises(NotWritten):
        keeper(path).keep({"stage": "training"})


@pytest.mark.parametrize(
    ("content", "ours"), [(b"", True), (MARKER.encode() + b": x", True), (b"profile: 1\n", False), (b"#", False)]
)
def test_our_own_files_are_known_by_their_first_line(tmp_path: Path, content: bytes, ours: bool) -> None:
    (tmp_path / "p").write_bytes(content)
    assert is_ours(tmp_path / "p") is ours


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_in_quotes_reads_back_as_it_was(text: str) -> None:
    node = read_bytes(quoted(text).encode("utf-8"), "name")
    assert isinstance(node, Scalar)
    assert node.text == text
