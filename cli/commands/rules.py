"""`rules list`, `rules show` and `rules check`: the rule base, one rule, its own checks."""

from __future__ import annotations

from cli.commands.session import consultant
from cli.console import console, error
from cli.exit_code import ExitCode
from cli.strings import say
from engine.faults import did_you_mean, fail, nearest
from knowledge import FOLDER, knowledge_base


def list_rules(language: str) -> ExitCode:
    """Every rule in the order in which it may fire: id, title, rows."""
    from cli.render.text import print_text

    screen = console()
    for rule in knowledge_base().written:
        print_text(screen, f"{rule.id}: {rule.title[language]} [{', '.join(rule.source)}]", hanging=4)
    return ExitCode.DONE


def show_rule(language: str, name: str) -> ExitCode:
    """One rule's page. Raises FaultError for a name that is no rule."""
    from cli.render.rule_text import print_rule

    base = knowledge_base()
    if name not in base.rules:
        raise fail("unknown-rule", None, typed=name, hint=did_you_mean(nearest(name, base.rules)))
    print_rule(console(), base, base.rules[name], language)
    return ExitCode.DONE


def check_rules(language: str) -> ExitCode:
    """Runs every case and scenario; says no when one fails or a row is carried by nothing."""
    from engine.checking import check_base

    checked = check_base(consultant(), FOLDER)
    for fault in checked.faults:
        error(fault.text(language))
    print(say("rules.rows-counted", language, rows=checked.rows, carried=checked.carried, pending=checked.pending))
    print(say("rules.counts", language, rules=checked.rules, cases=checked.cases, scenarios=checked.scenarios))
    print(say("rules.wrong" if checked.faults else "rules.right", language, count=len(checked.faults)))
    return ExitCode.CHECK_SAID_NO if checked.faults else ExitCode.DONE
