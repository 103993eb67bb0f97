"""Every command and option that the pages for people name can be typed as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli.app import build

PROJECT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
NOT_THERE = "### Not there yet"


def typed(page: str) -> list[list[str]]:
    """The words of every command that the page shows, in a block or in a sentence, behind the program's name."""
    text = (PROJECT / page).read_text(encoding="utf-8").partition(NOT_THERE)[0].replace("\\\n", " ")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    spans = [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", text)
    found = (re.match(r"(?:\$ )?(?:\S*/)?gpu-advisor ([a-z-][^|]*)", span) for span in spans)
    return [match[1].split() for match in found if match]


def faults(words: list[str]) -> Iterator[str]:
    command: click.Command = build("en")
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        if name not in command.commands:
            yield f"no command {name}"
            return
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    yield from (f"no option {word}" for word in rest if word.startswith("--") and word.partition("=")[0] not in known)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_exists(page: str) -> None:
    commands = typed(page)
    assert commands
    assert [(words, found) for words in commands if (found := list(faults(words)))] == []


def test_a_command_or_option_that_does_not_exist_is_seen() -> None:
    assert list(faults(["advice", "x.yaml"])) == ["no command advice"]
    assert list(faults(["rules", "lists"])) == ["no command lists"]
    assert list(faults(["advise", "x.yaml", "--form=json"])) == ["no option --form=json"]
    assert list(faults(["advise", "x.yaml", "--set", "stage=training", "--lang", "zh"])) == []
