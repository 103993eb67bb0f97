"""`cost`: what owning, renting and the ways between come to, line by line, and where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from cli.commands.session import consultant_with, read_profile, tool
from cli.console import console, error, write_json
from cli.exit_code import ExitCode
from cli.files import replace_file
from cli.render.cost_page import Costed, pages
from cli.render.cost_wording import Wording
from cli.strings import say
from engine.faults import Place, fail

if TYPE_CHECKING:
    from engine.consultation import Consultation


@dataclass(frozen=True)
class CostOptions:
    """`as_of` is a date as YYYY-MM-DD; `figures` are files of figures that go over the shipped ones.
    `rules` is a folder of house rules, or None.

    `plot` is a file to write, .svg or .png, and `xlsx` one that ends so; None for neither.
    `everything`: every option line by line, not owning and the cheapest way of renting alone.
    """

    profile: str
    format: str = "text"
    settings: Sequence[str] = ()
    as_of: str = ""
    figures: Sequence[str] = ()
    rules: str | None = None
    plot: str | None = None
    xlsx: str | None = None
    everything: bool = False


def cost(language: str, options: CostOptions) -> ExitCode:
    """Adds up every workload, writes picture and workbook where asked, then shows the page."""
    judge = consultant_with(options.figures, language, options.rules)
    consultation = judge.consult(read_profile(options.profile, options.settings, judge.base))
    costed = costings(consultation)
    wording = Wording(consultation.base, language, date.fromisoformat(options.as_of))
    for path in (options.plot, options.xlsx):
        _spare(path, [options.profile, *options.figures])
    drawn = options.plot is None or _draw(costed, wording, options.plot)
    if options.xlsx is not None:
        from cli.render.cost_sheet import workbook

        replace_file(Path(options.xlsx), workbook(costed, wording))
    _show(consultation, costed, wording, options)
    return ExitCode.DONE if drawn else ExitCode.NOT_WRITTEN


def costings(consultation: Consultation) -> tuple[Costed, ...]:
    """The costing of each workload, at the figures that the profile puts in the place of shipped ones."""
    from knowledge.statement import cost as cost_of

    assumed = {name: given.value for name, given in consultation.profile.assumptions.items()}
    told = {name: value for name, value in assumed.items() if not isinstance(value, str | bool)}
    return tuple(
        Costed(judgement.name, cost_of(judgement.inference, consultation.base, told), frozenset(told))
        for judgement in consultation.judgements
    )


def _spare(written: str | None, read: Sequence[str]) -> None:
    """Raises FaultError where a file would be written over one that was read: the profile, or quotes of one's own."""
    for path in read:
        if written is not None and Path(written).exists() and Path(path).exists() and Path(written).samefile(path):
            raise fail("file-exists", Place(written))


def _draw(costed: Sequence[Costed], wording: Wording, path: str) -> bool:
    """Writes the picture; says so, and gives False, where there is nothing to draw. Raises NotWritten."""
    from cli.render.cost_picture import cjk_font, drawable, picture

    if not drawable(costed):
        error(say("cost.picture-nothing", wording.language, path=path))
        return False
    suffix, font = Path(path).suffix.lower(), cjk_font() if wording.language == "zh" else None
    if wording.language == "zh" and font is None and suffix == ".png":
        error(say("cost.picture-font", wording.language))
        wording = Wording(wording.base, "en", wording.on)
    replace_file(Path(path), picture(costed, wording, suffix, font))
    return True


def _show(consultation: Consultation, costed: Sequence[Costed], wording: Wording, options: CostOptions) -> None:
    if options.format == "json":
        from cli.render.cost_data import cost_json

        write_json(cost_json(consultation, costed, wording, tool()))
        return
    from cli.render.cost_text import page_markdown, print_page

    blocks = pages(costed, wording, options.everything)
    if options.format == "markdown":
        print(page_markdown(blocks, wording))
    else:
        print_page(console(), blocks, wording)
