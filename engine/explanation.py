"""Why, and why not: a verdict's proof as a tree of sentences, down to what was told, with the rows cited on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.faults import fail
from engine.inference import Fired, KnownFact, Silent, Tested, test_on
from engine.judgement import Judgement, PartJudgement, Tried
from engine.language import Rule, signed_leaves
from engine.routes import Tie
from engine.truth import Truth
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


class Explainer:
    """Explains one judgement."""

    def __init__(self, words: Words, judgement: Judgement) -> None:
        self.words = words
        self.base = words.base
        self.judgement = judgement
        self.inference = judgement.inference

    def proof(self) -> Step:
        """The whole proof of the verdict: the route that came out, or every primary route where none did."""
        if self.judgement.route is not None:
            return self.why(self.judgement.route)
        parts = tuple(self.route_not(route) for route in self.base.routes.primary)
        return Step(
            "verdict",
            self.judgement.status,
            self.base.routes.statuses[self.judgement.status].meaning,
            (),
            parts,
        )

    def why(self, name: str) -> Step:
        """Why a rule fired, a route came out or a fact holds. Raises FaultError for a name that is none of these."""
        if name in {route.id for route in self.base.routes.routes}:
            return self.route(name) if name == self.judgement.route else self.route_not(name)
        if name in self.base.rules:
            return self.rule(name)
        if name in self.base.vocabulary.facts:
            return self.fact(name)
        raise self._unknown(name)

    def why_not(self, name: str) -> Step:
        """Why a rule did not fire or gave way, or a route did not come out. Raises FaultError for other names."""
        if name in {route.id for route in self.base.routes.routes}:
            return self.route(name) if name == self.judgement.route else self.route_not(name)
        if name in self.base.rules:
            return self.rule(name)
        raise self._unknown(name)

    def _unknown(self, name: str) -> Exception:
        from engine.faults import did_you_mean, nearest

        known = [*self.base.rules, *(r.id for r in self.base.routes.routes), *self.base.vocabulary.facts]
        return fail("nothing-of-this-name", None, typed=name, hint=did_you_mean(nearest(name, known)))

    # Routes

    def route(self, name: str) -> Step:
        """What led to the route: exclusions of the others, evidence for and against, what gave way."""
        if self.judgement.division:
            return self._divided(name, self.judgement.division)
        tie = self.judgement.decision.tie
        parts = [self._tie(tie)] if tie else []
        parts.append(self._part("step-excludes-others", self._excluding_others(name)))
        parts.append(self._evidence("step-for", name, supports=True))
        parts.append(self._evidence("step-against", name, supports=False))
        parts.append(self._part("step-gave-way", self.inference.defeated))
        return Step(
            "route",
            name,
            say("step-route", route=self.words.route(name)),
            (),
            tuple(p for p in parts if p.children or p.kind == "tie"),
        )

    def _tie(self, tie: Tie) -> Step:
        """The rule for ties that gave the route, with the tests that were met."""
        facts = self.inference.facts
        tests = [test_on(one, facts.get(one.leaf.fact)) for one in signed_leaves(tie.when)] if tie.when else []
        met = tuple(self._test(test) for test in tests if test.truth is Truth.TRUE)
        return Step("tie", tie.id, say("step-tie", title=tie.title, id=tie.id), (), met)

    def _divided(self, name: str, tried: Tried) -> Step:
        """A route made of parts: the division's condition, then what led each part to its own route."""
        parts = [self._part_step(part) for part in tried.parts]
        children = (self.division(tried), *parts)
        return Step("route", name, say("step-route", route=self.words.route(name)), (), children)

    def division(self, tried: Tried) -> Step:
        """A division with each test of its condition as it stood."""
        it = tried.division
        key = "step-division" if tried.came_out else "step-division-not"
        tests = [self._test(test) for test in tried.tests if (test.truth is Truth.TRUE) == tried.came_out]
        text = say(key, title=it.title, id=it.id, rows=list(it.source))
        return Step("division", it.id, text, it.source, (Step("reason", it.id, it.because), *tests))

    def _part_step(self, part: PartJudgement) -> Step:
        explainer = Explainer(self.words, part.judgement)
        came = part.judgement.route
        route = self.words.route(came) if came else say("step-nothing")
        text = say("step-part", part=part.part.title, route=route, expected=self.words.route(part.part.route))
        return Step("part", part.part.id, text, (), explainer.proof().children)

    def route_not(self, name: str) -> Step:
        """What kept the route from coming out, and what would have spoken for it."""
        if name not in self.base.routes.primary:
            tried = [self.division(t) for t in self.judgement.tried if t.division.route == name]
            parts = [self._part_step(p) for t in self.judgement.tried if t.division.route == name for p in t.parts]
            why = [self._part("step-excluded", self._excluded_with(name))] if self._excluded_with(name) else []
            composite = Step("reason", name, say("step-composite"))
            children = (composite, *why, *tried, *parts)
            return Step("route", name, say("step-route-not", route=self.words.route(name)), (), children)
        key = "step-route-none" if self.judgement.route is None else "step-route-not"
        parts = [
            self._part("step-excluded", self.judgement.weighing.exclusions.get(name, ())),
            self._evidence("step-against", name, supports=False),
            self._evidence("step-for", name, supports=True),
            self._part("step-silent-for", self._silent_for(name)),
            self._part(
                "step-gave-way",
                [n for n in self.inference.defeated if self._bears_on(self.base.rules[n], name)],
            ),
        ]
        lead = self.judgement.route
        if lead in self.judgement.weighing.scores:
            parts.append(self._leads(str(lead)))
        return Step(
            "route",
            name,
            say(key, route=self.words.route(name)),
            (),
            tuple(p for p in parts if p.children or p.kind == "score"),
        )

    def _excluded_with(self, name: str) -> list[str]:
        needed = self.base.routes.route(name).excluded_with
        return [rule for route in needed for rule in self.judgement.weighing.exclusions.get(route, ())]

    def _leads(self, route: str) -> Step:
        score = f"{self.judgement.weighing.scores[route]:g}"
        return Step("score", route, say("step-leads", route=self.words.route(route), score=score))

    def _part(self, key: str, rules: Iterable[str], **params: object) -> Step:
        return Step(
            "part",
            key.removeprefix("step-"),
            say(key, **params),
            (),
            tuple(self.rule(name) for name in rules),
        )

    def _evidence(self, key: str, route: str, supports: bool) -> Step:
        """The rules whose evidence speaks so of the route: what speaks against its rivals counts for it."""
        pieces = [w for w in self.judgement.weighing.evidence if (w.route == route and w.weight > 0) == supports]
        ours = [w for w in pieces if w.route == route] if not supports else pieces
        if supports:
            ours += [w for w in self.judgement.weighing.evidence if w.route != route and w.weight < 0]
        else:
            ours += [w for w in self.judgement.weighing.evidence if w.route != route and w.weight > 0]
        ordered = dict.fromkeys(w.rule for w in sorted(ours, key=lambda w: -abs(w.weight)))
        score = f"{self.judgement.weighing.scores.get(route, 0):g}"
        return self._part(key, ordered, score=score) if supports else self._part(key, ordered)

    def _excluding_others(self, name: str) -> list[str]:
        return [r for route, rules in self.judgement.weighing.exclusions.items() if route != name for r in rules]

    def _silent_for(self, route: str) -> list[str]:
        return [name for name, silent in self.inference.silent.items() if self._supports(silent.rule, route)]

    def _supports(self, rule: Rule, route: str) -> bool:
        return any(item.supports == (item.route == route) for item in rule.then.evidence)

    def _bears_on(self, rule: Rule, route: str) -> bool:
        return route in rule.then.excludes or any(item.route == route for item in rule.then.evidence)

    # Rules and facts

    def rule(self, name: str) -> Step:
        """The rule as it stood: fired, defeated, silent or undecided, with each condition and the value it saw."""
        if name in self.inference.fired:
            return self._fired(self.inference.fired[name])
        return self._silent(self.inference.silent[name])

    def _fired(self, fired: Fired) -> Step:
        rule = fired.rule
        children = [Step("reason", rule.id, rule.because)]
        children += [self._test(test) for test in fired.tests if test.truth is Truth.TRUE]
        children += [
            Step("conclusion", rule.id, say("step-concludes", conclusion=t)) for t in self.words.conclusions(rule.then)
        ]
        if rule.id in self.inference.defeated:
            winner = self.base.rules[self.inference.defeated[rule.id]]
            children.append(self._named("defeat", "step-defeated", winner))
        return self._named("rule", "step-fired", rule, children)

    def _silent(self, silent: Silent) -> Step:
        key = "step-undecided" if silent.truth is Truth.UNKNOWN else "step-silent"
        tests = [self._test(test) for test in silent.tests if test.truth is not Truth.TRUE]
        return self._named("rule", "step-told" if silent.told else key, silent.rule, tests)

    def _named(self, kind: str, key: str, rule: Rule, children: Iterable[Step] = ()) -> Step:
        text = say(key, title=rule.title, id=rule.id, rows=list(rule.source))
        return Step(kind, rule.id, text, rule.source, tuple(children))

    def _test(self, test: Tested) -> Step:
        wanted = self.words.test(test.leaf, test.negated)
        if test.truth is Truth.UNKNOWN:
            key = "step-test-straddles" if isinstance(test.value, Interval) else "step-test-unknown"
        else:
            key = "step-test-met" if test.truth is Truth.TRUE else "step-test-unmet"
        return Step("test", test.leaf.fact, say(key, test=wanted), (), (self.fact(test.leaf.fact),))

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


def _plain(value: float | Interval) -> str:
    return f"{value.low:g}\u2013{value.high:g}" if isinstance(value, Interval) else f"{value:g}"
