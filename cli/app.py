"""The command line: commands, options, exit codes; the only place that turns errors into messages."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from cli.console import error, never_fail_on_characters, stand_in_for_closed_streams
from cli.exit_code import ExitCode
from cli.files import NotWritten
from cli.language import language_of
from cli.strings import say
from engine.faults import LANGUAGES, FaultError, InferenceStopped

FORMATS = ("text", "json", "markdown")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command and leaves the process with its exit code. Never shows a traceback."""
    start_quickly()
    typed = list(sys.argv[1:] if arguments is None else arguments)
    stand_in_for_closed_streams()
    never_fail_on_characters()
    language = language_of(typed, os.environ)
    code = run(typed, language)
    try:
        sys.stdout.flush()
    except (OSError, KeyboardInterrupt) as found:
        if code != ExitCode.NOT_WRITTEN:  # else it has been told
            code = _failed(found, language)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again
    gc.freeze()  # the process ends: nothing needs to be searched for garbage
    sys.exit(code)


def start_quickly() -> None:
    """Collects garbage rarely, since a command makes much and drops little; and no plugin is sought for the models."""
    gc.set_threshold(200_000, 20, 100)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def run(arguments: Sequence[str], language: str) -> int:
    """Runs one command. Every way in which it can end becomes an exit code and, where needed, a message."""
    try:
        result = build(language).main(list(arguments), "gpu-advisor", standalone_mode=False)
    except (click.UsageError, click.Abort, KeyboardInterrupt, FaultError, NotWritten, RecursionError, OSError) as found:
        return _failed(found, language)
    except SystemExit as found:
        if found.code != 1:  # 1: so the library ends where the reader of a pipe has gone
            raise
        return ExitCode.NOT_WRITTEN
    return int(result) if isinstance(result, int) else ExitCode.DONE


def _failed(found: BaseException, language: str) -> ExitCode:
    """The message for what went wrong, and its exit code."""
    if isinstance(found, click.Abort | KeyboardInterrupt):
        error(say("app.interrupted", language))
        return ExitCode.INTERRUPTED
    if isinstance(found, click.UsageError):
        return _misused(found, language)
    if isinstance(found, FaultError):
        return _faulty(found, language)
    if isinstance(found, RecursionError):
        error(say("app.too-deep", language))
        return ExitCode.BAD_INPUT
    return _unwritten(found, language)


def _unwritten(found: BaseException, language: str) -> ExitCode:
    """Nothing is said where the reader of a pipe has gone: there is nobody left to read it."""
    if isinstance(found, NotWritten):
        error(say("app.not-written", language, path=found.path, reason=found.reason))
    elif isinstance(found, OSError) and not isinstance(found, BrokenPipeError):
        path = found.filename if found.filename is not None else say("app.standard-output", language)
        error(say("app.not-written", language, path=path, reason=found.strerror or str(found)))
    return ExitCode.NOT_WRITTEN


def _misused(found: click.UsageError, language: str) -> ExitCode:
    if isinstance(found, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # the message is the whole help
        error(found.format_message())
        return ExitCode.BAD_INPUT
    error(say("app.usage", language, message=found.format_message()))
    if found.ctx is not None:
        error(say("app.see-help", language, command=found.ctx.command_path))
    return ExitCode.BAD_INPUT


def _faulty(found: FaultError, language: str) -> ExitCode:
    for fault in found.faults:
        error(fault.text(language))
    return ExitCode.ENGINE_STOPPED if isinstance(found, InferenceStopped) else ExitCode.BAD_INPUT


def build(language: str) -> click.Group:
    """The whole command line, its help in one language. Commands import what they need when they run."""
    group = click.Group(
        "gpu-advisor",
        help=say("app.help", language),
        params=[_lang(language), _version(language)],
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    for command in (*_advising(language), *_checking(language)):
        group.add_command(command)
    group.add_command(_group("audit", language, _audit(language)))
    group.add_command(_group("figures", language, _figures_group(language)))
    group.add_command(_group("rules", language, _rules(language)))
    return group


def _advising(language: str) -> list[click.Command]:
    return [
        _command("ask", language, _ask, [*_asking(language), _house(language)]),
        _command("advise", language, _advise, [*_judging(language), *_advised(language), _all(language)]),
        _command("cost", language, _cost, [*_judging(language), *_files(language), _all(language, "cost.all")]),
        _command("flip", language, _flip, [*_judging(language), _fix(language), _all(language, "app.all-flips")]),
        _command("explain", language, _explain, [*_judging(language), _option("why", language), _why_not(language)]),
    ]


def _checking(language: str) -> list[click.Command]:
    table = click.Argument(["table"], metavar="TABLE")
    screening = [table, _out(language), _figures(language), _house(language)]
    profiles = click.Argument(["profiles"], metavar="PROFILE...", nargs=-1, required=True)
    file = click.Argument(["file"], metavar="[FILE]", required=False)
    return [
        _command("check", language, _check, [profiles, _figures(language), _house(language)]),
        _command("screen", language, _screen, screening),
        _command("init", language, _init, [file]),
        _command("schema", language, _schema, []),
    ]


def _audit(language: str) -> list[click.Command]:
    trace = click.Argument(["trace"], metavar="TRACE")
    return [
        _command("audit-show", language, _audit_show, [trace]),
        _command("audit-verify", language, _verify, [trace, _figures(language), _house(language)]),
    ]


def _figures_group(language: str) -> list[click.Command]:
    prefix = click.Argument(["prefix"], metavar="[PREFIX]", required=False)
    name = click.Argument(["name"], metavar="ID")
    seen = [_form(language, ("text", "json")), _as_of(language), _figures(language)]
    return [
        _command("figures-list", language, _figures_list, [prefix, *seen]),
        _command("figures-show", language, _figures_show, [name, *seen]),
        _command("figures-check", language, _figures_check, seen),
    ]


def _rules(language: str) -> list[click.Command]:
    rule = click.Argument(["rule"], metavar="RULE")
    return [
        _command("rules-list", language, _rules_list, [_house(language)]),
        _command("rules-show", language, _rules_show, [rule, _house(language)]),
        _command("rules-check", language, _rules_check, [_house(language)]),
    ]


def _group(name: str, language: str, commands: Sequence[click.Command]) -> click.Group:
    group = click.Group(name, help=say(f"app.{name}", language), params=[_lang(language)])
    for command in commands:
        command.name = str(command.name).removeprefix(f"{name}-")
        group.add_command(command)
    return group


def _command(name: str, language: str, body: Callable[..., int], params: Sequence[click.Parameter]) -> click.Command:
    def callback(**options: Any) -> int:
        options.pop("lang", None)
        return int(body(language, **options))

    return click.Command(name, callback=callback, params=[*params, _lang(language)], help=say(f"app.{name}", language))


# Options


def _judging(language: str) -> list[click.Parameter]:
    return [
        click.Argument(["profile"], metavar="PROFILE"),
        _form(language, FORMATS),
        click.Option(["--set", "settings"], multiple=True, metavar="FACT=VALUE", help=say("app.set", language)),
        _as_of(language),
        _figures(language),
        _house(language),
    ]


def _asking(language: str) -> list[click.Parameter]:
    return [_option("out", language), _option("resume", language), _plain(language)]


def _form(language: str, forms: Sequence[str]) -> click.Option:
    return click.Option(
        ["--format", "form"], type=click.Choice(forms), default="text", help=say("app.format", language)
    )


def _as_of(language: str) -> click.Option:
    return click.Option(["--as-of"], metavar="DATE", callback=_date(language), help=say("app.as-of", language))


def _date(language: str) -> Callable[[click.Context, click.Parameter, str | None], str]:
    def read(context: click.Context, option: click.Parameter, typed: str | None) -> str:
        if typed is None:
            return datetime.now().astimezone().date().isoformat()
        try:
            return date.fromisoformat(typed).isoformat()
        except ValueError as wrong:
            raise click.BadParameter(say("app.not-a-date", language, typed=typed), context, option) from wrong

    return read


def _lang(language: str) -> click.Option:
    return click.Option(["--lang"], type=click.Choice(LANGUAGES), help=say("app.lang", language))


def _version(language: str) -> click.Option:
    return click.Option(
        ["--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_tell_version,
        help=say("app.version", language),
    )


def _tell_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"gpu-advisor {version('gpu-advisor')}")
        context.exit(0)


def _option(name: str, language: str) -> click.Option:
    metavar = {"why": "RULE|ROUTE|FACT"}.get(name, "FILE")
    return click.Option([f"--{name}"], metavar=metavar, help=say(f"app.{name}", language))


def _figures(language: str) -> click.Option:
    return click.Option(["--figures"], multiple=True, metavar="FILE", help=say("app.figures-file", language))


def _house(language: str) -> click.Option:
    return click.Option(["--rules"], metavar="DIR", help=say("app.house-rules", language))


def _files(language: str) -> list[click.Option]:
    """What `cost` writes beside its page; a name with another ending is refused before anything is done."""
    picture = _ending(language, "cost.picture-suffix", (".svg", ".png"))
    sheet = _ending(language, "cost.sheet-suffix", (".xlsx",))
    return [
        click.Option(["--plot"], metavar="FILE", callback=picture, help=say("app.plot", language)),
        click.Option(["--xlsx"], metavar="FILE", callback=sheet, help=say("app.xlsx", language)),
    ]


def _ending(
    language: str, refusal: str, endings: tuple[str, ...]
) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    def read(context: click.Context, option: click.Parameter, typed: str | None) -> str | None:
        if typed is not None and Path(typed).suffix.lower() not in endings:
            raise click.BadParameter(say(refusal, language, path=typed), context, option)
        return typed

    return read


def _why_not(language: str) -> click.Option:
    return click.Option(["--why-not"], metavar="RULE|ROUTE", help=say("app.why-not", language))


def _out(language: str) -> click.Option:
    return click.Option(["--out"], metavar="FILE", help=say("app.screen-out", language))


def _advised(language: str) -> list[click.Option]:
    quick = click.Option(["--quick"], is_flag=True, help=say("app.quick", language))
    return [_option("trace", language), quick]


def _fix(language: str) -> click.Option:
    return click.Option(["--fix", "fixed"], multiple=True, metavar="FACT", help=say("app.fix", language))


def _all(language: str, help_key: str = "app.all") -> click.Option:
    return click.Option(["--all", "everything"], is_flag=True, help=say(help_key, language))


def _plain(language: str) -> click.Option:
    return click.Option(["--plain"], is_flag=True, help=say("app.plain", language))


# Commands: each imports its own module only when it runs


def _ask(language: str, rules: str | None, **asked: Any) -> int:
    from cli.commands.ask import ask

    return ask(language, rules=rules, **asked)


def _advise(language: str, profile: str, form: str, **asked: Any) -> int:
    from cli.commands.advise import AdviseOptions, advise

    return advise(language, AdviseOptions(profile, form, **asked))


def _cost(language: str, profile: str, form: str, **asked: Any) -> int:
    from cli.commands.cost import CostOptions, cost

    return cost(language, CostOptions(profile, form, **asked))


def _flip(language: str, profile: str, form: str, **asked: Any) -> int:
    from cli.commands.flip import FlipOptions, flip

    del asked["as_of"]  # the age of figures changes no route
    return flip(language, FlipOptions(profile, form, **asked))


def _explain(language: str, profile: str, form: str, **asked: Any) -> int:
    from cli.commands.explain import ExplainOptions, explain

    del asked["as_of"]  # the age of figures is no part of an explanation
    return explain(language, ExplainOptions(profile, form, **asked))


def _check(language: str, profiles: Sequence[str], figures: Sequence[str], rules: str | None) -> int:
    from cli.commands.check import check

    return check(language, profiles, figures, rules)


def _screen(language: str, table: str, **asked: Any) -> int:
    from cli.commands.screen import ScreenOptions, screen

    return screen(language, ScreenOptions(table, **asked))


def _init(language: str, file: str | None) -> int:
    from cli.commands.blank_profile import init

    return init(language, file)


def _schema(_language: str) -> int:
    from cli.commands.blank_profile import schema

    return schema()


def _audit_show(language: str, trace: str) -> int:
    from cli.commands.audit import show

    return show(language, trace)


def _verify(language: str, trace: str, figures: Sequence[str], rules: str | None) -> int:
    from cli.commands.audit import verify

    return verify(language, trace, figures, rules)


def _figures_list(language: str, prefix: str | None, **seen: Any) -> int:
    from cli.commands.figures import FiguresOptions, list_figures

    return list_figures(language, prefix or "", FiguresOptions(**seen))


def _figures_show(language: str, name: str, **seen: Any) -> int:
    from cli.commands.figures import FiguresOptions, show_figure

    return show_figure(language, name, FiguresOptions(**seen))


def _figures_check(language: str, **seen: Any) -> int:
    from cli.commands.figures import FiguresOptions, check_figures

    return check_figures(language, FiguresOptions(**seen))


def _rules_list(language: str, rules: str | None) -> int:
    from cli.commands.rules import list_rules

    return list_rules(language, rules)


def _rules_show(language: str, rule: str, rules: str | None) -> int:
    from cli.commands.rules import show_rule

    return show_rule(language, rule, rules)


def _rules_check(language: str, rules: str | None) -> int:
    from cli.commands.rules import check_rules

    return check_rules(language, rules)
