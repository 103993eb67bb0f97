"""The questionnaire line by line: for pipes, screen readers and terminals that cannot draw.

Nothing is drawn twice, and nothing is meant by color or by a sign alone.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from cli.ask.conversation import NothingUsableError, Row, Tone
from cli.ask.dialogue import Question
from cli.ask.wording import Why, entries, head, hint
from cli.ask.wrapping import paragraphs
from cli.strings import say

MAX_LINE = 10_000
MAX_REFUSED = 100
_LIST_AGAIN = ("?", "？")


class PlainFace:
    """Asks on one stream, reads lines from another."""

    def __init__(self, source: TextIO, target: TextIO, language: str) -> None:
        self._source = source
        self._target = target
        self._language = language
        self._refused = 0
        self._listed = False
        self._explained = False
        self._by_hand = source.isatty()
        if isinstance(source, io.TextIOWrapper):
            source.reconfigure(errors="surrogateescape")  # what cannot be decoded is refused, and asked again

    def open(self) -> AbstractContextManager[None]:
        return nullcontext()

    def ask(self, question: Question, reason: str) -> str:
        """The question, unless it was just explained or its answer refused: then the prompt alone."""
        fact, language = question.fact, self._language
        prompt = "ask.prompt-list" if fact.values else "ask.prompt-value"
        explained, self._explained = self._explained, False
        if reason:
            return self._again(reason, prompt)
        if explained:
            return self._read(prompt)
        self._write("")
        self._write(head(question, language))
        self._write(fact.question[language])
        for entry in entries(fact, language):
            self._write(f"{entry.key}. {entry.label}{self._tail(entry.implies)}")
        if not fact.values:
            self._write(hint(fact, language))
        if question.asked:
            answer = fact.show(question.answer, language) if question.answer is not None else None
            self._write(say("ask.so-far", language, answer=answer or say("ask.dont-know", language)))
        return self._read(prompt)

    def review(self, rows: Sequence[Row], reason: str) -> str:
        """The end of input finishes here, since no question is open any more."""
        try:
            if reason:
                return self._again(reason, "ask.prompt-review")
            if not self._listed:
                self._list(rows)
            line = self._read("ask.prompt-review")
            self._listed = line.strip() not in _LIST_AGAIN
            return line
        except EOFError:
            return ""

    def tell(self, text: str, tone: Tone = "note") -> None:
        if tone == "heading":
            self._write("")
        self._write(text)

    def explain(self, reasons: Why) -> None:
        self._explained = True
        for line in (reasons.help, reasons.lead, *reasons.rules):
            self._write(line)

    def _tail(self, implies: str) -> str:
        return say("ask.after-label", self._language, implies=implies) if implies else ""

    def _list(self, rows: Iterable[Row]) -> None:
        self._write("")
        self._write(say("ask.review", self._language))
        for row in rows:
            self._write(say("ask.noted", self._language, number=row.number, title=row.title, answer=row.answer))

    def _again(self, reason: str, prompt: str) -> str:
        """Tells why the line was refused, and reads another. A pipe gets only so many chances."""
        self._write(reason)
        self._refused += 1
        if self._refused >= MAX_REFUSED and not self._by_hand:
            raise NothingUsableError
        return self._read(prompt, self._refused)

    def _read(self, prompt: str, refused: int = 0) -> str:
        self._refused = refused
        self._target.write(say(prompt, self._language) + (" " if self._by_hand else "\n"))
        self._target.flush()
        line = ""
        try:
            line = self._source.readline(MAX_LINE)
        except OSError as error:
            raise EOFError from error
        finally:
            if self._by_hand and not line:
                self._write("")  # what is said next does not go on behind the prompt
        if not line:
            raise EOFError
        return line

    def _write(self, text: str) -> None:
        for line in paragraphs(text, self._target):
            self._target.write(f"{line}\n")
        self._target.flush()
