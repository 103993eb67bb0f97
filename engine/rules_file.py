"""Reads rules from their files, each checked against the vocabulary, the routes, the guidance and the advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.conditions_file import ConditionReader
from engine.faults import Report, did_you_mean, nearest
from engine.forms import Form, file_form
from engine.guidance import Advice, Guidance
from engine.language import OUTCOMES, Case, Conclusion, Evidence, Outcome, Rule
from engine.loading import Node, Scalar
from engine.routes import Routes
from engine.values import Value
from engine.vocabulary import Vocabulary

_RULE_KEYS = ("id", "title", "source", "beyond?", "when", "then", "because", "cases")
_THEN_KEYS = ("infer?", "supports?", "opposes?", "excludes?", "defeats?", "form?", "advises?")


@dataclass(frozen=True)
class Surroundings:
    """What a rule may speak of."""

    vocabulary: Vocabulary
    routes: Routes
    guidance: Guidance
    advice: Mapping[str, Advice]


def read_rules(root: Node, around: Surroundings, report: Report) -> tuple[Rule, ...]:
    """The rules of one file's root node, in the order of the file."""
    form = file_form(root, ["rules"], report)
    return tuple(_RuleReader(around, report).rule(item) for item in form.items("rules"))


class _RuleReader:
    def __init__(self, around: Surroundings, report: Report) -> None:
        self.around = around
        self.report = report
        self.conditions = ConditionReader(around.vocabulary, report)

    def rule(self, node: Node) -> Rule:
        form = Form(node, _RULE_KEYS, self.report)
        then = form.node("then")
        rule = Rule(
            id=form.word("id"),
            title=form.text("title"),
            source=tuple(self._row(scalar) for scalar in form.scalars("source")),
            when=self.conditions.condition(form.node("when")),
            then=self._conclusion(then, form.word("id")) if then else Conclusion(),
            because=form.text("because"),
            cases=tuple(self._case(item) for item in form.items("cases")),
            place=form.place,
            beyond=form.word("beyond"),
        )
        self._check(rule, form)
        return rule

    def _check(self, rule: Rule, form: Form) -> None:
        if "source" in form and not rule.source:
            self.report.add("no-source", form.place_of("source"), rule=rule.id)
        for wanted in ("fires", "silent", "undecided"):
            if "cases" in form and not any(case.outcome == wanted for case in rule.cases):
                self.report.add("no-such-case", form.place_of("cases"), rule=rule.id, outcome=wanted)

    def _row(self, scalar: Scalar) -> str:
        if scalar.text not in self.around.guidance.rows:
            hint = did_you_mean(nearest(scalar.text, self.around.guidance.rows))
            self.report.add("unknown-row", scalar.place, typed=scalar.text, hint=hint)
        return scalar.text

    # Conclusions

    def _conclusion(self, node: Node, rule: str) -> Conclusion:
        before = len(self.report.faults)
        then = self._concluded(node)
        if then == Conclusion() and len(self.report.faults) == before:
            self.report.add("no-conclusion", node.place, rule=rule)
        return then

    def _concluded(self, node: Node) -> Conclusion:
        form = Form(node, _THEN_KEYS, self.report)
        return Conclusion(
            infers={
                key.text: v for key, value in form.entries("infer") if (v := self._inferred(key, value)) is not None
            },
            evidence=(*self._evidence(form, "supports"), *self._evidence(form, "opposes")),
            excludes=tuple(self._route(scalar, primary=True) for scalar in form.scalars("excludes")),
            defeats=form.words("defeats"),
            forms={self._route(key): self._form(key, value) for key, value in form.entries("form")},
            advises=tuple(self._advice(scalar) for scalar in form.scalars("advises")),
        )

    def _inferred(self, key: Scalar, value: Node) -> Value | None:
        fact = self.conditions.fact(key)
        if fact is None:
            return None
        if fact.origin in ("computed", "verdict"):
            self.report.add("cannot-infer", key.place, fact=fact.path)
        return self.conditions.value(fact, value)

    def _evidence(self, form: Form, key: str) -> tuple[Evidence, ...]:
        found = []
        for route, strength in form.entries(key):
            word = strength.text if isinstance(strength, Scalar) else ""
            if word not in self.around.routes.weights:
                known = list(self.around.routes.weights)
                self.report.add("not-a-choice", strength.place, typed=word, known=known, hint="")
                continue
            found.append(Evidence(self._route(route, primary=True), word, key == "supports"))
        return tuple(found)

    def _route(self, scalar: Scalar, primary: bool = False) -> str:
        routes = self.around.routes
        known = list(routes.primary) if primary else [route.id for route in routes.routes]
        if scalar.text not in known:
            self.report.add("unknown-route", scalar.place, typed=scalar.text, known=known)
        return scalar.text

    def _form(self, route: Scalar, value: Node) -> str:
        word = value.text if isinstance(value, Scalar) else ""
        known = next((r.forms for r in self.around.routes.routes if r.id == route.text), ())
        if word not in [form.id for form in known]:
            names = [form.id for form in known]
            self.report.add("not-a-choice", value.place, typed=word, known=names, hint="")
        return word

    def _advice(self, scalar: Scalar) -> str:
        if scalar.text not in self.around.advice:
            hint = did_you_mean(nearest(scalar.text, self.around.advice))
            self.report.add("unknown-advice", scalar.place, typed=scalar.text, hint=hint)
        return scalar.text

    # Cases

    def _case(self, node: Node) -> Case:
        form = Form(node, ["name", "given", "outcome"], self.report)
        given = {}
        for key, value in form.entries("given"):
            fact = self.conditions.fact(key)
            read = self.conditions.value(fact, value) if fact else None
            if fact and read is not None:
                given[fact.path] = read
        return Case(form.word("name"), given, self._outcome(form), form.place)

    def _outcome(self, form: Form) -> Outcome:
        word = form.word("outcome")
        for outcome in OUTCOMES:
            if outcome == word:
                return outcome
        self.report.add("not-a-choice", form.place_of("outcome"), typed=word, known=list(OUTCOMES), hint="")
        return "fires"
