"""The questionnaire line by line: what goes in, what comes out, what is on disk, and how it ends."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.ask import AskOptions, AskResult, Streams, run_ask
from cli.ask.answers_file import Keeper, Stored, load
from cli.ask.conversation import Conversation
from cli.ask.dialogue import Answers, Dialogue
from cli.ask.plain import PlainFace
from cli.ask.wording import why
from cli.exit_code import ExitCode
from cli.strings import say
from engine.language import facts_read
from knowledge import knowledge_base
from tests.cli.terminal import ASK, ROOT, Terminal, environment

BASE = knowledge_base()
TOLD = BASE.vocabulary.told()
EXAMPLES = "".join(f"{fact.example}\n" for fact in TOLD)
GARBAGE = (
    "²",
    "99",
    "1e999",
    "\x1b[24;1R",
    "\udcbd",
    "x" * 300,
    "0x10",
    "7,0",
    "nan",
    "\u202e3",
    "null",
    "~",
    "1..2",
    "[1, 2]",
)


def asked(lines: str, path: Path, language: str = "en", resume: Path | None = None) -> tuple[AskResult, str]:
    """What came of typing these lines, and what was said."""
    said = io.StringIO()
    result = run_ask(BASE, language, AskOptions(path, resume, plain=True), Streams(io.StringIO(lines), said))
    return result, said.getvalue()


def command(folder: Path, *arguments: str, lines: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """The command itself with these lines on standard input."""
    return subprocess.run(
        [sys.executable, *ASK, *arguments],
        cwd=folder, env=environment(**changes), input=lines, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def answers(path: Path) -> Answers:
    return load(path, BASE.vocabulary).answers


def test_the_end_of_input_stops_with_exit_2_names_the_question_and_keeps_all_answers(tmp_path: Path) -> None:
    result, said = asked("in_country\n3\n", tmp_path / "p.yaml")
    assert (result.exit_code, result.profile) == (ExitCode.BAD_INPUT, None)
    assert "compliance.sensitivity" in said.splitlines()[-2]
    assert said.splitlines()[-1].strip() == f"gpu-advisor ask --plain --resume {tmp_path / 'p.yaml'}"
    assert answers(tmp_path / "p.yaml") == {"compliance.residency": "in_country", "compliance.isolation": "physical"}


def test_after_the_last_question_the_end_of_input_finishes(tmp_path: Path) -> None:
    result, said = asked(EXAMPLES, tmp_path / "p.yaml")
    assert result.exit_code is ExitCode.DONE
    assert result.profile is not None
    assert {g.source.kind for g in result.profile.workloads[0].facts.values()} == {"answer"}
    assert len(result.profile.workloads[0].facts) == len(TOLD)
    assert f"{len(TOLD)}. parallelism today: one server" in said


def test_q_saves_and_stops(tmp_path: Path) -> None:
    result, said = asked("in_country\nq\nlogical\n", tmp_path / "p.yaml")
    assert (result.exit_code, result.profile) == (ExitCode.DONE, None)
    assert answers(tmp_path / "p.yaml") == {"compliance.residency": "in_country"}
    assert "compliance.isolation" in said


def test_a_bad_answer_is_asked_again_with_the_reason_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    _, said = asked("9\n²\nconfidental\n\udcbd\udcf0\nin_country\n", tmp_path / "p.yaml")
    assert "'9' is not one of" in said
    assert "These characters cannot be read here: U+DCBD, U+DCF0" in said
    assert answers(tmp_path / "p.yaml") == {"compliance.residency": "in_country"}


def test_a_question_mark_tells_why_with_the_rules_and_their_rows_and_the_question_stays_open(tmp_path: Path) -> None:
    _, said = asked("?\non_premises\n", tmp_path / "p.yaml")
    assert said.count(f"Question 1 of {len(TOLD)}.") == 1
    reading = next(rule for rule in BASE.written if rule.id.startswith("compliance.") and "X-5" in rule.source)
    assert f"{reading.title['en']} ({', '.join(reading.source)})" in said
    assert answers(tmp_path / "p.yaml") == {"compliance.residency": "on_premises"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reason_for_a_question_includes_rules_on_what_is_computed_from_it(language: str) -> None:
    fact = BASE.vocabulary.facts["demand.start_within_days"]
    reading = [rule for rule in BASE.written if "delivery.slack_days" in facts_read(rule.when)]
    lines = why(BASE, fact, language).rules
    assert reading
    assert all(any(line.startswith(rule.title[language]) for line in lines) for rule in reading)


def test_a_question_that_no_rule_waits_for_says_so() -> None:
    unread = replace(BASE.vocabulary.facts["region"], path="no.such_fact")
    assert why(BASE, unread, "en").lead == say("ask.read-by-none", "en")


def test_back_keeps_later_answers_and_a_greater_sign_keeps_the_answer_itself(tmp_path: Path) -> None:
    lines = "in_country\nlogical\ninternal\n<\n<\n<\non_premises\n<\n<\n>\n"
    _, said = asked(lines, tmp_path / "p.yaml")
    assert list(answers(tmp_path / "p.yaml").values()) == ["on_premises", "logical", "internal"]
    assert "Answer so far: in the country (> keeps it)." in said
    assert "compliance.cloud_assessment" in said.splitlines()[-2]


def test_numbers_are_echoed_in_one_form(tmp_path: Path) -> None:
    lines = "-\n" * 4 + "１ month\n" + "\n" * 4 + "70亿\n"
    _, said = asked(lines, tmp_path / "p.yaml")
    assert "5. days to cloud approval: 30.4375 days" in said
    assert "10. model size: 7B" in said


def test_at_the_end_an_answer_can_be_changed_by_its_number(tmp_path: Path) -> None:
    result, said = asked(EXAMPLES + "99\n3\npublic\n?\n\n", tmp_path / "p.yaml")
    assert result.profile is not None
    assert answers(tmp_path / "p.yaml")["compliance.sensitivity"] == "public"
    assert f"'99' is not the number of an answer, 1-{len(TOLD)}." in said
    assert said.count("3. data sensitivity: internal") == 2
    assert said.count("3. data sensitivity: public") == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_resuming_asks_for_the_rest_only_and_ends_in_the_same_profile(tmp_path: Path, language: str) -> None:
    whole, _ = asked(EXAMPLES, tmp_path / "whole.yaml", language)
    half = EXAMPLES.splitlines(keepends=True)
    path = tmp_path / "half.yaml"
    asked("".join(half[:20]), path, language)
    result, said = asked("".join(half[20:]), path, language, resume=path)
    assert whole.profile is not None
    assert result.profile is not None
    assert result.profile.digest == whole.profile.digest
    assert BASE.vocabulary.facts[TOLD[20].path].question[language] in said
    assert TOLD[19].question[language] not in said
    assert not list(tmp_path.glob("*.bak"))


def test_a_new_run_over_earlier_answers_says_where_their_copy_is(tmp_path: Path) -> None:
    asked("in_country\n", tmp_path / "p.yaml")
    _, said = asked("anywhere\n", tmp_path / "p.yaml")
    assert "p.yaml.bak" in said
    assert answers(tmp_path / "p.yaml.bak") == {"compliance.residency": "in_country"}


def test_resuming_a_file_of_somebody_else_says_that_its_comments_go(tmp_path: Path) -> None:
    (tmp_path / "hand.yaml").write_text("profile: 1\nstage: training # mine\n", encoding="utf-8")
    _, said = asked("q\n", tmp_path / "out.yaml", resume=tmp_path / "hand.yaml")
    assert "its comments are not" in said
    assert "# mine" in (tmp_path / "hand.yaml").read_text(encoding="utf-8")
    assert answers(tmp_path / "out.yaml") == {"stage": "training"}


def test_a_file_that_was_not_written_here_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("profile: 1\n", encoding="utf-8")
    result, said = asked("in_country\n", path)
    assert result.exit_code is ExitCode.BAD_INPUT
    assert "--out" in said
    assert "--resume" in said
    assert path.read_text(encoding="utf-8") == "profile: 1\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("profile: 1\nstge: training\n", "unknown fact 'stge'; did you mean 'stage'?"),
        ("profile: 1\nworkloads: [{name: a}, {name: b}]\n", "several workloads"),
        ("", "is empty"),
    ],
)
def test_a_profile_that_cannot_be_gone_on_with_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(content, encoding="utf-8")
    result, said = asked("in_country\n", path, resume=path)
    assert result.exit_code is ExitCode.BAD_INPUT
    assert words in said
    assert path.read_text(encoding="utf-8") == content


def test_where_nothing_can_be_saved_nothing_is_asked(tmp_path: Path) -> None:
    for target in (tmp_path / "gone" / "p.yaml", tmp_path):
        result, said = asked(EXAMPLES, target)
        assert result.exit_code is ExitCode.NOT_WRITTEN
        assert "cannot be written" in said
        assert "Question 1" not in said
    assert asked(EXAMPLES, tmp_path / "p.json")[0].exit_code is ExitCode.BAD_INPUT


def test_input_without_end_and_without_sense_comes_to_an_end(tmp_path: Path) -> None:
    result, said = asked("nonsense\n" * 5000, tmp_path / "p.yaml")
    assert result.exit_code is ExitCode.BAD_INPUT
    assert len(said) < 50_000


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_lines_whatever_leave_a_file_that_reads_back_to_the_same_answers(
    tmp_path: Path, data: st.DataObject
) -> None:
    wishes = st.sampled_from(["<", ">", "?", "-", "", "1", "2", "12", "64", "30%", "yes", "in_country"])
    usual = st.sampled_from([fact.example for fact in TOLD])
    odd = st.one_of(st.sampled_from(GARBAGE), st.text(max_size=8).filter(lambda text: "\n" not in text))
    lines = data.draw(st.lists(st.one_of(wishes, usual, odd), max_size=60))
    path = tmp_path / "p.yaml"
    path.unlink(missing_ok=True)
    dialogue = Dialogue(BASE.vocabulary)
    keeper = Keeper(path, BASE.vocabulary, data.draw(st.sampled_from(["en", "zh"])), Stored(), fresh=True)
    face = PlainFace(io.StringIO("".join(f"{line}\n" for line in lines)), io.StringIO(), "en")
    with contextlib.suppress(EOFError):
        Conversation(BASE, "en", dialogue, keeper, face).run()
    assert dict(dialogue.answers) == (dict(answers(path)) if path.exists() else {})


def test_without_a_terminal_it_ends_at_once_with_one_line_and_writes_nothing(tmp_path: Path) -> None:
    done = command(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "--plain" in done.stderr
    assert "gpu-advisor advise" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dumb_terminal_is_no_terminal(tmp_path: Path) -> None:
    terminal = Terminal(ASK, tmp_path, changes={"TERM": "dumb"})
    assert terminal.end() == 2
    assert "--plain" in terminal.screen
    assert list(tmp_path.iterdir()) == []


def test_an_empty_input_saves_nothing(tmp_path: Path) -> None:
    done = command(tmp_path, "--plain")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing was saved" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_dialogue_is_on_standard_error_and_the_verdict_alone_on_standard_output(
    tmp_path: Path, language: str
) -> None:
    done = command(tmp_path, "--plain", "--lang", language, lines=EXAMPLES)
    assert done.returncode == 0, done.stderr
    advise = [sys.executable, "-m", "cli", "advise", "profile.yaml", "--lang", language]
    again = subprocess.run(advise, cwd=tmp_path, env=environment(), capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == again.stdout
    assert done.stdout


def test_bytes_of_another_encoding_are_refused_and_asked_again(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, *ASK, "--plain"], cwd=tmp_path, env=environment(), check=False, capture_output=True,
        input=b"\xbd\xf0\xc8\xda\nin_country\n",
    )  # fmt: skip
    assert process.returncode == 2
    assert b"cannot be read here: U+DCBD" in process.stderr
    assert answers(tmp_path / "profile.yaml") == {"compliance.residency": "in_country"}


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("given_answers", [1, 7])
def test_a_kill_at_any_moment_costs_no_given_answer(tmp_path: Path, given_answers: int) -> None:
    process = subprocess.Popen(
        [sys.executable, *ASK, "--plain"], cwd=tmp_path, env=environment(), encoding="utf-8",
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    with process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.writelines(EXAMPLES.splitlines(keepends=True)[:given_answers])
        process.stdin.flush()
        assert any(f"Question {given_answers + 1} of" in line for line in process.stderr)
        process.send_signal(signal.SIGKILL)
    assert len(answers(tmp_path / "profile.yaml")) == given_answers
    assert [entry.name for entry in tmp_path.iterdir()] == ["profile.yaml"]


def test_the_module_can_be_run_from_any_folder(tmp_path: Path) -> None:
    assert ROOT not in tmp_path.parents
    assert command(tmp_path, "--plain", "--out", "mine.yaml", lines="in_country\n").returncode == 2
    assert answers(tmp_path / "mine.yaml") == {"compliance.residency": "in_country"}
