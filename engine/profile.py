"""A profile: told facts for one or several workloads, read strictly, every fault told with its line.

The pydantic model is made from the vocabulary; the JSON Schema is made from the model.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, Any

import rfc8785
from pydantic import (
    BaseModel,
    ConfigDict,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from engine.faults import LANGUAGES, Fault, FaultError, Place, Report, did_you_mean, fail, messages, nearest, printable
from engine.inference import Given, Source
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, Sequence, wide_colon
from engine.values import Value, bounds, to_json
from engine.vocabulary import FactType, Vocabulary

FORMAT = 1
MAX_NAME = 200


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
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **self.model.model_json_schema()}

    def _validated(self, root: Node, report: Report) -> BaseModel | None:
        if not isinstance(root, MappingNode):
            wide = isinstance(root, Scalar) and wide_colon(root)
            report.add("wide-colon" if wide else "not-a-profile", root.place)
            return None
        try:
            return self.model.model_validate(_raw(root))
        except ValidationError as error:
            for item in error.errors(include_url=False):
                _report_error(item, root, self.vocabulary, report)
        return None

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
                report.add("bad-value", setting.place, fact=setting.fact, reason=_wording(fault))
            return
        for target in [profile.assumptions] if figure else [w.facts for w in where]:
            _put(target, fact.path, None if value is None else Given(value, Source("option")))

    def _check_pairs(self, profile: Profile, root: Node, report: Report) -> None:
        """Facts that may not be below another: told together, in a workload, from wherever each came."""
        for number, workload in enumerate(profile.workloads):
            for fact in self.vocabulary.told():
                given, other = workload.facts.get(fact.path), workload.facts.get(fact.not_below or "")
                if given and other and _below(given.value, other.value):
                    floor = self.vocabulary.facts[fact.not_below or ""]
                    place = _place_told(root, number, fact.path, given) or _place_told(root, number, floor.path, other)
                    report.add(
                        "below-other", place or Place("--set"), fact=fact.path, value=fact.show(given.value),
                        other=floor.path, limit=floor.show(other.value),
                    )  # fmt: skip

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


def _below(value: Value, other: Value) -> bool:
    if isinstance(value, str | bool) or isinstance(other, str | bool):
        return False
    return bounds(value)[1] < bounds(other)[0]


def profile_model(vocabulary: Vocabulary) -> type[BaseModel]:
    """The pydantic model of a whole profile: strict, unknown keys forbidden."""
    groups = _fields(vocabulary)
    name = (Annotated[str | None, PlainValidator(_read_name), WithJsonSchema({"type": "string"})], None)
    workload = _model("Workload", {"name": name, **groups})
    figures = {n: (Annotated[Any, _Reading(fact)], None) for n, fact in vocabulary.assumptions.items()}
    version = (Annotated[int, PlainValidator(_read_version), WithJsonSchema({"const": FORMAT})], ...)
    return _model(
        "Profile",
        {
            "profile": version,
            "name": name,
            **groups,
            "assumptions": (_group_type(_model("Assumptions", figures)), None),
            "workloads": (list[workload] | None, None),  # type: ignore[valid-type]  # a model made at run time
        },
        part=False,
    )


def _fields(vocabulary: Vocabulary) -> dict[str, Any]:
    groups: dict[str, dict[str, Any]] = {}
    for fact in vocabulary.told():
        group, _, name = fact.path.rpartition(".")
        groups.setdefault(group, {})[name] = (Annotated[Any, _Reading(fact)], None)
    loose = groups.pop("", {})
    models = {g: (_group_type(_model(g.title(), fields)), None) for g, fields in groups.items()}
    return {**loose, **models}


def _group_type(model: type[BaseModel]) -> Any:
    return model | None


def _model(name: str, fields: dict[str, Any], part: bool = True) -> type[BaseModel]:
    """A `part` of a greater model gets no validator of its own: the greater one validates it too."""
    made: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid", defer_build=part), **fields)
    return made


class _Reading:
    """How pydantic reads one fact, and how the JSON Schema tells what may be written for it.

    A field with a validator, a schema and a title, each an annotation of its own, takes pydantic twice as long to
    make; with some seventy fields that is felt at the start of every command.
    """

    def __init__(self, fact: FactType) -> None:
        self.fact = fact

    def __get_pydantic_core_schema__(self, _type: object, _handler: object) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, _schema: object, _handler: object) -> dict[str, Any]:
        return fact_schema(self.fact)

    def read(self, given: object) -> Value | None:
        try:
            return self.fact.read(given)
        except FaultError as error:
            fault = error.faults[0]
            raise PydanticCustomError("fault", "{key}", {"key": fault.key, "fault": fault}) from error


def fact_schema(fact: FactType) -> dict[str, Any]:
    """The JSON Schema of one fact: every form in which it may be written."""
    unknown: list[dict[str, Any]] = [{"type": "null"}, {"const": "unknown"}]
    described = {"title": fact.title["en"], "description": fact.meaning["en"]}
    if fact.kind == "choice":
        values = [{"const": c.value, "description": c.implies.get("en", c.label["en"])} for c in fact.choices]
        return {**described, "anyOf": [*values, *unknown]}
    if fact.kind == "flag":
        return {**described, "anyOf": [{"type": "boolean"}, {"enum": ["yes", "no"]}, *unknown]}
    if fact.kind == "name":
        return {
            **described,
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "examples": list(fact.names[:5]),
        }
    number = {"type": "integer" if fact.whole else "number", **_limits(fact)}
    pair = {"type": "array", "items": {"anyOf": [number, {"type": "string"}]}, "minItems": 2, "maxItems": 2}
    return {
        **described,
        "anyOf": [number, {"type": "string"}, pair, {"type": "null"}],
        "examples": [fact.example],
    }


def _limits(fact: FactType) -> dict[str, float]:
    limits = {"minimum": fact.minimum, "exclusiveMinimum": fact.above, "maximum": fact.maximum}
    return {key: limit for key, limit in limits.items() if limit is not None}


def _read_version(given: object) -> int:
    if isinstance(given, Scalar) and given.text == str(FORMAT):
        return FORMAT
    if given == FORMAT and not isinstance(given, bool):
        return FORMAT
    raise PydanticCustomError("fault", "bad-version")


def _read_name(given: object) -> str | None:
    if given is None or (isinstance(given, Scalar) and given.is_null):
        return None
    text = given.text if isinstance(given, Scalar) else given
    if not isinstance(text, str) or len(text) > MAX_NAME:
        raise PydanticCustomError("fault", "bad-name")
    return text


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
            place = _place_of(node, [part for part in (group, name) if part])
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
    told = {name: getattr(holder, name) for name in type(holder).model_fields}
    place = {name: _place_of(root, ["assumptions", name]) for name in told}
    return {name: Given(value, _told_at(place[name])) for name, value in told.items() if value is not None}


def _place_of(node: Node, path: Iterable[str | int]) -> Place:
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


def _place_told(root: Node, number: int, path: str, given: Given) -> Place | None:
    """Where a fact of a workload was told: in the workload itself or for all; None for one that an option told."""
    inside = path.split(".")
    places = (_place_of(root, ["workloads", number, *inside]), _place_of(root, inside))
    return next((place for place in places if place.line == given.source.line), None)


def _value_at(node: Node | None, path: Iterable[str | int]) -> Node | None:
    for part in path:
        if isinstance(node, Sequence) and isinstance(part, int):
            node = node.items[part]
        else:
            node = node.get(str(part)) if isinstance(node, MappingNode) else None
    return node


def _report_error(item: Any, root: Node, vocabulary: Vocabulary, report: Report) -> None:
    loc = list(item["loc"])
    place = _place_of(root, loc)
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
        report.add("wrong-shape", _place_of(root, loc), key=_dotted(loc), expected=_shape(item["type"]))


def _shape(error_type: str) -> Mapping[str, str]:
    key = "shape-list" if "list" in error_type else "shape-mapping"
    return {code: messages(code)[key] for code in LANGUAGES}


def _report_unknown(loc: list[Any], place: Place, vocabulary: Vocabulary, report: Report) -> None:
    typed = str(loc[-1])
    inside = [str(part) for part in loc[:-1] if isinstance(part, str) and part != "workloads"]
    if inside == ["assumptions"]:
        hint = did_you_mean(nearest(typed, vocabulary.assumptions))
        report.add("unknown-assumption", place, typed=typed, hint=hint, known=sorted(vocabulary.assumptions))
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
    report.add("bad-value", place, fact=_dotted(loc), reason=_wording(fault))


def _dotted(loc: Iterable[Any]) -> str:
    parts = list(loc)
    named = parts[2:] if parts[:1] == ["workloads"] and len(parts) > 2 else parts
    return ".".join(str(part) for part in named)


def _wording(fault: Fault) -> Mapping[str, str]:
    return {code: fault.text(code) for code in LANGUAGES}
