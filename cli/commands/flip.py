"""`flip`: the smallest changes that would change the route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.commands.session import consultant_with, read_profile, tool
from cli.console import console, write_json
from cli.exit_code import ExitCode
from cli.render.flip_data import changes_json, flip_json
from cli.render.flip_text import FlipWords
from cli.render.page import Item, Page, Pages, Section
from cli.strings import say
from engine.consultation import Consultant, Consultation
from engine.faults import Place, Report, did_you_mean

if TYPE_CHECKING:
    from engine.confirming import Confirmed
    from engine.vocabulary import Vocabulary

SHOWN = 10
"""So many pairs are confirmed and told, the nearest, unless all are asked for."""
_OPTION = "--fix"


@dataclass(frozen=True)
class FlipOptions:
    """`fixed` are facts that cannot change; `figures` go over the shipped ones; `rules` is a folder of house rules."""

    profile: str
    format: str = "text"
    settings: Sequence[str] = ()
    figures: Sequence[str] = ()
    rules: str | None = None
    fixed: Sequence[str] = ()
    everything: bool = False


@dataclass(frozen=True)
class Flips:
    """What was found for one workload; `pairs` may be the nearest of more."""

    singles: tuple[Confirmed, ...]
    pairs: tuple[Confirmed, ...]
    pairs_found: int


def flip(language: str, options: FlipOptions) -> ExitCode:
    """Shows for each workload the changes of one fact, and of two, that lead to another route."""
    judge = consultant_with(options.figures, language, options.rules)
    _check_names(options.fixed, judge.base.vocabulary)
    consultation = judge.consult(read_profile(options.profile, options.settings, judge.base))
    found = list(_found(judge, consultation, options))
    if options.format == "json":
        write_json(_document(consultation, options, found))
        return ExitCode.DONE
    pages = tuple(_pages(consultation, found, language))
    footer = _fixed_line(options.fixed, judge.base.vocabulary, language)
    if options.format == "markdown":
        from cli.render.markdown import pages_markdown

        print(pages_markdown(pages, footer))
        return ExitCode.DONE
    from cli.render.text import print_pages

    print_pages(console(), pages, footer, language)
    return ExitCode.DONE


def _check_names(names: Iterable[str], vocabulary: Vocabulary) -> None:
    """Raises FaultError with every name that is no fact which can be told."""
    report = Report()
    known = [fact.path for fact in vocabulary.told()]
    for name in names:
        if name not in known:
            hint = did_you_mean(vocabulary.suggestion(name, known))
            report.add("unknown-fact", Place(_OPTION), typed=name, hint=hint)
    report.check()


def _found(judge: Consultant, consultation: Consultation, options: FlipOptions) -> Iterable[Flips]:
    from engine.columns import ColumnReasoner
    from engine.confirming import confirmed
    from engine.flips import FlipFinder

    replaced = consultation.profile.replaced
    reasoner = ColumnReasoner(judge.base, replaced)
    for workload in consultation.profile.workloads:
        told = {path: given.value for path, given in workload.facts.items()}
        finder = FlipFinder(reasoner, told, options.fixed)
        pairs, count = finder.pairs(None if options.everything else SHOWN)
        yield Flips(
            tuple(confirmed(judge, workload.facts, replaced, finder.singles)),
            tuple(confirmed(judge, workload.facts, replaced, pairs)),
            count,
        )


def _document(consultation: Consultation, options: FlipOptions, found: Sequence[Flips]) -> dict[str, Any]:
    program = tool()
    return {
        "schema": f"{program.name}/flips/1",
        "version": program.version,
        "knowledge": {"digest": consultation.base.digest},
        "profile": {"digest": consultation.profile.digest},
        "fixed": list(options.fixed),
        "workloads": [
            {
                "name": judgement.name,
                "route": judgement.route,
                "form": judgement.form,
                "status": judgement.status,
                "flips": [{**flip_json(one), "changes": changes_json(one)} for one in (*flips.singles, *flips.pairs)],
                "pairs_found": flips.pairs_found,
            }
            for judgement, flips in zip(consultation.judgements, found, strict=True)
        ],
    }


def _pages(consultation: Consultation, found: Sequence[Flips], language: str) -> Iterable[Page]:
    pages = Pages(consultation, language, short=False)
    words = FlipWords(consultation.base, language, pages.route_words)
    for judgement, flips in zip(consultation.judgements, found, strict=True):
        page = pages.workload(judgement)
        yield Page(
            page.name,
            say("flip.now", language, verdict=pages.route_words(judgement.route, judgement.form)),
            page.route,
            page.status,
            page.sure if flips.singles else say("flip.none-one" if flips.pairs else "flip.none", language),
            tuple(section for section in _sections(flips, words, language) if section.items),
        )


def _sections(flips: Flips, words: FlipWords, language: str) -> Iterable[Section]:
    yield Section(say("flip.one", language), _items(flips.singles, words))
    title = say("flip.two", language)
    if len(flips.pairs) < flips.pairs_found:
        title = say("verdict.part", language, title=title, shown=len(flips.pairs), count=flips.pairs_found)
    yield Section(title, _items(flips.pairs, words))


def _items(found: Sequence[Confirmed], words: FlipWords) -> tuple[Item, ...]:
    return tuple(Item(words.line(alike), words.status(alike[0])) for alike in words.merged(found))


def _fixed_line(fixed: Sequence[str], vocabulary: Vocabulary, language: str) -> str | None:
    if not fixed:
        return None
    titles = [vocabulary.facts[path].title[language] for path in fixed]
    return say("flip.fixed", language, facts=say("verdict.list", language).join(titles))
