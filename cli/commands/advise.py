"""`advise`: a verdict with its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from cli.commands.session import consultant_with, read_profile, tool
from cli.console import console, write_json
from cli.exit_code import ExitCode
from cli.files import replace_file
from cli.outlook import Outlook, outlooks
from cli.render.page import Pages, age_line, figures_line, house_line
from engine.consultation import Consultation
from engine.faults import Place, fail
from engine.trace import figures_behind, figures_past, write_trace


@dataclass(frozen=True)
class AdviseOptions:
    """`as_of` is a date as YYYY-MM-DD; `trace` a file to write, or None; `figures` go over the shipped ones.

    `rules` is a folder of house rules, or None. `quick` leaves out what is worked out around the verdict.
    """

    profile: str
    format: str = "text"
    settings: Sequence[str] = ()
    as_of: str = ""
    figures: Sequence[str] = ()
    rules: str | None = None
    trace: str | None = None
    everything: bool = False
    quick: bool = False


def advise(language: str, options: AdviseOptions) -> ExitCode:
    """Judges the profile, writes the trace where asked, then shows the verdict."""
    judge = consultant_with(options.figures, language, options.rules)
    consultation = judge.consult(read_profile(options.profile, options.settings, judge.base))
    if options.trace is not None:
        _spare_the_profile(options)
        save_trace(consultation, Path(options.trace), options.as_of)
    on = date.fromisoformat(options.as_of)
    around = outlooks(judge, consultation, options.quick)
    show(consultation, around, language, options.format, everything=options.everything, on=on)
    return ExitCode.DONE


def _spare_the_profile(options: AdviseOptions) -> None:
    """Raises FaultError where the trace would be written over the profile that it is about."""
    trace, profile = Path(str(options.trace)), Path(options.profile)
    if trace.exists() and profile.exists() and trace.samefile(profile):
        raise fail("file-exists", Place(str(options.trace)))


def save_trace(consultation: Consultation, path: Path, as_of: str) -> None:
    """Writes the trace whole or not at all. Raises NotWritten."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    replace_file(path, write_trace(consultation, tool(), now, as_of))


def show(
    consultation: Consultation,
    around: Sequence[Outlook],
    language: str,
    form: str,
    everything: bool = False,
    on: date | None = None,
) -> None:
    """The verdict on standard output in the form asked for; as text it keeps to one screen unless all is asked for.

    `on` is the day against which the age of figures is told, today where it is left out.
    """
    on = on or datetime.now().astimezone().date()
    if form == "json":
        from cli.render.verdict_data import verdict_json

        write_json(verdict_json(consultation, language, tool(), on, around))
        return
    short = form == "text" and not everything
    pages = Pages(consultation, language, short, around).all()
    footer = figures_line(consultation, figures_behind(consultation), language, short)
    beside = [house_line(consultation.base, language), age_line(figures_past(consultation, on), on, language, short)]
    notes = [line for line in beside if line]
    if form == "markdown":
        from cli.render.markdown import pages_markdown, plain

        print("\n".join([pages_markdown(pages, footer), *(f"_{plain(line)}_\n" for line in notes)]))
        return
    from cli.render.text import print_pages, print_text

    screen = console()
    print_pages(screen, pages, footer, language)
    for line in notes:
        print_text(screen, line, style="dim")
