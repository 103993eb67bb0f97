"""Figures that a profile replaces by its own: those that the vocabulary names, and any other by its id."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.explanation import Explainer
from engine.faults import LANGUAGES, Fault, FaultError
from engine.loading import read_bytes
from engine.profile import Profile, ProfileReader, Setting
from engine.trace import Tool, write_trace
from engine.values import Interval, Value
from engine.verifying import verify
from engine.words import Words
from tests.engine.helpers import profile_of

TOOL = Tool("trip-advisor", "1.0")
HEAD = "profile: 1\ntrip: {people: 2, distance: 8}\ntrain: {line: coast-line}\n"


def told(base: KnowledgeBase, assumptions: str, *settings: str) -> Profile:
    reader = ProfileReader(base.vocabulary)
    root = read_bytes(f"{HEAD}assumptions: {assumptions}\n".encode(), "profile.yaml")
    return reader.read(root, [Setting.parse(setting) for setting in settings])


def values(profile: Profile) -> dict[str, Value]:
    return {name: given.value for name, given in profile.assumptions.items()}


def faults(base: KnowledgeBase, assumptions: str, *settings: str) -> Sequence[Fault]:
    with pytest.raises(FaultError) as raised:
        told(base, assumptions, *settings)
    assert all(fault.text(code) for fault in raised.value.faults for code in LANGUAGES)
    return raised.value.faults


READ: dict[str, Value] = {
    "7": 7.0, "0": 0.0, "'1,250.5'": 1250.5,
    "3-4": Interval(3, 4), "'3~4'": Interval(3, 4), "[3, 4.5]": Interval(3, 4.5),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_any_figure_may_be_replaced_by_its_id(text: str, tiny: KnowledgeBase) -> None:
    assert values(told(tiny, f"{{fare.coast-line.first: {text}}}")) == {"fare.coast-line.first": READ[text]}


def test_figures_told_by_name_and_by_id_stand_side_by_side(tiny: KnowledgeBase) -> None:
    found = told(tiny, "{fare.coast-line.first: 7, ride_speed: 15 km/h, rebate: 50%, fare.coast-line.second: ~}")
    assert values(found) == {"ride_speed": 15.0, "rebate": 0.5, "fare.coast-line.first": 7.0}
    assert {given.source.line for given in found.assumptions.values()} == {4}


def test_an_option_replaces_a_figure_by_its_id(tiny: KnowledgeBase) -> None:
    found = told(tiny, "{fare.coast-line.first: 7}", "assumptions.fare.coast-line.first=[8, 9]")
    assert values(found) == {"fare.coast-line.first": Interval(8, 9)}
    assert found.assumptions["fare.coast-line.first"].source.kind == "option"
    assert values(told(tiny, "{}", "assumptions.fare.valley-line-north.second=3")) == {
        "fare.valley-line-north.second": 3.0
    }


REFUSED = {
    "below zero": ("-1", "below 0"),
    "a word": ("cheap", "not a number"),
    "yes": ("yes", "expected a number"),
    "a suffix": ("7 EUR", "unknown unit 'EUR'"),
    "a share": ("7%", "unknown unit '%'"),
    "a range backwards": ("[8, 7]", "from the larger to the smaller"),
    "a mapping": ("{a: 1}", "expected a number"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_plain_number_of_zero_or_more_is_refused(name: str, tiny: KnowledgeBase) -> None:
    text, reason = REFUSED[name]
    (fault,) = faults(tiny, f"{{fare.coast-line.first: {text}}}")
    assert (fault.key, str(fault.place)) == ("bad-value", "profile.yaml:4:15")
    assert "fare.coast-line.first" in fault.text()
    assert reason in fault.text()


def test_a_misspelt_figure_is_answered_with_the_one_that_was_meant(tiny: KnowledgeBase) -> None:
    (fault,) = faults(tiny, "{fare.coastline.first: 7}")
    assert (fault.key, str(fault.place)) == ("unknown-assumption", "profile.yaml:4:15")
    assert "did you mean 'fare.coast-line.first'?" in fault.text()
    assert "known: rebate, ride_speed," in fault.text()
    (typed,) = faults(tiny, "{}", "assumptions.fare.coastline.first=7")
    assert (typed.key, str(typed.place)) == ("unknown-fact", "--set assumptions.fare.coastline.first=7")
    assert "did you mean 'assumptions.fare.coast-line.first'?" in typed.text()


def test_a_figure_of_a_workload_is_refused_as_before(tiny: KnowledgeBase) -> None:
    with pytest.raises(FaultError) as raised:
        profile_of(tiny, "profile: 1\nworkloads: [{name: a, assumptions: {fare.coast-line.first: 7}}]\n")
    assert [fault.key for fault in raised.value.faults] == ["unknown-fact"]


def test_the_model_of_a_profile_holds_the_named_figures_and_no_hundreds_of_others(tiny: KnowledgeBase) -> None:
    assert tiny.vocabulary.named_assumptions == ("ride_speed", "rebate")
    schema = ProfileReader(tiny.vocabulary).model.model_json_schema()
    assert set(schema["$defs"]["Assumptions"]["properties"]) == {"ride_speed", "rebate"}


def test_the_json_schema_lets_every_figure_be_replaced_and_nothing_else(tiny: KnowledgeBase) -> None:
    defined = ProfileReader(tiny.vocabulary).json_schema()["$defs"]
    assert set(defined["Assumptions"]["properties"]) == {"rebate", *tiny.figures}
    assert defined["Assumptions"]["additionalProperties"] is False
    first = defined["Assumptions"]["properties"]["fare.coast-line.first"]
    assert first == {"title": "coast-line, first, for one", "$ref": "#/$defs/Figure"}
    assert defined["Figure"]["anyOf"][0] == {"type": "number", "minimum": 0.0}


def test_a_replaced_figure_moves_what_rests_on_it_and_is_told_in_trace_and_explanation(tiny: KnowledgeBase) -> None:
    consultant = Consultant(tiny)
    consultation = consultant.consult(told(tiny, "{fare.coast-line.first: 6, rebate: 50%}"))
    (judged,) = consultation.judgements
    assert judged.inference.values["train.fare"] == Interval(4, 6)
    data = write_trace(consultation, TOOL, "t", "2026-01-01")
    assert b'"path":"assumptions.fare.coast-line.first"' in data
    assert verify(data, "trace", consultant, TOOL) is None
    step = Explainer(Words(tiny), judged).why("train.fare")
    said = [child.text[code] for child in step.children for code in LANGUAGES]
    assert "coast-line, first, for one: 6 [fare.coast-line.first; set in the profile]" in said
    assert "折扣：0.5 [rebate；由画像指定]" in said


def test_a_figure_of_the_same_value_is_another_profile(tiny: KnowledgeBase) -> None:
    assert told(tiny, "{fare.coast-line.first: 7}").digest != told(tiny, "{}").digest
    assert told(tiny, "{fare.coast-line.first: 7}").digest == told(tiny, "{fare.coast-line.first: 7.0}").digest
