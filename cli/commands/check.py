"""`check`: is each file a valid profile."""

from __future__ import annotations

from collections.abc import Sequence

from cli.commands.session import knowledge_with, read_profile, warn_of_prices
from cli.console import error
from cli.exit_code import ExitCode
from cli.strings import say
from engine.faults import FaultError, printable


def check(language: str, paths: Sequence[str], figures: Sequence[str] = (), rules: str | None = None) -> ExitCode:
    """Tells of each profile that it is valid, or everything that is wrong with it; says no when any is not.

    `figures` are files of figures over the shipped ones: profiles may speak of theirs. `rules` is a folder of house
    rules, which must be whole too. Raises FaultError for these.
    """
    base = knowledge_with(figures, rules)
    if figures:
        warn_of_prices(base, figures, language)
    wrong = 0
    for path in paths:
        try:
            profile = read_profile(path, base=base)
        except FaultError as found:
            wrong += 1
            for fault in found.faults:
                error(fault.text(language))
        else:
            count = sum(len(workload.facts) for workload in profile.workloads)
            print(say("check.valid", language, path=printable(path), workloads=len(profile.workloads), facts=count))
    return ExitCode.CHECK_SAID_NO if wrong else ExitCode.DONE
