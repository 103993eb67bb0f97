"""Writes docs/decisions.md and docs/decisions.zh.md: real cases, what people did, and what gpu-advisor says.

    .venv/bin/python docs/decisions.py [FOLDER]

The cases stand in knowledge/decisions. tests/knowledge/test_decisions.py fails while the pages and the program differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.consultation import NO_ROUTE, Consultant, Consultation
from engine.faults import LANGUAGES
from engine.routes import Routes
from knowledge import knowledge_base
from knowledge.decisions import STANDS, Decision, read_decisions

FOLDER = Path(__file__).parent
PAGES = {"en": "decisions.md", "zh": "decisions.zh.md"}

WORDS = {
    "en": {
        "title": "Real decisions",
        "about": "Public accounts of people who owned, rented or mixed capacity. Each was told to gpu-advisor as a "
        "profile that holds what the account says and nothing else. They test the rules; no rule was written for one "
        "of them.",
        "made": "Made by `docs/decisions.py` from `knowledge/decisions`. The number leads to the account, and below it "
        "stands how far the account is to be trusted.",
        "agrees": "as decided",
        "stands": "otherwise, and we stand by it",
        "wrong": "wrong",
        "high": "high",
        "medium": "medium",
        "low": "low",
        "head": "|  | What people did | What gpu-advisor says | Class | Why |",
        "analogue": " (an analogue without GPUs)",
        "none": "no route",
        "or": " or ",
        "colon": ": ",
        "comma": ", ",
        "form": "{route} ({form})",
    },
    "zh": {
        "title": "真实的决定",
        "about": "公开资料里，有人自建，有人租用，有人两者结合。每个案例都按原文写成一份档案交给 gpu-advisor，"
        "原文没有说的一概不填。它们用来检验规则，没有一条规则是为某个案例写的。",
        "made": "本页由 `docs/decisions.py` 根据 `knowledge/decisions` 生成。"
        "编号链接到原文，下面标的是原文的可信程度。",
        "agrees": "与实际决定一致",
        "stands": "不一致，我们坚持自己的结论",
        "wrong": "判断有误",
        "high": "高",
        "medium": "中",
        "low": "低",
        "head": "|  | 人们的做法 | gpu-advisor 的结论 | 归类 | 理由 |",
        "analogue": "（不含 GPU 的类比）",
        "none": "不下结论",
        "or": "或",
        "colon": "：",
        "comma": "，",
        "form": "{route}（{form}）",
    },
}


@dataclass(frozen=True)
class Judged:
    """A decision, and what we say to it."""

    decision: Decision
    consultation: Consultation


def judged() -> tuple[Judged, ...]:
    """Every decision with its verdict, by id."""
    base = knowledge_base()
    consultant = Consultant(base)
    return tuple(Judged(decision, consultant.consult(decision.profile)) for decision in read_decisions(base))


def page(found: Sequence[Judged], language: str) -> str:
    """The whole page: the counts, then one row for each decision."""
    words = WORDS[language]
    counts = [f"| {words[kind]} | {sum(item.decision.stand == kind for item in found)} |" for kind in STANDS]
    rows = [_row(item, language) for item in found]
    parts = [f"# {words['title']}", words["about"], words["made"], "\n".join(["|  |  |", "|---|---|", *counts])]
    return "\n\n".join([*parts, "\n".join([words["head"], "|---|---|---|---|---|", *rows])]) + "\n"


def _row(item: Judged, language: str) -> str:
    words, decision = WORDS[language], item.decision
    link = f"[{decision.id}]({decision.source.url})<br>{words[decision.source.confidence]}"
    did = f"{_decided(item, language)}<br>{decision.title[language]}"
    said = "<br>".join(_verdicts(item, language))
    return f"| {link} | {did} | {said} | {words[decision.stand]} | {decision.because[language]} |"


def _decided(item: Judged, language: str) -> str:
    """The routes that people took, in bold, with the forms that the account names."""
    words, routes = WORDS[language], item.consultation.base.routes
    decision = item.decision
    found = []
    for route in decision.routes:
        known = routes.form_order(route) if route != NO_ROUTE else ()
        titles = [routes.form_title(route, form)[language] for form in decision.forms if form in known]
        found.append(_worded(routes, route, words["or"].join(titles), language))
    return f"**{words['or'].join(found)}**" + (words["analogue"] if decision.analogue else "")


def _verdicts(item: Judged, language: str) -> Iterator[str]:
    """The verdict on the whole, then that on each workload where there are several."""
    routes, overall = item.consultation.base.routes, item.consultation.overall
    words = WORDS[language]
    whole = _route(routes, overall.route, overall.form, language)
    yield f"**{whole}**{words['comma']}{routes.statuses[overall.status].title[language]}"
    for title, judgement in zip(item.decision.parts, item.consultation.judgements, strict=False):
        yield f"{title[language]}{words['colon']}{_route(routes, judgement.route, judgement.form, language)}"


def _route(routes: Routes, route: str | None, form: str | None, language: str) -> str:
    title = routes.form_title(route, form)[language] if route and form else ""
    return _worded(routes, route or NO_ROUTE, title, language)


def _worded(routes: Routes, route: str, form: str, language: str) -> str:
    words = WORDS[language]
    title = words["none"] if route == NO_ROUTE else routes.route(route).title[language]
    return words["form"].format(route=title, form=form) if form else title


def main() -> None:
    """Writes the pages into the folder that is named, else beside this file."""
    folder = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else FOLDER
    found = judged()
    for language in LANGUAGES:
        (folder / PAGES[language]).write_text(page(found, language), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
