"""The guided questionnaire: asks fact after fact, keeps every answer on disk at once, and hands back a profile.

Everything that is said goes to the dialogue's stream, standard error; standard output is left to the verdict.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from cli.ask.answers_file import (
    Keeper,
    SeveralWorkloadsError,
    Stored,
    is_ours,
    load,
    printable_path,
    read_profile,
)
from cli.ask.conversation import Conversation, Face, NothingUsableError
from cli.ask.dialogue import Dialogue
from cli.ask.wrapping import paragraphs
from cli.exit_code import ExitCode
from cli.files import NotWritten
from cli.strings import say
from engine.faults import FaultError
from engine.inference import Given, Source
from engine.profile import Profile, Workload

if TYPE_CHECKING:
    from engine.base import KnowledgeBase

DEFAULT_FILE = Path("profile.yaml")
_CANNOT_DRAW = ("dumb", "unknown")


@dataclass(frozen=True)
class AskOptions:
    """Where to save, what to go on with, and whether to ask line by line."""

    out: Path | None = None
    resume: Path | None = None
    plain: bool = False

    @property
    def target(self) -> Path:
        return self.out or self.resume or DEFAULT_FILE


@dataclass(frozen=True)
class Streams:
    """Where answers are typed and where questions are shown; None for one that is closed."""

    source: TextIO | None = field(default_factory=lambda: sys.stdin)
    dialogue: TextIO | None = field(default_factory=lambda: sys.stderr)


@dataclass(frozen=True)
class AskResult:
    """`profile` is what was told once all was confirmed, None where the questionnaire ended before."""

    profile_path: Path | None
    profile: Profile | None
    exit_code: ExitCode


class _RefusedError(Exception):
    """Nothing can be asked; the message says why and what to do."""

    def __init__(self, message: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def run_ask(base: KnowledgeBase, language: str, options: AskOptions, streams: Streams | None = None) -> AskResult:
    """Goes through the questionnaire. Nothing is written before the first answer; what went wrong is told here."""
    streams = streams or Streams()
    try:
        face = _face(language, options, streams)
        stored = _stored(base, language, options)
        _check_target(options, language)
    except _RefusedError as refused:
        _say(streams, refused.message)
        return AskResult(None, None, refused.exit_code)
    return _Run(base, language, options, streams, stored).go(face)


class _Run:
    """One run, from the first word to the last."""

    def __init__(
        self, base: KnowledgeBase, language: str, options: AskOptions, streams: Streams, stored: Stored
    ) -> None:
        self.base = base
        self.language = language
        self.options = options
        self.streams = streams
        self.stored = stored
        self.dialogue = Dialogue(base.vocabulary, stored.answers)
        self.keeper = Keeper(
            options.target, base.vocabulary, language, stored, fresh=not _same(options.target, options.resume)
        )

    def go(self, face: Face) -> AskResult:
        """Asks, and tells how it ended; every answer given is kept, however it ended."""
        try:
            with face.open():
                self._welcome(face)
                confirmed = Conversation(self.base, self.language, self.dialogue, self.keeper, face).run()
            if not confirmed:
                return self._stopped("ask.stopped", ExitCode.DONE)
            return self._finished()
        except KeyboardInterrupt:
            return self._stopped("ask.interrupted", ExitCode.INTERRUPTED)
        except EOFError:
            return self._stopped("ask.input-ended", ExitCode.BAD_INPUT)
        except NothingUsableError:
            return self._stopped("ask.nothing-usable", ExitCode.BAD_INPUT)
        except NotWritten as error:
            return self._not_written(error)

    def _welcome(self, face: Face) -> None:
        count, answered = len(self.dialogue.facts), len(self.dialogue.answers)
        path, resumed = printable_path(self.options.target), printable_path(self.options.resume or Path())
        key = "ask.welcome-back" if self.options.resume else "ask.welcome"
        face.tell(say(key, self.language, count=count, answered=answered, path=path, resumed=resumed))
        if self.options.plain:
            face.tell(say("ask.keys-plain", self.language))
        if self.options.resume and not is_ours(self.options.resume):
            face.tell(say("ask.comments-go", self.language, path=printable_path(self.options.resume)))

    def _finished(self) -> AskResult:
        """Every answer is told by its person; what the questionnaire never asks for is read back from the file."""
        self.keeper.keep(self.dialogue.answers)
        known = {path: value for path, value in self.dialogue.answers.items() if value is not None}
        facts = {path: Given(value, Source("answer")) for path, value in known.items()}
        beside = read_profile(self.options.target, self.base.vocabulary) if known else None
        workload = Workload(self.stored.workload, facts)
        profile = Profile(self.stored.name, (workload,), beside.assumptions if beside else {})
        _say(self.streams, say("ask.saved", self.language, path=printable_path(self.options.target)))
        return AskResult(self.options.target, profile, ExitCode.DONE)

    def _stopped(self, key: str, exit_code: ExitCode) -> AskResult:
        """Keeps once more what may not have reached the disk, and says where the answers are and how to go on."""
        try:
            self.keeper.keep(self.dialogue.answers)
        except NotWritten as error:
            return self._not_written(error)
        how = say(key, self.language, question=self._open())
        _say(self.streams, say("ask.ended", self.language, how=how, where=self._where()))
        return AskResult(self.options.target, None, exit_code)

    def _open(self) -> str:
        question = self.dialogue.question
        if question is None:
            return say("ask.at-review", self.language)
        title = question.fact.title[self.language]
        said = {
            "number": question.number,
            "count": question.count,
            "title": title,
            "path": question.fact.path,
        }
        return say("ask.at-question", self.language, **said)

    def _where(self) -> str:
        answered = len(self.dialogue.answers)
        if not answered:
            return say("ask.nothing-saved", self.language)
        plain = "--plain " if self.options.plain else ""
        path = printable_path(self.options.target)
        command = f"gpu-advisor ask {plain}--resume {path}"
        return say("ask.all-saved", self.language, answered=answered, path=path) + f"\n  {command}"

    def _not_written(self, error: NotWritten) -> AskResult:
        _say(self.streams, say("ask.not-written", self.language, path=error.path, reason=error.reason))
        return AskResult(None, None, ExitCode.NOT_WRITTEN)


def _face(language: str, options: AskOptions, streams: Streams) -> Face:
    """Raises _RefusedError where a form is asked for and there is no terminal to draw it in."""
    source, target = streams.source, streams.dialogue
    if options.plain:
        from cli.ask.plain import PlainFace

        if source is None or target is None:
            raise _RefusedError(say("ask.no-streams", language))
        return PlainFace(source, target, language)
    dumb = os.environ.get("TERM", "").lower() in _CANNOT_DRAW
    if source is None or target is None or dumb or not (source.isatty() and target.isatty()):
        raise _RefusedError(say("ask.no-terminal", language))
    from cli.ask.screen import ScreenFace

    return ScreenFace(source, target, language)


def _stored(base: KnowledgeBase, language: str, options: AskOptions) -> Stored:
    """What the profile to go on with holds. Raises _RefusedError."""
    if options.resume is None:
        return Stored()
    try:
        return load(options.resume, base.vocabulary)
    except FaultError as error:
        raise _RefusedError("\n".join(fault.text(language) for fault in error.faults)) from error
    except SeveralWorkloadsError as error:
        path = printable_path(options.resume)
        raise _RefusedError(say("ask.several-workloads", language, path=path)) from error


def _check_target(options: AskOptions, language: str) -> None:
    """Raises _RefusedError where the answers could not be saved, or would cost a file that somebody else wrote."""
    path = options.target
    if path.suffix.lower() == ".json":
        raise _RefusedError(say("ask.not-json", language, path=printable_path(path)))
    try:
        exists, foreign = path.exists(), path.is_file() and not is_ours(path)
    except OSError as error:
        _refuse_path(path, error.strerror or str(error), language)
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        _refuse_path(path, say("ask.no-folder", language), language)
    if exists and not path.is_file():
        _refuse_path(path, say("ask.no-file", language), language)
    if foreign and not _same(path, options.resume):
        raise _RefusedError(say("ask.would-overwrite", language, path=printable_path(path)))


def _refuse_path(path: Path, reason: str, language: str) -> NoReturn:
    message = say("ask.not-written", language, path=printable_path(path), reason=reason)
    raise _RefusedError(message, ExitCode.NOT_WRITTEN)


def _same(path: Path, other: Path | None) -> bool:
    return other is not None and path.exists() and other.exists() and path.samefile(other)


def _say(streams: Streams, text: str) -> None:
    """Says each line, broken between words where it goes to a terminal."""
    if streams.dialogue is None:
        return
    for line in paragraphs(text, streams.dialogue):
        print(line, file=streams.dialogue)
    streams.dialogue.flush()
