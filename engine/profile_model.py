"""The pydantic model of a profile, made from the vocabulary, and the JSON Schema that comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, create_model
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from engine.faults import FaultError
from engine.loading import Scalar
from engine.values import Value
from engine.vocabulary import FactType, Vocabulary

FORMAT = 1
MAX_NAME = 200


def profile_model(vocabulary: Vocabulary, by_id: Iterable[str] = ()) -> type[BaseModel]:
    """The pydantic model of a whole profile: strict, unknown keys forbidden.

    Of the figures that may be replaced by their ids it knows those of `by_id` alone: there are hundreds, and a profile
    names few of them.
    """
    groups = _fields(vocabulary)
    name = (Annotated[str | None, PlainValidator(_read_name), WithJsonSchema({"type": "string"})], None)
    workload = _model("Workload", {"name": name, **groups})
    figures = _assumptions(vocabulary, (*vocabulary.named_assumptions, *by_id))
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


def _assumptions(vocabulary: Vocabulary, names: Iterable[str]) -> dict[str, Any]:
    """The fields of the figures; a name of the model's own for each, since an id may be no name for an attribute."""
    return {
        f"figure_{number}": (Annotated[Any, _Reading(vocabulary.assumptions[name])], Field(None, alias=name))
        for number, name in enumerate(names)
    }


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


def describe_by_id(schema: dict[str, Any], vocabulary: Vocabulary) -> None:
    """Adds to the JSON Schema the figures that may be replaced by their ids; all are written alike."""
    told = schema["$defs"]["Assumptions"]["properties"]
    for name in sorted(vocabulary.by_id):
        fact = vocabulary.assumptions[name]
        schema["$defs"].setdefault("Figure", {"anyOf": fact_schema(fact)["anyOf"]})
        told[name] = {"title": fact.title["en"], "$ref": "#/$defs/Figure"}


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
