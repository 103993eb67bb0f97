"""Leads through the questionnaire: puts each question, takes what was typed, keeps every answer at once.

What the questions look like is the matter of a face: lines or a form. Both hand back what was typed, so that both mean
the same by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from cli.ask.answers_file import Keeper, printable_path
from cli.ask.dialogue import Dialogue, Question
from cli.ask.typed import NotUnderstoodError, Told, Wish, understand, understand_place
from cli.ask.wording import Why, why
from cli.strings import say
from engine.base import KnowledgeBase
from engine.values import Value
from engine.vocabulary import FactType, Group

Tone = Literal["heading", "record", "note", "help"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the page of all answers."""

    number: int
    group: Group
    title: str
    answer: str


class NothingUsableError(Exception):
    """The input goes on and on without a usable line."""


class Face(Protocol):
    """How the questionnaire is shown and typed into.

    Raises EOFError at the end of input, KeyboardInterrupt on Ctrl-C.
    """

    def open(self) -> AbstractContextManager[None]:
        """The stretch of time in which questions are asked."""

    def ask(self, question: Question, reason: str) -> str:
        """What was typed as the answer; `reason` tells why the last line was refused, if it was."""

    def review(self, rows: Sequence[Row], reason: str) -> str:
        """What was typed on the page of all answers: empty to finish, or the number of one to change."""

    def tell(self, text: str, tone: Tone = "note") -> None:
        """Shows a sentence that stays."""

    def explain(self, reasons: Why) -> None:
        """Shows why a question is asked; the same question follows."""


class Conversation:
    """One run of the questionnaire."""

    def __init__(self, base: KnowledgeBase, language: str, dialogue: Dialogue, keeper: Keeper, face: Face) -> None:
        self._base = base
        self._language = language
        self._dialogue = dialogue
        self._keeper = keeper
        self._face = face
        self._reason = ""
        self._group: Group | None = None

    def run(self) -> bool:
        """True once all was answered and confirmed, False where somebody wished to stop.

        Raises NotWritten where an answer cannot be kept, and what the face raises.
        """
        done: bool | None = None
        while done is None:
            question = self._dialogue.question
            try:
                done = self._review() if question is None else self._ask(question)
            except NotUnderstoodError as error:
                self._reason = error.reason[self._language]
        return done

    def _ask(self, question: Question) -> bool | None:
        """One line typed for a question; False to stop, None to go on."""
        self._announce(question.group)
        reason, self._reason = self._reason, ""
        meant = understand(self._face.ask(question, reason), question.fact)
        if isinstance(meant, Told):
            self._take(question, meant.value)
        elif meant is Wish.WHY:
            self._face.explain(why(self._base, question.fact, self._language))
        elif meant is Wish.BACK:
            self._go_back()
        elif meant is Wish.FORWARD:
            self._go_forward(question)
        return False if meant is Wish.STOP else None

    def _announce(self, group: Group) -> None:
        if group != self._group:
            about = group.about.get(self._language, "")
            self._face.tell(say("ask.group", self._language, title=group.title[self._language], about=about), "heading")
        self._group = group

    def _take(self, question: Question, value: Value | None) -> None:
        overturned = self._dialogue.tell(value)
        self._keeper.keep(self._dialogue.answers)
        self._record(question.number, question.fact, value)
        for fact in overturned:
            params = {"first": question.fact.title[self._language], "second": fact.title[self._language]}
            self._face.tell(say("ask.overturned", self._language, **params))
        if self._keeper.kept_aside:
            self._face.tell(say("ask.kept-aside", self._language, path=printable_path(self._keeper.kept_aside)))
            self._keeper.kept_aside = None

    def _record(self, number: int, fact: FactType, value: Value | None) -> None:
        said = {"number": number, "title": fact.title[self._language], "answer": self._shown(fact, value)}
        self._face.tell(say("ask.noted", self._language, **said), "record")

    def _shown(self, fact: FactType, value: Value | None) -> str:
        return say("ask.dont-know", self._language) if value is None else fact.show(value, self._language)

    def _go_back(self) -> None:
        if not self._dialogue.back():
            raise NotUnderstoodError.because("ask.first-question")

    def _go_forward(self, question: Question) -> None:
        if not question.asked:
            raise NotUnderstoodError.because("ask.nothing-to-keep")
        self._record(question.number, question.fact, question.answer)
        self._dialogue.go_on()

    def _review(self) -> bool | None:
        """One line typed on the page of all answers; True to finish, False to stop, None to go on."""
        self._group = None
        reason, self._reason = self._reason, ""
        rows = self._rows()
        meant = understand_place(self._face.review(rows, reason), len(rows))
        if meant is None or meant is Wish.FORWARD:
            return True
        if isinstance(meant, int):
            self._dialogue.reopen(meant)
        elif meant is Wish.BACK:
            self._go_back()
        return False if meant is Wish.STOP else None

    def _rows(self) -> list[Row]:
        groups = self._dialogue.vocabulary.groups
        rows = []
        for number, fact in enumerate(self._dialogue.facts, start=1):
            group = groups.get(fact.path.rpartition(".")[0]) or Group("", fact.title)
            answer = self._shown(fact, self._dialogue.answers.get(fact.path))
            rows.append(Row(number, group, fact.title[self._language], answer))
        return rows
