"""What a typed line means to the questionnaire."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.ask.typed import NotUnderstoodError, Told, Wish, cleaned, understand, understand_place
from engine.values import Interval, Value
from engine.vocabulary import FactType
from knowledge import knowledge_base

FACTS = knowledge_base().vocabulary.facts


def told(line: str, path: str) -> Value | None:
    meant = understand(line, FACTS[path])
    assert isinstance(meant, Told)
    return meant.value


def refusal(line: str, path: str) -> str:
    with pytest.raises(NotUnderstoodError) as caught:
        understand(line, FACTS[path])
    assert set(caught.value.reason) == {"en", "zh"}
    return caught.value.reason["en"]


@pytest.mark.parametrize(
    "line", ["", "   ", "-", "\uff0d", "\u2014\u2014", "unknown", "Unknown", "不知道", "don't know"]
)
@pytest.mark.parametrize(
    "path", ["compliance.residency", "compliance.domestic_hardware", "demand.gpus_peak", "model.gpu"]
)
def test_not_knowing_can_be_said_in_many_ways_to_every_kind_of_question(line: str, path: str) -> None:
    assert told(line, path) is None


@pytest.mark.parametrize(
    "line", ["4", "\uff14", "core_secret", "core secret", "Core-Secret", "a core secret", "核心机密", " 4 "]
)
def test_a_choice_is_taken_by_its_number_its_name_or_its_label_in_any_language(line: str) -> None:
    assert told(line, "compliance.sensitivity") == "core_secret"


@pytest.mark.parametrize(
    ("line", "value"),
    [("1", True), ("yes", True), ("y", True), ("是", True), ("2", False), ("NO", False), ("否", False)],
)
def test_yes_and_no_are_taken_in_both_languages(line: str, value: bool) -> None:
    assert told(line, "demand.interruptible") is value


@pytest.mark.parametrize(
    ("line", "path", "value"),
    [
        ("7B", "model.parameters", 7e9),
        ("70亿", "model.parameters", 7e9),
        ("７Ｂ", "model.parameters", 7e9),
        ("1,000", "demand.gpus_peak", 1000.0),
        ("40-70%", "demand.utilization", Interval(0.4, 0.7)),
        ("1", "demand.gpus_peak", 1.0),
        ("h100", "model.gpu", "H100"),
    ],
)  # fmt: skip
def test_numbers_and_names_are_read_as_in_a_profile(line: str, path: str, value: Value) -> None:
    assert told(line, path) == value


@pytest.mark.parametrize("line", ["0", "5", "²", "¹", "٣", "1.0", "-1", "99999999999999999999"])
def test_what_is_no_number_of_the_list_is_refused_with_the_numbers_that_are(line: str) -> None:
    assert "1–4" in refusal(line, "compliance.sensitivity")


def test_a_misspelled_choice_is_met_with_the_nearest_one() -> None:
    assert "did you mean 'confidential'?" in refusal("confidental", "compliance.sensitivity")


def test_a_number_that_lacks_its_sign_is_met_with_what_was_probably_meant() -> None:
    assert "did you mean '70%'?" in refusal("70", "demand.utilization")


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        *[(line, Wish.WHY) for line in ("?", "？")],
        *[(line, Wish.BACK) for line in ("<", "＜", "《", "〈")],
        *[(line, Wish.FORWARD) for line in (">", "＞", "》")],
        *[(line, Wish.STOP) for line in ("q", "Q", "ｑ")],
    ],
)
def test_wishes_are_understood_from_chinese_keyboards_too(line: str, wish: Wish) -> None:
    assert understand(line, FACTS["stage"]) is wish
    assert understand(line, FACTS["demand.gpus_peak"]) is wish


def test_replies_of_the_terminal_are_no_part_of_the_answer() -> None:
    assert told("\x1b[24;1R64", "demand.gpus_peak") == 64.0
    assert told("\x1b[A\x1bOB6\x1b]11;rgb:0000/0000/0000\x074", "demand.gpus_peak") == 64.0


@pytest.mark.parametrize("line", ["6\x004", "\x1b", "\udcbd\udcf0", "\ud83d", "6\u202e4", "6\x084"])
def test_characters_that_steer_hide_or_are_broken_are_refused_by_their_codes(line: str) -> None:
    reason = refusal(line, "demand.gpus_peak")
    assert "U+" in reason
    assert reason.isprintable()


def test_a_line_that_is_far_too_long_is_refused_without_repeating_it() -> None:
    assert len(refusal("9" * 100_000, "demand.gpus_peak")) < 200


def test_on_the_page_of_all_answers_a_line_is_a_number_a_wish_or_the_end() -> None:
    assert understand_place("12", 49) == 12
    assert understand_place("１２", 49) == 12
    assert understand_place("", 49) is None
    assert understand_place("<", 49) is Wish.BACK
    for line in ("0", "50", "²", "x", "-"):
        with pytest.raises(NotUnderstoodError):
            understand_place(line, 49)


@given(st.text(), st.sampled_from(knowledge_base().vocabulary.told()))
def test_any_line_is_a_value_of_the_fact_a_wish_or_is_refused(line: str, fact: FactType) -> None:
    meant = None
    with contextlib.suppress(NotUnderstoodError):
        meant = understand(line, fact)
    if isinstance(meant, Told) and meant.value is not None:
        written: Any = fact.write(meant.value)
        again = [str(end) for end in written] if isinstance(written, list) else str(written)
        assert fact.read(again) == meant.value


@given(st.text())
def test_what_is_left_of_a_line_always_prints(line: str) -> None:
    with contextlib.suppress(NotUnderstoodError):
        assert cleaned(line).isprintable()
