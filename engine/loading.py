"""Strict YAML (and JSON) as nodes that know their line and column.

A scalar stays the text that was typed: what it means is decided by the type of the fact that it is given for, so that
`no`, `0100`, `20:30` or `7e9` cannot mean one thing to one reader and another to the next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from engine.faults import Fault, FaultError, Place, Report, fail

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 20
MAX_FAULTS = 20  # of one kind of slip a reader has seen enough by then
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as it was typed; `quoted` tells whether quotes stood around it."""

    text: str
    quoted: bool
    place: Place

    @property
    def is_null(self) -> bool:
        return not self.quoted and self.text in _NULLS


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys are text and unlike each other."""

    entries: tuple[tuple[Scalar, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        return next((node for name, node in self.entries if name.text == key), None)

    def key(self, key: str) -> Scalar | None:
        return next((name for name, _ in self.entries if name.text == key), None)


Node: TypeAlias = Scalar | Sequence | Mapping


def read_file(path: Path, name: str | None = None, report: Report | None = None) -> Node:
    """The one document of a YAML or JSON file. `name` is how faults call it. Raises FaultError.

    Faults that leave the rest readable go to the report where one is given, to be told with those of the rest.
    """
    shown = name or str(path)
    return read_bytes(_data(path, shown), shown, report)


def read_text(path: Path, name: str) -> str:
    """The text of a file that is no YAML, refused for the same reasons before its form is looked at."""
    return _text(_data(path, name), name)


def _data(path: Path, name: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise fail("cannot-read", Place(name), reason=error.strerror or str(error)) from error


def read_bytes(data: bytes, name: str, report: Report | None = None) -> Node:
    """The one document in these bytes; `report` as for `read_file`.

    Raises FaultError for anything that is not plain, strict YAML or JSON.
    """
    text = _text(data, name)
    if text.lstrip()[:1] == "{":
        text = _json_as_yaml(text, name)
    try:
        composer = _Composer(name)
        root = composer.compose(text)
    except yaml.YAMLError as error:
        raise FaultError([_yaml_fault(error, text, name)]) from error
    if report is None:
        composer.report.check()
    else:
        report.extend(composer.report.faults)
    return root


def plain(node: Node) -> Any:
    """The node as Python data. Unquoted `true`, `false`, decimal numbers and nulls are read; all else is text."""
    if isinstance(node, Mapping):
        return {key.text: plain(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.text if node.quoted else _plain_scalar(node)


def _plain_scalar(node: Scalar) -> Any:
    if node.is_null:
        return None
    if node.text in ("true", "false"):
        return node.text == "true"
    found = _NUMBER.fullmatch(node.text)
    if found:
        return float(node.text) if found[2] or found[3] else int(node.text)
    return node.text


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise fail("too-large", Place(name), limit=MAX_BYTES // 1024)
    text = _decoded(data, name)
    _refuse_steering(text, name)
    return text


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise fail("not-utf-8", Place(name, line, 1), offset=error.start, looks_like=_encoding_of(data)) from error


def _encoding_of(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return "?"
    return "GBK"


def _refuse_steering(text: str, name: str) -> None:
    report = Report()
    for found in _STEERING.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        report.add("control-character", Place(name, line, column), code=f"U+{ord(found[0]):04X}")
        if len(report.faults) == MAX_FAULTS:
            break
    report.check()


def _json_as_yaml(text: str, name: str) -> str:
    """JSON with the few marks changed that YAML reads otherwise, every line and column kept.

    A document that begins like JSON and is none may still be YAML in flow style: it is left as it is.
    """
    try:
        json.loads(text)
    except RecursionError as error:
        raise fail("too-deep", Place(name, 1, 1), limit=MAX_DEPTH) from error
    except ValueError:
        return text
    joined = re.sub(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..", lambda found: str(json.loads(f'"{found[0]}"')), text)
    return joined.replace("\t", " ")


def _yaml_fault(error: yaml.YAMLError, text: str, name: str) -> Fault:
    """The fault behind a YAML error, told as what the writer did rather than as what the parser missed."""
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    typical = _typical_slip(text, name, line)
    if typical:
        return typical
    place = Place(name, line, mark.column + 1 if mark else 1)
    return Fault("bad-yaml", {"reason": getattr(error, "problem", None) or str(error)}, place)


def _typical_slip(text: str, name: str, line: int) -> Fault | None:
    lines = text.splitlines()
    for number in (n for n in (line, line - 1) if 0 < n <= len(lines)):
        typed = lines[number - 1]
        if re.match(r" *\t", typed):
            return Fault("tab-indent", {}, Place(name, number, typed.index("\t") + 1))
        if re.match(r"\s*\u3000", typed):
            return Fault("wide-space", {}, Place(name, number, typed.index("\u3000") + 1))
        if re.match(r"\s*(- )?[\w.]+\s*\uff1a", typed):
            return Fault("wide-colon", {}, Place(name, number, typed.index("\uff1a") + 1))
    return None


def wide_colon(node: Scalar) -> bool:
    """Whether this lone word is a key whose colon was typed full-width, as Chinese keyboards do."""
    return not node.quoted and "\uff1a" in node.text


class _Composer:
    """Builds nodes from the parser's events; refuses what a profile or a rule never needs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.report = Report()

    def compose(self, text: str) -> Node:
        events = iter(yaml.parse(text, Loader=_LOADER))
        roots = [self._node(event, events, 0) for event in events if _opens_node(event)]
        if not roots or _is_blank(roots):
            raise fail("empty-file", Place(self.name))
        if len(roots) > 1:
            self.report.add("several-documents", roots[1].place)
        return roots[0]

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        return Place(self.name, mark.line + 1, mark.column + 1) if mark else Place(self.name)

    def _node(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Node:
        place = self._place(event)
        if depth > MAX_DEPTH:
            raise fail("too-deep", place, limit=MAX_DEPTH)
        if len(self.report.faults) >= MAX_FAULTS:
            self.report.check()
        if isinstance(event, yaml.AliasEvent):
            self.report.add("alias", place, typed=f"*{event.anchor}")
            return Scalar("", False, place)
        self._refuse_properties(event, place)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, event.style is not None and event.style != "", place)
        if isinstance(event, yaml.SequenceStartEvent):
            return Sequence(tuple(self._children(events, depth)), place)
        return self._mapping(list(self._children(events, depth)), place)

    def _refuse_properties(self, event: yaml.Event, place: Place) -> None:
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor:
            self.report.add("alias", place, typed=f"&{anchor}")
        if tag and tag != "!":
            self.report.add("tag", place, typed=tag)

    def _children(self, events: Iterator[yaml.Event], depth: int) -> Iterator[Node]:
        for event in events:
            if isinstance(event, yaml.CollectionEndEvent):
                return
            yield self._node(event, events, depth + 1)

    def _mapping(self, nodes: list[Node], place: Place) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        for key, value in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                self.report.add("key-not-text", key.place)
            elif not key.quoted and key.text.startswith("\u3000"):
                self.report.add("wide-space", key.place)
            elif key.text in entries:
                first = entries[key.text][0].place
                self.report.add("duplicate-key", key.place, typed=key.text, first=first.line)
            else:
                entries[key.text] = (key, value)
        return Mapping(tuple(entries.values()), place)


def _opens_node(event: yaml.Event) -> bool:
    return isinstance(event, yaml.NodeEvent)


def _is_blank(roots: Iterable[Node]) -> bool:
    return all(isinstance(root, Scalar) and root.is_null for root in roots)
