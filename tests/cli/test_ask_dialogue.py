"""The course of the questionnaire, without a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.ask.dialogue import Dialogue, Question
from cli.ask.typed import NotUnderstoodError
from engine.values import Interval, Value
from engine.vocabulary import FactType
from knowledge import knowledge_base

VOCABULARY = knowledge_base().vocabulary
TOLD = VOCABULARY.told()
STEADY, PEAK = "demand.gpus_steady", "demand.gpus_peak"


def opened(dialogue: Dialogue) -> Question:
    assert dialogue.question is not None
    return dialogue.question


def number_of(path: str) -> int:
    return 1 + [fact.path for fact in TOLD].index(path)


def at(path: str, **answers: Value | None) -> Dialogue:
    """A dialogue that has the question for this fact open; keyword names have two underscores for a dot."""
    dialogue = Dialogue(VOCABULARY, {name.replace("__", "."): value for name, value in answers.items()})
    dialogue.reopen(number_of(path))
    return dialogue


def test_the_questions_come_in_the_order_of_the_vocabulary_and_each_once() -> None:
    dialogue, seen = Dialogue(VOCABULARY), []
    while dialogue.question is not None:
        seen.append((dialogue.question.number, dialogue.question.fact))
        dialogue.tell(None)
    assert seen == list(enumerate(TOLD, start=1))


def test_the_first_question_has_none_before_it() -> None:
    dialogue = Dialogue(VOCABULARY)
    assert not dialogue.back()
    assert opened(dialogue).number == 1


def test_back_keeps_later_answers_and_leads_on_to_the_question_that_was_open() -> None:
    dialogue = Dialogue(VOCABULARY)
    for value in ("in_country", "logical", "internal"):
        dialogue.tell(value)
    assert dialogue.back()
    assert dialogue.back()
    assert (opened(dialogue).number, opened(dialogue).answer) == (2, "logical")
    dialogue.tell("physical")
    assert opened(dialogue).number == 4
    assert list(dialogue.answers.values()) == ["in_country", "physical", "internal"]


def test_going_on_without_an_answer_keeps_the_answer_that_is_there() -> None:
    dialogue = Dialogue(VOCABULARY)
    dialogue.tell("in_country")
    dialogue.back()
    dialogue.go_on()
    assert opened(dialogue).number == 2
    assert dialogue.answers == {"compliance.residency": "in_country"}


def test_not_knowing_is_an_answer_and_is_not_asked_again() -> None:
    dialogue = Dialogue(VOCABULARY)
    dialogue.tell(None)
    assert opened(dialogue).number == 2
    dialogue.back()
    assert opened(dialogue).asked
    assert opened(dialogue).answer is None


def test_answers_that_are_there_from_the_start_are_not_asked_for_but_can_be_gone_back_to() -> None:
    dialogue = Dialogue(VOCABULARY, {"compliance.residency": "in_country", "compliance.sensitivity": None})
    assert opened(dialogue).fact.path == "compliance.isolation"
    dialogue.back()
    assert opened(dialogue).fact.path == "compliance.sensitivity"


def test_from_the_end_any_answer_can_be_changed_and_the_end_comes_next() -> None:
    dialogue = Dialogue(VOCABULARY, {fact.path: None for fact in TOLD})
    assert dialogue.question is None
    dialogue.reopen(3)
    dialogue.tell("public")
    assert dialogue.question is None
    assert dialogue.answers["compliance.sensitivity"] == "public"


def test_a_number_below_the_one_it_may_not_be_below_is_refused_with_both() -> None:
    dialogue = at(PEAK, demand__gpus_steady=16.0)
    with pytest.raises(NotUnderstoodError, match=r"8 GPU.*16 GPU"):
        dialogue.tell(8.0)
    assert PEAK not in dialogue.answers
    assert opened(dialogue).fact.path == PEAK


@pytest.mark.parametrize("value", [16.0, Interval(8.0, 16.0), None])
def test_a_number_that_may_be_as_high_is_not_refused(value: Value | None) -> None:
    dialogue = at(PEAK, demand__gpus_steady=16.0)
    dialogue.tell(value)
    assert dialogue.answers[PEAK] == value


def test_the_later_word_counts_and_an_answer_that_it_overturns_is_asked_again() -> None:
    dialogue = Dialogue(VOCABULARY, {fact.path: None for fact in TOLD} | {STEADY: 4.0, PEAK: 8.0})
    dialogue.reopen(number_of(STEADY))
    assert [fact.path for fact in dialogue.tell(16.0)] == [PEAK]
    assert opened(dialogue).fact.path == PEAK
    assert not opened(dialogue).asked
    dialogue.tell(32.0)
    assert dialogue.question is None


def test_an_order_of_its_own_can_be_given_to_the_questions() -> None:
    def last_first(facts: tuple[FactType, ...], answers: object) -> FactType | None:
        assert isinstance(answers, dict)
        return next((fact for fact in reversed(facts) if fact.path not in answers), None)

    dialogue = Dialogue(VOCABULARY, choose=last_first)
    dialogue.tell(None)
    assert opened(dialogue).number == len(TOLD) - 1
    dialogue.back()
    assert opened(dialogue).number == len(TOLD)


@given(st.lists(st.sampled_from(["answer", "back", "on", "reopen"]), max_size=40), st.data())
def test_whatever_way_is_taken_no_answer_is_lost_but_those_that_were_overturned(
    ways: list[str], data: st.DataObject
) -> None:
    dialogue, expected = Dialogue(VOCABULARY), dict[str, Value | None]()
    for way in ways:
        question = dialogue.question
        if way == "back":
            dialogue.back()
        elif way == "reopen":
            dialogue.reopen(data.draw(st.integers(1, len(TOLD))))
        elif question is not None and way == "answer":
            fact = question.fact
            value = data.draw(st.sampled_from([*fact.values, None])) if fact.values else None
            expected[fact.path] = value
            dialogue.tell(value)
        elif question is not None and question.asked:
            dialogue.go_on()
        assert dict(dialogue.answers) == expected
