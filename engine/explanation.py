"""Why, and why not: a verdict's proof as a tree of sentences, down to what was told, with the rows cited on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.faults import fail
from engine.inference import test_on
from engine.judgement import PartJudgement, Tried
from engine.language import Rule, signed_leaves
from engine.routes import Tie
from engine.rule_steps import RuleSteps, Step
from engine.truth import Truth
from engine.words import say


class Explainer(RuleSteps):
    """Explains one judgement."""

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
            return self.rule_alone(name)
        if name in self.base.vocabulary.facts:
            return self.fact(name)
        raise self._unknown(name)

    def why_not(self, name: str) -> Step:
        """Why a rule did not fire or gave way, or a route did not come out. Raises FaultError for other names."""
        if name in {route.id for route in self.base.routes.routes}:
            return self.route(name) if name == self.judgement.route else self.route_not(name)
        if name in self.base.rules:
            return self.rule_alone(name)
        raise self._unknown(name)

    def rule_alone(self, name: str) -> Step:
        """The rule as it stood, with the rows that it rests on."""
        step = self.rule(name)
        return replace(step, children=(*self.cited(self.base.rules[name]), *step.children))

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
            self._part(
                "step-gave-way",
                [n for n in self.inference.defeated if self._bears_on(self.base.rules[n], name)],
            ),
            self._part("step-silent-for", self._silent_for(name)),
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
        """The rules that would speak for the route or rule out another, those that lack least first."""
        found = [name for name, silent in self.inference.silent.items() if self._supports(silent.rule, route)]
        return sorted(found, key=lambda name: self.missing(self.base.rules[name].when))

    def _supports(self, rule: Rule, route: str) -> bool:
        evidence = any(item.supports == (item.route == route) for item in rule.then.evidence)
        return evidence or any(other != route for other in rule.then.excludes)

    def _bears_on(self, rule: Rule, route: str) -> bool:
        return route in rule.then.excludes or any(item.route == route for item in rule.then.evidence)
