"""What a verdict says on one page, in one language, before any form is given to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest

from cli.outlook import Outlook
from cli.render.flip_text import FlipWords
from cli.render.spread_text import spread_lines
from cli.strings import say
from engine.as_of import recency
from engine.base import KnowledgeBase
from engine.consultation import Consultation
from engine.faults import printable
from engine.figures import Figure
from engine.judgement import Judgement
from engine.language import Rule
from engine.values import bounds, is_finite
from engine.words import Words

_SHORT = {  # how many items a section of a short page has; with none it is left to --all
    "parts": 4,
    "why": 4,
    "against": 2,
    "against-excluded": 2,
    "gave-way": 0,
    "cost": 2,
    "unknown": 4,
    "may-fail": 5,
    "spread": 2,
    "flips": 3,
    "triggers": 3,
    "next": 2,
}
MOST_FIGURES = 2
_COST = "cost."
_MEETING = ("break_even_utilization", "break_even_price")
_URGENT = ("gap", "doubt")
_KINDS = (*_URGENT, "risk", "guard", "migration", "blueprint")


@dataclass(frozen=True)
class Item:
    """One line of a section; `note` is what stands behind it, such as cited rows."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Section:
    """Items under a title; `inline` ones are words that make one line together."""

    title: str
    items: tuple[Item, ...]
    inline: bool = False


@dataclass(frozen=True)
class Page:
    """One verdict: what it is about (None for a lone case), the route, how sure, and the reasons."""

    name: str | None
    headline: str
    route: str | None
    status: str
    sure: str
    sections: tuple[Section, ...]


class Pages:
    """Makes pages from one consultation; short ones keep to what fits one screen, and say what they leave out."""

    def __init__(
        self, consultation: Consultation, language: str, short: bool, outlooks: Sequence[Outlook] = ()
    ) -> None:
        self.short = short
        self.consultation = consultation
        self.outlooks = outlooks or tuple(Outlook() for _ in consultation.judgements)
        self.base = consultation.base
        self.language = language
        self.words = Words(self.base)

    def all(self) -> tuple[Page, ...]:
        """The whole first where there are several workloads, then each workload."""
        several = len(self.consultation.judgements) > 1
        pages = [self.workload(judgement) for judgement in self.consultation.judgements]
        return (self.overall(), *pages) if several else tuple(pages)

    def overall(self) -> Page:
        whole = self.consultation.overall
        lines = tuple(Item(self._short(j)) for j in self.consultation.judgements)
        missing = tuple(Item(gap.text[self.language], self._say("kind-gap")) for gap in whole.unmet)
        gaps = Section(self._say("next"), missing)
        return Page(
            name=self._say("overall-name"),
            headline=self._headline(whole.route, whole.form),
            route=whole.route,
            status=whole.status,
            sure=self._sure(whole.status),
            sections=tuple(section for section in (Section(self._say("workloads"), lines), gaps) if section.items),
        )

    def _short(self, judgement: Judgement) -> str:
        status = self.base.routes.statuses[judgement.status].title[self.language]
        verdict = self.route_words(judgement.route, judgement.form)
        return self._say("workload-line", name=self._name(judgement), verdict=verdict, status=status)

    def _name(self, judgement: Judgement) -> str:
        return printable(judgement.name) if judgement.name else self._say("unnamed", number=judgement.workload + 1)

    def workload(self, judgement: Judgement) -> Page:
        sections = [
            self._section("parts", self._parts(judgement)),
            self._section("why", self._reasons(judgement)),
            self._section(self._against(judgement), self._counter(judgement)),
            self._section("gave-way", self._gave_way(judgement)),
            self._section("cost", self._cost(judgement)),
            self._section("unknown", self._unknown(judgement), inline=True),
            self._section("may-fail", self._facts(judgement.settlement.may_become_infeasible), inline=True),
            self._section("spread", self._spread(judgement)),
            self._section("flips", self._flips(judgement)),
            self._section("triggers", self._triggers(judgement), inline=True),
            self._section("next", self._advice(judgement)),
        ]
        several = len(self.consultation.judgements) > 1
        return Page(
            name=self._name(judgement) if several or judgement.name else None,
            headline=self._headline(judgement.route, judgement.form),
            route=judgement.route,
            status=judgement.status,
            sure=self._sure(judgement.status),
            sections=tuple(section for section in sections if section.items),
        )

    def _section(self, key: str, found: Iterable[Item], inline: bool = False) -> Section:
        items, title = tuple(found), self._say(key)
        shown = _SHORT[key] if self.short else len(items)
        if len(items) > shown > 0:
            title = self._say("part", title=title, shown=shown, count=len(items))
        return Section(title, items[:shown], inline)

    def _headline(self, route: str | None, form: str | None) -> str:
        if route is None:
            return self._say("no-verdict")
        return self._say("verdict", verdict=self.route_words(route, form))

    def route_words(self, route: str | None, form: str | None) -> str:
        """A route with its form; None is no route, or a route whose form is not known."""
        if route is None:
            return self._say("no-route")
        title = self.base.routes.route(route).title[self.language]
        if form is None:
            return title
        return self._say("route-as", route=title, form=self.base.routes.form_title(route, form)[self.language])

    def _sure(self, status: str) -> str:
        found = self.base.routes.statuses[status]
        return self._say("sure", status=found.title[self.language], meaning=found.meaning[self.language])

    def _parts(self, judgement: Judgement) -> Iterable[Item]:
        """Each part of a divided case with its own verdict."""
        for part in judgement.division.parts if judgement.division else ():
            verdict = self.route_words(part.judgement.route, part.judgement.form)
            status = self.base.routes.statuses[part.judgement.status].title[self.language]
            name = part.part.title[self.language]
            yield Item(self._say("workload-line", name=name, verdict=verdict, status=status))

    def _reasons(self, judgement: Judgement) -> Iterable[Item]:
        return (self._rule(name, judgement) for name in judgement.deciding())

    def _against(self, judgement: Judgement) -> str:
        return "against-excluded" if judgement.weighing.exclusions else "against"

    def _counter(self, judgement: Judgement) -> Iterable[Item]:
        """Evidence that stands against the verdict and was outweighed."""
        if judgement.route is None:
            return
        shown = set(judgement.deciding())
        found = dict.fromkeys(item.rule for item in judgement.weighing.evidence if item.rule not in shown)
        yield from (self._rule(name, judgement) for name in found)

    def _rule(self, name: str, judgement: Judgement) -> Item:
        tie, tried = judgement.decision.tie, judgement.division
        if tried and tried.division.id == name:
            rows = ", ".join(tried.division.source)
            return Item(tried.division.title[self.language], self._say("rows", rows=rows))
        if tie and tie.id == name:
            return Item(tie.title[self.language], self._say("tie-note", id=tie.id))
        rule = self.base.rules[name]
        note = self._say("rule-note", effect=self._effect(name, judgement), rows=", ".join(rule.source))
        return Item(rule.title[self.language], self._marked(note, rule))

    def _marked(self, note: str, rule: Rule) -> str:
        """The note, with the mark of a house rule where the rule is one."""
        return self._say("house-note", note=note) if rule.house else note

    def _effect(self, name: str, judgement: Judgement) -> str:
        judged = (
            [judgement, *(part.judgement for part in judgement.division.parts)] if judgement.division else [judgement]
        )
        if any(name in rules for one in judged for rules in one.weighing.exclusions.values()):
            return self._say("effect-excludes")
        strengths = [item.strength for one in judged for item in one.weighing.evidence if item.rule == name]
        heaviest = max(strengths, key=lambda strength: self.base.routes.weights[strength])
        return self.words.strength(heaviest)[self.language]

    def _gave_way(self, judgement: Judgement) -> Iterable[Item]:
        late = self.base.ordered.after_verdict
        for loser, winner in judgement.inference.defeated.items():
            if loser not in late:
                rules = self.base.rules
                text = self._say(
                    "gave-way-to", loser=rules[loser].title[self.language], winner=rules[winner].title[self.language]
                )
                yield Item(text, self._marked(self._say("rows", rows=", ".join(rules[winner].source)), rules[winner]))

    def _cost(self, judgement: Judgement) -> Iterable[Item]:
        """What the accounting came to, where it could be made."""
        known = judgement.inference.facts
        if f"{_COST}own_over_cloud" not in known:
            return
        shown = {
            path.removeprefix(_COST): self.base.vocabulary.facts[path].show(fact.value, self.language).strip()
            for path, fact in known.items()
            if path.startswith(_COST)
        }
        currency = str(known["finance.currency"].value) if "finance.currency" in known else ""
        sums = "cost-sums" if {"own_total", "cloud_total"} <= shown.keys() else "cost-ratio"
        yield Item(self._say(sums, **shown, currency=currency), "gpu-advisor cost")
        met = [known[f"{_COST}{name}"].value for name in _MEETING if f"{_COST}{name}" in known]
        if len(met) == len(_MEETING) and all(is_finite(value) for value in met):
            yield Item(self._say("cost-break-even", **shown, currency=currency))

    def _unknown(self, judgement: Judgement) -> Iterable[Item]:
        """The facts that can change the route, each with the answers that would; on a short page with one of them."""
        settlement = judgement.settlement
        together = settlement.witness is not None and len(settlement.witness.facts) > 1
        for path in settlement.unknown:
            fact = self.base.vocabulary.facts[path]
            answers = [
                self._say(
                    "tell-together" if together else "tell",
                    value=fact.show(tell.value, self.language).strip(),
                    route=self.route_words(tell.route, None),
                )
                for tell in settlement.tells
                if tell.path == path
            ]
            told = self._say("and").join(answers[:1] if self.short else answers)
            title = fact.title[self.language]
            yield Item(self._say("unknown-told", fact=title, answers=told) if told else title, path)

    def _facts(self, paths: Iterable[str]) -> Iterable[Item]:
        return (Item(self.base.vocabulary.facts[path].title[self.language], path) for path in paths)

    def _spread(self, judgement: Judgement) -> Iterable[Item]:
        """How the routes share the ranges that were told."""
        found = self.outlooks[judgement.workload].spread
        return (Item(line) for line in (spread_lines(found, self.base, self.language) if found else ()))

    def _flips(self, judgement: Judgement) -> Iterable[Item]:
        """The nearest changes of what was told that change the route; what was not told has a section of its own."""
        words = FlipWords(self.base, self.language, self.route_words)
        found = self.outlooks[judgement.workload].changes or ()
        lines = [(words.line(alike), words.status(alike[0])) for alike in words.merged(found)]
        return (Item(line, "" if self.short else status) for line, status in lines)

    def _triggers(self, judgement: Judgement) -> Iterable[Item]:
        """At which values of which numbers to ask again; on a short page without those that are among its flips."""
        words = FlipWords(self.base, self.language, self.route_words)
        outlook = self.outlooks[judgement.workload]
        told = list(outlook.changes or ()) if self.short else []
        return (Item(words.trigger(one)) for one in outlook.triggers or () if one not in told)

    def _advice(self, judgement: Judgement) -> Iterable[Item]:
        """What is missing and what is doubtful first; then one of each other kind in turn."""
        kinds = {advised.id: self.base.advice[advised.id].kind for advised in judgement.advice}
        queues = [[item for item in judgement.advice if kinds[item.id] == kind] for kind in _KINDS]
        urgent, rest = queues[: len(_URGENT)], queues[len(_URGENT) :]
        in_turn = [item for turn in zip_longest(*rest) for item in turn if item is not None]
        ordered = [*(item for queue in urgent for item in queue), *in_turn]
        rules = self.base.rules
        notes = [self._marked(self._say(f"kind-{kinds[item.id]}"), rules[item.rule]) for item in ordered]
        return (Item(item.text[self.language], note) for item, note in zip(ordered, notes, strict=True))

    def _say(self, key: str, **params: object) -> str:
        return say(f"verdict.{key}", self.language, **params)


def figures_line(consultation: Consultation, used: Sequence[str], language: str, short: bool) -> str | None:
    """One line on the figures that the verdict rests on, or None where it rests on none; short, it names the first."""
    base = consultation.base
    shipped = [base.figures[name] for name in used if name not in consultation.profile.assumptions]
    if not shipped:
        return None
    each = [_figure(figure, language) for figure in (shipped[:MOST_FIGURES] if short else shipped)]
    named = say("verdict.and", language).join(each)
    if len(each) == len(shipped):
        return say("verdict.figures", language, figures=named)
    low = sum(figure.confidence == "low" for figure in shipped)
    return say("verdict.figures-part", language, figures=named, count=len(shipped), low=low)


def house_line(base: KnowledgeBase, language: str) -> str | None:
    """One line on the house rules in force, or None where there are none."""
    if base.house is None:
        return None
    return say("verdict.house", language, count=len(base.house.rules), folder=printable(base.house.folder))


def age_line(past: Sequence[Figure], on: date, language: str, short: bool) -> str | None:
    """One line on the figures past their age limit on that day, the oldest first, or None where there are none.

    Short, it names the first two and counts the rest.
    """
    if not past:
        return None
    oldest = sorted(past, key=lambda figure: recency(figure.as_of))
    named = say("verdict.and", language).join(
        say("verdict.past-figure", language, title=printable(figure.title.get(language, figure.id)), date=figure.as_of)
        for figure in (oldest[:MOST_FIGURES] if short else oldest)
    )
    if short and len(oldest) > MOST_FIGURES:
        named = say("verdict.past-more", language, figures=named, count=len(oldest) - MOST_FIGURES)
    return say("verdict.past", language, figures=named, date=on.isoformat())


def _figure(figure: Figure, language: str) -> str:
    low, high = bounds(figure.value)
    value = f"{low:g}" if low == high else f"{low:g}\u2013{high:g}"
    title = figure.title.get(language, figure.id)
    confidence = say(f"verdict.confidence-{figure.confidence}", language)
    return say("verdict.figure", language, title=title, value=value, date=figure.as_of, confidence=confidence)
