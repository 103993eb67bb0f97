"""What pydantic found wrong with a profile, told as faults with the place in the file and the nearest valid name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.faults import LANGUAGES, Fault, Place, Report, did_you_mean, messages, nearest
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, Sequence, wide_colon
from engine.profile_model import FORMAT, MAX_NAME
from engine.vocabulary import Vocabulary


def place_of(node: Node, path: Iterable[str | int]) -> Place:
    """The place of the key (or item) that the path leads to, as near as it goes."""
    place = node.place
    for part in path:
        if isinstance(node, MappingNode) and (key := node.key(str(part))) is not None:
            following = node.get(str(part))
            assert following is not None
            place, node = key.place, following
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            place = node.place
        else:
            break
    return place


def place_told(root: Node, number: int, path: str, line: int | None) -> Place | None:
    """Where a fact of a workload was told: in the workload itself or for all; None for one that an option told."""
    inside = path.split(".")
    places = (place_of(root, ["workloads", number, *inside]), place_of(root, inside))
    return next((place for place in places if place.line == line), None)


def _value_at(node: Node | None, path: Iterable[str | int]) -> Node | None:
    for part in path:
        if isinstance(node, Sequence) and isinstance(part, int):
            node = node.items[part]
        else:
            node = node.get(str(part)) if isinstance(node, MappingNode) else None
    return node


def report_error(item: Any, root: Node, vocabulary: Vocabulary, report: Report) -> None:
    loc = list(item["loc"])
    place = place_of(root, loc)
    if item["type"] == "extra_forbidden":
        _report_unknown(loc, place, vocabulary, report)
    elif item["type"] == "missing":
        report.add("no-version", root.place, version=FORMAT)
    elif item["type"] == "fault":
        _report_fault(item, loc, place, report)
    else:
        _report_shape(item, loc, root, report)


def _report_shape(item: Any, loc: list[Any], root: Node, report: Report) -> None:
    value = _value_at(root, loc)
    if isinstance(value, Scalar) and wide_colon(value):
        place = Place(value.place.file, value.place.line, value.place.column + value.text.index("\uff1a"))
        report.add("wide-colon", place)
    else:
        report.add("wrong-shape", place_of(root, loc), key=_dotted(loc), expected=_shape(item["type"]))


def _shape(error_type: str) -> Mapping[str, str]:
    key = "shape-list" if "list" in error_type else "shape-mapping"
    return {code: messages(code)[key] for code in LANGUAGES}


def _report_unknown(loc: list[Any], place: Place, vocabulary: Vocabulary, report: Report) -> None:
    typed = str(loc[-1])
    inside = [str(part) for part in loc[:-1] if isinstance(part, str) and part != "workloads"]
    if inside == ["assumptions"]:
        hint = did_you_mean(nearest(typed, vocabulary.assumptions))
        report.add("unknown-assumption", place, typed=typed, hint=hint, known=sorted(vocabulary.named_assumptions))
        return
    if typed in vocabulary.facts and "." in typed:
        group, _, name = typed.partition(".")
        report.add("dotted-fact", place, typed=typed, group=group, name=name)
        return
    prefix = ".".join(inside)
    paths = [fact.path for fact in vocabulary.told()]
    known = {p.removeprefix(f"{prefix}.").partition(".")[0] for p in paths if not prefix or p.startswith(f"{prefix}.")}
    top = {"name", "workloads", "assumptions", "profile"} if not prefix else set()
    found = nearest(typed, known | top) or _elsewhere(typed, paths)
    report.add("unknown-fact", place, typed=typed, hint=did_you_mean(found))


def _elsewhere(typed: str, paths: Iterable[str]) -> str | None:
    """A fact of this name in another group: `height` at the top is `size.height`."""
    return next((path for path in paths if path.rpartition(".")[2] == typed.rpartition(".")[2]), None)


def _report_fault(item: Any, loc: list[Any], place: Place, report: Report) -> None:
    fault = item.get("ctx", {}).get("fault")
    if fault is None:
        report.add(item["msg"], place, version=FORMAT, limit=MAX_NAME)
        return
    report.add("bad-value", place, fact=_dotted(loc), reason=wording(fault))


def _dotted(loc: Iterable[Any]) -> str:
    parts = list(loc)
    named = parts[2:] if parts[:1] == ["workloads"] and len(parts) > 2 else parts
    return ".".join(str(part) for part in named)


def wording(fault: Fault) -> Mapping[str, str]:
    return {code: fault.text(code) for code in LANGUAGES}
