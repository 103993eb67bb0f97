"""What is wrong, where, and what to try: faults as data, worded in the reader's language only when shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "zh")
_LONGEST_TYPED = 200


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a file; lines and columns count from 1, and 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        file = printable(self.file)
        return f"{file}:{self.line}:{self.column}" if self.line else file


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `key` names its sentence in the message files; `params` fill the sentence."""

    key: str
    params: Mapping[str, object] = field(default_factory=dict)
    place: Place | None = None

    def text(self, language: str = "en") -> str:
        """`file:line:column: sentence`, in the language asked for."""
        sentence = messages(language)[self.key].format_map(_worded(self.params, language))
        return f"{self.place}: {sentence}" if self.place else sentence


class FaultError(Exception):
    """Raised with every fault that was found, not only the first; `faults` is never empty."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(fault.text() for fault in self.faults)


class InferenceStopped(FaultError):
    """The engine met its limit, or two rules inferred different values of one fact: there is no verdict."""


class Report:
    """Collects faults, so that a file's faults are told together and in the order of its lines."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def add(self, key: str, place: Place | None = None, /, **params: object) -> None:
        self.faults.append(Fault(key, params, place))

    def extend(self, faults: Iterable[Fault]) -> None:
        self.faults.extend(faults)

    def check(self) -> None:
        """Raises FaultError if anything was reported."""
        if self.faults:
            raise FaultError(sorted(self.faults, key=_by_place))


def fail(key: str, place: Place | None = None, /, **params: object) -> FaultError:
    """The error for a single fault, to be raised by the caller."""
    return FaultError([Fault(key, params, place)])


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """The known name most like the typed one, or None when none is near."""
    from rapidfuzz import fuzz, process, utils  # costs 20 ms: only where something is misspelled

    found = process.extractOne(
        typed, sorted(known), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=70
    )
    return found[0] if found else None


def did_you_mean(name: str | None) -> Mapping[str, str]:
    """A 'did you mean' for each language, empty where there is nothing to suggest; a parameter of a fault."""
    if name is None:
        return dict.fromkeys(LANGUAGES, "")
    return {code: messages(code)["did-you-mean"].format(name=name) for code in LANGUAGES}


@cache
def messages(language: str) -> Mapping[str, str]:
    """Every sentence of the engine in one language."""
    import yaml

    text = resources.files("engine").joinpath("messages", f"{language}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, str] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def _worded(params: Mapping[str, object], language: str) -> dict[str, Any]:
    """Parameters as text: in the language asked for, lists joined, characters that steer a screen escaped."""
    worded = {name: shown(value, language) for name, value in params.items()}
    return {**worded, "typed": _shortened(worded["typed"])} if "typed" in worded else worded


def _shortened(typed: str) -> str:
    return typed if len(typed) <= _LONGEST_TYPED else f"{typed[:_LONGEST_TYPED]}…"


def shown(value: object, language: str) -> str:
    """A parameter of a sentence as text in one language, with nothing in it that could steer a screen."""
    if isinstance(value, Mapping):
        return str(value.get(language, value.get("en", "")))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(shown(item, language) for item in value)
    return printable(str(value))


def printable(text: str) -> str:
    """The text with every character escaped that could steer a terminal or hide its direction."""
    if text.isprintable():
        return text
    return "".join(c if shows(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def shows(character: str) -> bool:
    """Whether it is seen as what it is; spaces of every width are, such as the full-width one of Chinese text."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _by_place(fault: Fault) -> tuple[str, int, int]:
    place = fault.place or Place("")
    return place.file, place.line, place.column
