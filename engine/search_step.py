"""The search within a consultation: what is asked of it, how its witnesses are confirmed, what becomes of a status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bearing import Bearing
from engine.dividing import Divider, Whole
from engine.faults import InferenceStopped
from engine.inference import Given, Source
from engine.judgement import Tried
from engine.language import Leaf, leaves
from engine.settling import Bounds, Settlement, settled, with_answers
from engine.truth import Truth
from engine.values import Interval, Value
from engine.weighing import Decision

if TYPE_CHECKING:
    from engine.search_case import Question, Telling  # NumPy comes with these
    from engine.searching import Search


@dataclass(frozen=True)
class FirstStage:
    """What came of a case before its second stage; of the divisions tried the last one may have come out."""

    divider: Divider
    replaced: Mapping[str, float | Interval]
    whole: Whole
    tried: tuple[Tried, ...]
    decision: Decision

    @property
    def divided(self) -> Tried | None:
        return self.tried[-1] if self.tried and self.tried[-1].came_out else None


class SearchStep:
    """Searches one case. `decide` asks the rule engine about other facts, and `asked` tells whether that was done."""

    def __init__(
        self, search: Search, first: FirstStage, bounds: Bounds, decide: Callable[[Mapping[str, Given]], Decision]
    ) -> None:
        self.search = search
        self.first = first
        self.bounds = bounds
        self.base = bounds.base
        self.decide = decide
        self.asked = False

    def settlement(self, found: Settlement, divides: bool) -> Settlement:
        """What was found by bounds, settled where a proof is found, else with the answers that change the route."""
        question = self._question(found, divides)
        result = self.search.run(question, self.first.replaced, found.status == "provisional", self._confirmed)
        if result.settled and self.first.decision.route:
            return settled(self.base, self.bounds, self.first.decision.route)
        return with_answers(found, result.witness, result.tells)

    def _question(self, found: Settlement, divides: bool) -> Question:
        from engine.search_case import Question

        told = {path: given.value for path, given in self.first.whole.told.items()}
        computed = self._computed(told)
        return Question(
            told=told,
            route=self.first.decision.route,
            unknown=found.unknown,
            live=None if divides else self._live(),
            bearing=Bearing(self.base, self.bounds).rule,
            divides=divides,
            computed={path: value for path, value in computed.items() if value is not None},
            moving=[path for path, value in computed.items() if self._may_move(path, value)],
        )

    def _live(self) -> frozenset[Leaf]:
        """The tests of undecided rules and of ties: no other test can still tell anything."""
        asked = [rule.when for rule in self.bounds.rules if self.bounds.truth(rule.id) is Truth.UNKNOWN]
        asked += [tie.when for tie in self.base.routes.ties if tie.when is not None]
        return frozenset(leaf for when in asked for leaf in leaves(when))

    def _computed(self, told: Mapping[str, Value]) -> Mapping[str, Value | None]:
        """The computed facts, None where one is unknown."""
        facts, values = self.base.vocabulary.facts, self.first.whole.inference.values
        paths = [path for path in self.base.formula_of if facts[path].origin == "computed" and path not in told]
        return {path: values.get(path) for path in paths}

    def _may_move(self, path: str, value: Value | None) -> bool:
        return isinstance(value, Interval | None) and bool(self.bounds.waiting.path(path))

    def _confirmed(self, telling: Telling) -> str | None:
        """The route that the rule engine gives to the case with these answers. Raises UnconfirmedError."""
        from engine.search_case import UnconfirmedError

        self.asked = True
        first = self.first
        told = {**first.whole.told, **{path: Given(value, Source("answer")) for path, value in telling.items()}}
        try:
            decision = self.decide({path: told[path] for path in self.base.vocabulary.facts if path in told})
        except InferenceStopped as error:
            raise UnconfirmedError from error
        if decision.route == first.decision.route or decision.status == "infeasible":
            raise UnconfirmedError
        return decision.route
