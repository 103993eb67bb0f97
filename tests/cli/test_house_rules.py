"""House rules at the command line: on every command that judges, shown apart, and refused with their own place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.exit_code import ExitCode
from tests.cli.command import EXAMPLES, LANGUAGES, Done, run_here, run_process, write

HOUSE = str(EXAMPLES / "house-rules")
BUSY = str(EXAMPLES / "busy-service-costed.yaml")
BAN = "house.core-secrets-stay-out-of-every-cloud"
MONEY = "house.operating-money-is-preferred"
STUCK = "house.a-ban-that-leaves-nothing-open"
STUCK_PROFILE = """\
profile: 1
compliance: {sensitivity: core_secret}
demand: {gpus_steady: 64, gpus_peak: 64, start_within_days: 3}
finance: {funding: either}
"""
MARK = {"en": "house rule; ", "zh": "本单位规则；"}


@pytest.fixture
def secret(tmp_path: Path) -> str:
    return write(tmp_path, STUCK_PROFILE)


def house_with(folder: Path, old: str, new: str, name: str = "policy.yaml") -> str:
    """A copy of the example in a folder called house, its rules changed and in a file of this name; its path."""
    house = shutil.copytree(HOUSE, folder / "house")
    text = (house / "policy.yaml").read_text(encoding="utf-8")
    assert old in text
    (house / "policy.yaml").unlink()
    write(house, text.replace(old, new), name)
    return str(house)


def line_with(done: Done, text: str) -> str:
    (line,) = [line for line in done.out.splitlines() if text in line]
    return line


# The verdict


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_verdict_marks_exclusion_reason_and_advice_of_the_house_and_no_others(form: str, secret: str) -> None:
    done = run_here("advise", secret, "--rules", HOUSE, "--format", form, "--all")
    marked = [line for line in done.out.splitlines() if MARK["en"] in line]
    wanted = ("stay out of every cloud", "prefers operating money", "ask the board in writing")
    assert len(marked) == len(wanted)
    assert all(text in line for text, line in zip(wanted, marked, strict=True))
    assert f"House rules in force: 3, from {HOUSE}" in done.out


def test_a_verdict_in_chinese_marks_them_too(secret: str) -> None:
    done = run_here("advise", secret, "--rules", HOUSE, "--lang", "zh")
    assert MARK["zh"] in line_with(done, "一律不上云")
    assert f"已叠加本单位规则 3 条，来自 {HOUSE}" in done.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_house_rules_nothing_is_said_of_them(language: str, secret: str) -> None:
    done = run_here("advise", secret, "--lang", language, "--all")
    assert "house" not in done.out.lower()
    assert "本单位规则" not in done.out


def test_what_gave_way_to_a_house_rule_says_so(tmp_path: Path) -> None:
    spared = "defeats: [compliance.core-secrets-stay-at-home]"
    house = house_with(tmp_path, "supports: {cloud: moderate}", spared)
    done = run_here("advise", write(tmp_path, STUCK_PROFILE), "--rules", house, "--all")
    assert "[house rule; H-2]" in line_with(done, "gave way to")


def test_json_lists_the_house_rules_and_has_null_without(secret: str) -> None:
    housed = run_here("advise", secret, "--rules", HOUSE, "--format", "json").document
    bare = run_here("advise", secret, "--format", "json").document
    assert sorted(housed["knowledge"]["house"]["rules"]) == sorted([BAN, MONEY, STUCK])
    assert housed["knowledge"]["house"]["digest"].startswith("sha256:")
    assert housed["knowledge"]["digest"] != bare["knowledge"]["digest"]
    assert housed["knowledge"]["rules"] == bare["knowledge"]["rules"] + 3
    assert bare["knowledge"]["house"] is None
    assert housed["workloads"][0]["excluded"]["cloud"] == [BAN]


@pytest.mark.parametrize("typed", [("explain", "--why", BAN), ("explain", "--why-not", MONEY)])
def test_the_other_commands_that_judge_know_the_house_rules(typed: tuple[str, ...], secret: str) -> None:
    command, *options = typed
    done = run_here(command, secret, *options, "--rules", HOUSE)
    assert done.code == ExitCode.DONE
    assert options[-1] in done.out
    without = run_here(command, secret, *options)
    assert (without.code, without.out) == (ExitCode.BAD_INPUT, "")


def test_costs_are_added_up_under_house_rules_as_well() -> None:
    bare, housed = run_here("cost", BUSY, "--as-of", "2026-12-01"), run_here(
        "cost", BUSY, "--as-of", "2026-12-01", "--rules", HOUSE
    )  # fmt: skip
    assert (housed.code, housed.out) == (ExitCode.DONE, bare.out)


def test_the_questionnaire_advises_under_house_rules(tmp_path: Path) -> None:
    profile = write(tmp_path, STUCK_PROFILE)
    answers = ("\n" * 200).encode()
    done = run_here("ask", "--plain", "--resume", profile, "--rules", HOUSE, stdin=answers)
    assert f"House rules in force: 3, from {HOUSE}" in done.out


def test_a_questionnaire_is_not_begun_under_house_rules_that_are_broken(tmp_path: Path) -> None:
    done = run_here(
        "ask", "--plain", "--out", str(tmp_path / "p.yaml"), "--rules", str(tmp_path / "none"), stdin=b"q\n"
    )
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert "Question" not in done.err


# The trace


def test_a_trace_is_verified_under_the_house_rules_that_it_was_made_under(secret: str, tmp_path: Path) -> None:
    housed, bare = str(tmp_path / "housed.jsonl"), str(tmp_path / "bare.jsonl")
    run_here("advise", secret, "--rules", HOUSE, "--trace", housed)
    run_here("advise", secret, "--trace", bare)
    assert run_here("audit", "verify", housed, "--rules", HOUSE).code == ExitCode.DONE
    assert run_here("audit", "verify", bare).code == ExitCode.DONE
    left_out, added = run_here("audit", "verify", housed), run_here("audit", "verify", bare, "--rules", HOUSE)
    assert (left_out.code, added.code) == (ExitCode.CHECK_SAID_NO, ExitCode.CHECK_SAID_NO)
    assert BAN in left_out.err
    assert "give the same folder with --rules" in left_out.err
    assert "leave --rules out" in added.err


def test_a_trace_in_words_lists_the_house_rules_and_marks_what_they_did(secret: str, tmp_path: Path) -> None:
    path = str(tmp_path / "trace.jsonl")
    run_here("advise", secret, "--rules", HOUSE, "--trace", path)
    done = run_here("audit", "show", path)
    assert "House rules in force: " in done.out
    assert f"{BAN} (house rule) fired [H-1]" in done.out
    assert f"cloud is ruled out by {BAN} (house rule)" in done.out
    assert "lateness.hardware-would-come-too-late fired" in done.out
    header = json.loads(Path(path).read_text(encoding="utf-8").splitlines()[0])
    assert HOUSE not in json.dumps(header)


# The rules


def test_the_list_has_the_house_rules_in_a_section_of_their_own() -> None:
    bare, done = run_here("rules", "list"), run_here("rules", "list", "--rules", HOUSE)
    shipped, _, own = done.out.partition(f"\nHouse rules, from {HOUSE}\n")
    assert shipped == bare.out
    assert [line.partition(":")[0] for line in own.splitlines()] == [BAN, MONEY, STUCK]


def test_the_page_of_a_house_rule_says_that_it_is_one_and_where_it_stands() -> None:
    done = run_here("rules", "show", BAN, "--rules", HOUSE)
    assert "A house rule, at " in done.out
    assert "policy.yaml:" in done.out
    assert "Directives of the board" in done.out
    assert "house rule" not in run_here("rules", "show", "compliance.core-secrets-stay-at-home").out


def test_the_check_says_no_to_a_house_rule_whose_case_fails_and_tells_which_shipped_scenarios_move(
    tmp_path: Path,
) -> None:
    house = house_with(tmp_path, "funding: capital}", "funding: either}")
    done = run_here("rules", "check", "--rules", house)
    assert done.code == ExitCode.CHECK_SAID_NO
    assert MONEY in done.err
    assert str(Path(house, "policy.yaml")) in done.err
    count = int(line_with(done, "Shipped scenarios").split(": ")[1].split()[0])
    assert count == sum(" becomes " in line for line in done.out.splitlines()) > 0


# What is refused


@pytest.mark.parametrize(
    "typed",
    [("advise", BUSY), ("explain", BUSY), ("cost", BUSY), ("check", BUSY), ("rules", "list"), ("rules", "check"),
     ("rules", "show", BAN), ("audit", "verify", BUSY)],
    ids=" ".join,
)  # fmt: skip
def test_every_command_refuses_house_rules_that_are_not_there(typed: tuple[str, ...], tmp_path: Path) -> None:
    done = run_here(*typed, "--rules", str(tmp_path / "hose"))
    wanted = ExitCode.CHECK_SAID_NO if typed == ("rules", "check") else ExitCode.BAD_INPUT
    assert (done.code, done.out) == (wanted, "")
    assert done.err.startswith(f"{tmp_path / 'hose'}: ")


def test_a_fault_names_the_file_below_the_folder_as_it_was_typed(tmp_path: Path) -> None:
    house_with(tmp_path, "      finance.funding: either", "      finance.founding: x", "no-cloud.yaml")
    done = run_process("check", BUSY, "--rules", "house/", folder=tmp_path)
    assert done.code == ExitCode.BAD_INPUT
    place = "house/no-cloud.yaml:25:7: "
    assert done.err == f"{place}unknown fact 'finance.founding'; did you mean 'finance.funding'?\n"
