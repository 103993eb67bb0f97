"""The shape of a verdict in JSON, written down a second time: what other people's scripts may count on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class OneOf:
    """One of these words, and nothing else."""

    words: tuple[str | bool | None, ...]


@dataclass(frozen=True)
class Text:
    """Text that matches the pattern as a whole."""

    pattern: str


@dataclass(frozen=True)
class Each:
    """An object with keys of its own, every value of one shape."""

    value: Shape


@dataclass(frozen=True)
class Either:
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Number:
    """A number, never true or false."""


Shape: TypeAlias = OneOf | Text | Each | Either | Number | dict[str, Any] | list[Any]

NULL = OneOf((None,))
SOME = Text(r"(?s).+")
RULE = Text(r"[a-z0-9_.-]+")
FACT = Text(r"[a-z]+(\.[a-z_]+)?")
AS_OF = Text(r"\d{4}(-(\d{2}(-\d{2})?|Q[1-4]|H[12]))?|undated")
DIGEST = Text(r"sha256:[0-9a-f]{64}")
ROUTE = OneOf(("on_prem", "cloud", "hybrid", None))
STATUS = OneOf(("infeasible", "undetermined", "tied", "provisional", "settled"))
FORMS = {
    "on_prem": ("workstation", "machine_room", "colocation", "vendor_run"),
    "cloud": ("on_demand", "spot", "reserved", "dedicated", "managed_api"),
    "hybrid": ("base_and_burst", "bridge", "split_by_data"),
}
FORM = OneOf((*(form for forms in FORMS.values() for form in forms), None))
SCORES = {"on_prem": Number(), "cloud": Number(), "hybrid": Either((Number(), NULL))}
RULES = {"fired": [RULE], "defeated": Each(RULE), "undecided": Each([FACT])}
KIND = OneOf(("blueprint", "risk", "migration", "guard", "gap", "doubt"))
ADVICE = [{"id": RULE, "kind": KIND, "text": SOME, "rule": RULE}]
BOUND = Either((Number(), OneOf(("unlimited",))))
COSTED = Either((BOUND, [BOUND], OneOf((True, False, "USD", "CNY", "EUR", None))))
PART = {
    "part": RULE,
    "division": RULE,
    "route": ROUTE,
    "form": FORM,
    "status": STATUS,
    "scores": SCORES,
    "excluded": Each([RULE]),
    "rules": RULES,
    "unknown": [FACT],
}
SHARES = [{"route": ROUTE, "share": Number()}]
STRETCH = {"from": Number(), "to": Number(), "routes": SHARES}
RANGE = {"fact": FACT, "tells": Number(), "stretches": [STRETCH]}
LIMIT = Either((Each(Number()), NULL))
TOLD = Either((Number(), SOME, OneOf((True, False)), [Number()]))
CHANGE = {"fact": FACT, "from": Either((TOLD, NULL)), "to": TOLD, "low": LIMIT, "high": LIMIT}
FLIP = {"set": Each(TOLD), "route": ROUTE, "form": FORM, "status": STATUS, "changes": [CHANGE]}
WORKLOAD = {
    "name": Either((SOME, NULL)),
    "route": ROUTE,
    "form": FORM,
    "status": STATUS,
    "proof": OneOf(("open", "witness", None)),
    "may_become_infeasible": [FACT],
    "parts": Either(([PART], NULL)),
    "scores": SCORES,
    "excluded": Each([RULE]),
    "rules": RULES,
    "tie": Either((RULE, NULL)),
    "unknown": [FACT],
    "witness": Either(({"set": Each(TOLD), "route": ROUTE}, NULL)),
    "tells": [{"fact": FACT, "value": TOLD, "route": ROUTE, "alone": OneOf((True, False))}],
    "flips": Either(([FLIP], NULL)),
    "triggers": Either(([{**CHANGE, "route": ROUTE}], NULL)),
    "advice": ADVICE,
    "cost": Either((Each(COSTED), NULL)),
    "ranges": Either(({"points": Number(), "routes": SHARES, "facts": [RANGE]}, NULL)),
}
OVERALL = {"route": ROUTE, "form": FORM, "status": STATUS, "reasons": [RULE], "advice": ADVICE}
VERDICT: Shape = {
    "schema": OneOf(("gpu-advisor/verdict/1",)),
    "version": Text(r"\d+\.\d+\.\d+\S*"),
    "knowledge": {
        "digest": DIGEST,
        "rules": Number(),
        "house": Either(({"digest": DIGEST, "rules": [RULE]}, NULL)),
        "prices_as_of": AS_OF,
        "figures_past": [{"id": Text(r"[a-z0-9_.-]+"), "as_of": AS_OF}],
    },
    "profile": {"digest": DIGEST},
    "overall": OVERALL,
    "workloads": [WORKLOAD],
}


def misfits(value: object, shape: Shape, where: str = "$") -> Iterator[str]:
    """What in the value is not as the shape says: a key too many or too few, a wrong type, a word that is none."""
    match shape:
        case dict():
            yield from _object(value, shape, where)
        case list():
            yield from _list(value, shape[0], where)
        case Each():
            yield from _each(value, shape.value, where)
        case Either():
            found = [list(misfits(value, one, where)) for one in shape.shapes]
            yield from min(found, key=len) if all(found) else ()
        case _:
            if not _fits(value, shape):
                yield f"{where} is {value!r}"


def _fits(value: object, shape: Shape) -> bool:
    match shape:
        case OneOf():
            return value in shape.words
        case Text():
            return isinstance(value, str) and bool(re.fullmatch(shape.pattern, value))
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)


def _object(value: object, shape: Mapping[str, Shape], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} is no object"
        return
    if value.keys() != shape.keys():
        yield f"{where} has the keys {sorted(value.keys() ^ shape.keys())} too many or too few"
    for key in shape.keys() & value.keys():
        yield from misfits(value[key], shape[key], f"{where}.{key}")


def _list(value: object, shape: Shape, where: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{where} is no list"
        return
    for number, item in enumerate(value):
        yield from misfits(item, shape, f"{where}[{number}]")


def _each(value: object, shape: Shape, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} is no object"
        return
    for key, item in value.items():
        yield from misfits(item, shape, f"{where}.{key}")
