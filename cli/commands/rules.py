"""`rules list`, `rules show` and `rules check`: the rule base, one rule, its own checks.

`rules` is a folder of house rules that lie over the shipped ones, or None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.commands.session import consultant, consultant_with, knowledge_with
from cli.console import console, error
from cli.exit_code import ExitCode
from cli.strings import say
from engine.faults import FaultError, did_you_mean, fail, nearest, printable
from knowledge import FOLDER

if TYPE_CHECKING:
    from rich.console import Console

    from engine.checking import Checked
    from engine.house_checking import Moved
    from engine.language import Rule


def list_rules(language: str, rules: str | None = None) -> ExitCode:
    """Every rule in the order in which it may fire: id, title, rows; those of the house in a section of their own."""
    from cli.render.text import print_text

    screen, base = console(), knowledge_with((), rules)
    _list(screen, [rule for rule in base.written if not rule.house], language)
    if base.house is not None:
        screen.print()
        print_text(screen, say("rules.house", language, folder=printable(base.house.folder)), style="bold")
        _list(screen, [rule for rule in base.written if rule.house], language)
    return ExitCode.DONE


def _list(screen: Console, rules: Sequence[Rule], language: str) -> None:
    from cli.render.text import print_text

    for rule in rules:
        print_text(screen, f"{rule.id}: {rule.title[language]} [{', '.join(rule.source)}]", hanging=4)


def show_rule(language: str, name: str, rules: str | None = None) -> ExitCode:
    """One rule's page. Raises FaultError for a name that is no rule."""
    from cli.render.rule_text import print_rule

    base = knowledge_with((), rules)
    if name not in base.rules:
        raise fail("unknown-rule", None, typed=name, hint=did_you_mean(nearest(name, base.rules)))
    print_rule(console(), base, base.rules[name], language)
    return ExitCode.DONE


def check_rules(language: str, rules: str | None = None) -> ExitCode:
    """Runs every case and scenario; says no when one fails or a row is carried by nothing.

    Of house rules it runs the cases, and tells which shipped scenarios they move: that is no fault. It says no to a
    folder of them that cannot be loaded as well.
    """
    try:
        checked, moved = _checked(language, rules)
    except FaultError as found:
        for fault in found.faults:
            error(fault.text(language))
        return ExitCode.CHECK_SAID_NO
    for fault in checked.faults:
        error(fault.text(language))
    print(say("rules.rows-counted", language, rows=checked.rows, carried=checked.carried, pending=checked.pending))
    print(say("rules.counts", language, rules=checked.rules, cases=checked.cases, scenarios=checked.scenarios))
    if rules is not None:
        _tell_moved(moved, checked.scenarios, language)
    print(say("rules.wrong" if checked.faults else "rules.right", language, count=len(checked.faults)))
    return ExitCode.CHECK_SAID_NO if checked.faults else ExitCode.DONE


def _checked(language: str, rules: str | None) -> tuple[Checked, Sequence[Moved]]:
    from engine.checking import check_base
    from engine.house_checking import check_house

    if rules is None:
        return check_base(consultant(), FOLDER), ()
    return check_house(consultant_with((), language, rules), consultant(), FOLDER)


def _tell_moved(moved: Sequence[Moved], scenarios: int, language: str) -> None:
    print(say("rules.moved", language, count=len(moved), scenarios=scenarios))
    for one in moved:
        print("  " + say("rules.moved-one", language, name=one.scenario, before=one.before, after=one.after))
