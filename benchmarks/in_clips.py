"""The conditions of the rules in CLIPS, through clipspy: a fired set for each case, and no weighing.

All that is told is one fact with a slot for each word and two for each number, its lowest and its highest value: rules
that join many small facts took seven times as long. An unknown number spans everything, so that no comparison holds of
it and none fails; an unknown word is a word of its own. What rules infer is a fact apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import clips

from engine.base import KnowledgeBase
from engine.language import Compares, Is, Rule, Signed, branches, facts_read
from engine.values import Value, bounds

_FIRED = "fired"
_OPEN = "open-"
_UNKNOWN = "unknown"
_LEAST, _MOST = -1e300, 1e300
_BOUNDS = {
    ("at_least", True): ("low", ">="),
    ("at_least", False): ("high", "<"),
    ("more_than", True): ("low", ">"),
    ("more_than", False): ("high", "<="),
    ("at_most", True): ("high", "<="),
    ("at_most", False): ("low", ">"),
    ("less_than", True): ("high", "<"),
    ("less_than", False): ("low", ">="),
}


class InClips:
    """The rules before the verdict as one CLIPS environment; a case resets it, asserts its facts and runs it."""

    def __init__(self, base: KnowledgeBase) -> None:
        rules = [rule for rule in base.ordered.rules if rule.id not in base.ordered.after_verdict]
        self._names = {f"r{number}": rule.id for number, rule in enumerate(rules)}
        self._inferred = sorted({path for rule in rules for path in rule.then.infers})
        read = {path for rule in rules for path in facts_read(rule.when)} - set(self._inferred)
        kinds = {path: base.vocabulary.facts[path].kind for path in sorted(read)}
        self._numbers = frozenset(path for path, kind in kinds.items() if kind == "number")
        self._words = frozenset(kinds) - self._numbers
        self.environment = clips.Environment()
        self.environment.build(f"(defglobal ?*{_FIRED}* = (create$))")
        self.environment.build(f"(deftemplate case {''.join(self._slots())})")
        for number, rule in enumerate(rules):
            for text in self._written(rule, f"r{number}"):
                self.environment.build(text)
        self._case = self.environment.find_template("case")

    def _slots(self) -> Iterator[str]:
        yield from (f"(slot {path} (default {_UNKNOWN}))" for path in sorted(self._words))
        for path in sorted(self._numbers):
            yield f"(slot {path}.low (default {_LEAST!r}))(slot {path}.high (default {_MOST!r}))"

    def fired(self, told: Mapping[str, Value]) -> frozenset[str]:
        """The rules that fire on these facts."""
        environment = self.environment
        environment.reset()
        for path in self._inferred:
            environment.assert_string(_fact(path, told[path]) if path in told else f"({_OPEN}{path})")
        slots: dict[str, object] = {}
        for path, value in told.items():
            if path in self._numbers and not isinstance(value, str):
                slots[f"{path}.low"], slots[f"{path}.high"] = bounds(value)
            elif path in self._words:
                slots[path] = clips.Symbol(_word(value))
        self._case.assert_fact(**slots)
        environment.run()
        return frozenset(self._names[name] for name in environment.find_global(_FIRED).value)

    def _written(self, rule: Rule, name: str) -> Iterator[str]:
        """A rule of CLIPS for each alternative of the condition."""
        guards = "".join(f"({_OPEN}{path})" for path in rule.then.infers)
        adds = "".join(f"(assert {_fact(path, value)})" for path, value in rule.then.infers.items())
        then = f"(bind ?*{_FIRED}* (create$ ?*{_FIRED}* {name})) {adds}"
        for number, branch in enumerate(branches(rule.when)):
            own = "".join(_inferred_pattern(signed) for signed in branch if signed.leaf.fact in self._inferred)
            slots: dict[str, list[str]] = {}
            for signed in branch:
                if signed.leaf.fact not in self._inferred:
                    slot, test = _slot_test(signed)
                    slots.setdefault(slot, []).append(test)
            tests = "".join(f"({slot} {_joined(tests, n)})" for n, (slot, tests) in enumerate(slots.items()))
            yield f"(defrule {name}-{number} {guards}{own}{f'(case {tests})' if tests else ''} => {then})"


def _slot_test(signed: Signed) -> tuple[str, str]:
    """The slot that a test reads, and the test; `?v` stands for the number in it."""
    leaf = signed.leaf
    if isinstance(leaf, Is):
        words = [_word(value) for value in leaf.values]
        return leaf.fact, "|".join(words) if signed.wanted else "&".join(f"~{w}" for w in (*words, _UNKNOWN))
    assert isinstance(leaf, Compares)
    end, sign = _BOUNDS[leaf.comparison, signed.wanted]
    return f"{leaf.fact}.{end}", f":({sign} ?v {float(leaf.limit)!r})"


def _joined(tests: list[str], number: int) -> str:
    if tests[0].startswith(":"):
        return "&".join([f"?v{number}", *(test.replace("?v ", f"?v{number} ") for test in tests)])
    assert len(tests) == 1 or not any("|" in test for test in tests), tests  # "or" would bind more loosely than "and"
    return "&".join(tests)


def _inferred_pattern(signed: Signed) -> str:
    assert isinstance(signed.leaf, Is)
    words = [_word(value) for value in signed.leaf.values]
    return f"({signed.leaf.fact} {'|'.join(words) if signed.wanted else '&'.join(f'~{word}' for word in words)})"


def _fact(path: str, value: Value) -> str:
    assert isinstance(value, str | bool), path
    return f"({path} {_word(value)})"


def _word(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"w-{value}"
