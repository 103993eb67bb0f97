"""The audit trace: a chain that anyone can check, and no record of which can be changed unseen."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
import rfc8785

from engine.base import KnowledgeBase
from engine.consultation import Consultant, Consultation
from engine.faults import LANGUAGES, Fault
from engine.trace import FIRST_HASH, Tool, chained, figures_past, figures_used, write_trace
from engine.verifying import read_trace, verify
from tests.engine.helpers import profile_of

TOOL = Tool("trip-advisor", "1.0")
FILE = "case.trace"
Record = dict[str, Any]

TEXT = """\
profile: 1
name: a secret name
assumptions: {ride_speed: 14-18 km/h}
weather: {sky: snow, degrees: -5}
rider: {bicycle: electric, spikes: yes, spikes_worn: yes}
season: winter
workloads:
  - name: near
    trip: {distance: 3 km, minutes_left: 60}
    train: {running: yes}
  - name: far
    trip: {distance: 20-40}
    rider: {spikes: no}
"""


@pytest.fixture(scope="module")
def consultation(tiny: KnowledgeBase, tiny_consultant: Consultant) -> Consultation:
    return tiny_consultant.consult(profile_of(tiny, TEXT))


@pytest.fixture(scope="module")
def written(consultation: Consultation) -> bytes:
    return write_trace(consultation, TOOL, "2026-01-01T00:00:00Z", "2026-01-01")


@pytest.fixture(scope="module")
def trace(written: bytes) -> list[Record]:
    return [json.loads(line) for line in written.splitlines()]


def lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(rfc8785.dumps(dict(record)) + b"\n" for record in records)


def rechained(records: Iterable[Record]) -> bytes:
    """The records with numbers and hashes made anew, as a forger would."""
    bare = [{k: v for k, v in record.items() if k not in ("n", "hash")} for record in records]
    return b"".join(chained(bare))


def wrong(consultant: Consultant, data: bytes) -> Fault:
    fault = verify(data, FILE, consultant, TOOL)
    assert fault is not None
    assert all(fault.text(code) for code in LANGUAGES)
    return fault


def line_of(fault: Fault) -> int:
    assert fault.place is not None
    assert fault.place.file == FILE
    return fault.place.line


# What a trace is


def test_a_trace_that_was_not_touched_verifies(written: bytes, tiny_consultant: Consultant) -> None:
    assert verify(written, FILE, tiny_consultant, TOOL) is None


def test_every_kind_of_record_is_there(trace: list[Record]) -> None:
    kinds = {record["kind"] for record in trace}
    assert kinds == {"header", "fact", "firing", "defeat", "silent", "weighing", "division", "verdict", "end"}
    assert {record["from"]["kind"] for record in trace if record["kind"] == "fact"} == {
        "profile", "computed", "inferred", "verdict", "division",
    }  # fmt: skip
    assert {record.get("workload") for record in trace[1:-1]} == {None, 0, 1}
    assert any("part" in record for record in trace)


def test_each_hash_covers_the_hash_before_it_and_the_whole_record(trace: list[Record]) -> None:
    before = FIRST_HASH
    for number, record in enumerate(trace):
        said = {key: value for key, value in record.items() if key != "hash"}
        assert record["n"] == number
        before = hashlib.sha256(before.encode() + b"\n" + rfc8785.dumps(said)).hexdigest()
        assert record["hash"] == before


def test_a_record_is_one_line_of_canonical_json(written: bytes) -> None:
    assert written.endswith(b"\n")
    for line in written.splitlines():
        assert rfc8785.dumps(json.loads(line)) == line


def test_the_end_counts_the_records_and_dates_the_figures(trace: list[Record]) -> None:
    assert trace[-1]["records"] == len(trace)
    assert trace[-1]["figures"] == {}
    assert (trace[-1]["time"], trace[-1]["as_of"]) == ("2026-01-01T00:00:00Z", "2026-01-01")


def test_a_figure_that_was_used_is_dated_in_the_end(tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    used = tiny_consultant.consult(profile_of(tiny, "profile: 1\ntrip: {distance: 3}\n"))
    end = json.loads(write_trace(used, TOOL, "t", "2026-01-01").splitlines()[-1])
    assert end["figures"] == {"ride_speed": "2025"}


FARE = "profile: 1\ntrip: {distance: 3, people: 2}\ntrain: {line: coast-line}\n"


def _end(consultant: Consultant, text: str, as_of: str) -> Record:
    consultation = consultant.consult(profile_of(consultant.base, text))
    end: Record = json.loads(write_trace(consultation, TOOL, "t", as_of).splitlines()[-1])
    return end


def test_the_end_names_the_figures_that_were_past_on_its_day(tiny_consultant: Consultant) -> None:
    assert _end(tiny_consultant, FARE, "2026-05-30")["past"] == []
    assert _end(tiny_consultant, FARE, "2026-05-31")["past"] == ["fare.coast-line.first"]
    assert _end(tiny_consultant, FARE, "2026-07-01")["past"] == ["fare.coast-line.first", "fare.coast-line.second"]


def test_a_figure_that_the_profile_replaced_is_neither_used_nor_past(tiny_consultant: Consultant) -> None:
    end = _end(tiny_consultant, f"{FARE}assumptions: {{fare.coast-line.first: 9}}\n", "2027-01-01")
    assert end["past"] == ["fare.coast-line.second"]
    assert end["figures"] == {"fare.coast-line.second": "2025-H2", "ride_speed": "2025"}


def test_the_figures_of_a_part_that_was_judged_apart_are_used_and_past_too(tiny: KnowledgeBase) -> None:
    aged = {name: replace(figure, valid_months=1) for name, figure in tiny.figures.items()}
    base = replace(tiny, figures=aged, formulas=tuple(f for f in tiny.formulas if f.fact != "train.fare"))
    text = """\
profile: 1
weather: {sky: dry, rain_chance: 0}
rider: {bicycle: plain}
trip: {distance: 40, minutes_left: 3 h, bags: 2}
train: {running: yes}
"""
    consultation = Consultant(base).consult(profile_of(base, text))
    (whole,) = consultation.judgements
    assert whole.division is not None
    whole.inference.facts.pop("ride.minutes")  # so that the parts alone rest on it
    assert [figure.id for figure in figures_past(consultation, date(2026, 3, 1))] == ["ride_speed"]
    assert figures_used(consultation) == {"ride_speed": "2025"}


def test_names_that_people_gave_stay_out(written: bytes) -> None:
    assert b"secret" not in written
    assert b'"near"' not in written


def test_a_told_fact_says_in_which_line_it_was_told(trace: list[Record]) -> None:
    found = {(r["workload"], r["path"]): r["from"] for r in trace if r["kind"] == "fact" and "part" not in r}
    assert found[0, "weather.sky"] == {"kind": "profile", "file": "profile.yaml", "line": 4}
    assert found[0, "rider.spikes"]["line"] == 5
    assert found[1, "rider.spikes"]["line"] == 13
    assert found[None, "assumptions.ride_speed"]["line"] == 3


def test_the_same_profile_gives_the_same_bytes_up_to_the_end(
    written: bytes, tiny: KnowledgeBase, tiny_consultant: Consultant
) -> None:
    again = write_trace(Consultant(tiny).consult(profile_of(tiny, TEXT)), TOOL, "another time", "2026-02-01")
    assert again.splitlines()[:-1] == written.splitlines()[:-1]
    assert again != written
    spelt = TEXT.replace("3 km", "3000 m").replace("-5", "-5.0 °").replace("a secret name", "another")
    same = write_trace(tiny_consultant.consult(profile_of(tiny, spelt)), TOOL, "t", "2026-01-01")
    assert same.splitlines()[:-1] == written.splitlines()[:-1]


def test_a_firing_names_the_facts_that_met_its_conditions(trace: list[Record]) -> None:
    ids = {r["id"]: r for r in trace if r["kind"] == "fact" and r["workload"] == 0 and "part" not in r}
    firing = next(r for r in trace if r["kind"] == "firing" and r["rule"] == "road.no-riding-on-ice")
    (condition,) = firing["conditions"]
    assert condition["wanted"] == {"is": [True]}
    assert ids[condition["id"]]["path"] == "road.slippery"
    assert ids[condition["id"]]["from"] == {"kind": "inferred", "rule": "road.snow-is-slippery"}
    assert firing["conclusions"] == {"excludes": ["bicycle"]}
    assert firing["rows"] == ["A-1"]


def test_a_silent_rule_says_what_it_saw_and_what_it_wanted(trace: list[Record]) -> None:
    ours = [r for r in trace if r.get("workload") == 0 and "part" not in r]
    silent = {record["rule"]: record for record in ours if record["kind"] == "silent"}
    ride = next(record for record in ours if record.get("path") == "ride.minutes")
    assert ride["value"] == [10, 60 * 3 / 14]
    (condition,) = silent["ways.long-rides-tire"]["conditions"]
    assert condition == {
        "fact": "ride.minutes", "id": ride["id"], "truth": "false", "value": ride["value"], "wanted": {"more_than": 60},
    }  # fmt: skip
    (open_one,) = (c for c in silent["ways.gear-keeps-the-rain-off"]["conditions"] if c["truth"] == "unknown")
    assert (open_one["fact"], open_one["id"], open_one["value"]) == ("rider.rain_gear", None, None)


# Tampering


def _changed(record: Record) -> Record:
    """The record with one of its values changed; never its number or its hash."""
    found = copy.deepcopy(record)
    key = next(
        key for key in ("value", "status", "truth", "rule", "scores", "came_out", "time", "profile") if key in found
    )
    found[key] = not found[key] if isinstance(found[key], bool) else "changed"
    return found


def _keep(records: list[Record], at: int) -> list[Record]:
    return [*records[:at], _changed(records[at]), *records[at + 1 :]]


def _drop(records: list[Record], at: int) -> list[Record]:
    return [*records[:at], *records[at + 1 :]]


def _swap(records: list[Record], at: int) -> list[Record]:
    other = at - 1 if at else 1
    first, second = sorted((at, other))
    return [*records[:first], records[second], records[first], *records[second + 1 :]]


def _repeat(records: list[Record], at: int) -> list[Record]:
    return [*records[: at + 1], records[at], *records[at + 1 :]]


def _add(records: list[Record], at: int) -> list[Record]:
    made = {"kind": "fact", "n": records[at]["n"], "hash": records[at]["hash"], "path": "season", "value": "summer"}
    return [*records[:at], made, *records[at:]]


def _cut(records: list[Record], at: int) -> list[Record]:
    return records[:at]


def _relabel(records: list[Record], at: int) -> list[Record]:
    return [*records[:at], {**records[at], "extra": 1}, *records[at + 1 :]]


@dataclass(frozen=True)
class Tampering:
    """What is done to a trace at one record, and how far from there the first wrong record stands."""

    do: Callable[[list[Record], int], list[Record]]
    shift: int = 0


TAMPERINGS = {
    "changed": Tampering(_keep),
    "given another field": Tampering(_relabel),
    "dropped": Tampering(_drop),
    "swapped with the one before": Tampering(_swap, -1),
    "repeated": Tampering(_repeat, 1),
    "put before by a forged one": Tampering(_add),
    "cut off": Tampering(_cut, -1),
}
KINDS = ("header", "fact", "firing", "defeat", "silent", "weighing", "division", "verdict", "end")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TAMPERINGS)
def test_no_record_can_be_touched_unseen(
    kind: str, name: str, trace: list[Record], tiny_consultant: Consultant
) -> None:
    at = next(n for n, record in enumerate(trace) if record["kind"] == kind)
    tampering = TAMPERINGS[name]
    touched = tampering.do(trace, at)
    fault = wrong(tiny_consultant, lines(touched))
    shift = 0 if at == 0 and tampering.shift < 0 else tampering.shift
    last = kind == "end" and name in ("dropped", "repeated")
    expected = (at - 1 if name == "dropped" else at + 1) if last else at + shift
    assert line_of(fault) == (expected + 1 if touched else 0)


@pytest.mark.parametrize("name", ["changed", "given another field"])
def test_records_throughout_are_covered(name: str, trace: list[Record], tiny_consultant: Consultant) -> None:
    for at in range(0, len(trace), 6):
        fault = wrong(tiny_consultant, lines(TAMPERINGS[name].do(trace, at)))
        assert (fault.key, line_of(fault)) == ("trace-hash", at + 1)


FORGED: dict[str, Callable[[list[Record], int], list[Record]]] = {
    "changed": _keep, "given another field": _relabel, "dropped": _drop, "swapped with the one before": _swap,
    "repeated": _repeat, "put before by a forged one": _add,
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "end"])
@pytest.mark.parametrize("name", FORGED)
def test_a_chain_that_was_made_anew_is_caught_by_inferring_again(
    kind: str, name: str, trace: list[Record], tiny_consultant: Consultant
) -> None:
    of_kind = [n for n, record in enumerate(trace) if record["kind"] == kind]
    at = of_kind[len(of_kind) // 2]
    touched = FORGED[name](trace, at)
    touched = [*touched[:-1], {**touched[-1], "records": len(touched)}]
    fault = wrong(tiny_consultant, rechained(touched))
    assert fault.key.startswith("trace-")
    assert line_of(fault) <= at + 2


def _first(trace: list[Record], **wanted: object) -> int:
    return next(n for n, r in enumerate(trace) if wanted.items() <= {k: v for k, v in r.items() if k in wanted}.items())


FORGERIES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "the route": ({"kind": "verdict"}, {"route": "bicycle"}),
    "a weight": ({"kind": "weighing"}, {"scores": {"bicycle": 9, "train": 0}}),
    "an inferred value": ({"kind": "fact", "path": "road.slippery"}, {"value": False}),
    "an inferred value of another type": ({"kind": "fact", "path": "road.slippery"}, {"value": 1}),
    "a cycle of another type": ({"kind": "firing"}, {"cycle": True}),
    "a condition's truth": ({"kind": "silent"}, {"truth": "true"}),
    "the line of a fact": ({"kind": "fact", "path": "ride.minutes"}, {"from": {"kind": "computed"}}),
    "what came of a division": ({"kind": "division"}, {"came_out": 0}),
    "who defeated": ({"kind": "defeat"}, {"rule": "road.no-riding-on-ice"}),
    "the rows cited": ({"kind": "firing"}, {"rows": ["A-4"]}),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_value_in_a_new_chain_is_named_with_its_record_and_field(
    name: str, trace: list[Record], tiny_consultant: Consultant
) -> None:
    wanted, forged = FORGERIES[name]
    at = _first(trace, **wanted)
    assert any(trace[at][key] != value or type(trace[at][key]) is not type(value) for key, value in forged.items())
    fault = wrong(tiny_consultant, rechained([*trace[:at], {**trace[at], **forged}, *trace[at + 1 :]]))
    (field,) = forged
    assert (fault.key, line_of(fault)) == ("trace-differs", at + 1)
    assert (fault.params["n"], fault.params["field"]) == (at, field)


TOLD: dict[str, tuple[str, object, str]] = {
    "a fact that nobody can tell": ("path", "road.slippery", "path"),
    "a fact that does not exist": ("path", "season.of.mist", "path"),
    "a value that the fact cannot have": ("value", "hail", "value"),
    "a value of another type": ("value", 3, "value"),
    "no value": ("value", None, ""),
    "a list of words": ("value", ["dry", "rain"], ""),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_told_fact_that_nobody_could_have_told_is_caught(
    name: str, trace: list[Record], tiny_consultant: Consultant
) -> None:
    key, value, field = TOLD[name]
    at = _first(trace, kind="fact", path="weather.sky", workload=0)
    fault = wrong(tiny_consultant, rechained([*trace[:at], {**trace[at], key: value}, *trace[at + 1 :]]))
    assert line_of(fault) == at + 1
    assert fault.params.get("field", "") == field


def test_another_told_value_does_not_fit_the_profile_that_the_header_names(
    trace: list[Record], tiny_consultant: Consultant
) -> None:
    at = _first(trace, kind="fact", path="weather.sky", workload=0)
    fault = wrong(tiny_consultant, rechained([*trace[:at], {**trace[at], "value": "dry"}, *trace[at + 1 :]]))
    assert (line_of(fault), fault.params["field"]) == (1, "profile")


def test_told_facts_in_another_order_are_caught(trace: list[Record], tiny_consultant: Consultant) -> None:
    at = _first(trace, kind="fact", path="weather.sky", workload=0)
    one, two = ({**trace[n], "id": trace[m]["id"]} for n, m in ((at, at + 1), (at + 1, at)))
    fault = wrong(tiny_consultant, rechained([*trace[:at], two, one, *trace[at + 2 :]]))
    assert line_of(fault) == at + 1


# What is no trace, or another's


BROKEN: dict[str, tuple[Callable[[list[Record]], bytes], str, int]] = {
    "nothing": (lambda _: b"", "trace-empty", 0),
    "blank lines": (lambda _: b"\n\n", "trace-empty", 0),
    "no JSON": (lambda r: lines(r[:1]) + b"{\n", "trace-not-json", 2),
    "a list": (lambda r: lines(r[:1]) + b"[]\n", "trace-not-json", 2),
    "no text": (lambda r: lines(r[:1]) + b"\xff\xfe\n", "trace-not-json", 2),
    "a key that stands twice": (lambda _: b'{"n":0,"n":0}\n', "trace-not-json", 1),
    "a number that is none": (lambda _: b'{"n":0,"a":NaN}\n', "trace-not-json", 1),
    "a number beyond all bounds": (lambda _: b'{"n":0,"a":1e999}\n', "trace-not-json", 1),
    "a number too large to be exact": (lambda _: b'{"n":0,"a":123456789012345678901234567890}\n', "trace-not-json", 1),
    "half a character": (lambda _: b'{"n":0,"a":"\\ud83d"}\n', "trace-not-json", 1),
    "endless nesting": (lambda _: b'{"n":0,"a":' + b"[" * 100_000 + b"\n", "trace-not-json", 1),
    "no number": (lambda r: lines([{"kind": "header"}, *r[1:]]), "trace-number", 1),
    "a number that is yes": (lambda r: lines([r[0], {**r[1], "n": True}]), "trace-number", 2),
    "no hash": (lambda _: b'{"n":0,"kind":"header"}\n', "trace-hash", 1),
    "a blank line in the midst": (lambda r: lines(r[:3]) + b"\n" + lines(r[3:]), "trace-not-json", 4),
    "a line after the end": (lambda r: lines(r) + b"\n", "trace-not-json", -1),
    "no header": (lambda r: rechained(r[1:]), "trace-no-header", 1),
    "no end": (lambda r: lines(r[:-1]), "trace-no-end", -2),
    "a wrong count": (lambda r: rechained([*r[:-1], {**r[-1], "records": 3}]), "trace-count", -1),
    "an end in the midst": (lambda r: rechained([*r[:5], r[-1], *r[6:]]), "trace-after-end", 6),
    "no last line feed": (lambda r: lines(r)[:-1], "trace-after-end", -1),
    "half a last line": (lambda r: lines(r)[:-20], "trace-not-json", -1),
    "another tool": (lambda r: rechained([{**r[0], "schema": "other/trace/1"}, *r[1:]]), "trace-schema", 1),
    "other knowledge": (lambda r: rechained([{**r[0], "knowledge": "sha256:0"}, *r[1:]]), "trace-other-knowledge", 1),
    "figures of another date": (
        lambda r: rechained([*r[:-1], {**r[-1], "figures": {"ride_speed": "1999"}}]), "trace-differs", -1,
    ),
    "figures said to be past that were not": (
        lambda r: rechained([*r[:-1], {**r[-1], "past": ["ride_speed"]}]), "trace-differs", -1,
    ),
    "an end that says nothing of past figures": (
        lambda r: rechained([*r[:-1], {k: v for k, v in r[-1].items() if k != "past"}]), "trace-differs", -1,
    ),
    "an end of no day": (lambda r: rechained([*r[:-1], {**r[-1], "as_of": "today"}]), "trace-differs", -1),
    "an end without a day": (
        lambda r: rechained([*r[:-1], {k: v for k, v in r[-1].items() if k != "as_of"}]), "trace-differs", -1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_whole_trace_is_refused_at_its_place(
    name: str, trace: list[Record], tiny_consultant: Consultant
) -> None:
    make, key, line = BROKEN[name]
    data = make(trace)
    fault = wrong(tiny_consultant, data)
    count = len(data.removesuffix(b"\n").split(b"\n"))
    ends = {-1: count, -2: count}
    assert (fault.key, line_of(fault)) == (key, ends.get(line, line))


def test_no_depth_of_nesting_ends_in_a_traceback(tiny_consultant: Consultant) -> None:
    for depth in (*range(500, 1100, 4), 3000):
        data = b'{"n":0,"a":' + b"[" * depth + b"]" * depth + b"}\n"
        assert wrong(tiny_consultant, data).key in ("trace-hash", "trace-not-json")


def test_records_read_from_a_trace_are_those_that_were_written(written: bytes, trace: list[Record]) -> None:
    assert read_trace(written, FILE) == trace


def test_a_trace_made_by_another_version_of_the_tool_verifies(
    consultation: Consultation, tiny_consultant: Consultant
) -> None:
    old = write_trace(consultation, Tool("trip-advisor", "0.9"), "t", "2026-01-01")
    assert verify(old, FILE, tiny_consultant, TOOL) is None


def test_a_trace_checked_with_other_rules_is_told_from_a_forged_one(
    written: bytes, real_consultant: Consultant
) -> None:
    assert wrong(real_consultant, written).key == "trace-other-knowledge"
