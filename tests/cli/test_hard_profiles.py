"""Profiles as people get them wrong: each fault is told with its place, in words that say what to do, all at once."""

from __future__ import annotations

import os
import re
import time
import tracemalloc
from pathlib import Path

import pytest

from cli.exit_code import ExitCode
from tests.cli.command import LANGUAGES, run_here, write

HEAD = "profile: 1\n"
MEGABYTE = 1 << 20
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{here}: &{here} [{','.join([f'*{there}'] * 9)}]\n" for there, here in zip("abcdef", "bcdefg", strict=True)
)

# What stands in the file behind its head; then each fault that must be told: line, column, and words of the message.
FAULTS: dict[str, tuple[str, list[tuple[int, int, str]]]] = {
    "NO is no region, and off and on are no answers": (
        "region: NO\ncompliance: off\noperations: {fast_network: on}\n",
        [(2, 1, "'NO' is not one of cn, us, eu"), (3, 1, "'compliance' must be"), (4, 14, "yes or no, but found 'on'")],
    ),
    "a key that others read as false": ("demand:\n  no: 2\n  true: 3\n", [(3, 3, "'no'"), (4, 3, "'true'")]),
    "a key that is given twice": (
        "stage: training\nregion: cn\nstage: exploration\n",
        [(4, 1, "'stage' stands here a second time; it was first given in line 2")],
    ),
    "a key that is given twice deep inside": (
        "workloads:\n  - {name: a, demand: {gpus_peak: 1, gpus_peak: 2}}\n",
        [(3, 38, "'gpus_peak' stands here a second time")],
    ),
    "numbers that begin with a zero": (
        "demand: {gpus_steady: 0100, gpus_peak: 010, job_gpus: 08}\n",
        [(2, 10, "'0100'"), (2, 29, "write 10"), (2, 45, "write 8")],
    ),
    "numbers of a programmer": (
        "demand:\n  gpus_steady: 0x10\n  gpus_peak: 0o17\n  job_gpus: 1_000\n  horizon_months: 20:30\n",
        [(3, 3, "'0x10' is not"), (4, 3, "'0o17' is not"), (5, 3, "'1_000' is not"), (6, 3, "'20:30' is not")],
    ),
    "numbers that are none": (
        "data: {volume_tb: 1e999, egress_tb_per_month: .inf, uplink_mbps: .nan}\ndemand: {gpus_peak: ²}\n",
        [(2, 8, "too large"), (2, 26, "'.inf' is not"), (2, 53, "'.nan' is not"), (3, 10, "'²' is not a number")],
    ),
    "units that are none": (
        "data: {volume_tb: 10Tb}\nmodel: {parameters: 7X}\n",
        [(2, 8, "unknown unit 'Tb'; did you mean 'TB'?"), (3, 9, "unknown unit 'X'")],
    ),
    "amounts in several pieces": (
        "data:\n  volume_tb: 1.5.2TB\n  egress_tb_per_month: 10 GB 5 MB\n",
        [(3, 3, "'1.5.2TB' is not"), (4, 3, "'10 GB 5 MB' is not")],
    ),
    "a date where a number belongs": (
        "name: 2026-02-29\ndemand: {horizon_months: 2026-01-01}\n",
        [(3, 10, "'2026-01-01' is not a number")],
    ),
    "yes as a number": (
        "demand: {utilization: yes, gpus_peak: true}\n",
        [(2, 10, "expected a number"), (2, 28, "expected a number")],
    ),
    "a number as yes": ("demand: {interruptible: 1}\n", [(2, 10, "expected yes or no, but found '1'")]),
    "a percentage without its sign": ("demand: {utilization: 70}\n", [(2, 10, "did you mean '70%'?")]),
    "numbers beyond their bounds": (
        "demand: {utilization: -1%, gpus_steady: 2.5, horizon_months: 0, peak_share: 70-40%}\n",
        [(2, 10, "below 0"), (2, 28, "not a whole number"), (2, 46, "not above 0"), (2, 65, "larger to the smaller")],
    ),
    "a peak below the steady need": (
        "demand: {gpus_steady: 4, gpus_peak: 2}\n",
        [(2, 26, "below 'demand.gpus_steady'")],
    ),
    "a peak below the steady need of all": (
        "demand: {gpus_steady: 4}\nworkloads:\n  - {name: a, demand: {gpus_peak: 2}}\n",
        [(4, 24, "below 'demand.gpus_steady'")],
    ),
    "misspelled names": (
        "complaince: {residency: anywhere}\nutilization: 3\ndemand: {utilisation: 3, residency: anywhere}\nxyzzy: 1\n",
        [
            (2, 1, "unknown fact 'complaince'; did you mean 'compliance'?"),
            (3, 1, "unknown fact 'utilization'; did you mean 'demand.utilization'?"),
            (4, 10, "unknown fact 'utilisation'; did you mean 'utilization'?"),
            (4, 26, "unknown fact 'residency'; did you mean 'compliance.residency'?"),
            (5, 1, "unknown fact 'xyzzy'"),
        ],
    ),
    "a misspelled value": ("stage: tranining\n", [(2, 1, "did you mean 'training'?")]),
    "figures that are none": (
        "assumptions: {pu: 1, pue: 0.5}\n",
        [(2, 15, "unknown figure 'pu' under assumptions; did you mean 'pue'?"), (2, 22, "0.5 is below 1")],
    ),
    "lists and mappings where none belong": (
        "stage: [training]\nfinance: 5\ndemand: {gpus_steady: {a: 1}, job_gpus: [1, 2, 3]}\n",
        [(2, 1, "'[training]'"), (3, 1, "'finance' must be"), (4, 10, "'{…}'"), (4, 31, "'[1, 2, 3]'")],
    ),
    "workloads that are none": (
        "workloads:\n  - a\n  - {name: x, stag: training}\n  - [a]\n",
        [(3, 5, "must be facts"), (4, 15, "did you mean 'stage'?"), (5, 5, "must be facts")],
    ),
    "workloads that are no list": ("workloads: {name: a}\n", [(2, 1, "'workloads' must be a list")]),
    "tags": (
        "stage: !!str training\nregion: !!python/object:os.system cn\n",
        [(2, 8, "leave the tag out"), (3, 9, "leave the tag out")],
    ),
    "anchors, aliases and merges": (
        "demand: &d {gpus_peak: 2}\nworkloads:\n  - {name: a, demand: *d}\n  - {name: b, <<: *d}\n",
        [(2, 9, "'&d'"), (4, 23, "'*d'"), (5, 15, "unknown fact '<<'"), (5, 19, "write the value out")],
    ),
    "a second document": ("---\nprofile: 1\n", [(3, 1, "a second document begins here")]),
    "a key that is a list": ("? [a]\n: b\n", [(2, 3, "a key must be a plain word")]),
    "a tab": ("compliance:\n\tresidency: anywhere\n", [(3, 1, "begins with a tab; indent with spaces")]),
    "a full-width colon": ("stage：training\nregion: cn\n", [(2, 6, "full-width colon")]),
    "a full-width colon below a group": ("demand:\n  gpus_peak：100\n", [(3, 12, "full-width colon")]),
    "a full-width space": ("demand:\n　gpus_peak: 100\n", [(3, 1, "full-width space")]),
    "text that does not end": ('stage: "training\n', [(3, 1, "not valid YAML")]),
    "two values in one line": ("stage: a: b\n", [(2, 9, "not valid YAML")]),
    "a name that is a book": (f"name: {'a' * 201}\n", [(2, 1, "at most 200 characters")]),
    "a character that steers the screen": (
        "name: a\u202eb\nstage: \x1b[2J\n",
        [(2, 8, "U+202E"), (3, 8, "U+001B")],
    ),
    "faults of every kind": (
        "stage: training\nstages: x\nstage: exploration\nregion: *a\ndemand: {gpus_peak: 010}\n",
        [(3, 1, "unknown fact"), (4, 1, "a second time"), (5, 9, "aliases"), (6, 10, "begins with a zero")],
    ),
}


@pytest.mark.parametrize(("text", "expected"), list(FAULTS.values()), ids=list(FAULTS))
def test_every_fault_of_a_file_is_told_at_once_with_its_place_and_the_way_out(
    text: str, expected: list[tuple[int, int, str]], tmp_path: Path
) -> None:
    path = write(tmp_path, HEAD + text)
    done = run_here("check", path)
    assert (done.code, done.out) == (ExitCode.CHECK_SAID_NO, "")
    told = done.err.splitlines()
    assert [line.removeprefix(path).split(": ")[0] for line in told] == [f":{line}:{col}" for line, col, _ in expected]
    assert [words for (*_, words), line in zip(expected, told, strict=True) if words not in line] == []


@pytest.mark.parametrize("text", [text for text, _ in FAULTS.values()], ids=list(FAULTS))
def test_a_faulty_profile_gets_no_verdict_in_either_language(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + text)
    told = [run_here("advise", path, "--format", "json", "--lang", language) for language in LANGUAGES]
    assert [(done.code, done.out) for done in told] == [(ExitCode.BAD_INPUT, "")] * 2
    english, chinese = (done.err.splitlines() for done in told)
    assert [line.split(" ")[0] for line in english] == [line.split(" ")[0] for line in chinese]
    assert all(re.search("[\u4e00-\u9fff]", line) for line in chinese)


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n", "~", "\ufeff"])
def test_an_empty_profile_is_said_to_be_empty(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    assert run_here("advise", path).err == f"{path}: is empty\n"


@pytest.mark.parametrize("text", ["[]", "42", "word", "- a\n", '"a"', "[{profile: 1}]", "true"])
def test_what_is_no_mapping_is_said_to_be_no_profile(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    done = run_here("advise", path)
    assert done.code == ExitCode.BAD_INPUT
    assert done.err.startswith(f"{path}:1:1: is not a profile: it must begin with keys and values")


@pytest.mark.parametrize("version", ["profile: 2", "profile: true", "profile: 1.0", "profile: [1]", "profile:"])
def test_any_other_version_of_the_format_is_refused(version: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"{version}\n")
    assert "the profile's format version must be 1" in run_here("check", path).err


@pytest.mark.parametrize("text", ["{}", "stage: training\n"])
def test_a_profile_without_a_version_is_told_the_line_that_it_lacks(text: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    assert run_here("check", path).err == (
        f"{path}:1:1: the line 'profile: 1' is missing; it tells the version of the format\n"
    )


def test_a_bomb_of_aliases_is_refused_at_once(tmp_path: Path) -> None:
    paths = [write(tmp_path, BOMB), write(tmp_path, f"a: &a 1\nb: [{'*a,' * 300_000}]\n", "long.yaml")]
    run_here("check", paths[0])
    for path in paths:
        began = time.process_time()
        done = run_here("check", path)
        assert time.process_time() - began < 1
        assert done.code == ExitCode.CHECK_SAID_NO
        assert 1 <= done.err.count("aliases are not used here") <= 20


@pytest.mark.parametrize("text", ["[" * 5000, '{"a":' * 5000 + "1" + "}" * 5000, "- " * 5000 + "a"])
def test_what_is_nested_too_deep_is_refused(text: str, tmp_path: Path) -> None:
    done = run_here("check", write(tmp_path, text))
    assert (done.code, done.out, len(done.err.splitlines())) == (ExitCode.CHECK_SAID_NO, "", 1)


def test_a_file_that_is_far_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = write(tmp_path, b"")
    os.truncate(path, 64 * MEGABYTE)
    tracemalloc.start()
    done = run_here("check", path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert done.err == f"{path}: is larger than 4096 KiB; a file of this kind is never that large\n"
    assert most < 16 * MEGABYTE


@pytest.mark.parametrize(
    ("data", "line", "looks_like"),
    [
        ("profile: 1\nname: 金融\n".encode("gbk"), 2, "GBK"),
        ("profile: 1\nname: 金融\n".encode("utf-16"), 1, "UTF-16"),
        (b"profile: 1\nname: \xff\n", 2, "?"),
    ],
    ids=["GBK", "UTF-16", "neither"],
)
def test_a_file_in_another_encoding_is_told_what_it_looks_like_and_where(
    data: bytes, line: int, looks_like: str, tmp_path: Path
) -> None:
    path = write(tmp_path, data)
    err = run_here("check", path).err
    assert err.startswith(f"{path}:{line}:1: is not UTF-8 at byte ")
    assert f"(it looks like {looks_like}); save it again as UTF-8" in err


def test_a_mark_of_byte_order_and_lines_of_windows_are_no_fault(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeffprofile: 1\r\nname: 金融\r\nstage: training\r\n".encode())
    assert "facts told: 1" in run_here("check", path).out


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("model: {parameters: 7e9}", "model: {parameters: 7B}"),
        ("model: {parameters: 70亿}", "model: {parameters: 7.0e+9}"),
        ("finance: {capital: 1.5e6}", "finance: {capital: '1,500,000'}"),
        ("demand: {utilization: 30%}", "demand: {utilization: 0.30}"),
        ("demand: {gpus_peak: １２}", "demand: {gpus_peak: '12'}"),
        ("demand: {utilization: 40-70%}", "demand: {utilization: [0.4, 70%]}"),
        ("demand: {interruptible: yes}", "demand: {interruptible: true}"),
        ("data: {volume_tb: '1,000GB'}", "data: {volume_tb: 1}"),
        ("stage: unknown", "stage: null"),
        ("stage: ~", "stage:"),
        ("model: {gpu: h100-sxm}", "model: {gpu: H100-SXM}"),
    ],
)
def test_the_digest_is_over_values_and_not_over_their_spelling(one: str, other: str, tmp_path: Path) -> None:
    digests = [
        run_here("advise", write(tmp_path, HEAD + text), "--format", "json").document["profile"]["digest"]
        for text in (one, other)
    ]
    assert digests[0] == digests[1]


def test_faults_of_json_are_told_with_line_and_column(tmp_path: Path) -> None:
    text = '{\n\t"profile": 1,\n\t"stage": "tranining",\n\t"region": "cn", "region": "us"\n}\n'
    path = write(tmp_path, text, "profile.json")
    told = run_here("check", path).err.splitlines()
    assert [line.split(" ")[0] for line in told] == [f"{path}:3:2:", f"{path}:4:18:"]
