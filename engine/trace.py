"""The audit trace: what happened, record by record, in a chain of hashes that anyone can check.

One record a line. `hash` is SHA-256 over the hash before it (zeros for the first), a line feed, and the record without
its hash in canonical JSON (RFC 8785).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

import rfc8785

from engine.base import KnowledgeBase
from engine.consultation import Consultation
from engine.experta_port import EXPERTA_VERSION
from engine.figures import Figure, is_past
from engine.inference import Fired, Given, Inference, KnownFact, Silent, Source, Tested
from engine.judgement import Judgement, Tried
from engine.language import Compares, Conclusion, Is, Leaf
from engine.settling import Settlement
from engine.values import to_json

Record: TypeAlias = dict[str, Any]
FIRST_HASH = "0" * 64
ASSUMPTION = "assumptions."


@dataclass(frozen=True)
class Tool:
    """The program that writes the trace."""

    name: str
    version: str

    @property
    def schema(self) -> str:
        return f"{self.name}/trace/1"


def records(consultation: Consultation, tool: Tool) -> Iterator[Record]:
    """Everything that happened, from the header up to the last verdict; `end` is not among it."""
    base = consultation.base
    yield {
        "kind": "header",
        "schema": tool.schema,
        "tool": {"name": tool.name, "version": tool.version},
        "engine": {"name": "experta", "version": EXPERTA_VERSION},
        "knowledge": base.digest,
        "profile": consultation.profile.digest,
        **_house(base),
    }
    for name, given in sorted(consultation.profile.assumptions.items()):
        yield _assumption(name, given)
    for judgement in consultation.judgements:
        for record in _judgement(base, judgement):
            yield {"kind": record.pop("kind"), "workload": judgement.workload, **record}


def _house(base: KnowledgeBase) -> Record:
    """The house rules in force, under the one key `house`; nothing where there are none."""
    return {"house": {"digest": base.house.digest, "rules": list(base.house.rules)}} if base.house else {}


def end_record(count: int, time: str, as_of: str, figures: Mapping[str, str], past: Sequence[str]) -> Record:
    """The last record; `count` includes it.

    `figures` holds the date of every figure that was used, `past` the ids of those that were too old on the day.
    """
    return {
        "kind": "end",
        "records": count,
        "time": time,
        "as_of": as_of,
        "figures": dict(figures),
        "past": list(past),
    }


def figures_used(consultation: Consultation) -> Mapping[str, str]:
    """The figures behind computed facts, each with its date; those that the profile replaced are left out."""
    return {figure.id: figure.as_of for figure in _used(consultation)}


def figures_past(consultation: Consultation, on: date) -> tuple[Figure, ...]:
    """Those of the figures used whose dates were past their age limit on that day."""
    return tuple(figure for figure in _used(consultation) if is_past(figure, on))


def _used(consultation: Consultation) -> Iterator[Figure]:
    """The shipped figures behind computed facts, of the cases and of their parts, by their ids."""
    used = {
        name
        for judgement in consultation.judgements
        for inference in _inferences(judgement)
        for fact in inference.facts.values()
        for name in fact.source.figures
    }
    told = consultation.profile.assumptions
    return (consultation.base.figures[name] for name in sorted(used - told.keys()))


def _inferences(judgement: Judgement) -> Iterator[Inference]:
    """That of the case, and those of all parts that were judged apart."""
    yield judgement.inference
    for tried in judgement.tried:
        for part in tried.parts:
            yield from _inferences(part.judgement)


def past_ids(consultation: Consultation, as_of: str) -> list[str]:
    """The ids of the figures that were past on a day as YYYY-MM-DD. Raises ValueError for any other text."""
    return [figure.id for figure in figures_past(consultation, date.fromisoformat(as_of))]


def figures_behind(consultation: Consultation) -> tuple[str, ...]:
    """The figures on which rules that fired rest, through the facts that they tested."""
    found: dict[str, None] = {}
    for whole in consultation.judgements:
        parts = whole.division.parts if whole.division else ()
        for judgement in (whole, *(part.judgement for part in parts)):
            tested = {test.leaf.fact for fired in judgement.inference.fired.values() for test in fired.tests}
            for path in judgement.inference.facts:
                if path in tested:
                    found |= dict.fromkeys(_figures_of(path, judgement.inference))
    return tuple(found)


def _figures_of(path: str, inference: Inference) -> Iterator[str]:
    source = inference.facts[path].source
    yield from source.figures
    for given in source.inputs:
        if given in inference.facts:
            yield from _figures_of(given, inference)


def chained(items: Iterable[Record]) -> Iterator[bytes]:
    """The records as lines, numbered and chained."""
    before = FIRST_HASH
    for number, item in enumerate(items):
        record = {"n": number, **item}
        before = chain_hash(before, record)
        yield rfc8785.dumps({**record, "hash": before}) + b"\n"


def chain_hash(before: str, record: Mapping[str, Any]) -> str:
    """The hash of a record (without its own hash) behind the hash before it."""
    said: dict[str, Any] = {key: value for key, value in record.items() if key != "hash"}
    return hashlib.sha256(before.encode("ascii") + b"\n" + rfc8785.dumps(said)).hexdigest()


def write_trace(consultation: Consultation, tool: Tool, time: str, as_of: str) -> bytes:
    """The whole trace as bytes. `as_of` is the day, as YYYY-MM-DD, on which the age of figures is seen."""
    happened = list(records(consultation, tool))
    used, past = figures_used(consultation), past_ids(consultation, as_of)
    end = end_record(len(happened) + 1, time, as_of, used, past)
    return b"".join(chained([*happened, end]))


def _assumption(name: str, given: Given) -> Record:
    fact = KnownFact(0, ASSUMPTION + name, given.value, given.source)
    return {**_fact(fact), "workload": None}


def _judgement(base: KnowledgeBase, judgement: Judgement) -> Iterator[Record]:
    inference, late = judgement.inference, base.ordered.after_verdict
    yield from _facts(inference, _told_or_computed(inference))
    yield from _stage(inference, [name for name in base.rules if name not in late])
    yield _weighing(judgement)
    for tried in judgement.tried:
        yield _division(tried)
        for part in tried.parts:
            for record in _judgement(base, part.judgement):
                yield {"kind": record.pop("kind"), "part": f"{tried.division.id}.{part.part.id}", **record}
    yield from _facts(inference, [p for p, f in inference.facts.items() if f.source.kind == "verdict"])
    yield from _stage(inference, [name for name in base.rules if name in late])
    route, form, status = judgement.route, judgement.form, judgement.status
    found: Record = {"kind": "verdict", "route": route, "form": form, "status": status}
    yield {**found, **_proof(judgement.settlement)}


def _proof(settlement: Settlement) -> Record:
    """Why a route is provisional: answers that change it, or that neither these nor a proof was found."""
    found: Record = {"proof": settlement.proof} if settlement.proof else {}
    if settlement.witness is None:
        return found
    told = {path: to_json(value) for path, value in settlement.witness.facts.items()}
    return {**found, "witness": {"set": told, "route": settlement.witness.route}}


def _division(tried: Tried) -> Record:
    """A division that was tried: its condition as it stood, the parts' routes and leads, and whether it came out."""
    return {
        "kind": "division",
        "division": tried.division.id,
        "rows": list(tried.division.source),
        "truth": tried.truth.value,
        "conditions": [_test(test) for test in tried.tests],
        "parts": {
            p.part.id: {"route": p.judgement.route, "wanted": p.part.route, "lead": to_json(p.lead)}
            for p in tried.parts
        },
        "came_out": tried.came_out,
    }


def _told_or_computed(inference: Inference) -> list[str]:
    return [path for path, fact in inference.facts.items() if fact.source.kind not in ("inferred", "verdict")]


def _facts(inference: Inference, paths: Iterable[str]) -> Iterator[Record]:
    return (_fact(inference.facts[path]) for path in paths)


def _stage(inference: Inference, names: Sequence[str]) -> Iterator[Record]:
    """Firings with what they inferred, then defeats, then the rules that stayed silent."""
    ours = set(names)
    for name, fired in inference.fired.items():
        if name in ours:
            yield _firing(fired)
            yield from _facts(inference, [p for p, f in inference.facts.items() if f.source.rule == name])
    for name in names:
        if name in inference.defeated:
            yield {"kind": "defeat", "rule": inference.defeated[name], "defeated": name}
    for name in names:
        if name in inference.silent:
            yield _silent(inference.silent[name])


def _fact(fact: KnownFact) -> Record:
    return {
        "kind": "fact",
        "id": fact.id,
        "path": fact.path,
        "value": to_json(fact.value),
        "from": _source(fact.source),
    }


def _source(source: Source) -> Record:
    found: Record = {"kind": source.kind}
    if source.file is not None:
        found |= {"file": source.file, "line": source.line}
    if source.rule is not None:
        found["rule"] = source.rule
    if source.kind == "computed":
        figures = {name: to_json(value) for name, value in source.figures.items()}
        found |= {"inputs": dict(source.inputs), "figures": figures}
    return found


def _firing(fired: Fired) -> Record:
    return {
        "kind": "firing",
        "cycle": fired.cycle,
        "rule": fired.rule.id,
        "rows": list(fired.rule.source),
        "conditions": [_test(test) for test in fired.tests],
        "conclusions": conclusion_json(fired.rule.then),
    }


def _silent(silent: Silent) -> Record:
    found = {
        "kind": "silent",
        "rule": silent.rule.id,
        "truth": silent.truth.value,
        "conditions": [_test(test) for test in silent.tests],
    }
    return {**found, "told": silent.told} if silent.told else found


def _test(test: Tested) -> Record:
    return {
        "fact": test.leaf.fact,
        "id": test.fact_id,
        "value": None if test.value is None else to_json(test.value),
        "wanted": {"none": leaf_json(test.leaf)} if test.negated else leaf_json(test.leaf),
        "truth": test.truth.value,
    }


def leaf_json(leaf: Leaf) -> Record:
    """A test as the rule file writes it."""
    if isinstance(leaf, Is):
        return {"is": list(leaf.values)}
    if isinstance(leaf, Compares):
        return {leaf.comparison: to_json(leaf.limit)}
    return {"known": True}


def conclusion_json(then: Conclusion) -> Record:
    """What a rule concludes, as the rule file writes it; empty parts are left out."""
    found: Record = {
        "infer": {path: to_json(value) for path, value in then.infers.items()},
        "supports": {item.route: item.strength for item in then.evidence if item.supports},
        "opposes": {item.route: item.strength for item in then.evidence if not item.supports},
        "excludes": list(then.excludes),
        "defeats": list(then.defeats),
        "form": dict(then.forms),
        "advises": list(then.advises),
    }
    return {key: value for key, value in found.items() if value}


def _weighing(judgement: Judgement) -> Record:
    weighing, tie = judgement.weighing, judgement.decision.tie
    return {
        "kind": "weighing",
        "evidence": [
            {"rule": w.rule, "route": w.route, "strength": w.strength, "weight": to_json(w.weight)}
            for w in weighing.evidence
        ],
        "scores": {route: to_json(score) for route, score in weighing.scores.items()},
        "exclusions": {route: list(rules) for route, rules in weighing.exclusions.items()},
        "tie": tie.id if tie else None,
    }


def parse_line(line: bytes) -> Record:
    """One record. Raises ValueError for anything that is not one JSON object with keys unlike each other."""
    record = json.loads(line.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse)
    if not isinstance(record, dict):
        raise ValueError("not an object")
    return record


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
