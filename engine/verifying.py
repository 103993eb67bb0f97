"""Checks a trace: is the chain whole, and does the same knowledge come to the same records again?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.base import KnowledgeBase
from engine.consultation import Consultant, Consultation
from engine.faults import Fault, FaultError, Place, fail
from engine.house import House
from engine.inference import Given, Source
from engine.profile import Profile, Workload
from engine.trace import (
    ASSUMPTION,
    FIRST_HASH,
    Record,
    Tool,
    chain_hash,
    figures_used,
    parse_line,
    past_ids,
    records,
)
from engine.values import Value, from_json
from engine.vocabulary import Vocabulary

_TOLD = ("profile", "option", "answer")
_NONE = ["\u2013"]


def read_trace(data: bytes, file: str) -> list[Record]:
    """The records of a trace whose chain is whole. Raises FaultError naming the first record that is wrong."""
    if not data.strip():
        raise fail("trace-empty", Place(file))
    found: list[Record] = []
    before = FIRST_HASH
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n")):
        record = _parsed(line, number, file)
        _check_link(record, number, before, Place(file, number + 1, 1))
        before = str(record["hash"])
        found.append(record)
    _check_ends(found, file, data)
    return found


def _parsed(line: bytes, number: int, file: str) -> Record:
    try:
        return parse_line(line)
    except (ValueError, RecursionError) as error:
        raise fail("trace-not-json", Place(file, number + 1, 1), n=number, reason=str(error)) from error


def _check_link(record: Record, number: int, before: str, place: Place) -> None:
    if record.get("n") != number or isinstance(record.get("n"), bool):
        raise fail("trace-number", place, n=number, found=record.get("n", "-"))
    try:
        wanted = chain_hash(before, record)
    except (ValueError, TypeError, RecursionError) as error:  # rfc8785 refuses what canonical JSON cannot hold
        raise fail("trace-not-json", place, n=number, reason=str(error)) from error
    if record.get("hash") != wanted:
        raise fail("trace-hash", place, n=number, kind=record.get("kind", "-"))


def _check_ends(found: Sequence[Record], file: str, data: bytes) -> None:
    if found[0].get("kind") != "header":
        raise fail("trace-no-header", Place(file, 1, 1))
    last = found[-1]
    if last.get("kind") != "end":
        raise fail("trace-no-end", Place(file, len(found), 1), n=len(found) - 1)
    if last.get("records") != len(found):
        raise fail("trace-count", Place(file, len(found), 1), said=last.get("records", "-"), found=len(found))
    early = next((n for n, record in enumerate(found[:-1]) if record.get("kind") == "end"), None)
    if early is not None or not data.endswith(b"\n"):
        raise fail("trace-after-end", Place(file, (early or len(found) - 1) + 1, 1), n=early or len(found) - 1)


def verify(data: bytes, file: str, consultant: Consultant, tool: Tool) -> Fault | None:
    """The first thing that is wrong with the trace, or None: the chain, the ends, and the inference made again.

    The consultant has the knowledge that the trace was made with, overlays of figures and house rules included.
    """
    try:
        found = read_trace(data, file)
        return _reinfer(found, file, consultant, tool)
    except FaultError as error:
        return error.faults[0]


def _reinfer(found: Sequence[Record], file: str, consultant: Consultant, tool: Tool) -> Fault | None:
    header = found[0]
    if header.get("schema") != tool.schema:
        return Fault("trace-schema", {"found": header.get("schema", "-"), "known": tool.schema}, Place(file, 1, 1))
    other = _other_knowledge(header, consultant.base, Place(file, 1, 1))
    if other is not None:
        return other
    writer = Tool(tool.name, str(_of(header, "tool").get("version", "")))
    consultation = consultant.consult(told_again(found, file, consultant.base.vocabulary))
    again = [{"n": n, **record} for n, record in enumerate(records(consultation, writer))]
    for number, (stands, wanted) in enumerate(zip(found[:-1], again, strict=False)):
        if chain_hash("", stands) != chain_hash("", wanted):  # to Python 1 and true would be the same
            return _differs(stands, wanted, number, file)
    if len(found) - 1 != len(again):
        number = min(len(found) - 1, len(again))
        return Fault("trace-length", {"n": number, "wanted": len(again) + 1}, Place(file, number + 1, 1))
    field = _wrong_in_end(found[-1], consultation)
    if field is not None:
        return Fault("trace-differs", {"n": len(again), "kind": "end", "field": field}, Place(file, len(found), 1))
    return None


def _other_knowledge(header: Record, base: KnowledgeBase, place: Place) -> Fault | None:
    """What tells the knowledge of the trace from that which is here, the house rules first."""
    house = _other_house(header, base.house, place)
    if house is None and header.get("knowledge") != base.digest:
        params = {"found": header.get("knowledge", "-"), "ours": base.digest}
        return Fault("trace-other-knowledge", params, place)
    return house


def _other_house(header: Record, ours: House | None, place: Place) -> Fault | None:
    """What tells the house rules of the trace from those that are laid over here, or None where they are the same."""
    theirs, listed = _of(header, "house"), _of(header, "house").get("rules")
    then = [str(name) for name in listed] if isinstance(listed, list) else []
    now = list(ours.rules) if ours else []
    if ours is None:
        return Fault("trace-house-left-out", {"rules": then or _NONE}, place) if "house" in header else None
    if "house" not in header:
        return Fault("trace-house-added", {"rules": now}, place)
    if theirs.get("digest") == ours.digest:
        return None
    gone, new = [name for name in then if name not in now], [name for name in now if name not in then]
    both = [name for name in now if name in then]
    return Fault("trace-house-other", {"gone": gone or _NONE, "new": new or _NONE, "both": both or _NONE}, place)


def _wrong_in_end(end: Record, consultation: Consultation) -> str | None:
    """The part of the last record that does not follow from the figures used and the day that it names."""
    if end.get("figures") != dict(figures_used(consultation)):
        return "figures"
    try:
        past = past_ids(consultation, str(end.get("as_of")))
    except ValueError:
        return "as_of"
    return None if end.get("past") == past else "past"


def _differs(stands: Record, wanted: Record, number: int, file: str) -> Fault:
    keys = [key for key in {**wanted, **stands} if key != "hash"]
    field = next((key for key in keys if _hash_of(stands, key) != _hash_of(wanted, key)), "-")
    params = {"n": number, "kind": wanted["kind"], "field": field}
    return Fault("trace-differs", params, Place(file, number + 1, 1))


def _hash_of(record: Record, key: str) -> str:
    return chain_hash("", {key: record[key]} if key in record else {})


def _of(record: Record, key: str) -> Mapping[str, object]:
    value = record.get(key)
    return value if isinstance(value, Mapping) else {}


def told_again(found: Sequence[Record], file: str, vocabulary: Vocabulary) -> Profile:
    """The profile behind the records: each told fact where it was told. Raises FaultError for what none could tell."""
    workloads: dict[int, dict[str, Given]] = {}
    assumptions: dict[str, Given] = {}
    for number, record in enumerate(found):
        workload = record.get("workload")
        if isinstance(workload, int):
            workloads.setdefault(workload, {})
        told = record.get("kind") == "fact" and _of(record, "from").get("kind") in _TOLD
        if told and "part" not in record:  # a part's facts follow from the whole's
            path, given = _told(record, number, file)
            _refuse_untellable(path, given.value, vocabulary, Place(file, number + 1, 1))
            target = assumptions if path.startswith(ASSUMPTION) else workloads.setdefault(workload or 0, {})
            target[path.removeprefix(ASSUMPTION)] = given
    in_order = [{p: workloads[n][p] for p in vocabulary.facts if p in workloads[n]} for n in sorted(workloads)]
    return Profile(None, tuple(Workload(None, facts) for facts in in_order), assumptions)


def _refuse_untellable(path: str, value: Value, vocabulary: Vocabulary, place: Place) -> None:
    """Raises FaultError for a path that names no told fact, or a value that its fact cannot have."""
    known = vocabulary.assumptions if path.startswith(ASSUMPTION) else vocabulary.facts
    fact = known.get(path.removeprefix(ASSUMPTION))
    wrong = "path" if fact is None or fact.origin != "told" else None
    if fact is not None and wrong is None:
        try:
            wrong = None if fact.read(value) == value else "value"
        except FaultError:
            wrong = "value"
    if wrong:
        raise fail("trace-differs", place, n=place.line - 1, kind="fact", field=wrong)


def _told(record: Record, number: int, file: str) -> tuple[str, Given]:
    source = _of(record, "from")
    name, line = source.get("file"), source.get("line")
    try:
        value = from_json(record.get("value"))
    except ValueError as error:
        raise fail("trace-not-json", Place(file, number + 1, 1), n=number, reason=str(error)) from error
    where = Source(
        str(source["kind"]),
        file=name if isinstance(name, str) else None,
        line=line if isinstance(line, int) else None,
    )
    return str(record.get("path")), Given(value, where)
