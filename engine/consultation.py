"""One consultation: a profile judged workload by workload, and as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from engine.advising import filled
from engine.base import KnowledgeBase
from engine.dividing import Divider, Whole
from engine.inference import DIVISION_FACT, ROUTE_FACT, STATUS_FACT, Given, Inference, Reasoner
from engine.judgement import Advised, Judgement
from engine.language import Rule
from engine.profile import Profile
from engine.routes import STATUSES
from engine.search_step import FirstStage, SearchStep
from engine.settling import Bounds, Settlement, is_proved, missing_facts, settle
from engine.summing import Unmet, unmet
from engine.truth import Truth
from engine.values import Interval
from engine.weighing import Decision, decide, weigh

if TYPE_CHECKING:
    from engine.searching import Search  # NumPy comes with it, and a settled case needs none

NO_ROUTE = "none"
MOST_SEARCHED = 20
"""Of so many workloads each is searched; of more it would take too long."""


def searching(base: KnowledgeBase) -> Search:
    """What a consultant searches with when nothing else is said."""
    from engine.searching import Search

    return Search(base)


@dataclass(frozen=True)
class Overall:
    """The verdict on the whole: the weakest status, one route where the workloads agree, and sums that are not met."""

    route: str | None
    form: str | None
    status: str
    reasons: tuple[str, ...]
    unmet: tuple[Unmet, ...]


@dataclass(frozen=True)
class Consultation:
    """A profile, its verdicts, and the knowledge they were made with."""

    base: KnowledgeBase
    profile: Profile
    judgements: tuple[Judgement, ...]

    @cached_property
    def overall(self) -> Overall:
        missing = unmet(self.base.sums, self.judgements, self.base.vocabulary)
        capped = ["provisional"] if missing else []
        status = min((*capped, *(j.status for j in self.judgements)), key=STATUSES.index)
        routes = {j.route for j in self.judgements}
        forms = {j.form for j in self.judgements}
        reasons = tuple(dict.fromkeys(name for j in self.judgements for name in j.deciding()))
        if None in routes:
            return Overall(None, None, status, reasons, missing)
        if len(routes) > 1:
            return Overall(*self._split(), status, reasons, missing)
        return Overall(routes.pop(), forms.pop() if len(forms) == 1 else None, status, reasons, missing)

    def _split(self) -> tuple[str | None, str | None]:
        """The composite route, and its form, that a whole takes whose workloads part."""
        composite = next((route for route in self.base.routes.routes if not route.primary), None)
        if composite is None:
            return None, None
        return composite.id, composite.forms[-1].id if composite.forms else None


class Consultant:
    """Judges profiles with one knowledge base; the rule network is built once.

    `search` makes what looks for answers that change a route, and for proofs that there are none; with None a status
    is what the bounds on the scores say.
    """

    def __init__(self, base: KnowledgeBase, search: Callable[[KnowledgeBase], Search] | None = searching) -> None:
        self.base = base
        self.reasoner = Reasoner(base)
        self._make_search = search

    @cached_property
    def _search(self) -> Search | None:
        return self._make_search(self.base) if self._make_search else None

    @cached_property
    def by_bounds(self) -> Consultant:
        """The same without a search: quicker, and to the same routes."""
        found = copy(self)
        found._make_search = None
        found.__dict__.pop("_search", None)
        return found

    def consult(self, profile: Profile) -> Consultation:
        """Of very many workloads each is settled by bounds alone.

        Raises InferenceStopped when the engine meets a limit or two rules infer different values of one fact.
        """
        consultant = self if len(profile.workloads) <= MOST_SEARCHED else self.by_bounds
        judged = [
            consultant.judge(number, workload.name, workload.facts, profile.replaced)
            for number, workload in enumerate(profile.workloads)
        ]
        return Consultation(self.base, profile, tuple(judged))

    def judge(
        self, number: int, name: str | None, told: Mapping[str, Given], replaced: Mapping[str, float | Interval]
    ) -> Judgement:
        """The verdict on one set of facts, divided into parts where a division comes out."""
        divider = Divider(self.base, lambda facts: self._judge_part(number, facts, replaced))
        with self.reasoner.network:  # both stages of a case belong together, whatever other threads ask
            first = self._first_stage(divider, told, replaced)
            settlement = self._settle(first)
            divided = first.divided
            division = divided.division.id if divided else NO_ROUTE
            whole, tried, decision = first.whole, first.tried, first.decision
            inference, weighing = whole.inference, whole.weighing
            self.reasoner.after_verdict(inference, self._verdict(decision, settlement, division))
        late = [r for r in inference.standing() if r.id in self.base.ordered.after_verdict]
        form = divided.division.form if divided else self._form(decision.route, late)
        score = divider.score(divided, weighing) if divided else None
        return Judgement(
            number, name, inference, weighing, decision, settlement, form, _advised(self.base, inference), tried, score
        )

    def _judge_part(
        self, number: int, facts: Mapping[str, Given], replaced: Mapping[str, float | Interval]
    ) -> Judgement:
        """The verdict on a part of a case, on a network of its own: the whole's is between its stages."""
        reasoner = self._part_reasoner
        with reasoner.network:
            inference = reasoner.before_verdict(facts, replaced)
            weighing = weigh(inference.standing(), self.base.routes)
            decision = decide(weighing, self.base.routes, inference.values)
            bounds = Bounds(self.base, inference)
            proved = decision.route is not None and is_proved(bounds, decision.route)
            settlement = settle(self.base, bounds, decision, proved, ())
            reasoner.after_verdict(inference, self._verdict(decision, settlement, NO_ROUTE))
        late = [r for r in inference.standing() if r.id in self.base.ordered.after_verdict]
        form = self._form(decision.route, late)
        return Judgement(number, None, inference, weighing, decision, settlement, form, _advised(self.base, inference))

    @cached_property
    def _part_reasoner(self) -> Reasoner:
        return Reasoner(self.base)

    def _first_stage(
        self, divider: Divider, told: Mapping[str, Given], replaced: Mapping[str, float | Interval]
    ) -> FirstStage:
        """Raises InferenceStopped."""
        inference = self.reasoner.before_verdict(told, replaced)
        weighing = weigh(inference.standing(), self.base.routes)
        whole = Whole(inference, weighing, told)
        tried = divider.tried(whole)
        divided = any(item.came_out for item in tried)
        route = tried[-1].division.route if divided else None
        decision = Decision(route, None) if divided else decide(weighing, self.base.routes, inference.values)
        return FirstStage(divider, replaced, whole, tried, decision)

    def _settle(self, first: FirstStage) -> Settlement:
        divider, whole, tried, decision = first.divider, first.whole, first.tried, first.decision
        bounds = Bounds(self.base, whole.inference)
        last = first.divided
        failed = tried[:-1] if last else tried
        proved = (
            divider.surely_comes_out(last, bounds)
            if last
            else decision.route is not None and decision.status is None and is_proved(bounds, decision.route)
        )
        proved = proved and all(divider.surely_fails(item, whole, bounds) for item in failed)
        open_ones = [item for item in tried if not divider.is_ruled_out(item, bounds)]
        waiting = dict.fromkeys(path for item in open_ones for path in divider.unknown(item, whole))
        found = settle(self.base, bounds, decision, proved, waiting)
        if found.status == "settled" or not found.unknown or self._search is None:
            return found
        step = SearchStep(self._search, first, bounds, lambda told: self._decision(first, told))
        result = step.settlement(found, divides=bool(open_ones))
        if step.asked:  # the network holds another case now, and the second stage goes on from this one
            self.reasoner.before_verdict(whole.told, first.replaced)
        return result

    def _decision(self, first: FirstStage, told: Mapping[str, Given]) -> Decision:
        """What comes of the same case with other facts. Raises InferenceStopped."""
        return self._first_stage(first.divider, told, first.replaced).decision

    def _verdict(self, decision: Decision, settlement: Settlement, division: str) -> Mapping[str, str]:
        """The verdict as facts, as far as the vocabulary has them."""
        facts = {ROUTE_FACT: decision.route or NO_ROUTE, STATUS_FACT: settlement.status, DIVISION_FACT: division}
        return {path: value for path, value in facts.items() if path in self.base.vocabulary.facts}

    def _form(self, route: str | None, late: Sequence[Rule]) -> str | None:
        """The first of the route's forms, in the order of the routes file, that a standing rule names."""
        if route is None:
            return None
        named = {rule.then.forms[route] for rule in late if route in rule.then.forms}
        return next((form for form in self.base.routes.form_order(route) if form in named), None)


def _advised(base: KnowledgeBase, inference: Inference) -> tuple[Advised, ...]:
    found: dict[str, Advised] = {}
    for rule in inference.standing():
        for name in rule.then.advises:
            if name not in found:
                found[name] = Advised(name, rule.id, filled(base.advice[name], base.vocabulary, inference.values))
    return tuple(found.values())


def undecided(base: KnowledgeBase, judgement: Judgement) -> Mapping[str, tuple[str, ...]]:
    """The undecided rules before the verdict, each with the facts that it waits for."""
    silent = judgement.inference.silent
    names = [n for n, s in silent.items() if s.truth is Truth.UNKNOWN and n not in base.ordered.after_verdict]
    return {name: missing_facts(base, judgement.inference, name) for name in names}
