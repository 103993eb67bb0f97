"""The routes that a case can take, their forms, the weights of evidence, and how ties are broken: all of it data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.conditions_file import ConditionReader
from engine.faults import Report
from engine.forms import Form, file_form, report_twins
from engine.language import Condition, Known, leaves
from engine.loading import Node
from engine.values import Text
from engine.vocabulary import Vocabulary

STATUSES = ("infeasible", "undetermined", "tied", "provisional", "settled")
"""From the weakest to the strongest, as the reasoning defines them."""


@dataclass(frozen=True)
class RouteForm:
    """A way to take a route."""

    id: str
    title: Text


@dataclass(frozen=True)
class Route:
    """A route. Primary routes compete for a case; others come out of parts of a case, and fall with `excluded_with`."""

    id: str
    title: Text
    primary: bool
    excluded_with: tuple[str, ...]
    forms: tuple[RouteForm, ...]


@dataclass(frozen=True)
class Tie:
    """Which route is taken when the leading scores are level, and on which facts; None: whatever they are."""

    id: str
    route: str
    title: Text
    because: Text
    when: Condition | None = None


@dataclass(frozen=True)
class Status:
    id: str
    title: Text
    meaning: Text


@dataclass(frozen=True)
class Routes:
    """All routes in their order, with everything that weighing needs."""

    weights: Mapping[str, float]
    decisive: str
    routes: tuple[Route, ...]
    ties: tuple[Tie, ...]
    statuses: Mapping[str, Status]

    @property
    def primary(self) -> tuple[str, ...]:
        return tuple(route.id for route in self.routes if route.primary)

    def route(self, name: str) -> Route:
        """Raises KeyError for a name that is no route."""
        return {route.id: route for route in self.routes}[name]

    def form_order(self, route: str) -> tuple[str, ...]:
        return tuple(form.id for form in self.route(route).forms)

    def form_title(self, route: str, form: str) -> Text:
        return next(item.title for item in self.route(route).forms if item.id == form)


def read_routes(node: Node, vocabulary: Vocabulary, report: Report) -> Routes:
    """The routes of the file's root node; conditions of ties are read against the vocabulary."""
    form = file_form(node, ["weights", "decisive", "routes", "ties", "statuses"], report)
    report_twins(form.items("routes"), "id", report)
    report_twins(form.items("ties"), "id", report)
    routes = Routes(
        weights=_weights(form, report),
        decisive=form.word("decisive"),
        routes=tuple(_route(item, report) for item in form.items("routes")),
        ties=tuple(_tie(item, vocabulary, report) for item in form.items("ties")),
        statuses={status.id: status for status in (_status(item, report) for item in form.items("statuses"))},
    )
    _check(routes, form, report)
    return routes


def _weights(form: Form, report: Report) -> Mapping[str, float]:
    node = form.node("weights")
    names = [key.text for key, _ in form.entries("weights")]
    if node is None:
        return {}
    inner = Form(node, names, report)
    return {name: inner.number(name) or 0.0 for name in names}


def _route(node: Node, report: Report) -> Route:
    form = Form(node, ["id", "title", "primary?", "excluded_with?", "forms"], report)
    report_twins(form.items("forms"), "id", report)
    forms = tuple(_form(item, report) for item in form.items("forms"))
    return Route(form.word("id"), form.text("title"), form.flag("primary"), form.words("excluded_with"), forms)


def _form(node: Node, report: Report) -> RouteForm:
    form = Form(node, ["id", "title"], report)
    return RouteForm(form.word("id"), form.text("title"))


def _tie(node: Node, vocabulary: Vocabulary, report: Report) -> Tie:
    form = Form(node, ["id", "route", "title", "when?", "because"], report)
    when = ConditionReader(vocabulary, report).condition(form.node("when")) if "when" in form else None
    tie = Tie(form.word("id"), form.word("route"), form.text("title"), form.text("because"), when)
    for leaf in leaves(when) if when is not None else ():
        if isinstance(leaf, Known):
            report.add("known-too-early", form.place_of("when"), rule=tie.id)
        elif vocabulary.facts[leaf.fact].origin == "verdict":
            report.add("verdict-too-early", form.place_of("when"), rule=tie.id, fact=leaf.fact)
    return tie


def _status(node: Node, report: Report) -> Status:
    form = Form(node, ["id", "title", "meaning"], report)
    return Status(form.word("id"), form.text("title"), form.text("meaning"))


def _check(routes: Routes, form: Form, report: Report) -> None:
    known = [route.id for route in routes.routes]
    if len(routes.primary) < 2:
        report.add("too-few-routes", form.place_of("routes"))
    if routes.decisive not in routes.weights:
        report.add(
            "not-a-choice",
            form.place_of("decisive"),
            typed=routes.decisive,
            known=list(routes.weights),
            hint="",
        )
    if any(weight <= 0 for weight in routes.weights.values()):
        report.add("weight-not-positive", form.place_of("weights"))
    for named in [tie.route for tie in routes.ties] + [name for r in routes.routes for name in r.excluded_with]:
        if named not in known:
            report.add("unknown-route", form.place, typed=named, known=known)
    if not routes.ties:
        report.add("missing-key", form.place, missing="ties")
    if tuple(routes.statuses) != STATUSES:
        report.add("wrong-statuses", form.place_of("statuses"), known=list(STATUSES))
