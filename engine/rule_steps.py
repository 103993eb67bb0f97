"""Why a rule fired or did not, and where a fact comes from: steps down to what was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.inference import Fired, KnownFact, Silent, Tested, test_on
from engine.judgement import Judgement
from engine.language import All, Any, Compares, Condition, Is, Known, NoneOf, Rule, Signed
from engine.truth import Truth, truth
from engine.values import Interval, Text
from engine.words import Words, say


@dataclass(frozen=True)
class Step:
    """One sentence of an explanation and what it rests on. `id` names the rule, fact, route or figure it is about."""

    kind: str
    id: str
    text: Text
    rows: tuple[str, ...] = ()
    children: tuple[Step, ...] = field(default_factory=tuple)


_CONFIDENCE = {"low": "confidence-low", "medium": "confidence-medium", "high": "confidence-high"}
_MISSING = {Truth.TRUE: 0.0, Truth.UNKNOWN: 0.5, Truth.FALSE: 1.0}


class RuleSteps:
    """Explains rules and facts of one judgement."""

    def __init__(self, words: Words, judgement: Judgement) -> None:
        self.words = words
        self.base = words.base
        self.judgement = judgement
        self.inference = judgement.inference

    def rule(self, name: str) -> Step:
        """The rule as it stood: fired, defeated, silent or undecided, with each condition and the value it saw."""
        if name in self.inference.fired:
            return self._fired(self.inference.fired[name])
        return self._silent(self.inference.silent[name])

    def _fired(self, fired: Fired) -> Step:
        rule = fired.rule
        children = [Step("reason", rule.id, rule.because), *self._parts(rule.when, True, met=True)]
        children += [
            Step("conclusion", rule.id, say("step-concludes", conclusion=t)) for t in self.words.conclusions(rule.then)
        ]
        if rule.id in self.inference.defeated:
            winner = self.base.rules[self.inference.defeated[rule.id]]
            children.append(self._named("defeat", "step-defeated", winner))
        return self._named("rule", "step-fired", rule, children)

    def _silent(self, silent: Silent) -> Step:
        key = "step-undecided" if silent.truth is Truth.UNKNOWN else "step-silent"
        rule = silent.rule
        return self._named("rule", "step-told" if silent.told else key, rule, self._parts(rule.when, True, met=False))

    def _named(self, kind: str, key: str, rule: Rule, children: Iterable[Step] = ()) -> Step:
        text = say(key, title=self.words.rule_title(rule), id=rule.id, rows=list(rule.source))
        return Step(kind, rule.id, text, rule.source, tuple(children))

    def cited(self, rule: Rule) -> list[Step]:
        """The rows that the rule rests on, in words."""
        rows = [self.base.guidance.rows[name] for name in rule.source]
        return [Step("row", row.id, say("step-row", row=row.id, statement=row.statement), (row.id,)) for row in rows]

    # Conditions

    def _parts(self, condition: Condition, wanted: bool, met: bool) -> Iterator[Step]:
        """The parts that are met, or those that are not; a group that one of its parts would meet stands as a group."""
        is_every, parts = _taken_apart(condition, wanted)
        if is_every:
            for part, turned in parts:
                if (self._truth(part, turned) is Truth.TRUE) == met:
                    yield from self._parts(part, turned, met)
            return
        if isinstance(condition, Is | Compares | Known):
            yield self._test(test_on(Signed(condition, wanted), self.inference.facts.get(condition.fact)))
            return
        yield self._group("word-any", condition, wanted, met)

    def _group(self, key: str, condition: Condition, wanted: bool, met: bool) -> Step:
        """A group with its parts: those that meet it, or all of them where it is not met."""
        found = self._truth(condition, wanted)
        children: list[Step] = []
        for part, turned in _taken_apart(condition, wanted)[1]:
            if met and self._truth(part, turned) is not Truth.TRUE:
                continue
            inner = list(self._parts(part, turned, met))
            is_all = len(inner) > 1
            children += (
                [Step("group", "all", self._stated(found, say("word-all")), (), tuple(inner))] if is_all else inner
            )
        return Step("group", "any", self._stated(found, say(key)), (), tuple(children))

    def _truth(self, condition: Condition, wanted: bool) -> Truth:
        found = truth(condition, self.inference.values)
        return found if wanted else ~found

    def _stated(self, found: Truth, test: Text) -> Text:
        key = {Truth.TRUE: "step-test-met", Truth.FALSE: "step-test-unmet", Truth.UNKNOWN: "step-test-unknown"}[found]
        return say(key, test=test)

    def _test(self, test: Tested) -> Step:
        wanted = self.words.test(test.leaf, test.negated)
        straddles = test.truth is Truth.UNKNOWN and isinstance(test.value, Interval)
        text = say("step-test-straddles", test=wanted) if straddles else self._stated(test.truth, wanted)
        return Step("test", test.leaf.fact, text, (), (self.fact(test.leaf.fact),))

    def missing(self, condition: Condition, wanted: bool = True) -> float:
        """How much is missing for the condition: one for each part that is not met, half for one that is open.

        Of parts of which one would do, as much as for the nearest.
        """
        is_every, parts = _taken_apart(condition, wanted)
        if not parts:
            return _MISSING[self._truth(condition, wanted)]
        each = [self.missing(part, turned) for part, turned in parts]
        return sum(each) if is_every else min(each)

    def _why_unknown(self, path: str) -> tuple[Step, ...]:
        """For a fact that is inferred or computed: what it waits for."""
        rules = [
            n for n in self.base.ordered.inferring.get(path, ()) if self.inference.silent[n].truth is Truth.UNKNOWN
        ]
        formula = next((formula for formula in self.base.formulas if formula.fact == path), None)
        inputs = [path for path in formula.inputs if path not in self.inference.facts] if formula else []
        return (*(self.rule(name) for name in rules), *(self.fact(name) for name in inputs))

    def fact(self, path: str) -> Step:
        """A fact with its value and where it comes from, or that it is not known and what it waits for."""
        fact = self.inference.facts.get(path)
        if fact is None:
            return Step(
                "fact",
                path,
                say("step-fact-unknown", fact=self.words.title(path)),
                (),
                self._why_unknown(path),
            )
        return self._known(fact)

    def _known(self, fact: KnownFact) -> Step:
        source = fact.source
        origin = say(f"from-{source.kind}", file=source.file or "-", line=source.line or "-", rule=source.rule or "-")
        text = say(
            "step-fact",
            fact=self.words.title(fact.path),
            value=self.words.value(fact.path, fact.value),
            origin=origin,
        )
        children = [self.rule(source.rule)] if source.kind == "inferred" and source.rule else []
        used = [path for path, number in source.inputs.items() if number or path not in self.inference.facts]
        children += [self.fact(path) for path in used]
        children += [self._figure(name, fact) for name in source.figures]
        return Step("fact", fact.path, text, self.base.vocabulary.facts[fact.path].source, tuple(children))

    def _figure(self, name: str, fact: KnownFact) -> Step:
        figure, used = self.base.figures.get(name), fact.source.figures[name]
        if figure is None:  # an assumption of the vocabulary alone
            title = self.base.vocabulary.assumptions[name].title
            return Step("figure", name, say("step-figure-own", title=title, value=_plain(used), id=name))
        title = figure.title or say("figure-untitled", id=name, unit=figure.unit)
        if used != figure.value:
            return Step("figure", name, say("step-figure-own", title=title, value=_plain(used), id=name))
        text = say(
            "step-figure", title=title, value=_plain(used), id=name, as_of=figure.as_of,
            confidence=say(_CONFIDENCE[figure.confidence]), source=figure.source,
        )  # fmt: skip
        return Step("figure", name, text, figure.rows)


def _taken_apart(condition: Condition, wanted: bool) -> tuple[bool, list[tuple[Condition, bool]]]:
    """Whether every part must hold or one of them, and the parts, each with whether it must be true or false."""
    if not isinstance(condition, All | Any | NoneOf):
        return False, []
    inner = wanted != isinstance(condition, NoneOf)
    is_every = isinstance(condition, Any) != wanted
    return is_every, [(part, inner) for part in condition.conditions]


def _plain(value: float | Interval) -> str:
    return f"{value.low:g}\u2013{value.high:g}" if isinstance(value, Interval) else f"{value:g}"
