"""What reaches the screen, the pipe and the file: color, width, encoding, and nothing that could steer a terminal."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.text import Text

from cli.console import console
from cli.exit_code import ExitCode
from cli.render.wrapping import cells
from knowledge import knowledge_base
from tests.cli.command import EXAMPLES, FORMATS, LANGUAGES, run_here, surroundings, write

SEVERAL = str(EXAMPLES / "several-workloads.yaml")
BANK = str(EXAMPLES / "bank-on-premises.yaml")
RULE = "compliance.data-must-stay-on-premises"
# Everything but a line feed that moves a cursor, starts a command of the terminal, or turns the direction of text.
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVIL = "a\x1b[2J\x07\x9b31m\u202eb\u2066\u200f\x7f\r"
MARKUP = "[/bold] [red]x[/ `*_{}#|~<b>&lt; :smile: \\"


class Stream(io.StringIO):
    """A stream in memory that says of itself whether it is a terminal."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def printed(environment: Mapping[str, str], is_terminal: bool, text: str = "word") -> str:
    """A bold green text as it comes out on such a stream in such an environment."""
    stream = Stream(is_terminal)
    with patch.dict("os.environ", surroundings(environment), clear=True):
        console(stream).print(Text(text, style="bold green"))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("environment", "is_terminal", "colored"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": ""}, True, False),
        ({}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "3"}, False, True),
        ({"FORCE_COLOR": "0", "TERM": "xterm"}, True, False),
        ({"FORCE_COLOR": "", "TERM": "xterm"}, True, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"NO_COLOR": "1", "TERM": "xterm"}, True, False),
        ({"NO_COLOR": "0", "TERM": "xterm"}, True, False),
        ({"NO_COLOR": "", "TERM": "xterm"}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "xterm"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "dumb"}, False, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, False, True),
        ({"TTY_COMPATIBLE": "1"}, False, False),
    ],
)
def test_no_color_goes_before_force_color_and_that_before_the_terminal(
    environment: Mapping[str, str], is_terminal: bool, colored: bool
) -> None:
    assert ("\x1b[" in printed(environment, is_terminal)) == colored


def test_the_whole_page_follows_the_table_of_colors() -> None:
    for command in (("advise", BANK), ("explain", BANK), ("rules", "show", RULE)):
        plain = run_here(*command).out
        assert "\x1b" not in plain
        assert run_here(*command, environment={"NO_COLOR": "1", "FORCE_COLOR": "1"}).out == plain
        colored = run_here(*command, environment={"FORCE_COLOR": "1"}).out
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain != colored


def test_json_and_markdown_are_never_colored() -> None:
    for form in ("json", "markdown"):
        assert "\x1b" not in run_here("advise", BANK, "--format", form, environment={"FORCE_COLOR": "1"}).out


# Width

LONG = (("advise", SEVERAL), ("explain", SEVERAL), ("rules", "list"), ("rules", "show", RULE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_pipe_no_line_is_broken_and_no_word_cut(language: str) -> None:
    rules = knowledge_base().written
    listed = run_here("rules", "list", "--lang", language).out.splitlines()
    assert listed == [f"{rule.id}: {rule.title[language]} [{', '.join(rule.source)}]" for rule in rules]
    shown = run_here("rules", "show", rules[0].id, "--lang", language).out.splitlines()
    assert shown[:3] == [rules[0].title[language], rules[0].id, rules[0].because[language]]
    advised = run_here("advise", SEVERAL, "--all", "--lang", language).out
    data = run_here("advise", SEVERAL, "--format", "json", "--lang", language).document
    lines = set(re.sub(r" \[[^\]]*\]$", "", advised, flags=re.MULTILINE).splitlines())
    assert {f"  - {item['text']}" for workload in data["workloads"] for item in workload["advice"]} <= lines


@pytest.mark.parametrize("columns", ["60", "80", "200"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", LONG, ids=" ".join)
def test_a_width_that_is_asked_for_is_kept_and_nothing_is_lost(
    command: tuple[str, ...], language: str, columns: str
) -> None:
    unbroken = run_here(*command, "--lang", language).out
    broken = run_here(*command, "--lang", language, environment={"COLUMNS": columns}).out
    assert [line for line in broken.splitlines() if cells(line) > int(columns)] == []
    assert broken.split() == unbroken.split() or "".join(broken.split()) == "".join(unbroken.split())
    assert len(broken.splitlines()) >= len(unbroken.splitlines())


@pytest.mark.parametrize("columns", ["", "0", "-5", "²", "wide", "٨", "1e3"])
def test_a_width_that_is_none_is_as_if_not_asked_for(columns: str) -> None:
    done = run_here("advise", BANK, environment={"COLUMNS": columns, "LINES": columns})
    assert done == run_here("advise", BANK)


@pytest.mark.parametrize("columns", ["1", "20"])
def test_a_very_narrow_width_ends_no_command(columns: str) -> None:
    for command in LONG:
        done = run_here(*command, environment={"COLUMNS": columns})
        assert done.code == ExitCode.DONE
        assert "".join(done.out.split()) == "".join(run_here(*command).out.split())


# Encodings


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "latin-1", "cp1252", "utf-16"])
def test_characters_that_the_code_page_lacks_end_no_command(encoding: str, tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nname: 😀金融\u0e01é\nworkloads: [{name: 😀金融\u0e01é, stage: training}]\n")
    for typed in (("advise", path), ("explain", path), ("check", path), ("rules", "list"), ("init",)):
        done = run_here(*typed, "--lang", "zh", encoding=encoding)
        assert (done.code, done.err) == (ExitCode.DONE, "")
        assert len(done.out) > 20
    done = run_here("advise", path, "--set", "stage=😀", "--lang", "zh", encoding=encoding)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert "stage" in done.err


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "utf-16"])
def test_json_loses_no_character_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nworkloads: [{name: 😀金融, stage: training}]\n")
    typed = ("advise", path, "--format", "json", "--lang", "zh")
    assert run_here(*typed, encoding=encoding).document == run_here(*typed).document


# What a profile or an option could smuggle in


def profile_named(name: str) -> str:
    """A profile whose names are this text, and whose two workloads differ in route."""
    quoted = json.dumps(name)
    return (
        f"profile: 1\nname: {quoted}\nworkloads:\n  - {{name: {quoted}, compliance: {{residency: on_premises}}}}\n"
        f"  - {{name: {json.dumps(name + '2')}, stage: exploration}}\n"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["advise", "explain"])
def test_no_character_of_a_name_steers_the_terminal(command: str, form: str, language: str, tmp_path: Path) -> None:
    path = write(tmp_path, profile_named(EVIL))
    done = run_here(command, path, "--format", form, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert STEERING.search(done.out) is None
    if form == "json" and command == "advise":
        assert [workload["name"] for workload in done.document["workloads"]] == [EVIL, EVIL + "2"]


FAULTY = {
    "profile": ("advise", f"{EVIL}.yaml"),
    "checked profile": ("check", f"{EVIL}.yaml"),
    "command": (f"advise{EVIL}",),
    "option": ("advise", BANK, f"--set{EVIL}"),
    "extra argument": ("advise", BANK, EVIL),
    "form": ("advise", BANK, "--format", EVIL),
    "date": ("advise", BANK, "--as-of", EVIL),
    "language": ("advise", BANK, "--lang", EVIL),
    "setting": ("advise", BANK, "--set", EVIL),
    "fact": ("advise", BANK, "--set", f"{EVIL}=1"),
    "value": ("advise", BANK, "--set", f"stage={EVIL}"),
    "number": ("advise", BANK, "--set", f"demand.gpus_peak={EVIL}"),
    "suffix": ("advise", BANK, "--set", f"demand.gpus_peak=1{EVIL}"),
    "workload": ("advise", BANK, "--set", f"{EVIL}/stage=training"),
    "trace to write": ("advise", BANK, "--trace", f"/nowhere/{EVIL}"),
    "trace to read": ("audit", "show", EVIL),
    "trace to verify": ("audit", "verify", EVIL),
    "rule": ("rules", "show", EVIL),
    "why": ("explain", BANK, "--why", EVIL),
    "why not": ("explain", BANK, "--why-not", EVIL),
    "new profile": ("init", f"/nowhere/{EVIL}"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", list(FAULTY.values()), ids=list(FAULTY))
def test_no_character_of_an_option_steers_the_terminal(typed: tuple[str, ...], language: str) -> None:
    done = run_here(*typed, environment={"LANG": language})
    assert done.code in (ExitCode.CHECK_SAID_NO, ExitCode.BAD_INPUT, ExitCode.NOT_WRITTEN)
    assert done.out == ""
    assert STEERING.search(done.err) is None
    assert r"\x1b[2J" in done.err


def test_no_character_of_a_file_s_own_name_steers_the_terminal(tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nstage: training\n", f"{EVIL.replace('/', '')}.yaml")
    trace, blank = str(tmp_path / f"{EVIL}.jsonl"), str(tmp_path / f"{EVIL}2.yaml")
    for typed in (
        ("check", path),
        ("advise", path, "--trace", trace),
        ("audit", "show", trace),
        ("audit", "verify", trace),
        ("explain", path, "--why", "stage"),
        ("init", blank),
    ):
        done = run_here(*typed)
        assert done.code == ExitCode.DONE
        assert STEERING.search(done.out + done.err) is None
        assert r"\x1b[2J" in done.out + done.err or typed[0] == "advise"


@pytest.mark.parametrize("command", ["advise", "explain"])
def test_markup_in_a_name_is_shown_as_typed(command: str, tmp_path: Path) -> None:
    path = write(tmp_path, profile_named(MARKUP))
    for color in ({}, {"FORCE_COLOR": "1"}):
        assert MARKUP in run_here(command, path, environment=color).out


@pytest.mark.parametrize("name", [MARKUP, "1. x", "12) x", "- x", "+ x", "# x", "> x", "&amp;", "![a](b)", "***"])
def test_markup_in_a_name_is_escaped_in_markdown(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, profile_named(name))
    for command, head in (("advise", "# "), ("explain", "## ")):
        lines = run_here(command, path, "--format", "markdown").out.splitlines()
        (line,) = (line for line in lines if bare(line) == head + name)
        escaped = line.removeprefix(head)
        assert not re.search(r"(?<!\\)[`*_{}\[\]<>#|~&]", escaped.replace(r"\\", ""))
        assert not re.match(r"\d*[-+.)]", escaped)


def bare(markdown: str) -> str:
    """The text without the backslashes that escape what follows."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def test_markup_in_a_fault_is_shown_as_typed(tmp_path: Path) -> None:
    path = write(tmp_path, f"profile: 1\nstage: {json.dumps(MARKUP)}\n")
    assert f"'{MARKUP}' is not one of" in run_here("advise", path).err


def test_chinese_spaces_in_a_name_are_shown_as_typed(tmp_path: Path) -> None:
    path = write(tmp_path, profile_named("北京\u3000团队"))
    assert "北京\u3000团队" in run_here("advise", path).out
