"""The questionnaire as a form, in a real pseudo-terminal."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.ask.answers_file import load
from cli.ask.dialogue import Answers
from cli.strings import say
from engine.vocabulary import FactType
from knowledge import knowledge_base
from tests.cli.terminal import ASK, Terminal, environment

BASE = knowledge_base()
TOLD = BASE.vocabulary.told()
ENTER = "\r"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")


def answers(folder: Path) -> Answers:
    return load(folder / "profile.yaml", BASE.vocabulary).answers


def head_of(number: int, language: str = "en") -> str:
    """The beginning of a question's head, up to its number."""
    said = say("ask.question-of", language, number=number, count=len(TOLD), group="|", title="")
    return said.partition("|")[0].rstrip()


def keys_for(fact: FactType) -> str:
    """The keys that give a fact its example: an entry's number, or the value; then Enter."""
    if fact.kind == "choice":
        return f"{1 + [choice.value for choice in fact.choices].index(fact.example)}{ENTER}"
    if fact.kind == "flag":
        return f"{'1' if fact.example == 'yes' else '2'}{ENTER}"
    return f"{fact.example}{ENTER}"


def started(folder: Path, *arguments: str, columns: int = 80, **changes: str) -> Terminal:
    terminal = Terminal([*ASK, *arguments], folder, columns, changes)
    terminal.wait_for(head_of(1))
    return terminal


@pytest.mark.parametrize("plain", [False, True], ids=["form", "plain"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_questionnaire_gives_the_verdict_of_the_profile_that_it_saved(
    tmp_path: Path, language: str, plain: bool
) -> None:
    arguments = [*ASK, "--lang", language, *(["--plain"] if plain else [])]
    terminal = Terminal(arguments, tmp_path, output="verdict.txt")
    for number, fact in enumerate(TOLD, start=1):
        terminal.wait_for(head_of(number, language))
        terminal.type(f"{fact.example}{ENTER}" if plain else keys_for(fact))
    terminal.wait_for(say("ask.prompt-review" if plain else "ask.finish", language))
    terminal.type(ENTER)
    assert terminal.end() == 0
    assert all(fact.read(fact.example) == answers(tmp_path)[fact.path] for fact in TOLD)
    advise = [sys.executable, "-m", "cli", "advise", "profile.yaml", "--lang", language]
    again = subprocess.run(advise, cwd=tmp_path, env=environment(), capture_output=True, encoding="utf-8", check=True)
    assert (tmp_path / "verdict.txt").read_text(encoding="utf-8") == again.stdout
    assert say("ask.saved", language, path="profile.yaml") in terminal.screen


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_question_keeps_within_the_terminal_and_breaks_between_words(
    tmp_path: Path, language: str, columns: int
) -> None:
    terminal = Terminal([*ASK, "--lang", language], tmp_path, columns)
    terminal.wait_for(head_of(1, language))
    terminal.type(ENTER)
    terminal.wait_for(head_of(2, language))
    fact = TOLD[1]
    for choice in fact.choices:
        terminal.wait_for_words(choice.label[language])
        terminal.wait_for_words(choice.implies[language])
    assert all(line[:1] not in "，。；：、" for line in terminal.screen.splitlines() if line)
    terminal.type("q")
    assert terminal.end() == 0


def test_an_answer_gives_way_to_one_line_and_what_stood_before_stays(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.type("2")
    terminal.wait_for(">  2  in the country")
    terminal.type(ENTER)
    screen = terminal.wait_for(head_of(2))
    assert "1. data residency: in the country" in screen
    assert "Question 1 of" not in screen
    assert f"{len(TOLD)} questions." in screen
    terminal.type("q")
    terminal.end()


def test_enter_alone_is_dont_know_and_never_a_choice(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    for number in range(1, 8):
        terminal.wait_for(head_of(number))
        terminal.type(ENTER)
    terminal.wait_for(head_of(8))
    terminal.type("q")
    terminal.end()
    assert set(answers(tmp_path).values()) == {None}
    assert len(answers(tmp_path)) == 7


def test_arrows_go_round_numbers_and_the_hyphen_point_and_other_keys_do_nothing(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.wait_for(">  -  don't know")
    for keys, pointed in (
        ("\x1b[B", ">  1"),
        ("\x1b[A", ">  -"),
        ("²9xyz 3", ">  3"),
        ("-", ">  -"),
        ("\x1b[A", ">  3"),
    ):
        terminal.type(keys)
        terminal.wait_for(pointed)
    terminal.type(ENTER)
    terminal.wait_for(head_of(2))
    terminal.type("q")
    terminal.end()
    assert answers(tmp_path) == {"compliance.residency": "on_premises"}


def test_back_has_the_old_answer_chosen_and_keeps_later_ones(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    for number, key in ((1, "2"), (2, "1"), (3, "3")):
        terminal.wait_for(head_of(number))
        terminal.type(key + ENTER)
    terminal.wait_for(head_of(4))
    terminal.type("<")
    terminal.wait_for(">  3  confidential")
    terminal.type("\x1b[D")
    terminal.wait_for(">  1  logical")
    terminal.type("\x02")
    terminal.wait_for(">  2  in the country")
    terminal.type("3" + ENTER)
    terminal.wait_for(head_of(4))
    terminal.type("q")
    terminal.end()
    assert list(answers(tmp_path).values()) == ["on_premises", "logical", "confidential"]


def test_a_value_is_typed_asked_again_with_the_reason_and_kept_by_enter_alone(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    for number in range(1, 5):
        terminal.wait_for(head_of(number))
        terminal.type(ENTER)
    terminal.wait_for(head_of(5))
    terminal.type("ten apples" + ENTER)
    terminal.wait_for("'ten apples' is not a number")
    terminal.type("?" + ENTER)
    terminal.wait_for(TOLD[4].help["en"].split(";")[0])
    terminal.type("３０天" + ENTER)
    terminal.wait_for("5. days to cloud approval: 30 days")
    terminal.type("<")
    terminal.wait_for("Answer so far: 30 days. Enter alone keeps it.")
    terminal.type(ENTER)
    terminal.wait_for(head_of(6))
    terminal.type("q")
    terminal.end()
    assert answers(tmp_path)["compliance.approval_days"] == 30.0


def test_a_reply_of_the_terminal_is_no_answer_and_broken_characters_are_asked_again(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.type("\x1b[24;1R")
    for number in range(1, 5):
        terminal.wait_for(head_of(number))
        terminal.type(ENTER)
    terminal.wait_for(head_of(5))
    terminal.type(b"\xbd\xf0\xc8\xda\r")
    terminal.wait_for("These characters cannot be read here")
    terminal.type("\x1b[24;1R64" + ENTER)
    terminal.wait_for(head_of(6))
    terminal.type("q")
    terminal.end()
    assert answers(tmp_path)["compliance.approval_days"] == 64.0


def test_keys_typed_ahead_are_not_lost_and_not_echoed(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.type(("2" + ENTER) * 4)
    screen = terminal.wait_for(head_of(5))
    terminal.type("q" + ENTER)
    assert terminal.end() == 0
    assert None not in answers(tmp_path).values()
    assert len(answers(tmp_path)) == 4
    assert "^M" not in screen


def test_the_page_of_all_answers_scrolls_and_leads_to_any_of_them(tmp_path: Path) -> None:
    number = 1 + [fact.path for fact in TOLD].index("migration.containerized")
    lines = "".join(f"{fact.example}\n" for fact in TOLD[:-1])
    arguments = [sys.executable, *ASK, "--plain"]
    subprocess.run(
        arguments, cwd=tmp_path, env=environment(), input=lines, encoding="utf-8", capture_output=True, check=False
    )
    terminal = Terminal([*ASK, "--resume", "profile.yaml"], tmp_path)
    terminal.wait_for(head_of(len(TOLD)))
    terminal.type(ENTER)
    terminal.wait_for(">     Finish, and see the advice")
    terminal.type(str(number + 1))
    terminal.wait_for(f"> {number + 1}  ")
    terminal.type("\x1b[A" + ENTER)
    terminal.wait_for(">  1  yes")
    terminal.type("2" + ENTER)
    terminal.wait_for(">     Finish, and see the advice")
    terminal.type(ENTER)
    assert terminal.end() == 0
    assert answers(tmp_path)["migration.containerized"] is False


@pytest.mark.parametrize("plain", [False, True], ids=["form", "plain"])
def test_ctrl_c_ends_with_130_keeps_every_answer_and_gives_the_terminal_back(tmp_path: Path, plain: bool) -> None:
    terminal = started(tmp_path, *(["--plain"] if plain else []))
    terminal.type("2" + ENTER)
    terminal.wait_for(head_of(2))
    terminal.type("\x03")
    terminal.wait_for(f"Interrupted at question 2 of {len(TOLD)}, required isolation (compliance.isolation).")
    terminal.wait_for(f"gpu-advisor ask {'--plain ' if plain else ''}--resume profile.yaml")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.history
    assert "Verdict" not in terminal.history
    assert answers(tmp_path) == {"compliance.residency": "in_country"}


def test_the_end_of_input_stops_with_all_kept(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.type("2" + ENTER)
    terminal.wait_for(head_of(2))
    terminal.type("\x04")
    assert terminal.end() == 2
    assert "compliance.isolation" in "".join(terminal.screen.split())
    assert answers(tmp_path) == {"compliance.residency": "in_country"}


def test_a_signal_gives_the_terminal_back(tmp_path: Path) -> None:
    shell = Terminal(["-c", SHELL], tmp_path)
    shell.wait_for(head_of(1))
    assert not shell.echoes()
    shell.type("2" + ENTER)
    shell.wait_for(head_of(2))
    shell.process.kill(signal.SIGUSR1)
    shell.wait_for("ended with 143")
    assert shell.echoes()
    shell.process.terminate(force=True)
    assert answers(tmp_path) == {"compliance.residency": "in_country"}


SHELL = f"""
import signal, subprocess, sys, time
asking = subprocess.Popen([sys.executable, *{ASK!r}])
signal.signal(signal.SIGUSR1, lambda *_: asking.terminate())
print("ended with", asking.wait(), flush=True)
time.sleep(30)
"""


def test_without_color_the_same_is_said(tmp_path: Path) -> None:
    plain, colored = started(tmp_path, NO_COLOR="1"), started(tmp_path)
    for terminal in (plain, colored):
        terminal.wait_for(">  -  don't know")
        terminal.type("q")
        assert terminal.end() == 0
    color = re.compile(r"\x1b\[[0-9;]*[39][0-7][;m]")
    assert not color.search(plain.raw)
    assert color.search(colored.raw)
    assert plain.screen == colored.screen


def test_the_mouse_and_the_whole_screen_stay_with_the_terminal_and_it_is_asked_nothing(tmp_path: Path) -> None:
    terminal = started(tmp_path)
    terminal.type("q")
    assert terminal.end() == 0
    for sequence in ("\x1b[?1000h", "\x1b[?1003h", "\x1b[?1049h", "\x1b[6n"):
        assert sequence not in terminal.raw
