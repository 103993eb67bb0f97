"""Tries the divisions on a case: judges the parts apart and says whether a route made of several comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.base import KnowledgeBase
from engine.divisions import Division, Part, Taken
from engine.inference import Given, Inference, Source, Tested, test_on
from engine.judgement import Judgement, PartJudgement, Tried
from engine.language import signed_leaves
from engine.settling import Bounds, missing_at
from engine.truth import Truth, truth
from engine.values import Value
from engine.weighing import Weighing

JudgePart = Callable[[Mapping[str, Given]], Judgement]


@dataclass(frozen=True)
class Whole:
    """A case before it is divided."""

    inference: Inference
    weighing: Weighing
    told: Mapping[str, Given]


class Divider:
    """Tries the divisions of one knowledge base. `judge_part` judges a part, undivided."""

    def __init__(self, base: KnowledgeBase, judge_part: JudgePart) -> None:
        self.base = base
        self.judge_part = judge_part

    def tried(self, whole: Whole) -> tuple[Tried, ...]:
        """The divisions in their order, up to the first that comes out."""
        found: list[Tried] = []
        for division in self.base.divisions:
            found.append(self._try(division, whole))
            if found[-1].came_out:
                break
        return tuple(found)

    def _try(self, division: Division, whole: Whole) -> Tried:
        tests = self._tests(division, whole)
        stands = truth(division.when, whole.inference.values)
        if stands is not Truth.TRUE or not self._may_be_tried(division, whole.weighing):
            return Tried(division, stands, tests, (), came_out=False)
        parts = self.parts(division, whole)
        return Tried(division, stands, tests, parts, came_out=all(self._as_needed(part) for part in parts))

    def _tests(self, division: Division, whole: Whole) -> tuple[Tested, ...]:
        facts = whole.inference.facts
        return tuple(test_on(signed, facts.get(signed.leaf.fact)) for signed in signed_leaves(division.when))

    def _may_be_tried(self, division: Division, weighing: Weighing) -> bool:
        """Whether nothing rules the composite route out, and the exclusion that the division asks for is there."""
        excluded_with = self.base.routes.route(division.route).excluded_with
        if any(route in weighing.exclusions for route in excluded_with):
            return False
        if division.excluded is None:
            return True
        rules = weighing.exclusions.get(division.excluded, ())
        return bool(rules) and set(rules) <= set(division.excluded_by)

    def parts(self, division: Division, whole: Whole) -> tuple[PartJudgement, ...]:
        """Every part of the division, judged."""
        return tuple(self._part(division, part, whole) for part in division.parts)

    def _part(self, division: Division, part: Part, whole: Whole) -> PartJudgement:
        judgement = self.judge_part(self._facts(division, part, whole))
        return PartJudgement(part, judgement, self._lead(part.route, judgement.weighing))

    def _facts(self, division: Division, part: Part, whole: Whole) -> Mapping[str, Given]:
        """What the part is judged on: told facts of the whole, and those that the division sets."""
        facts = dict(whole.told)
        for path, setting in part.sets.items():
            value = self._set_value(setting, whole)
            if value is None:
                facts.pop(path, None)
            else:
                facts[path] = Given(value, Source("division", rule=division.id))
        return {path: facts[path] for path in self.base.vocabulary.facts if path in facts}

    def _set_value(self, setting: Value | Taken, whole: Whole) -> Value | None:
        if isinstance(setting, Taken):
            return whole.inference.values.get(setting.path)
        return setting

    def _lead(self, route: str, weighing: Weighing) -> float:
        """How far the route leads: by its score; over an excluded route as far as the strongest evidence counts."""
        strongest = max(self.base.routes.weights.values())
        leads = [
            strongest if rival in weighing.exclusions else weighing.scores[route] - weighing.scores[rival]
            for rival in weighing.scores
            if rival != route
        ]
        return min(leads)

    def _as_needed(self, part: PartJudgement) -> bool:
        if part.judgement.route != part.part.route:
            return False
        return part.part.lead is None or part.lead >= self.base.routes.weights[part.part.lead]

    def score(self, tried: Tried, weighing: Weighing) -> float:
        """The score that is shown for the composite route.

        The best score of the whole among the parts' routes (but for the one whose exclusion the division asks for), and
        the smallest lead of a part that asks for one beyond what it asks, and 1.
        """
        routes = [p.route for p in tried.division.parts if p.route != tried.division.excluded]
        best = max(weighing.scores[route] for route in routes)
        weights = self.base.routes.weights
        spare = [p.lead - weights[p.part.lead] for p in tried.parts if p.part.lead is not None]
        return best + min(spare, default=0.0) + 1

    # What can still come out of it

    def surely_fails(self, tried: Tried, whole: Whole, bounds: Bounds) -> bool:
        """Whether the division comes out in no completion of the unknown facts."""
        if self.is_ruled_out(tried, bounds):
            return True
        parts = tried.parts or self.parts(tried.division, whole)
        return any(self._surely_otherwise(part) or self._surely_short(part) for part in parts)

    def _surely_otherwise(self, part: PartJudgement) -> bool:
        return part.judgement.status == "settled" and part.judgement.route != part.part.route

    def _surely_short(self, part: PartJudgement) -> bool:
        """Whether the part's route leads a rival by less than is needed, whatever becomes known."""
        if part.part.lead is None:
            return False
        needed = self.base.routes.weights[part.part.lead]
        bounds = Bounds(self.base, part.judgement.inference)
        rivals = [r for r in self.base.routes.primary if r != part.part.route and not bounds.possible_exclusions(r)]
        return any(-bounds.least_lead(rival, part.part.route) < needed for rival in rivals)

    def is_ruled_out(self, tried: Tried, bounds: Bounds) -> bool:
        """Whether the division cannot be tried in any completion, whatever its parts would come to."""
        composite = self.base.routes.route(tried.division.route)
        if tried.truth is Truth.FALSE or any(bounds.surely_excluded(r) for r in composite.excluded_with):
            return True
        if tried.division.excluded is None:
            return False
        possible = {rule.id for rule in bounds.possible_exclusions(tried.division.excluded)}
        surely = {name for name in possible if bounds.surely(name)}
        by = set(tried.division.excluded_by)
        return not possible & by or bool(surely - by)

    def surely_comes_out(self, tried: Tried, bounds: Bounds) -> bool:
        """Whether the division that came out does so in every completion of the unknown facts."""
        division = tried.division
        if any(bounds.possible_exclusions(r) for r in self.base.routes.route(division.route).excluded_with):
            return False
        if division.excluded is not None:
            possible = {rule.id for rule in bounds.possible_exclusions(division.excluded)}
            if not bounds.surely_excluded(division.excluded) or possible - set(division.excluded_by):
                return False
        return all(self._surely_as_needed(part) for part in tried.parts)

    def _surely_as_needed(self, part: PartJudgement) -> bool:
        settlement = part.judgement.settlement
        if settlement.status != "settled" or settlement.may_become_infeasible:
            return False
        if part.part.lead is None:
            return True
        needed = self.base.routes.weights[part.part.lead]
        bounds = Bounds(self.base, part.judgement.inference)
        rivals = [name for name in self.base.routes.primary if name != part.part.route]
        return all(
            bounds.surely_excluded(rival) or bounds.least_lead(part.part.route, rival) >= needed for rival in rivals
        )

    def unknown(self, tried: Tried, whole: Whole) -> tuple[str, ...]:
        """The facts of the whole on which the division waits: for its condition, or for its parts."""
        found: dict[str, None] = {}
        for test in tried.tests:
            if tried.truth is Truth.UNKNOWN and test.truth is Truth.UNKNOWN:
                found |= dict.fromkeys(missing_at(self.base, whole.inference, test.leaf.fact))
        for part in tried.parts:
            for path in part.judgement.settlement.unknown:
                setting = part.part.sets.get(path)
                if path not in part.part.sets:
                    found[path] = None
                elif isinstance(setting, Taken):
                    found |= dict.fromkeys(missing_at(self.base, whole.inference, setting.path))
        return tuple(found)
