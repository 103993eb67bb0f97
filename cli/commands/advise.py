"""`advise`: a verdict with its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cli.commands.session import consultant, read_profile, tool
from cli.console import console, write_json
from cli.exit_code import ExitCode
from cli.files import replace_file
from cli.render.page import Pages, figures_line
from engine.consultation import Consultation
from engine.faults import Place, fail
from engine.trace import figures_behind, write_trace


@dataclass(frozen=True)
class AdviseOptions:
    """`as_of` is a date as YYYY-MM-DD; `trace` a file to write, or None."""

    profile: str
    format: str = "text"
    settings: Sequence[str] = ()
    as_of: str = ""
    trace: str | None = None
    everything: bool = False


def advise(language: str, options: AdviseOptions) -> ExitCode:
    """Judges the profile, writes the trace where asked, then shows the verdict."""
    consultation = consultant().consult(read_profile(options.profile, options.settings))
    if options.trace is not None:
        _spare_the_profile(options)
        save_trace(consultation, Path(options.trace), options.as_of)
    show(consultation, language, options.format, options.everything)
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


def show(consultation: Consultation, language: str, form: str, everything: bool = False) -> None:
    """The verdict on standard output in the form asked for; as text it keeps to one screen unless all is asked for."""
    if form == "json":
        from cli.render.verdict_data import verdict_json

        write_json(verdict_json(consultation, language, tool()))
        return
    short = form == "text" and not everything
    pages = Pages(consultation, language, short).all()
    footer = figures_line(consultation, figures_behind(consultation), language, short)
    if form == "markdown":
        from cli.render.markdown import pages_markdown

        print(pages_markdown(pages, footer))
        return
    from cli.render.text import print_pages

    print_pages(console(), pages, footer, language)
