"""`figures list`, `figures show` and `figures check`: the numbers that formulas rest on, shipped or one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from cli.commands.session import knowledge_with, tool
from cli.console import console, error, write_json
from cli.exit_code import ExitCode
from cli.render.figures_text import Checked, check_lines, figure_lines, listed_line
from cli.strings import say
from engine.base import KnowledgeBase
from engine.faults import FaultError, did_you_mean, nearest
from engine.figures import Figure
from knowledge.price_checks import offered, price_warnings


@dataclass(frozen=True)
class FiguresOptions:
    """`form` is text or json, `as_of` a date as YYYY-MM-DD; `figures` are files that go over the shipped figures."""

    form: str = "text"
    as_of: str = ""
    figures: Sequence[str] = ()

    @property
    def on(self) -> date:
        return date.fromisoformat(self.as_of)


def list_figures(language: str, prefix: str, options: FiguresOptions) -> ExitCode:
    """One line for each figure whose id begins so, or else whose file is called so. Raises FaultError."""
    base = knowledge_with(options.figures)
    found = _found(base, prefix)
    if not found:
        error(say("figures.none", language, typed=prefix))
        return ExitCode.BAD_INPUT
    if options.form == "json":
        _write_json(base, found, language, options)
        return ExitCode.DONE
    _print(((0, listed_line(figure, options.on, language)) for figure in found), hanging=4)
    return ExitCode.DONE


def _found(base: KnowledgeBase, prefix: str) -> tuple[Figure, ...]:
    figures = tuple(base.figures.values())
    return tuple(figure for figure in figures if figure.id.startswith(prefix)) or tuple(
        figure for figure in figures if PurePath(figure.place.file).stem == prefix
    )


def show_figure(language: str, name: str, options: FiguresOptions) -> ExitCode:
    """Everything about one figure. Raises FaultError."""
    base = knowledge_with(options.figures)
    if name not in base.figures:
        hint = did_you_mean(nearest(name, base.figures))[language]
        error(say("figures.unknown", language, typed=name, hint=hint))
        return ExitCode.BAD_INPUT
    if options.form == "json":
        _write_json(base, [base.figures[name]], language, options)
        return ExitCode.DONE
    _print(figure_lines(base, base.figures[name], options.on, language))
    return ExitCode.DONE


def check_figures(language: str, options: FiguresOptions) -> ExitCode:
    """Counts the figures and tells of old ones and doubtful prices; says no only where a file is faulty."""
    try:
        base = knowledge_with(options.figures)
    except FaultError as found:
        for fault in found.faults:
            error(fault.text(language))
        return ExitCode.CHECK_SAID_NO
    checked = checked_figures(base, options.on)
    if options.form == "json":
        from cli.render.figures_data import check_json

        write_json(check_json(base, checked, language, tool()))
        return ExitCode.DONE
    _print(check_lines(base, checked, language))
    return ExitCode.DONE


def checked_figures(base: KnowledgeBase, on: date) -> Checked:
    """All figures of the base, their age held against that day."""
    prices = offered(base)
    return Checked(tuple(base.figures.values()), on, len(prices), _offers(prices), price_warnings(base))


def _offers(prices: Mapping[str, Mapping[str, Figure]]) -> Mapping[str, Mapping[str, int]]:
    """How many instances are for rent, by card and region."""
    from knowledge.gpus import gpus
    from knowledge.rental import REGIONS

    found = {gpu.id: dict.fromkeys(REGIONS, 0) for gpu in gpus()}
    for instance in prices.values():
        cells = next(iter(instance.values())).attributes
        for region in cells["areas"].split():
            found[cells["gpu"]][region] += 1
    return found


def _write_json(base: KnowledgeBase, figures: Sequence[Figure], language: str, options: FiguresOptions) -> None:
    from cli.render.figures_data import figures_json

    write_json(figures_json(base, figures, options.on, language, tool()))


def _print(lines: Iterable[tuple[int, str]], hanging: int = 2) -> None:
    from cli.render.text import print_text

    screen = console()
    for depth, line in lines:
        print_text(screen, line, indent=2 * depth, hanging=hanging)
