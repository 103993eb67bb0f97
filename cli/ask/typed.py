"""What a typed line means: a value of the fact that was asked for, "don't know", or a wish such as going back.

Nothing that was typed is kept as text: a line becomes a value of the vocabulary, or it is refused with the reason.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from cli.strings import say
from engine.faults import LANGUAGES, Fault, FaultError, did_you_mean, nearest
from engine.values import Text, Value
from engine.vocabulary import FactType

MAX_LENGTH = 200
_TERMINAL_REPLY = re.compile("\x1b(?:\\[[0-9;:<=>?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|O[@-~])")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_DIGITS = re.compile("[0-9]{1,4}")
_UNKNOWN = frozenset({"", "-", "unknown", "不知道", "don't know", "\u2013", "\u2014", "\u2014\u2014"})
_YES_AND_NO = {"y": True, "n": False}


class Wish(Enum):
    """What somebody may want instead of answering."""

    WHY = "?"
    BACK = "<"
    FORWARD = ">"
    STOP = "q"


_ON_CHINESE_KEYBOARDS = {"《": Wish.BACK, "〈": Wish.BACK, "》": Wish.FORWARD, "〉": Wish.FORWARD}
_WISHES = {wish.value: wish for wish in Wish} | _ON_CHINESE_KEYBOARDS


@dataclass(frozen=True, slots=True)
class Told:
    """An answer; None is "don't know"."""

    value: Value | None


class NotUnderstoodError(Exception):
    """The line is neither an answer nor a wish; `reason` says why, in every language."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason)
        self.reason = reason

    @staticmethod
    def because(key: str, **params: object) -> NotUnderstoodError:
        """For a sentence of the questionnaire; a parameter may be worded in every language."""
        return NotUnderstoodError({code: say(key, code, **_worded(params, code)) for code in LANGUAGES})

    @staticmethod
    def of(fault: Fault) -> NotUnderstoodError:
        """For a fault of the vocabulary."""
        return NotUnderstoodError({code: fault.text(code) for code in LANGUAGES})


def understand(line: str, fact: FactType) -> Told | Wish:
    """The meaning of a line typed as the answer for this fact. Raises NotUnderstoodError."""
    text = cleaned(line)
    word = text.translate(_FULL_WIDTH).casefold()
    if word in _WISHES:
        return _WISHES[word]
    if word in _UNKNOWN:
        return Told(None)
    if fact.values:
        return Told(_picked(text, word, fact))
    return Told(_read(text, fact))


def understand_place(line: str, count: int) -> Wish | int | None:
    """On the page of all answers: the number of one of them, a wish, or None to finish. Raises NotUnderstoodError."""
    word = cleaned(line).translate(_FULL_WIDTH).casefold()
    if not word:
        return None
    if word in _WISHES:
        return _WISHES[word]
    if _DIGITS.fullmatch(word) and 1 <= int(word) <= count:
        return int(word)
    raise NotUnderstoodError.because("ask.not-an-answer-number", typed=word, last=count)


def cleaned(line: str) -> str:
    """The line without replies of the terminal and outer space.

    Raises NotUnderstoodError for characters that steer, hide or are broken, and for what is far too long.
    """
    text = _TERMINAL_REPLY.sub("", line).removeprefix("\ufeff")
    text = "".join(" " if c == "\t" or unicodedata.category(c) == "Zs" else c for c in text).strip()
    if len(text) > MAX_LENGTH:
        raise NotUnderstoodError.because("ask.too-long", limit=MAX_LENGTH)
    strange = list(dict.fromkeys(f"U+{ord(c):04X}" for c in text if not c.isprintable()))
    if strange:
        raise NotUnderstoodError.because("ask.unreadable-characters", codes=", ".join(strange[:5]))
    return text


def _picked(text: str, word: str, fact: FactType) -> Value:
    """The choice with this number, name or label."""
    if _DIGITS.fullmatch(word) and 1 <= int(word) <= len(fact.values):
        return fact.values[int(word) - 1]
    names = _names(fact)
    if _folded(word) in names:
        return names[_folded(word)]
    if fact.kind == "flag":
        return _read(text, fact)
    values = [choice.value for choice in fact.choices]
    known = [f"1\u2013{len(values)}", *values]
    hint = did_you_mean(nearest(text, values))
    raise NotUnderstoodError.of(Fault("not-a-choice", {"typed": text, "known": known, "hint": hint}))


def _names(fact: FactType) -> dict[str, Value]:
    """Each choice by its name and by its label in every language."""
    if fact.kind == "flag":
        return dict(_YES_AND_NO)
    labels: dict[str, Value] = {_folded(c.label[code]): c.value for c in fact.choices for code in LANGUAGES}
    return labels | {_folded(choice.value): choice.value for choice in fact.choices}


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def _read(text: str, fact: FactType) -> Value:
    try:
        value = fact.read(text)
    except FaultError as error:
        raise NotUnderstoodError.of(error.faults[0]) from error
    if value is None:
        raise NotUnderstoodError.of(Fault("expected", {"expected": fact.expected(), "typed": text}))
    return value


def _worded(params: dict[str, object], language: str) -> dict[str, object]:
    return {name: value[language] if isinstance(value, dict) else value for name, value in params.items()}
