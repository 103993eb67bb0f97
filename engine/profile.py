"""A profile: told facts for one or several workloads, read strictly, every fault told with its line.

The pydantic model is made from the vocabulary; the JSON Schema is made from the model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import rfc8785
from pydantic import BaseModel, ValidationError

from engine.faults import FaultError, Place, Report, did_you_mean, fail, nearest, printable
from engine.inference import Given, Source
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, Sequence, wide_colon
from engine.profile_faults import place_of, place_told, report_error, wording
from engine.profile_model import describe_by_id, profile_model
from engine.values import Interval, Value, bounds, to_json
from engine.vocabulary import FactType, Vocabulary


@dataclass(frozen=True)
class Workload:
    """The facts of one workload, in the order of the vocabulary; facts of the whole profile are among them."""

    name: str | None
    facts: Mapping[str, Given]


@dataclass(frozen=True)
class Profile:
    """What was told. There is always at least one workload."""

    name: str | None
    workloads: tuple[Workload, ...]
    assumptions: Mapping[str, Given] = field(default_factory=dict)

    @property
    def replaced(self) -> Mapping[str, float | Interval]:
        """The figures that the profile sets itself, by id."""
        told = {name: given.value for name, given in self.assumptions.items()}
        return {name: value for name, value in told.items() if not isinstance(value, str | bool)}

    @property
    def digest(self) -> str:
        """SHA-256 over the values of facts and assumptions: names and spelling are not part of it."""
        facts = [{path: to_json(given.value) for path, given in w.facts.items()} for w in self.workloads]
        figures = {name: to_json(given.value) for name, given in self.assumptions.items()}
        said: dict[str, Any] = {"assumptions": figures, "workloads": facts}
        return "sha256:" + hashlib.sha256(rfc8785.dumps(said)).hexdigest()


@dataclass(frozen=True)
class Setting:
    """One `--set FACT=VALUE` or `NAME/FACT=VALUE`: text that goes over what the profile says."""

    fact: str
    text: str
    workload: str | None = None

    @property
    def place(self) -> Place:
        """The option as it was typed: where its faults are."""
        name = f"{self.workload}/{self.fact}" if self.workload is not None else self.fact
        return Place(printable(f"--set {name}={self.text}"))

    @staticmethod
    def parse(typed: str) -> Setting:
        """Raises FaultError for a text without `=`."""
        left, equals, right = typed.partition("=")
        if not equals:
            raise fail("bad-setting", Place("--set"), typed=typed)
        workload, slash, fact = left.rpartition("/")
        return Setting(fact.strip(), right.strip(), workload if slash else None)


class ProfileReader:
    """Reads profiles against one vocabulary; the model is built once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.model = profile_model(vocabulary)

    def read(self, root: Node, settings: Iterable[Setting] = (), report: Report | None = None) -> Profile:
        """The profile of a file's root node. Raises FaultError with every fault, in the order of lines.

        `report` holds what was already found in the file.
        """
        report = report or Report()
        read = self._validated(root, report)
        report.check()
        assert read is not None
        assert isinstance(root, MappingNode)
        profile = self._profile(read, root)
        self._apply(profile, settings, report)
        self._check_pairs(profile, root, report)
        report.check()
        return Profile(
            profile.name,
            tuple(Workload(w.name, self._in_order(w.facts)) for w in profile.workloads),
            profile.assumptions,
        )

    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema of a profile, with titles and descriptions for editors."""
        schema = self.model.model_json_schema()
        describe_by_id(schema, self.vocabulary)
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}

    def _validated(self, root: Node, report: Report) -> BaseModel | None:
        if not isinstance(root, MappingNode):
            wide = isinstance(root, Scalar) and wide_colon(root)
            report.add("wide-colon" if wide else "not-a-profile", root.place)
            return None
        try:
            return self._model_for(root).model_validate(_raw(root))
        except ValidationError as error:
            for item in error.errors(include_url=False):
                report_error(item, root, self.vocabulary, report)
        return None

    def _model_for(self, root: MappingNode) -> type[BaseModel]:
        """The model, with the figures that the profile replaces by their ids."""
        told = root.get("assumptions")
        keys = [key.text for key, _ in told.entries] if isinstance(told, MappingNode) else []
        by_id = [name for name in keys if name in self.vocabulary.by_id]
        return profile_model(self.vocabulary, by_id) if by_id else self.model

    def _profile(self, read: BaseModel, root: MappingNode) -> Profile:
        common = _facts_of(read, root, self.vocabulary)
        parts = getattr(read, "workloads", None) or []
        nodes = root.get("workloads")
        items = nodes.items if isinstance(nodes, Sequence) else ()
        workloads = [
            Workload(part.name, {**common, **_facts_of(part, item, self.vocabulary)})
            for part, item in zip(parts, items, strict=True)
        ]
        assumptions = _assumptions_of(read, root)
        return Profile(getattr(read, "name", None), tuple(workloads) or (Workload(None, common),), assumptions)

    def _apply(self, profile: Profile, settings: Iterable[Setting], report: Report) -> None:
        for setting in settings:
            where = [w for w in profile.workloads if setting.workload in (None, w.name)]
            if not where:
                known = [w.name for w in profile.workloads if w.name]
                report.add("unknown-workload", setting.place, typed=setting.workload, known=known or ["-"])
            self._set(setting, where, profile, report)

    def _set(self, setting: Setting, where: list[Workload], profile: Profile, report: Report) -> None:
        name = setting.fact.removeprefix("assumptions.")
        figure = self.vocabulary.assumptions.get(name) if name != setting.fact else None
        fact = figure or self.vocabulary.facts.get(setting.fact)
        if fact is None or (figure is None and fact.origin != "told"):
            figures = [f"assumptions.{name}" for name in self.vocabulary.assumptions]
            hint = did_you_mean(nearest(setting.fact, [*(f.path for f in self.vocabulary.told()), *figures]))
            report.add("unknown-fact", setting.place, typed=setting.fact, hint=hint)
            return
        try:
            value = fact.read(_typed_value(setting.text))
        except FaultError as error:
            for fault in error.faults:
                report.add("bad-value", setting.place, fact=setting.fact, reason=wording(fault))
            return
        for target in [profile.assumptions] if figure else [w.facts for w in where]:
            _put(target, fact.path, None if value is None else Given(value, Source("option")))

    def _check_pairs(self, profile: Profile, root: Node, report: Report) -> None:
        """Facts that may not be below another: told together, in a workload, from wherever each came."""
        for number, workload in enumerate(profile.workloads):
            for fact in self.vocabulary.told():
                given, other = workload.facts.get(fact.path), workload.facts.get(fact.not_below or "")
                if given and other and is_below(given.value, other.value):
                    self._report_below(root, number, fact, (given, other), report)

    def _report_below(self, root: Node, number: int, fact: FactType, pair: tuple[Given, Given], report: Report) -> None:
        (given, other), floor = pair, self.vocabulary.facts[fact.not_below or ""]
        lines = ((fact.path, given.source.line), (floor.path, other.source.line))
        places = (place_told(root, number, path, line) for path, line in lines)
        place = next((place for place in places if place), Place("--set"))
        value, limit = fact.show(given.value), floor.show(other.value)
        report.add("below-other", place, fact=fact.path, value=value, other=floor.path, limit=limit)

    def _in_order(self, facts: Mapping[str, Given]) -> Mapping[str, Given]:
        return {fact.path: facts[fact.path] for fact in self.vocabulary.told() if fact.path in facts}


def _typed_value(text: str) -> object:
    """The text of an option as `FactType.read` takes it: `[0.4, 0.7]` is a range, as in a file."""
    pair = re.fullmatch(r"\[([^][,]+),([^][,]+)\]", text)
    return [Scalar(part.strip(), False, Place("--set")) for part in pair.groups()] if pair else text


def _put(target: Mapping[str, Given], path: str, given: Given | None) -> None:
    assert isinstance(target, dict)
    if given is None:
        target.pop(path, None)
    else:
        target[path] = given


def is_below(value: Value, other: Value) -> bool:
    """Whether all that the value may be is below all that the other may be; false for words."""
    if isinstance(value, str | bool) or isinstance(other, str | bool):
        return False
    return bounds(value)[1] < bounds(other)[0]


def _raw(node: Node) -> Any:
    """Mappings and lists as Python has them, nulls as None, other scalars as they were typed."""
    if isinstance(node, MappingNode):
        return {key.text: _raw(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [_raw(item) for item in node.items]
    return None if node.is_null else node


def _facts_of(read: BaseModel, node: Node, vocabulary: Vocabulary) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for fact in vocabulary.told():
        group, _, name = fact.path.rpartition(".")
        holder = getattr(read, group, None) if group else read
        value = getattr(holder, name, None)
        if value is not None:
            place = place_of(node, [part for part in (group, name) if part])
            found[fact.path] = Given(value, _told_at(place))
    return found


def _told_at(place: Place) -> Source:
    """A file is known by its name alone: where it lies is no part of what was told.

    Bytes of the name that are not UTF-8 are escaped, since a trace cannot hold them.
    """
    name = PurePath(place.file).name.encode("utf-8", "backslashreplace").decode("utf-8")
    return Source("profile", file=name, line=place.line)


def _assumptions_of(read: BaseModel, root: Node) -> dict[str, Given]:
    holder = getattr(read, "assumptions", None)
    if holder is None:
        return {}
    told = {info.alias or name: getattr(holder, name) for name, info in type(holder).model_fields.items()}
    place = {name: place_of(root, ["assumptions", name]) for name in told}
    return {name: Given(value, _told_at(place[name])) for name, value in told.items() if value is not None}
