"""What a screened table came to, on the terminal, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli.console import console
from cli.render.text import print_text
from cli.screening.judging import Tally, in_order
from cli.strings import say
from engine.base import KnowledgeBase

if TYPE_CHECKING:
    from rich.console import Console

    from cli.screening.header import Header

REASONS = 8


@contextmanager
def shown(language: str) -> Iterator[Callable[[float], None]]:
    """A bar on standard error where that is a terminal; what it gives is told the share that is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task(say("screen.judging", language), total=1.0)
        yield lambda done: progress.update(task, completed=done)


def print_summary(screen: Console, tally: Tally, header: Header, base: KnowledgeBase, language: str) -> None:
    """How many rows, what they came to, and which rules decided most of them."""
    lines = [say("screen.rows", language, rows=tally.rows, faulty=tally.faulty)]
    if header.unread:
        columns = say("verdict.list", language).join(header.unread)
        lines.append(say("screen.unread", language, columns=columns))
    for line in lines:
        print_text(screen, line)
    sections = {
        "screen.verdicts": [(_verdict(*key, base, language), n) for key, n in tally.verdicts.most_common()],
        "screen.statuses": [(base.routes.statuses[s].title[language], n) for s, n in in_order(tally.statuses)],
        "screen.reasons": [(_reason(name, base, language), n) for name, n in tally.reasons.most_common(REASONS)],
    }
    for key, items in sections.items():
        if items:
            print_text(screen, say(key, language), style="bold")
        for text, count in items:
            share = f"{100 * count / max(tally.rows - tally.faulty, 1):.0f}%"
            print_text(screen, say("screen.count", language, text=text, count=f"{count:,}", share=share), indent=2)


def _verdict(route: str | None, form: str | None, base: KnowledgeBase, language: str) -> str:
    if route is None:
        return say("verdict.no-route", language)
    title = base.routes.route(route).title[language]
    if form is None:
        return title
    return say("verdict.route-as", language, route=title, form=base.routes.form_title(route, form)[language])


def _reason(name: str, base: KnowledgeBase, language: str) -> str:
    titles = {rule.id: rule.title for rule in base.rules.values()}
    titles |= {division.id: division.title for division in base.divisions} | {t.id: t.title for t in base.routes.ties}
    return say("screen.reason", language, title=titles[name][language], id=name)
