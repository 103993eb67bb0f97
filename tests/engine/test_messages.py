"""Every sentence that the engine asks for is there, in every language, with the same {names}; and none is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import engine.faults
from engine.faults import LANGUAGES, Fault, Place, Report, did_you_mean, messages, nearest, printable, shown
from engine.language import COMPARISONS

ENGINE = Path(engine.faults.__file__).parent
TOP = ENGINE.parent
KEY = re.compile(r"[a-z]+(?:[-_][a-z_]+)*")
MADE = {
    "expected-": ("choice", "flag", "number", "name"),
    "word-": COMPARISONS,
    "strength-": ("slight", "moderate", "strong"),
    "from-": ("profile", "option", "answer", "case", "computed", "inferred", "verdict", "division"),
}
"""Keys that are put together where they are used: what they begin with, and how they may end."""


@cache
def _trees(*folders: Path) -> Sequence[tuple[str, ast.Module]]:
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return [(file.name, ast.parse(file.read_text(encoding="utf-8"))) for file in files]


def _strings(*folders: Path) -> set[str]:
    nodes = (node for _, tree in _trees(*folders) for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of a function or method of this name whose first argument is a key."""
    for file, tree in _trees(ENGINE):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
                yield file, node


def _asked() -> Iterator[tuple[str, str, frozenset[str] | None]]:
    """File, key and names of every sentence asked for; None where the names cannot be read off the call."""
    for name in ("add", "fail", "unreadable", "say", "Fault"):
        for file, call in _calls(name):
            key = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
            if isinstance(key, str) and KEY.fullmatch(key):
                yield file, key, _names(call)


def _names(call: ast.Call) -> frozenset[str] | None:
    if len(call.args) > 1 and isinstance(call.args[1], ast.Dict):
        keys = call.args[1].keys
        names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        return frozenset(names) if len(names) == len(keys) else None
    plain = [word.arg for word in call.keywords]
    return None if None in plain or len(call.args) > 2 else frozenset(str(name) for name in plain)


def _places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_the_languages_have_the_same_sentences() -> None:
    keys = [list(messages(code)) for code in LANGUAGES]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("key", messages("en"))
def test_a_sentence_has_the_same_names_in_every_language(key: str) -> None:
    first, *others = [_places(messages(code)[key]) for code in LANGUAGES]
    assert all(other == first for other in others)


def test_no_chinese_sentence_was_left_in_english() -> None:
    chinese = re.compile("[\u4e00-\u9fff]")
    bare = [key for key, text in messages("zh").items() if re.search("[a-z]", re.sub(r"\{\w+\}|'[^']*'", "", text))]
    assert [key for key in bare if not chinese.search(messages("zh")[key])] == []


def test_every_sentence_that_is_asked_for_is_there() -> None:
    asked = {key for _, key, _ in _asked() if "-" in key}
    assert len(asked) > 100
    assert asked - set(messages("en")) == set()


def test_every_name_in_a_sentence_is_filled_where_it_is_asked_for() -> None:
    missing = [
        (file, key, sorted(_places(messages("en")[key]) - names))
        for file, key, names in _asked()
        if key in messages("en") and names is not None and _places(messages("en")[key]) - names
    ]
    assert missing == []


def test_no_sentence_is_left_over() -> None:
    strings = _strings(ENGINE, TOP / "cli", TOP / "knowledge")
    made = {start + end for start, ends in MADE.items() for end in ends}
    assert [key for key in messages("en") if key not in strings and key not in made] == []


def test_every_key_that_is_put_together_is_listed() -> None:
    starts = set()
    for _, tree in _trees(ENGINE):
        for node in ast.walk(tree):
            first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else None
            start = str(first.value) if isinstance(first, ast.Constant) else ""
            if start.endswith("-") and any(key.startswith(start) for key in messages("en")):
                starts.add(start)
    assert starts == set(MADE)
    assert all(start + end in messages("en") for start, ends in MADE.items() for end in ends)


# Faults in words


def test_a_fault_names_file_line_and_column_before_its_sentence() -> None:
    fault = Fault("empty-file", {}, Place("a.yaml", 3, 7))
    assert fault.text() == f"a.yaml:3:7: {messages('en')['empty-file']}"
    assert Fault("empty-file", {}, Place("a.yaml")).text("zh") == f"a.yaml: {messages('zh')['empty-file']}"


def test_what_was_typed_is_shown_without_what_could_steer_a_screen() -> None:
    fault = Fault("not-a-number", {"typed": "\x1b[2J\u202e7"})
    assert "\\x1b[2J\\u202e7" in fault.text()
    assert all(character.isprintable() for character in fault.text())


def test_braces_in_what_was_typed_are_shown_as_typed() -> None:
    assert "'{typed} {0}'" in Fault("not-a-number", {"typed": "{typed} {0}"}).text()


def test_what_was_typed_is_cut_where_it_is_endless() -> None:
    text = Fault("not-a-number", {"typed": "9" * 5000}).text()
    assert "9" * 100 in text
    assert "…" in text
    assert len(text) < 300


def test_a_wording_in_every_language_is_told_in_the_language_asked_for() -> None:
    fault = Fault("bad-value", {"fact": "a", "reason": {"en": "because", "zh": "因为"}})
    assert "because" in fault.text("en")
    assert "因为" in fault.text("zh")
    assert shown([{"en": "one", "zh": "一"}, 2], "zh") == "一, 2"


@pytest.mark.parametrize(("typed", "meant"), [("complaince", "compliance"), ("Weather.Sky", "weather.sky")])
def test_a_name_that_is_near_is_suggested(typed: str, meant: str) -> None:
    assert nearest(typed, ["compliance", "finance", "weather.sky"]) == meant
    assert meant in did_you_mean(meant)["en"]
    assert meant in did_you_mean(meant)["zh"]


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert nearest("zzz", ["compliance", "finance"]) is None
    assert set(did_you_mean(None).values()) == {""}


def test_a_report_tells_its_faults_in_the_order_of_their_places() -> None:
    report = Report()
    for place in (Place("b", 1, 1), Place("a", 10, 1), None, Place("a", 9, 2), Place("a", 9, 1)):
        report.add("empty-file", place)
    with pytest.raises(engine.faults.FaultError) as raised:
        report.check()
    told: list[str] = [str(fault.place) for fault in raised.value.faults]
    assert told == ["None", "a:9:1", "a:9:2", "a:10:1", "b:1:1"]
    assert str(raised.value).splitlines() == [fault.text() for fault in raised.value.faults]


def test_a_report_without_faults_lets_pass() -> None:
    Report().check()


def test_ordinary_text_of_any_language_is_shown_as_it_is() -> None:
    assert printable("Größe 规模 70亿 (a-b)") == "Größe 规模 70亿 (a-b)"
