"""Every sentence of the interface is there in every language, is asked for somewhere, and gets all that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import cli
from cli.strings import sentences
from engine.faults import LANGUAGES

CLI = Path(cli.__file__).parent
SECTIONS = sorted({path.name.partition(".")[0] for path in (CLI / "strings").glob("*.yaml")})
KEY = re.compile(rf"({'|'.join(SECTIONS)})\.[a-z0-9-]+")
CHINESE = re.compile("[\u4e00-\u9fff]")
# Functions that take a key without its section: the file, what they are called, and the section.
SPEAKERS = {
    "page.py": ("_say", "verdict"),
    "rule_text.py": ("_heading", "rules"),
    "trace_text.py": ("_line", "audit"),
    "flip_text.py": ("_say", "flip"),
}
# Keys that are put together where they are used: what they begin with, and how they may end.
MADE = {
    "verdict.kind-": ("gap", "doubt", "risk", "guard", "migration", "blueprint"),
    "verdict.confidence-": ("low", "medium", "high"),
    "rules.case-": ("fires", "silent", "undecided", "defeated"),
    "profile.example-": ("number", "flag", "name"),
    "cost.grant-": ("equipment", "cloud_credits", "allocation"),
    "audit.from-": ("profile", "option", "answer", "computed", "inferred", "verdict", "division"),
    "audit.silent-": ("true", "false", "unknown"),
    "audit.wanted-": ("is", "at_least", "more_than", "at_most", "less_than", "known", "none"),
    "audit.concludes-": ("infer", "supports", "opposes", "excludes", "defeats", "form", "advises"),
    "flip.from-": ("closed", "open"),
    "flip.to-": ("closed", "open"),
    "flip.within-": ("closed-closed", "open-closed", "closed-open", "open-open"),
    "audit.": ("defeat", "division", "verdict", "end"),
}


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the interface, by its path."""
    return {str(path.relative_to(CLI)): ast.parse(path.read_text(encoding="utf-8")) for path in CLI.rglob("*.py")}


def nodes(file: str = "") -> Iterator[ast.AST]:
    return (node for name, tree in trees().items() if name.endswith(file) for node in ast.walk(tree))


def texts(file: str = "") -> set[str]:
    """Every text that stands in the modules, but for those that are parts of a longer one."""
    inner = {id(part) for node in nodes(file) if isinstance(node, ast.JoinedStr) for part in node.values}
    constants = (node for node in nodes(file) if isinstance(node, ast.Constant) and id(node) not in inner)
    return {node.value for node in constants if isinstance(node.value, str)}


def calls(name: str, file: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Calls of a function or method of this name whose first text is no other than what stands there, and that text."""
    for node in nodes(file):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
            first = next((arg for arg in node.args if isinstance(arg, ast.Constant | ast.JoinedStr)), None)
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value, node


def asked() -> set[str]:
    """Every key that the modules ask for."""
    literal = {text for text in texts() if KEY.fullmatch(text)} - {"profile.yaml"}
    spoken = {f"{section}.{key}" for file, (name, section) in SPEAKERS.items() for key, _ in calls(name, file)}
    made = {start + end for start, ends in MADE.items() for end in ends}
    return literal | spoken | made


def chosen() -> set[str]:
    """Keys that stand in a module without their section, to be spoken by it later."""
    speakers = {"app.py": "app"} | {file: section for file, (_, section) in SPEAKERS.items()}
    return {f"{section}.{text}" for file, section in speakers.items() for text in texts(file)}


def written() -> dict[str, str]:
    return {f"{section}.{key}": text for section in SECTIONS for key, text in sentences(section, "en").items()}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_every_section_stands_in_every_language() -> None:
    names = {path.name for path in (CLI / "strings").glob("*.yaml")}
    assert names == {f"{section}.{language}.yaml" for section in SECTIONS for language in LANGUAGES}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_languages_have_the_same_sentences_in_the_same_order(section: str) -> None:
    first, *others = [list(sentences(section, language)) for language in LANGUAGES]
    assert all(other == first for other in others)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_sentence_names_the_same_things_in_every_language(section: str) -> None:
    english, chinese = (sentences(section, language) for language in ("en", "zh"))
    assert [key for key in english if places(english[key]) != places(chinese[key])] == []


@pytest.mark.parametrize("section", SECTIONS)
def test_no_sentence_is_left_in_the_other_language(section: str) -> None:
    english, chinese = (sentences(section, language) for language in ("en", "zh"))
    assert [key for key, text in english.items() if CHINESE.search(text)] == []
    bare = {key: re.sub(r"\{\w+\}", "", text) for key, text in chinese.items()}
    assert [key for key, text in bare.items() if re.search("[A-Za-z]", text) and not CHINESE.search(text)] == []


def test_every_sentence_that_is_asked_for_is_there() -> None:
    assert len(asked()) > 100
    assert sorted(asked() - written().keys()) == []


def test_no_sentence_is_left_over() -> None:
    assert sorted(written().keys() - asked() - chosen()) == []


def test_every_key_that_is_put_together_is_listed() -> None:
    starts = set()
    for node in nodes():
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            start = str(node.values[0].value)
            found = [key for key in written() if key.startswith(start) or key.partition(".")[2].startswith(start)]
            if start.endswith("-") and len(found) > 1:
                starts.add(start.rpartition(".")[2])
    assert starts == {start.rpartition(".")[2] for start in MADE} - {""}


def test_every_sentence_gets_what_it_names() -> None:
    missing = []
    for key, call in calls("say"):
        given = [word.arg for word in call.keywords]
        if KEY.fullmatch(key) and None not in given:
            missing += [(key, name) for name in sorted(places(written()[key]) - set(map(str, given)))]
    assert missing == []


def test_no_sentence_gets_what_it_does_not_name() -> None:
    extra = []
    for key, call in calls("say"):
        alone = isinstance(call.args[0], ast.Constant)
        given = {word.arg for word in call.keywords} - {None}
        if KEY.fullmatch(key) and alone:
            extra += [(key, name) for name in sorted(given - places(written()[key]), key=str)]
    assert extra == []
