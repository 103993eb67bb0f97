"""House rules over the bicycle base: they bear on verdicts, are marked, digested, traced, and checked as the others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.base import KnowledgeBase
from engine.checking import case_outcome, check_base
from engine.consultation import Consultant
from engine.explanation import Explainer
from engine.faults import LANGUAGES
from engine.house_checking import check_house
from engine.profile import Profile
from engine.trace import Tool, chained, records, write_trace
from engine.verifying import verify
from engine.words import Words
from tests.engine.helpers import TINY, load_tiny, profile_with
from tests.engine.house_files import ASK, GUIDANCE, HEAD, STRIKE, WHOLE, WINTER, house_at

TOOL = Tool("trip-advisor", "1.0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return house_at(tmp_path_factory.mktemp("house"), WHOLE)


@pytest.fixture(scope="module")
def housed(folder: Path) -> KnowledgeBase:
    return load_tiny(rules_over=folder)


@pytest.fixture(scope="module")
def judge(housed: KnowledgeBase) -> Consultant:
    return Consultant(housed)


def winter_ride(base: KnowledgeBase) -> Profile:
    return profile_with(base, {"season": "winter", "trip.distance": 3.0, "rider.bicycle": "plain"})


# What they do


def test_house_rules_are_marked_and_stand_behind_the_rules_of_the_base(
    tiny: KnowledgeBase, housed: KnowledgeBase
) -> None:
    assert housed.house is not None
    assert list(housed.house.rules) == [
        "house.trains-are-never-on-strike", "house.no-riding-in-winter", "house.mother-knows"
    ]  # fmt: skip
    assert [rule.id for rule in housed.written if not rule.house] == [rule.id for rule in tiny.written]
    assert {rule.id for rule in housed.written if rule.house} == set(housed.house.rules)
    assert tiny.house is None


def test_a_house_rule_closes_a_route_and_gives_advice_of_its_own(
    judge: Consultant, tiny_consultant: Consultant
) -> None:
    shipped = tiny_consultant.consult(winter_ride(tiny_consultant.base)).judgements[0]
    judgement = judge.consult(winter_ride(judge.base)).judgements[0]
    assert (shipped.route, judgement.route) == ("bicycle", "train")
    assert judgement.weighing.exclusions == {"bicycle": ("house.no-riding-in-winter",)}
    advised = {item.id: item.text["en"] for item in judgement.advice}
    assert advised["house.ask-mother"] == "Ask mother about the 3 km."


def test_a_house_rule_defeats_a_rule_of_the_base(judge: Consultant) -> None:
    profile = profile_with(judge.base, {"season": "summer", "train.running": False})
    inference = judge.consult(profile).judgements[0].inference
    assert inference.defeated == {"ways.no-trains-on-strike": "house.trains-are-never-on-strike"}


def test_a_house_rule_defeats_another_house_rule(tmp_path: Path) -> None:
    short = STRIKE.replace("trains-are-never-on-strike", "unless-it-is-short")
    for old, new in (
        ("ways.no-trains-on-strike", "house.no-riding-in-winter"),
        ("      season: summer\n", "      trip.distance: {at_most: 5}\n"),
        ("given: {season: summer}", "given: {trip.distance: 5}"),
        ("given: {season: winter}", "given: {trip.distance: 6}"),
    ):
        short = short.replace(old, new)
    base = load_tiny(rules_over=house_at(tmp_path, {**WHOLE, "short.yaml": HEAD + short}))
    judgement = Consultant(base).consult(winter_ride(base)).judgements[0]
    assert judgement.inference.defeated["house.no-riding-in-winter"] == "house.unless-it-is-short"
    assert judgement.route == "bicycle"


def test_the_words_of_a_house_rule_carry_its_mark_and_others_do_not(housed: KnowledgeBase) -> None:
    words, rules = Words(housed), housed.rules
    marked = words.rule_title(rules["house.no-riding-in-winter"])
    assert dict(marked) == {"en": "No riding in winter (house rule)", "zh": "冬天不骑车（本单位规则）"}
    plain = rules["ways.no-trains-on-strike"]
    assert words.rule_title(plain) == plain.title


def test_the_proof_names_the_house_rule(judge: Consultant) -> None:
    judgement = judge.consult(winter_ride(judge.base)).judgements[0]
    assert "No riding in winter" in str(Explainer(Words(judge.base), judgement).proof())


# What they are part of: the digest, the trace


def test_what_house_rules_say_is_part_of_the_digest_and_where_they_stand_is_not(
    tiny: KnowledgeBase, housed: KnowledgeBase, folder: Path, tmp_path: Path
) -> None:
    moved = shutil.copytree(folder, tmp_path / "moved")
    (moved / "winter.yaml").write_text("# A comment\n" + HEAD + WINTER + ASK, encoding="utf-8")
    again = load_tiny(rules_over=moved)
    assert (again.digest, again.house) == (housed.digest, housed.house)
    (moved / "winter.yaml").write_text(HEAD + WINTER.replace("Mother said", "Mama said") + ASK, encoding="utf-8")
    other = load_tiny(rules_over=moved)
    assert len({tiny.digest, housed.digest, other.digest}) == 3
    assert other.house != housed.house


def test_the_order_of_files_is_that_of_their_characters(tmp_path: Path) -> None:
    rule = {name: WINTER.replace("no-riding-in-winter", f"rule-{name}") for name in "abz"}
    files = {"a.yaml": HEAD + rule["a"], "Z.yaml": HEAD + rule["z"], "b.yaml": HEAD + rule["b"]}
    base = load_tiny(rules_over=house_at(tmp_path, {"guidance.yaml": GUIDANCE, **files}))
    assert base.house is not None
    assert base.house.rules == ("house.rule-z", "house.rule-a", "house.rule-b")


def test_the_header_of_a_trace_lists_the_house_rules_and_has_no_such_key_without(
    judge: Consultant, tiny_consultant: Consultant
) -> None:
    header = next(records(judge.consult(winter_ride(judge.base)), TOOL))
    assert judge.base.house is not None
    assert header["house"] == {"digest": judge.base.house.digest, "rules": list(judge.base.house.rules)}
    assert "house" not in next(records(tiny_consultant.consult(winter_ride(tiny_consultant.base)), TOOL))


def traced(consultant: Consultant) -> bytes:
    return write_trace(consultant.consult(winter_ride(consultant.base)), TOOL, "2026-01-01T00:00:00Z", "2026-01-01")


def test_a_trace_verifies_under_the_same_house_rules_alone(
    judge: Consultant, tiny_consultant: Consultant, tmp_path: Path
) -> None:
    files = {name: text for name, text in WHOLE.items() if name != "strike.yaml"}
    other = Consultant(load_tiny(rules_over=house_at(tmp_path, files)))
    trace, bare = traced(judge), traced(tiny_consultant)
    assert verify(trace, "t", judge, TOOL) is None
    found = [verify(trace, "t", tiny_consultant, TOOL), verify(bare, "t", judge, TOOL), verify(trace, "t", other, TOOL)]
    keys = [fault.key for fault in found if fault]
    assert keys == ["trace-house-left-out", "trace-house-added", "trace-house-other"]
    assert found[2] is not None
    assert found[2].params["gone"] == ["house.trains-are-never-on-strike"]
    assert found[2].params["both"] == ["house.no-riding-in-winter", "house.mother-knows"]
    for language in LANGUAGES:
        assert all("house.no-riding-in-winter" in fault.text(language) for fault in found if fault)


@pytest.mark.parametrize("house", [None, 3, [], {}, {"digest": 1, "rules": "x"}, {"digest": "", "rules": [[], {}]}])
def test_a_header_whose_house_rules_are_nonsense_is_a_fault_and_no_crash(house: object, judge: Consultant) -> None:
    said = [json.loads(line) for line in traced(judge).splitlines()]
    for record in said:
        del record["n"], record["hash"]
    forged = b"".join(chained([{**said[0], "house": house}, *said[1:]]))
    fault = verify(forged, "t", judge, TOOL)
    assert fault is not None
    assert fault.key == "trace-house-other"
    assert fault.text("zh") != fault.text("en")


# Their checks


def test_house_rules_that_are_right_pass_and_the_scenarios_that_they_move_are_told_and_no_fault(
    judge: Consultant, tiny_consultant: Consultant
) -> None:
    shipped = check_base(tiny_consultant, TINY)
    checked, moved = check_house(judge, tiny_consultant, TINY)
    assert checked.faults == shipped.faults == ()
    assert (checked.rules, checked.cases, checked.rows) == (shipped.rules + 3, shipped.cases + 9, shipped.rows + 1)
    assert moved
    assert all(one.before != one.after for one in moved)


def test_a_case_of_a_house_rule_that_fails_is_told(tmp_path: Path, tiny_consultant: Consultant) -> None:
    wrong = WINTER.replace("{season: summer}, outcome: silent", "{season: winter}, outcome: silent")
    base = load_tiny(rules_over=house_at(tmp_path, {"guidance.yaml": GUIDANCE, "winter.yaml": HEAD + wrong}))
    (fault,) = check_house(Consultant(base), tiny_consultant, TINY)[0].faults
    assert (fault.key, fault.params["case"]) == ("case-fails", "in July")
    assert fault.place is not None
    assert fault.place.file == str(tmp_path / "winter.yaml")


def test_a_statement_of_the_house_that_no_rule_cites_is_told(tmp_path: Path, tiny_consultant: Consultant) -> None:
    row = GUIDANCE[GUIDANCE.index("  - id: M-1") :].replace("M-1", "M-2")
    files = {"guidance.yaml": GUIDANCE + row, "winter.yaml": HEAD + WINTER}
    base = load_tiny(rules_over=house_at(tmp_path, files))
    (fault,) = check_house(Consultant(base), tiny_consultant, TINY)[0].faults
    assert (fault.key, fault.params["row"]) == ("row-bare", "M-2")


def test_a_shipped_case_that_a_house_rule_moves_is_no_fault(tmp_path: Path, tiny_consultant: Consultant) -> None:
    always = STRIKE.replace("season: summer", "train.running: false").replace("season: winter", "train.running: true")
    judge = Consultant(load_tiny(rules_over=house_at(tmp_path, {"strike.yaml": HEAD + always})))
    rule = judge.base.rules["ways.no-trains-on-strike"]
    assert [case_outcome(judge, rule, case.given) for case in rule.cases if case.outcome == "fires"] == ["defeated"]
    assert check_house(judge, tiny_consultant, TINY)[0].faults == ()
