"""Reads the parts of a knowledge file: which keys must stand, which may, in which order, of which shape.

Every fault goes to a report, so that one reading tells all that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingABC
from itertools import pairwise
from typing import Any

from engine.faults import LANGUAGES, Place, Report, did_you_mean, nearest
from engine.loading import Mapping, Node, Scalar, Sequence, plain
from engine.values import Text

SCHEMA = 1


class Form:
    """One mapping of a knowledge file, its keys checked on creation against the keys that it may have.

    `keys` lists all keys in their order; those with a trailing `?` may be left out.
    """

    def __init__(self, node: Node, keys: Iterable[str], report: Report) -> None:
        self.place = node.place
        self.report = report
        self._nodes: dict[str, Node] = {}
        names = [key.rstrip("?") for key in keys]
        if not isinstance(node, Mapping):
            report.add("expected-mapping", node.place, known=names)
            return
        self._take(node, names)
        for key in keys:
            if not key.endswith("?") and key not in self._nodes:
                report.add("missing-key", self.place, missing=key)
        self._check_order(node, names)

    def _take(self, node: Mapping, names: list[str]) -> None:
        for key, value in node.entries:
            if key.text in names:
                self._nodes[key.text] = value
            else:
                hint = did_you_mean(nearest(key.text, names))
                self.report.add("unknown-key", key.place, typed=key.text, hint=hint, known=names)

    def _check_order(self, node: Mapping, names: list[str]) -> None:
        standing = [key for key, _ in node.entries if key.text in names]
        for before, after in pairwise(standing):
            if names.index(before.text) > names.index(after.text):
                self.report.add("key-order", after.place, first=after.text, second=before.text)
                return

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    def node(self, key: str) -> Node | None:
        return self._nodes.get(key)

    def place_of(self, key: str) -> Place:
        node = self._nodes.get(key)
        return node.place if node else self.place

    def word(self, key: str, default: str = "") -> str:
        """The text of one scalar."""
        node = self._nodes.get(key)
        if node is None:
            return default
        if isinstance(node, Scalar):
            return node.text
        self.report.add("expected-text", node.place, key=key)
        return default

    def flag(self, key: str, default: bool = False) -> bool:
        node = self._nodes.get(key)
        if node is None:
            return default
        value = plain(node)
        if isinstance(value, bool):
            return value
        self.report.add("expected-flag-of", node.place, key=key)
        return default

    def number(self, key: str) -> float | None:
        node = self._nodes.get(key)
        if node is None:
            return None
        value = plain(node)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        self.report.add("expected-number-of", node.place, key=key)
        return None

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, or a single one."""
        return tuple(scalar.text for scalar in self.scalars(key))

    def scalars(self, key: str) -> tuple[Scalar, ...]:
        node = self._nodes.get(key)
        if node is None:
            return ()
        if isinstance(node, Scalar):
            return (node,)
        if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
            return tuple(item for item in node.items if isinstance(item, Scalar))
        self.report.add("expected-list", node.place, key=key)
        return ()

    def items(self, key: str) -> tuple[Node, ...]:
        node = self._nodes.get(key)
        if node is None:
            return ()
        if isinstance(node, Sequence):
            return node.items
        self.report.add("expected-list", node.place, key=key)
        return ()

    def entries(self, key: str) -> tuple[tuple[Scalar, Node], ...]:
        node = self._nodes.get(key)
        if node is None:
            return ()
        if isinstance(node, Mapping):
            return node.entries
        self.report.add("expected-mapping", node.place, known=[key])
        return ()

    def text(self, key: str) -> Text:
        """A wording, which must stand in every language; empty where the key is absent."""
        node = self._nodes.get(key)
        if node is None:
            return {}
        return localized(node, self.report)


def localized(node: Node, report: Report) -> Text:
    """A wording in every language; reports the languages that are missing or empty."""
    value = plain(node)
    if not isinstance(value, MappingABC) or not all(_is_sentence(value.get(code)) for code in LANGUAGES):
        report.add("not-localized", node.place, languages=list(LANGUAGES))
        return dict.fromkeys(LANGUAGES, "")
    if set(value) - set(LANGUAGES):
        report.add("unknown-key", node.place, typed=min(set(value) - set(LANGUAGES)), hint="", known=LANGUAGES)
    return {code: str(value[code]).rstrip() for code in LANGUAGES}


def _is_sentence(value: Any) -> bool:
    return value is not None and bool(str(value).strip())


def file_form(node: Node, keys: Iterable[str], report: Report) -> Form:
    """The form of a whole knowledge file, whose first key is the schema version."""
    form = Form(node, ["schema", *keys], report)
    if form.word("schema") not in ("", str(SCHEMA)):
        report.add("unknown-schema", form.place_of("schema"), found=form.word("schema"), known=SCHEMA)
    return form


def report_twins(items: Iterable[Node], key: str, report: Report) -> None:
    """Reports every item whose `key` says what that of an item before it says."""
    seen: dict[str, Place] = {}
    for item in items:
        name = item.get(key) if isinstance(item, Mapping) else None
        if not isinstance(name, Scalar):
            continue
        if name.text in seen:
            report.add("duplicate-id", item.place, id=name.text, first=str(seen[name.text]))
        seen.setdefault(name.text, item.place)
