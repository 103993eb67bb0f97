"""Traces as the command writes and reads them: whole or not at all, the same everywhere, and safe to read."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.commands.session import consultant, profile_reader, tool
from cli.exit_code import ExitCode
from cli.render.trace_text import trace_lines
from engine.loading import read_bytes
from engine.profile import Setting
from engine.trace import chained, write_trace
from engine.values import to_json
from engine.verifying import verify
from knowledge import knowledge_base
from tests.cli.command import EXAMPLES, ROOT, Done, run_here, surroundings, write

SEVERAL = str(EXAMPLES / "several-workloads.yaml")
BANK = str(EXAMPLES / "bank-on-premises.yaml")
PROCESSES = 30
WHOLE_PROCESSES = 3
"""So many work out as well what lies around the verdicts."""
PRIVATE = "Acme, api_key=sk-123, 13800138000"


def traced(path: Path, *typed: str) -> Done:
    return run_here("advise", *typed, "--trace", str(path), "--format", "json")


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# What a trace holds


def test_a_trace_ends_in_the_verdict_that_was_shown_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    shown = traced(path, SEVERAL).document
    records = records_of(path)
    whole = [record for record in records if record["kind"] == "verdict" and "part" not in record]
    assert [(v["route"], v["form"], v["status"]) for v in whole] == [
        (w["route"], w["form"], w["status"]) for w in shown["workloads"]
    ]
    header = records[0]
    assert header["knowledge"] == shown["knowledge"]["digest"]
    assert header["profile"] == shown["profile"]["digest"]
    assert header["tool"] == {"name": "gpu-advisor", "version": shown["version"]}
    verified = run_here("audit", "verify", str(path))
    assert verified.code == ExitCode.DONE
    assert records[-1]["hash"] in verified.out


def test_a_trace_holds_what_was_told_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    text = (
        "profile: 1\nstage: fine_tuning\nmodel: {parameters: 70亿}\ndemand: {utilization: 40-70%, interruptible: yes}\n"
    )
    traced(path, write(tmp_path, text))
    told = {r["path"]: r["value"] for r in records_of(path) if r["kind"] == "fact" and r["from"]["kind"] == "profile"}
    assert told == {
        "stage": "fine_tuning",
        "model.parameters": 7_000_000_000,
        "demand.utilization": [0.4, 0.7],
        "demand.interruptible": True,
    }


def test_a_trace_says_of_each_told_fact_where_it_was_told(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    text = "profile: 1\nstage: training\nworkloads:\n  - region: cn\n"
    traced(path, write(tmp_path, text, "some.yaml"), "--set", "operations.team=none")
    told = {record["path"]: record["from"] for record in records_of(path) if record["kind"] == "fact"}
    assert told["stage"] == {"kind": "profile", "file": "some.yaml", "line": 2}
    assert told["region"] == {"kind": "profile", "file": "some.yaml", "line": 4}
    assert told["operations.team"] == {"kind": "option"}


def test_a_trace_is_never_written_over_the_profile_that_it_is_about(tmp_path: Path) -> None:
    profile = write(tmp_path, "profile: 1\nstage: training\n", "some.yaml")
    done = run_here("advise", str(profile), "--trace", str(tmp_path / "." / "some.yaml"))
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert Path(profile).read_text(encoding="utf-8") == "profile: 1\nstage: training\n"


def test_free_text_stays_out_of_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    text = f"profile: 1\nname: {json.dumps(PRIVATE)}\nworkloads: [{{name: {json.dumps(PRIVATE)}, stage: training}}]\n"
    assert PRIVATE in traced(path, write(tmp_path, text)).out
    assert "sk-123" not in path.read_text(encoding="utf-8")


def test_the_date_and_the_time_stand_in_the_end_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    traced(first, BANK, "--as-of", "2026-01-31")
    traced(second, BANK, "--as-of", "2027-01-31")
    assert first.read_bytes().splitlines()[:-1] == second.read_bytes().splitlines()[:-1]
    assert [records_of(path)[-1]["as_of"] for path in (first, second)] == ["2026-01-31", "2027-01-31"]


def test_one_run_leaves_nothing_for_the_next(tmp_path: Path) -> None:
    alone, after = tmp_path / "alone.jsonl", tmp_path / "after.jsonl"
    wanted = traced(alone, BANK, "--as-of", "2026-01-31").out
    traced(tmp_path / "other.jsonl", SEVERAL)
    assert traced(after, BANK, "--as-of", "2026-01-31").out == wanted
    assert after.read_bytes().splitlines()[:-1] == alone.read_bytes().splitlines()[:-1]


# Whole or not at all


def test_a_trace_that_cannot_be_written_leaves_nothing_and_no_verdict(tmp_path: Path) -> None:
    write(tmp_path, "mine", "file")
    (tmp_path / "folder").mkdir()
    for target in ("none/trace.jsonl", "file/trace.jsonl", "folder", "x" * 300, ""):
        done = traced(tmp_path / target, BANK)
        assert (done.code, done.out) == (ExitCode.NOT_WRITTEN, "")
        assert "could not be written: " in done.err
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_leave_to_write_is_no_place_for_a_trace(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    assert traced(tmp_path / "trace.jsonl", BANK).code == ExitCode.NOT_WRITTEN


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_full_disk_leaves_the_older_trace_as_it_was(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = Path(write(tmp_path, "older", "trace.jsonl"))
    if fails == "fsync":
        monkeypatch.setattr("cli.files.os.fsync", full)
    else:
        monkeypatch.setattr("cli.files.Path.replace", full)
    done = traced(path, BANK)
    assert (done.code, done.out) == (ExitCode.NOT_WRITTEN, "")
    assert [entry.name for entry in tmp_path.iterdir()] == ["trace.jsonl"]
    assert path.read_text(encoding="utf-8") == "older"


def test_a_trace_that_is_replaced_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    path, link = Path(write(tmp_path, "older", "real.jsonl")), tmp_path / "link.jsonl"
    path.chmod(0o640)
    link.symlink_to(path)
    assert traced(link, BANK).code == ExitCode.DONE
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert run_here("audit", "verify", str(path)).code == ExitCode.DONE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_receives_the_trace_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()), daemon=True)
    reader.start()
    assert traced(path, BANK).code == ExitCode.DONE
    assert path.is_fifo()
    reader.join(30)
    assert json.loads(received[0].splitlines()[-1])["kind"] == "end"


# The same in every process


def test_every_process_comes_to_the_same_verdict_and_the_same_bytes_up_to_the_end(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = set(pool.map(lambda seed: digest_of_a_process(seed, tmp_path, "--quick"), range(PROCESSES)))
        whole = set(pool.map(lambda seed: digest_of_a_process(seed, tmp_path), range(WHOLE_PROCESSES)))
    assert (len(found), len(whole)) == (1, 1)


def digest_of_a_process(seed: int, folder: Path, *more: str) -> str:
    """Of the verdict and of the trace up to its end, as a process of its own with this order of hashes makes them."""
    trace = folder / f"{seed}.jsonl"
    command = [sys.executable, "-m", "cli", "advise", SEVERAL, "--format", "json", "--trace", str(trace), *more]
    environment = surroundings({"PYTHONHASHSEED": str(seed)})
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, timeout=120)
    before_end = trace.read_bytes().splitlines(keepends=True)[:-1]
    assert len(before_end) > 100
    return hashlib.sha256(done.stdout + b"".join(before_end)).hexdigest()


# A forged trace: the chain is made anew over a record that no run would write

JUNK: tuple[Any, ...] = (None, True, -1, 3.5, "x", "", [], {}, [1], {"a": 1}, ["a", 2], "unlimited", "verdict.route")
DIVIDED = """profile: 1
stage: online_inference
operations: {team: solid, site: machine_room, gpus_owned: 0, vendor_run: no}
finance: {funding: capital}
model: {parameters: 70B}
demand: {pattern: base_and_bursts, utilization: 85%, gpus_steady: 16, gpus_peak: 48, peak_share: 10%,
  horizon_months: 48, job_gpus: 4}
"""


@dataclass(frozen=True)
class Forgery:
    """Where in the trace, and what is put there; nothing at all where `value` is an ellipsis."""

    number: int
    path: tuple[str | int, ...]
    value: object

    def made(self) -> list[dict[str, Any]]:
        """The records of the genuine trace with this one change."""
        found: list[dict[str, Any]] = json.loads(json.dumps(genuine()))
        holder: Any = found[self.number]
        for key in self.path[:-1]:
            holder = holder[key]
        if self.value is ...:
            del holder[self.path[-1]]
        else:
            holder[self.path[-1]] = self.value
        return found


@cache
def genuine() -> list[dict[str, Any]]:
    """The records of a trace with facts of every origin, firings, a defeat, figures and a division."""
    profile = profile_reader().read(read_bytes(DIVIDED.encode(), "divided.yaml"), [Setting("region", "cn")])
    data = write_trace(consultant().consult(profile), tool(), "2026-01-31T00:00:00+00:00", "2026-01-31")
    return [json.loads(line) for line in data.splitlines()]


def places(node: object, before: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path to every value inside."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*before, key)
        yield from places(value, (*before, key))


@st.composite
def forgeries(draw: st.DrawFn) -> Forgery:
    """One change to one record, every kind of record as likely as the others."""
    kinds = sorted({record["kind"] for record in genuine()})
    assert len(kinds) == 9
    kind = draw(st.sampled_from(kinds))
    number = draw(st.sampled_from([n for n, record in enumerate(genuine()) if record["kind"] == kind]))
    path = draw(st.sampled_from([path for path in places(genuine()[number]) if path[0] not in ("n", "hash")]))
    return Forgery(number, path, draw(st.sampled_from([*JUNK, ...])))


def few(number: int) -> settings:
    return settings(max_examples=number, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@few(80)
@given(forgeries(), st.sampled_from(["en", "zh"]))
def test_no_forged_trace_ends_in_a_traceback_when_it_is_shown(forgery: Forgery, language: str) -> None:
    records = forgery.made()
    assert len(list(trace_lines(records, knowledge_base(), language))) >= len(records)


@few(12)
@given(forgeries())
def test_every_forged_trace_is_refused_but_for_what_no_inference_can_tell(forgery: Forgery) -> None:
    made = forgery.made()
    before, after = genuine()[forgery.number], made[forgery.number]
    free = {"end": ("time", "as_of"), "header": ("tool",), "fact": ("from",)}.get(before["kind"], ())
    bare = [{key: value for key, value in record.items() if key not in ("n", "hash")} for record in made]
    fault = verify(b"".join(chained(bare)), "trace.jsonl", consultant(), tool())
    if json.dumps(before) != json.dumps(after) and forgery.path[0] not in free:
        assert fault is not None


def test_an_unlimited_number_is_a_word_in_a_trace() -> None:
    assert to_json(float("inf")) == "unlimited"
