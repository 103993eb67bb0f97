"""The vocabulary of facts: what can be told, computed or inferred, and how each value is read and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.faults import LANGUAGES, Place, did_you_mean, nearest
from engine.figures import Figure
from engine.loading import Mapping as MappingNode
from engine.loading import Scalar
from engine.loading import Sequence as SequenceNode
from engine.numbers import Unit, unreadable
from engine.values import Interval, Text, Value, bounds, interval

Kind = Literal["choice", "flag", "number", "name"]
Origin = Literal["told", "computed", "inferred", "verdict"]
UNKNOWN_WORDS = frozenset({"unknown", "null", "~", ""})
ANY_NAME = "any"
_FLAGS = {"yes": True, "true": True, "no": False, "false": False, "是": True, "否": False}


@dataclass(frozen=True)
class Choice:
    """One value of a choice, its short label, and what choosing it means."""

    value: str
    label: Text
    implies: Text = field(default_factory=dict)


@dataclass(frozen=True)
class FactType:
    """One fact: its path, its type with bounds, and its wording in every language."""

    path: str
    kind: Kind
    title: Text
    meaning: Text
    origin: Origin = "told"
    choices: tuple[Choice, ...] = ()
    names: tuple[str, ...] = ()
    unit: Unit | None = None
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    whole: bool = False
    not_below: str | None = None
    names_unit: bool = False
    """Whether other facts are told in what it names, so that they mean something else when it alone is changed."""
    otherwise: Value | None = None
    question: Text = field(default_factory=dict)
    help: Text = field(default_factory=dict)
    example: str = ""
    source: tuple[str, ...] = ()
    place: Place = field(default=Place("facts.yaml"), compare=False)

    @property
    def values(self) -> tuple[str | bool, ...]:
        """Every value of a choice or of a yes/no fact; empty for all else."""
        if self.kind == "flag":
            return (True, False)
        return tuple(choice.value for choice in self.choices)

    def read(self, given: object) -> Value | None:
        """The value that was typed, or None for unknown.

        Takes a scalar or two of a file, a text typed at a prompt, or a Python value. Raises FaultError without a place.
        """
        if given is None or (isinstance(given, Scalar) and given.is_null):
            return None
        text = _text_of(given)
        if text is not None and text.strip() in UNKNOWN_WORDS:
            return None
        if self.kind == "number":
            return self._in_bounds(self._number(given), given)
        if text is None:
            raise unreadable("expected", expected=self.expected(), typed=_typed(given))
        return self._word(text.strip())

    def _word(self, text: str) -> Value:
        if self.kind == "flag":
            return self._flag(text)
        if self.kind == "name":
            return self._name(text)
        if text in self.values:
            return text
        known = [choice.value for choice in self.choices]
        raise unreadable("not-a-choice", typed=text, known=known, hint=did_you_mean(nearest(text, known)))

    def _flag(self, text: str) -> bool:
        if text.lower() not in _FLAGS:
            raise unreadable("expected", expected=self.expected(), typed=text)
        return _FLAGS[text.lower()]

    def _name(self, text: str) -> str:
        if text.lower() == ANY_NAME:
            return ANY_NAME
        full = [name for name in self.names if f"{name.lower()}-".startswith(f"{text.lower()}-")]
        if not full:
            raise unreadable("unknown-name", typed=text, hint=did_you_mean(nearest(text, self.names)))
        return full[0][: len(text)]

    def _number(self, given: object) -> float | Interval:
        assert self.unit is not None, self.path
        if isinstance(given, Interval) or (isinstance(given, int | float) and not isinstance(given, bool)):
            low, high = bounds(given)
            return interval(low, high)
        if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2:
            low, high = (self._end(item) for item in given)
            if low > high:
                raise unreadable("range-backwards", typed=_typed(given))
            return interval(low, high)
        text = _text_of(given)
        if text is None or text.strip().lower() in _FLAGS:
            raise unreadable("expected", expected=self.expected(), typed=_typed(given))
        return self.unit.read(text)

    def _end(self, given: object) -> float:
        """One end of a range: a single number."""
        number = None if isinstance(given, Sequence) and not isinstance(given, str) else self._number(given)
        if not isinstance(number, float):
            raise unreadable("expected", expected=self.expected(), typed=_typed(given))
        return number

    def _in_bounds(self, value: float | Interval, given: object) -> float | Interval:
        low, high = bounds(value)
        typed = _typed(given)
        if self.minimum is not None and low < self.minimum:
            raise unreadable("below-minimum", typed=typed, limit=self._plain(self.minimum))
        if self.above is not None and low <= self.above:
            raise unreadable("not-above", typed=typed, limit=self._plain(self.above))
        if self.maximum is not None and high > self.maximum:
            raise unreadable(
                "above-maximum", typed=typed, limit=self._plain(self.maximum), hint=self._scaled_hint(high)
            )
        if self.whole and not (low.is_integer() and high.is_integer()):
            raise unreadable("not-whole", typed=typed)
        return value

    def _plain(self, number: float) -> str:
        return f"{number:g}"

    def _scaled_hint(self, number: float) -> Mapping[str, str]:
        """Suggests the suffix that was probably meant: 70 for a share is 70%."""
        assert self.unit is not None
        assert self.maximum is not None
        for suffix, factor in self.unit.suffixes.items():
            if number * float(factor) <= self.maximum:
                return did_you_mean(f"{number:g}{suffix}")
        return did_you_mean(None)

    def expected(self) -> Text:
        """What a value of this fact looks like, in every language."""
        from engine.faults import LANGUAGES, messages

        return {code: messages(code)[f"expected-{self.kind}"].format(example=self.example) for code in LANGUAGES}

    def show(self, value: Value, language: str = "en") -> str:
        """The value as a person reads it: label, yes or no, number with unit."""
        from engine.faults import messages

        if isinstance(value, bool):
            return messages(language)["yes" if value else "no"]
        if isinstance(value, str):
            return next((c.label[language] for c in self.choices if c.value == value), value)
        assert self.unit is not None, self.path
        shown = _three_digits(value) if self.origin == "computed" else value
        return self.unit.show(shown, language, messages(language)["unlimited"])

    def write(self, value: Value) -> object:
        """The value as a profile holds it: what `read` takes, as plain YAML data."""
        if isinstance(value, Interval):
            return [self.write(value.low), self.write(value.high)]
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return int(value)
        return value


@dataclass(frozen=True)
class Group:
    """A part of the profile: the facts whose path begins with its own."""

    path: str
    title: Text
    about: Text = field(default_factory=dict)


@dataclass(frozen=True)
class Vocabulary:
    """All facts in questionnaire order, their groups and units, and the figures a profile may replace.

    Figures that the vocabulary names have bounds and a unit to read; any other may be replaced by its id, and stands
    under `by_id` too.
    """

    facts: Mapping[str, FactType]
    groups: Mapping[str, Group]
    units: Mapping[str, Unit]
    assumptions: Mapping[str, FactType]
    by_id: frozenset[str] = frozenset()

    @property
    def named_assumptions(self) -> tuple[str, ...]:
        """The assumptions that the vocabulary itself names."""
        return tuple(name for name in self.assumptions if name not in self.by_id)

    def told(self) -> tuple[FactType, ...]:
        """The facts that a person can tell, in questionnaire order."""
        return tuple(fact for fact in self.facts.values() if fact.origin == "told")

    def suggestion(self, typed: str, known: Iterable[str] | None = None) -> str | None:
        """The known path most like the typed one."""
        return nearest(typed, self.facts if known is None else known)


def with_figures(vocabulary: Vocabulary, figures: Mapping[str, Figure]) -> Vocabulary:
    """The vocabulary with every figure among what a profile may replace: a plain number of zero or more, or a range."""
    added = {name: _replaceable(figure) for name, figure in figures.items() if name not in vocabulary.assumptions}
    return replace(vocabulary, assumptions={**vocabulary.assumptions, **added}, by_id=frozenset(added))


def _replaceable(figure: Figure) -> FactType:
    title = figure.title or dict.fromkeys(LANGUAGES, figure.id)
    unit = Unit(figure.unit, {}, {}, {})
    return FactType(figure.id, "number", title, title, unit=unit, minimum=0.0, example="1", place=figure.place)


def _three_digits(value: float | Interval) -> float | Interval:
    """A computed number as it is shown: no more digits than its inputs bear."""
    low, high = (float(f"{end:.3g}") for end in bounds(value))
    return interval(low, high)


def _text_of(given: object) -> str | None:
    if isinstance(given, Scalar):
        return given.text
    if isinstance(given, bool):
        return "true" if given else "false"
    return given if isinstance(given, str) else None


def _typed(given: object) -> str:
    if given is None:
        return "null"
    if isinstance(given, Scalar):
        return given.text
    if isinstance(given, Mapping | MappingNode):
        return "{…}"
    if isinstance(given, Sequence) and not isinstance(given, str):
        return f"[{', '.join(_typed(item) for item in given)}]"
    return "[…]" if isinstance(given, SequenceNode) else str(given)
