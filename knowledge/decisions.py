"""Real decisions: what people did with a case, the case as a profile, and how we stand to where they went.

They test the knowledge and are no part of it: no rule may be written for one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.base import KnowledgeBase
from engine.consultation import NO_ROUTE
from engine.faults import FaultError, Place, Report
from engine.forms import Form, file_form, localized
from engine.loading import Mapping, Node, Scalar, read_file
from engine.profile import Profile, ProfileReader
from engine.profile_model import FORMAT
from engine.values import Text
from knowledge import FOLDER

STANDS = ("agrees", "stands", "wrong")
"""We say what people did; we say otherwise and stand by it; we are wrong and know it."""

_DECISION_KEYS = ("id", "title", "source", "analogue?", "decided", "parts?", "profile", "stand")


@dataclass(frozen=True)
class Account:
    """Where a decision is told, by whom, and how far to trust it."""

    url: str
    kind: str
    confidence: str


@dataclass(frozen=True)
class Decision:
    """One account. `routes` agree with it, `none` where people chose none; `forms` are told and not compared.

    `parts` are the titles of the workloads where the account tells of several.
    """

    id: str
    title: Text
    source: Account
    analogue: bool
    routes: tuple[str, ...]
    forms: tuple[str, ...]
    parts: tuple[Text, ...]
    profile: Profile
    stand: str
    because: Text
    place: Place


def read_decisions(base: KnowledgeBase, folder: Path = FOLDER) -> tuple[Decision, ...]:
    """Every decision below `folder`/decisions, by id. Raises FaultError with all that is wrong in the files."""
    report = Report()
    reader = _DecisionReader(base, report)
    found = []
    for path in sorted((folder / "decisions").glob("*.yaml"), key=lambda path: path.name):
        form = file_form(read_file(path, f"decisions/{path.name}"), ["decisions"], report)
        found += [decision for item in form.items("decisions") if (decision := reader.decision(item))]
    _check_ids(found, report)
    report.check()
    return tuple(sorted(found, key=lambda decision: decision.id))


class _DecisionReader:
    def __init__(self, base: KnowledgeBase, report: Report) -> None:
        self.base = base
        self.report = report
        self.profiles = ProfileReader(base.vocabulary)

    def decision(self, node: Node) -> Decision | None:
        form = Form(node, _DECISION_KEYS, self.report)
        profile = self._profile(form.node("profile"))
        source = self._part(form, "source", ["url", "kind", "confidence"])
        decided = self._part(form, "decided", ["route", "form?"])
        stand = self._part(form, "stand", ["kind", "because"])
        if profile is None or source is None or decided is None or stand is None:
            return None
        return Decision(
            id=form.word("id"),
            title=form.text("title"),
            source=Account(source.word("url"), source.word("kind"), source.word("confidence")),
            analogue=form.flag("analogue"),
            routes=self._known(decided, "route", (*self._routes(), NO_ROUTE)),
            forms=self._known(decided, "form", self._forms()),
            parts=self._titles(form, len(profile.workloads)),
            profile=profile,
            stand=next(iter(self._known(stand, "kind", STANDS)), ""),
            because=stand.text("because"),
            place=form.place,
        )

    def _titles(self, form: Form, workloads: int) -> tuple[Text, ...]:
        titles = tuple(localized(item, self.report) for item in form.items("parts"))
        if (len(titles) or 1) != workloads:
            self.report.add("scenario-workloads", form.place, scenario=form.word("id"), count=workloads)
        return titles

    def _part(self, form: Form, key: str, keys: list[str]) -> Form | None:
        node = form.node(key)
        return Form(node, keys, self.report) if node else None

    def _routes(self) -> tuple[str, ...]:
        return tuple(route.id for route in self.base.routes.routes)

    def _forms(self) -> tuple[str, ...]:
        return tuple(form for route in self._routes() for form in self.base.routes.form_order(route))

    def _known(self, form: Form, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """The words under the key, each of which must be among the known ones."""
        for scalar in form.scalars(key):
            if scalar.text not in known:
                self.report.add("not-a-choice", scalar.place, typed=scalar.text, known=known, hint="")
        return form.words(key)

    def _profile(self, node: Node | None) -> Profile | None:
        if not isinstance(node, Mapping):
            return None
        version = (Scalar("profile", False, node.place), Scalar(str(FORMAT), False, node.place))
        try:
            return self.profiles.read(Mapping((version, *node.entries), node.place))
        except FaultError as error:
            self.report.extend(error.faults)
            return None


def _check_ids(decisions: Iterable[Decision], report: Report) -> None:
    seen: dict[str, Decision] = {}
    for decision in decisions:
        if decision.id in seen:
            report.add("duplicate-id", decision.place, id=decision.id, first=str(seen[decision.id].place))
        seen[decision.id] = decision
