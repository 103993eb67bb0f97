"""The answers on disk: a profile like any other, whole after every answer.

It begins with a comment by which the questionnaire knows its own files again. A question that was answered with "don't
know" stands there as `unknown`; one that was not asked yet does not stand there.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cli.ask.dialogue import Answers
from cli.files import NotWritten, replace_file
from cli.strings import say
from engine.inference import Given
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, Sequence, read_file
from engine.profile import Profile, ProfileReader
from engine.profile_model import FORMAT
from engine.values import Value
from engine.vocabulary import FactType, Vocabulary

MARKER = "# gpu-advisor ask"
UNKNOWN = "unknown"


class SeveralWorkloadsError(Exception):
    """The profile tells of more than one workload; the questionnaire asks about one."""


@dataclass(frozen=True)
class Stored:
    """A profile of one workload as the questionnaire sees it; what it never asks for is kept as it is."""

    answers: Answers = field(default_factory=dict)
    name: str | None = None
    workload: str | None = None
    assumptions: Mapping[str, Given] = field(default_factory=dict)


def read_profile(path: Path, vocabulary: Vocabulary) -> Profile:
    """The profile in the file. Raises FaultError."""
    return ProfileReader(vocabulary).read(read_file(path))


def load(path: Path, vocabulary: Vocabulary) -> Stored:
    """What a profile holds. Raises FaultError for what is no profile, SeveralWorkloadsError for several in one."""
    root = read_file(path)
    profile = ProfileReader(vocabulary).read(root)
    if len(profile.workloads) > 1:
        raise SeveralWorkloadsError
    workload = profile.workloads[0]
    answers: dict[str, Value | None] = {path: given.value for path, given in workload.facts.items()}
    for fact in vocabulary.told():
        if fact.path not in answers and _says_unknown(root, fact.path):
            answers[fact.path] = None
    return Stored(answers, profile.name, workload.name, profile.assumptions)


def is_ours(path: Path) -> bool:
    """Whether the questionnaire wrote this file; an empty file counts, since nothing in it can be lost."""
    with path.open("rb") as file:
        start = file.read(len(MARKER))
    return start in (b"", MARKER.encode("ascii"))


class Keeper:
    """Keeps the answers in one file; writes when they have changed, and not before.

    `beside`: what else the file holds. `fresh`: an older file of this name is kept under another one first.
    """

    def __init__(self, path: Path, vocabulary: Vocabulary, language: str, beside: Stored, fresh: bool) -> None:
        self.path = path
        self._real = path.resolve()
        self._vocabulary = vocabulary
        self._language = language
        self._beside = beside
        self._fresh = fresh
        self._kept: Answers = beside.answers if self._real.exists() and not fresh else {}
        self.kept_aside: Path | None = None

    def keep(self, answers: Answers) -> None:
        """The answers are on disk when this returns. Raises NotWritten."""
        if answers == self._kept:
            return
        if self._fresh:
            self._set_aside()
        replace_file(self._real, self._text(answers).encode("utf-8"))
        self._fresh = False
        self._kept = answers

    def _set_aside(self) -> None:
        """Keeps a copy of an older file with answers in it, so that a new run does not cost them."""
        try:
            older = self._real.read_bytes() if self._real.exists() else b""
            if not older:
                return
            names = (self._real.with_name(f"{self._real.name}.bak{number or ''}") for number in itertools.count())
            free = next(name for name in names if not name.exists() or is_ours(name))
        except OSError as error:
            raise NotWritten(str(self.path), error.strerror or str(error)) from error
        replace_file(free, older)
        self.kept_aside = self.path.with_name(free.name)

    def _text(self, answers: Answers) -> str:
        lines = [*self._head(answers), f"profile: {FORMAT}"]
        if self._beside.name is not None:
            lines.append(f"name: {quoted(self._beside.name)}")
        facts = list(_fact_lines(self._vocabulary, answers, self._language))
        if self._beside.workload is not None:
            lines += ["", "workloads:", f"  - name: {quoted(self._beside.workload)}"]
            facts = [f"    {line}" if line else "" for line in facts]
        lines += facts
        if self._beside.assumptions:
            lines += ["", "assumptions:", *self._figure_lines()]
        return "\n".join(lines) + "\n"

    def _head(self, answers: Answers) -> list[str]:
        count = len(self._vocabulary.told())
        key = "ask.file-complete" if len(answers) == count else "ask.file-partial"
        command = f"gpu-advisor ask --resume {printable_path(self.path)}"
        said = say(key, self._language, answered=len(answers), count=count, command=command)
        return [f"{MARKER}: {say('ask.file-marker', self._language)}", f"# {said}"]

    def _figure_lines(self) -> Iterator[str]:
        for name, given in self._beside.assumptions.items():
            yield f"  {name}: {_scalar(self._vocabulary.assumptions[name], given.value)}"


def printable_path(path: Path) -> str:
    """The path as a shell takes it, on one line whatever it is called."""
    return shlex.quote("".join(c if c.isprintable() else "?" for c in str(path)))


def _says_unknown(root: Node, path: str) -> bool:
    """Whether the file itself says `unknown` for the fact, rather than nothing."""
    assert isinstance(root, MappingNode)
    parts = root.get("workloads")
    first = parts.items[0] if isinstance(parts, Sequence) and parts.items else root
    return any(_at(node, path) == UNKNOWN for node in (first, root))


def _at(node: Node | None, path: str) -> str | None:
    for part in path.split("."):
        node = node.get(part) if isinstance(node, MappingNode) else None
    return node.text.strip() if isinstance(node, Scalar) else None


def _fact_lines(vocabulary: Vocabulary, answers: Answers, language: str) -> Iterator[str]:
    """The facts in their groups, each group once, each fact with its title and answer as a comment."""
    told = [fact for fact in vocabulary.told() if fact.path in answers]
    for group in dict.fromkeys(fact.path.rpartition(".")[0] for fact in told):
        yield ""
        if group:
            yield f"{group}:"
        members = [fact for fact in told if fact.path.rpartition(".")[0] == group]
        said = [_entry(fact, answers[fact.path]) for fact in members]
        for fact, entry in zip(members, said, strict=True):
            comment = _comment(fact, answers[fact.path], language)
            yield f"{'  ' if group else ''}{entry:<{max(map(len, said))}}  # {comment}"


def _entry(fact: FactType, value: Value | None) -> str:
    return f"{fact.path.rpartition('.')[2]}: {UNKNOWN if value is None else _scalar(fact, value)}"


def _comment(fact: FactType, value: Value | None, language: str) -> str:
    said = say("ask.dont-know", language) if value is None else fact.show(value, language)
    return say("ask.file-comment", language, title=fact.title[language], answer=said)


def _scalar(fact: FactType, value: Value) -> str:
    written = fact.write(value)
    if isinstance(written, bool):
        return "true" if written else "false"
    return str(written)


def quoted(text: str) -> str:
    """The text as a YAML scalar in double quotes, on one line, with every character escaped that does not print."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
