"""One consultation: a profile judged workload by workload, and as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.base import KnowledgeBase
from engine.inference import Given, Inference, Reasoner
from engine.language import Rule
from engine.profile import Profile
from engine.routes import STATUSES
from engine.settling import Settlement, missing_facts, settle
from engine.truth import Truth
from engine.values import Interval
from engine.weighing import Decision, Weighing, decide, weigh

NO_ROUTE = "none"


@dataclass(frozen=True)
class Advised:
    """An advice item and the first rule that gave it."""

    id: str
    rule: str


@dataclass(frozen=True)
class Judgement:
    """The verdict on one workload, with everything that it rests on."""

    workload: int
    name: str | None
    inference: Inference
    weighing: Weighing
    decision: Decision
    settlement: Settlement
    form: str | None
    advice: tuple[Advised, ...]

    @property
    def route(self) -> str | None:
        return self.decision.route

    @property
    def status(self) -> str:
        return self.settlement.status

    def deciding(self) -> tuple[str, ...]:
        """The rules that weigh most: exclusions of other routes, then evidence for this one, strongest first."""
        excluding = [rule for route, rules in self.weighing.exclusions.items() if route != self.route for rule in rules]
        pieces = [item for item in self.weighing.evidence if self._speaks_for(item.route, item.weight)]
        weighing = sorted(pieces, key=lambda item: -abs(item.weight))
        tie = [self.decision.tie.id] if self.decision.tie else []
        return tuple(dict.fromkeys([*tie, *excluding, *(item.rule for item in weighing)]))

    def _speaks_for(self, route: str, weight: float) -> bool:
        if self.route is None:
            return True
        return weight > 0 if route == self.route else weight < 0


@dataclass(frozen=True)
class Overall:
    """The verdict on the whole: the weakest status, one route where the workloads agree."""

    route: str | None
    form: str | None
    status: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Consultation:
    """A profile, its verdicts, and the knowledge they were made with."""

    base: KnowledgeBase
    profile: Profile
    judgements: tuple[Judgement, ...]

    @cached_property
    def overall(self) -> Overall:
        status = min((j.status for j in self.judgements), key=STATUSES.index)
        routes = {j.route for j in self.judgements}
        forms = {j.form for j in self.judgements}
        reasons = tuple(dict.fromkeys(name for j in self.judgements for name in j.deciding()))
        if None in routes:
            return Overall(None, None, status, reasons)
        if len(routes) > 1:
            return Overall(*self._split(), status, reasons)
        return Overall(routes.pop(), forms.pop() if len(forms) == 1 else None, status, reasons)

    def _split(self) -> tuple[str | None, str | None]:
        """The composite route, and its form, that a whole takes whose workloads part."""
        composite = next((route for route in self.base.routes.routes if not route.primary), None)
        if composite is None:
            return None, None
        return composite.id, composite.forms[-1].id if composite.forms else None


class Consultant:
    """Judges profiles with one knowledge base; the rule network is built once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.reasoner = Reasoner(base)

    def consult(self, profile: Profile) -> Consultation:
        """Raises InferenceStopped when the engine meets a limit or two rules infer different values of one fact."""
        figures = {name: given.value for name, given in profile.assumptions.items()}
        replaced = {name: value for name, value in figures.items() if not isinstance(value, str | bool)}
        judged = [
            self.judge(number, workload.name, workload.facts, replaced)
            for number, workload in enumerate(profile.workloads)
        ]
        return Consultation(self.base, profile, tuple(judged))

    def judge(
        self,
        number: int,
        name: str | None,
        facts: Mapping[str, Given],
        replaced: Mapping[str, float | Interval],
    ) -> Judgement:
        """The verdict on one set of facts."""
        with self.reasoner.network:  # both stages of a case belong together, whatever other threads ask
            inference = self.reasoner.before_verdict(facts, replaced)
            weighing = weigh(inference.standing(), self.base.routes)
            decision = decide(weighing, self.base.routes)
            settlement = settle(self.base, inference, decision)
            self.reasoner.after_verdict(inference, decision.route or NO_ROUTE, settlement.status)
        late = [r for r in inference.standing() if r.id in self.base.ordered.after_verdict]
        form = self._form(decision.route, late)
        return Judgement(number, name, inference, weighing, decision, settlement, form, _advised(late))

    def _form(self, route: str | None, late: Sequence[Rule]) -> str | None:
        """The first of the route's forms, in the order of the routes file, that a standing rule names."""
        if route is None:
            return None
        named = {rule.then.forms[route] for rule in late if route in rule.then.forms}
        return next((form for form in self.base.routes.form_order(route) if form in named), None)


def _advised(late: Sequence[Rule]) -> tuple[Advised, ...]:
    found: dict[str, Advised] = {}
    for rule in late:
        for item in rule.then.advises:
            found.setdefault(item, Advised(item, rule.id))
    return tuple(found.values())


def undecided(base: KnowledgeBase, judgement: Judgement) -> Mapping[str, tuple[str, ...]]:
    """The undecided rules before the verdict, each with the facts that it waits for."""
    silent = judgement.inference.silent
    names = [n for n, s in silent.items() if s.truth is Truth.UNKNOWN and n not in base.ordered.after_verdict]
    return {name: missing_facts(base, judgement.inference, name) for name in names}
