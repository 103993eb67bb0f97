"""`ask`: the questionnaire, then the verdict on what it saved."""

from __future__ import annotations

from pathlib import Path

from cli.ask import AskOptions, run_ask
from cli.commands.advise import show
from cli.commands.session import consultant, knowledge_with
from cli.exit_code import ExitCode
from cli.outlook import outlooks
from engine.consultation import Consultant


def ask(language: str, out: str | None, resume: str | None, plain: bool, rules: str | None = None) -> ExitCode:
    """Asks, saves the profile, and shows the verdict, under the house rules of a folder, once all is confirmed.

    Raises FaultError, before anything is asked, for house rules that are not whole.
    """
    base = knowledge_with((), rules)
    options = AskOptions(Path(out) if out else None, Path(resume) if resume else None, plain)
    result = run_ask(base, language, options)
    if result.profile is not None:
        judge = Consultant(base) if rules is not None else consultant()
        consultation = judge.consult(result.profile)
        show(consultation, outlooks(judge, consultation), language, "text")
    return result.exit_code
