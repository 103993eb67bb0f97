"""What a file may hold, what is refused, and where."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import engine.loading
from engine.base import KnowledgeBase
from engine.faults import LANGUAGES, Fault, FaultError, Place
from engine.loading import (
    MAX_BYTES,
    MAX_DEPTH,
    Mapping,
    Node,
    Scalar,
    Sequence,
    plain,
    read_bytes,
    read_file,
    wide_colon,
)
from tests.engine.helpers import examples, profile_of


def read(text: str | bytes) -> Node:
    return read_bytes(text if isinstance(text, bytes) else text.encode(), "a.yaml")


def refusals(text: str | bytes) -> list[tuple[str, str]]:
    """Key and place of every fault, in order; the file's name left out."""
    with pytest.raises(FaultError) as raised:
        read(text)
    return [(fault.key, str(fault.place).removeprefix("a.yaml").lstrip(":")) for fault in raised.value.faults]


def refusal(base: KnowledgeBase, text: str | bytes) -> Fault:
    """The one fault of a profile."""
    with pytest.raises(FaultError) as raised:
        profile_of(base, text)
    (fault,) = raised.value.faults
    assert all(fault.text(code) for code in LANGUAGES)
    return fault


REFUSED: dict[str, tuple[str | bytes, list[tuple[str, str]]]] = {
    "a key that stands twice": ("a: 1\nb: 2\na: 3\n", [("duplicate-key", "3:1")]),
    "a key that stands twice within": ("a: {b: 1, b: 2}\n", [("duplicate-key", "1:11")]),
    "a key in quotes that stands without": ("a: 1\n'a': 2\n", [("duplicate-key", "2:1")]),
    "an anchor and its alias": ("a: &x 1\nb: *x\n", [("alias", "1:4"), ("alias", "2:4")]),
    "a merge of an alias": ("a: &x {b: 1}\nc:\n  <<: *x\n", [("alias", "1:4"), ("alias", "3:7")]),
    "a type tag": ("a: !!python/object:os.system x\n", [("tag", "1:4")]),
    "a local tag on a mapping": ("a: !b {c: 1}\n", [("tag", "1:4")]),
    "a tab before a key": ("org: bank\nops:\n\tteam: 3", [("tab-indent", "3:1")]),
    "a tab after spaces": ("ops:\n  a: 1\n  \tb: 3", [("tab-indent", "3:3")]),
    "a full-width colon among keys": ("a: 1\n预算：100\nb: 2\n", [("wide-colon", "2:3")]),
    "a full-width colon in a list": ("a:\n  - b：1\n    c: 2\n", [("wide-colon", "2:6")]),
    "full-width spaces before a key": ("ops:\n　　team: 3\n", [("wide-space", "2:1")]),
    "a second document": ("a: 1\n---\nb: 2\n", [("several-documents", "3:1")]),
    "a second document that is empty": ("a: 1\n---\n", [("several-documents", "3:1")]),
    "nothing at all": ("", [("empty-file", "")]),
    "blank lines": ("\n\n  \n", [("empty-file", "")]),
    "a comment alone": ("# only a comment\n", [("empty-file", "")]),
    "a document of nothing": ("---\n~\n", [("empty-file", "")]),
    "two documents of nothing": ("---\n---\n", [("empty-file", "")]),
    "an escape character": ('a: "\x1b[2J"\n', [("control-character", "1:5")]),
    "a mark that turns the direction": ("a: 1\nname: a\u202eb\n", [("control-character", "2:8")]),
    "a null character": ("a: x\x00y\n", [("control-character", "1:5")]),
    "a line separator, a line break to some readers alone": ("a: x\u2028b: 1\n", [("control-character", "1:5")]),
    "several such characters": ("\x07a: \u2066b\x7f\n", [("control-character", f"1:{n}") for n in (1, 5, 7)]),
    "a Chinese file in GBK": ("a: 1\n行业: 金融\n".encode("gbk"), [("not-utf-8", "2:1")]),
    "a file in UTF-16": ("a: 1\n".encode("utf-16"), [("not-utf-8", "1:1")]),
    "a file in UTF-16 without a mark": ("a:".encode("utf-16-le"), [("control-character", f"1:{n}") for n in (2, 4)]),
    "a list as a key": ("? [a, b]\n: 1\n", [("key-not-text", "1:3")]),
    "a mapping as a key": ("{{a: 1}: 2}\n", [("key-not-text", "1:2")]),
    "too deep a list": ("a: " + "[" * 30 + "]" * 30, [("too-deep", "1:24")]),
    "too deep a block": ("- " * 30 + "x", [("too-deep", "1:43")]),
    "too deep a JSON document": ('{"a":' * 100_000, [("too-deep", "1:1")]),
    "a list that never ends": ("[" * 100_000, [("bad-yaml", "1:1001")]),
    "a quote that never ends": ("a: 1\nb: 'x\n", [("bad-yaml", "3:1")]),
    "a mapping in a mapping on one line": ("a: b: c\n", [("bad-yaml", "1:5")]),
    "a value deeper than its key allows": ("a: 1\n  b: 2\n", [("bad-yaml", "2:4")]),
    "half a character as an escape": ('{"a": "\\ud83d"}', [("bad-yaml", "1:10")]),
    "too large a file": (b"a: " + b"x" * MAX_BYTES, [("too-large", "")]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_profile_never_needs_is_refused_at_its_place(name: str) -> None:
    text, wanted = REFUSED[name]
    start = time.process_time()
    assert refusals(text) == wanted
    assert time.process_time() - start < 1


def test_a_repeated_key_names_the_line_where_it_first_stood() -> None:
    with pytest.raises(FaultError) as raised:
        read("x: 1\na: 1\nb: 2\na: 3\n")
    assert "'a' stands here a second time; it was first given in line 2" in str(raised.value)


def test_all_faults_of_a_file_are_told_at_once() -> None:
    assert refusals("a: &x 1\na: 2\nb: !t {c: 1, c: 2}\n") == [
        ("alias", "1:4"), ("duplicate-key", "2:1"), ("tag", "3:4"), ("duplicate-key", "3:14"),
    ]  # fmt: skip


def test_an_alias_bomb_is_refused_at_once() -> None:
    names = "abcdefg"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [f"{two}: &{two} [{','.join([f'*{one}'] * 9)}]" for one, two in pairwise(names)]
    start = time.process_time()
    found = refusals("\n".join([*lines, "notes: *g", ""]))
    assert {key for key, _ in found} == {"alias"}
    assert time.process_time() - start < 0.5


def test_a_file_in_another_encoding_is_told_which_and_from_which_byte_on() -> None:
    for encoding, name, byte in (("gbk", "GBK", 6), ("utf-16", "UTF-16", 0)):
        with pytest.raises(FaultError) as raised:
            read("name: 金融\n".encode(encoding))
        assert name in str(raised.value)
        assert f"byte {byte} " in str(raised.value)


def test_bytes_of_no_known_encoding_are_refused() -> None:
    assert refusals(b"a: 1\nname: \xff\xfe\x00") == [("not-utf-8", "2:1")]


def test_at_most_twenty_control_characters_are_told() -> None:
    assert len(refusals("a: " + "\x07" * 500)) == 20


def test_a_file_of_the_largest_size_is_read() -> None:
    assert plain(read(b"a: " + b"x" * (MAX_BYTES - 3))) == {"a": "x" * (MAX_BYTES - 3)}


def test_the_deepest_nesting_that_is_allowed_is_read() -> None:
    assert plain(read("a: " + "[" * (MAX_DEPTH - 1) + "1" + "]" * (MAX_DEPTH - 1)))
    assert refusals("a: " + "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH) == [("too-deep", f"1:{4 + MAX_DEPTH}")]


# What is read, and where it stands


def test_a_byte_order_mark_is_no_part_of_the_first_key() -> None:
    root = read(b"\xef\xbb\xbfprofile: 1\n")
    assert isinstance(root, Mapping)
    assert [(key.text, str(key.place)) for key, _ in root.entries] == [("profile", "a.yaml:1:1")]


def test_columns_count_characters_and_not_bytes() -> None:
    root = read("{名字: 金融, b: [一, 二]}\n")
    assert isinstance(root, Mapping)
    places = {key.text: (key.place.column, value.place.column) for key, value in root.entries}
    assert places == {"名字": (2, 6), "b": (10, 13)}


def test_every_node_knows_its_line_and_column() -> None:
    root = read("a:\n  - b: 1\n    c: |\n      long\n  - 'q'\n")
    assert isinstance(root, Mapping)
    items = root.get("a")
    assert isinstance(items, Sequence)
    first, second = items.items
    assert isinstance(first, Mapping)
    assert isinstance(second, Scalar)
    assert (str(items.place), str(first.place), str(second.place)) == ("a.yaml:2:3", "a.yaml:2:5", "a.yaml:5:5")
    assert [str(node.place) for _, node in first.entries] == ["a.yaml:2:8", "a.yaml:3:8"]
    assert second.quoted
    assert root.key("a") == Scalar("a", False, Place("a.yaml", 1, 1))
    assert root.get("z") is None
    assert root.key("z") is None


@pytest.mark.parametrize(
    "word", ["no", "on", "off", "yes", "NO", "2026-01-01", "0100", "20:30", ".5", "1_000", "0x10", "True"]
)
def test_a_word_stays_the_word_that_was_typed(word: str) -> None:
    assert plain(read(f"a: {word}\n{word}: 1\n")) == {"a": word, word: 1}


def test_quotes_make_a_text_of_anything() -> None:
    assert plain(read("a: ['true', \"1\", 'null', '']\n")) == {"a": ["true", "1", "null", ""]}
    assert plain(read("a: [true, false, 1, -2.5, 1e3, null, ~, ]\nb:\n")) == {
        "a": [True, False, 1, -2.5, 1000.0, None, None], "b": None,
    }  # fmt: skip


def test_a_number_too_long_for_any_reader_stays_text() -> None:
    assert plain(read(f"a: {'9' * 5000}\n")) == {"a": "9" * 5000}


def test_a_lone_word_with_a_full_width_colon_is_recognized() -> None:
    root = read("预算：100")
    assert isinstance(root, Scalar)
    assert wide_colon(root)
    assert not wide_colon(Scalar("预算：100", True, root.place))


# JSON


@pytest.mark.parametrize("loader", [engine.loading._LOADER, yaml.SafeLoader])
def test_json_with_tabs_and_escapes_is_read_as_json(loader: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the quick parser, and with the one that stands in for it where that was not built."""
    monkeypatch.setattr(engine.loading, "_LOADER", loader)
    text = '{\t"profile":\t1,\n\t"a": {"b":[1,2.5,-3e2,true,false,null]},\t"name": "x\\/y\\u00e9\\ud83d\\ude00\\n"\n}'
    assert plain(read(text)) == json.loads(text)
    root = read(text)
    assert isinstance(root, Mapping)
    assert [str(key.place) for key, _ in root.entries] == ["a.yaml:1:3", "a.yaml:2:2", "a.yaml:2:43"]


def test_a_repeated_key_of_json_is_refused_too() -> None:
    assert refusals('{"a": 1,\n\t"a": 2}') == [("duplicate-key", "2:2")]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_STEERS = {
    *map(chr, range(0x7F, 0xA0)),
    "\u200e",
    "\u200f",
    *map(chr, range(0x2028, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
}


@given(
    st.dictionaries(st.text(max_size=8), _JSON, min_size=1, max_size=4), st.booleans(), st.sampled_from([None, 1, "\t"])
)
@examples(150)
def test_every_json_document_is_read_as_what_it_says(
    said: dict[str, Any], ascii_only: bool, indent: int | str | None
) -> None:
    text = json.dumps(said, ensure_ascii=ascii_only, indent=indent)
    if not ascii_only and _STEERS & set(text):
        assert {key for key, _ in refusals(text)} == {"control-character"}
    else:
        assert plain(read(text)) == said


@given(st.binary(max_size=60) | st.text("ab:-[]{}'\"#&*!|>%@`?, \n\t：　\u202e", max_size=40).map(str.encode))
@examples(250)
def test_no_bytes_at_all_end_in_anything_but_a_node_or_a_fault(data: bytes) -> None:
    try:
        node = read(data)
    except FaultError as error:
        assert all(fault.text(code) for fault in error.faults for code in LANGUAGES)  # noqa: PT017
        assert all(fault.place and fault.place.line >= 0 for fault in error.faults)  # noqa: PT017
    else:
        assert node.place.line >= 1


# Files


def test_a_file_that_is_not_there_is_told_by_the_name_it_was_asked_for_by(tmp_path: Path) -> None:
    with pytest.raises(FaultError) as raised:
        read_file(tmp_path / "none.yaml", "none.yaml")
    (fault,) = raised.value.faults
    assert (fault.key, fault.place) == ("cannot-read", Place("none.yaml"))
    assert str(tmp_path) not in str(raised.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FaultError) as raised:
        read_file(tmp_path)
    assert raised.value.faults[0].key == "cannot-read"


# Profiles, whose every fault comes out of what was loaded


PROFILES: dict[str, tuple[str, str]] = {
    "profile: 1\ncomplaince: {}\n": ("unknown-fact", "2:1"),
    "profile: 1\ndemand: {utilization: {a: 1}}\n": ("bad-value", "2:10"),
    'profile: 1\n"x[": 1\n': ("unknown-fact", "2:1"),
    "profile: 1\ndemand: {'a[b]': 1}\n": ("unknown-fact", "2:10"),
    "profile: 1\nworkloads: [{name: a, 'x[': 1}]\n": ("unknown-fact", "2:23"),
    "profile: 1\nworkloads: [null]\n": ("wrong-shape", "2:13"),
    "profile: 1\nworkloads: {a: 1}\n": ("wrong-shape", "2:1"),
    "profile: 1\ncompliance: 3\n": ("wrong-shape", "2:1"),
    "profile: 1\nname: [1]\n": ("bad-name", "2:1"),
    "profile: 2\n": ("bad-version", "1:1"),
    "profile: true\n": ("bad-version", "1:1"),
    "stage: training\n": ("no-version", "1:1"),
    "- 1\n": ("not-a-profile", "1:1"),
    "42": ("not-a-profile", "1:1"),
    "profile：1\n": ("wide-colon", "1:1"),
    "profile: 1\nregion: NO\n": ("bad-value", "2:1"),
    "profile: 1\noperations: {vendor_run: 1}\n": ("bad-value", "2:14"),
    "profile: 1\ndemand: {utilization: yes}\n": ("bad-value", "2:10"),
    "profile: 1\ndemand: {gpus_steady: 8, gpus_peak: 4}\n": ("below-other", "2:26"),
    "profile: 1\nassumptions: {pui: 1}\n": ("unknown-assumption", "2:15"),
    "profile: 1\nassumptions: {pue: yes}\n": ("bad-value", "2:15"),
    "profile: 1\nutilization: 0.5\n": ("unknown-fact", "2:1"),
}


@pytest.mark.parametrize("text", PROFILES)
def test_what_is_wrong_in_a_profile_is_told_at_its_place(text: str, real: KnowledgeBase) -> None:
    key, place = PROFILES[text]
    fault = refusal(real, text)
    assert (fault.key, str(fault.place)) == (key, f"profile.yaml:{place}")
    assert "Scalar(" not in fault.text()


def test_a_misspelt_fact_is_answered_with_the_fact_that_was_meant(real: KnowledgeBase) -> None:
    assert refusal(real, "profile: 1\n\ncomplaince: {}\n").text() == (
        "profile.yaml:3:1: unknown fact 'complaince'; did you mean 'compliance'?"
    )
    assert "did you mean 'demand.utilization'?" in refusal(real, "profile: 1\nutilization: 1\n").text()
    assert "'sensitivity'" in refusal(real, "profile: 1\nworkloads: [{compliance: {sensitvity: x}}]\n").text()


def test_a_profile_in_json_is_the_same_profile(real: KnowledgeBase) -> None:
    yaml_text = "profile: 1\nstage: training\ndemand: {utilization: 30%, gpus_peak: 8}\nworkloads: [{region: cn}, {}]\n"
    said = {"profile": 1, "stage": "training", "demand": {"utilization": 0.3, "gpus_peak": 8}}
    as_json = json.dumps({**said, "workloads": [{"region": "cn"}, {}]}, indent="\t")
    assert profile_of(real, yaml_text).digest == profile_of(real, as_json).digest


def test_what_holds_for_every_workload_gives_way_to_what_one_says_itself(real: KnowledgeBase) -> None:
    profile = profile_of(
        real, "profile: 1\nstage: training\nworkloads:\n- {}\n- {stage: pretraining}\n- {stage: null}\n"
    )
    assert [workload.facts["stage"].value for workload in profile.workloads] == ["training", "pretraining", "training"]
    assert [workload.facts["stage"].source.line for workload in profile.workloads] == [2, 5, 2]
