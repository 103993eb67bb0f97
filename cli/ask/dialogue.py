"""The course of the questionnaire, whatever it looks like: what is asked, what was answered, where back leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from cli.ask.typed import NotUnderstoodError
from engine.faults import LANGUAGES, Fault
from engine.profile import is_below
from engine.values import Text, Value
from engine.vocabulary import FactType, Group, Vocabulary

Answers: TypeAlias = Mapping[str, Value | None]
"""By path, what was answered; None is "don't know", and what was not asked yet is absent."""

Choosing: TypeAlias = Callable[[tuple[FactType, ...], Answers], FactType | None]
"""Which of the facts to ask for next, or None when nothing is left to ask."""


@dataclass(frozen=True, slots=True)
class Question:
    """The question that is open: the `number`th of `count`, with the answer that it already has."""

    fact: FactType
    group: Group
    number: int
    count: int
    asked: bool
    answer: Value | None


def in_file_order(facts: tuple[FactType, ...], answers: Answers) -> FactType | None:
    """The first fact that was not asked for yet."""
    return next((fact for fact in facts if fact.path not in answers), None)


class Dialogue:
    """Goes through the facts that a person can tell.

    After an answer the next open question follows. Back leads to the question before and keeps every later answer; once
    that one is answered, the question that was open is open again. When all were asked, none is open: time to review.
    """

    def __init__(
        self, vocabulary: Vocabulary, answers: Answers | None = None, choose: Choosing = in_file_order
    ) -> None:
        self.vocabulary = vocabulary
        self.facts = vocabulary.told()
        self._answers: dict[str, Value | None] = dict(answers or {})
        self._walked = [fact for fact in self.facts if fact.path in self._answers]
        self._choose = choose
        self._open = choose(self.facts, self._answers)

    @property
    def answers(self) -> Answers:
        """What was answered, in the order of the vocabulary."""
        return {fact.path: self._answers[fact.path] for fact in self.facts if fact.path in self._answers}

    @property
    def question(self) -> Question | None:
        """The open question, or None when everything was asked."""
        if self._open is None:
            return None
        fact = self._open
        group = self.vocabulary.groups.get(fact.path.rpartition(".")[0]) or Group("", fact.title)
        number = self.facts.index(fact) + 1
        asked = fact.path in self._answers
        return Question(fact, group, number, len(self.facts), asked, self._answers.get(fact.path))

    def tell(self, value: Value | None) -> tuple[FactType, ...]:
        """Takes the answer to the open question and goes on.

        Raises NotUnderstoodError where the value may not be below that of another fact. Returns the facts whose
        earlier answers no longer hold beside this one; they count as not asked, and so are asked again.
        """
        assert self._open is not None
        fact = self._open
        self._refuse_below(fact, value)
        self._answers[fact.path] = value
        if fact not in self._walked:
            self._walked.append(fact)
        overturned = tuple(other for other in self.facts if other.not_below == fact.path and self._is_below(other))
        for other in overturned:
            del self._answers[other.path]
            self._walked.remove(other)
        self.go_on()
        return overturned

    def go_on(self) -> None:
        """Opens the question that is next, leaving the open one as it is."""
        self._open = self._choose(self.facts, self._answers)

    def back(self) -> bool:
        """Opens the question before the open one; False where there is none."""
        place = self._walked.index(self._open) if self._open in self._walked else len(self._walked)
        if place == 0:
            return False
        self._open = self._walked[place - 1]
        return True

    def reopen(self, number: int) -> None:
        """Opens the question with this number, counted from 1."""
        self._open = self.facts[number - 1]

    def _refuse_below(self, fact: FactType, value: Value | None) -> None:
        other = self.vocabulary.facts.get(fact.not_below or "")
        floor = self._answers.get(other.path) if other else None
        if other is None or not _below(value, floor):
            return
        assert value is not None
        assert floor is not None
        params: dict[str, object] = {"fact": fact.title, "value": _shown(fact, value)}
        params |= {"other": other.title, "limit": _shown(other, floor)}
        raise NotUnderstoodError.of(Fault("below-other", params))

    def _is_below(self, fact: FactType) -> bool:
        return _below(self._answers.get(fact.path), self._answers.get(fact.not_below or ""))


def _below(value: Value | None, floor: Value | None) -> bool:
    return value is not None and floor is not None and is_below(value, floor)


def _shown(fact: FactType, value: Value) -> Text:
    return {code: fact.show(value, code) for code in LANGUAGES}
