"""`ask`: the questionnaire, then the verdict on what it saved."""

from __future__ import annotations

from pathlib import Path

from cli.ask import AskOptions, run_ask
from cli.commands.advise import show
from cli.commands.session import consultant
from cli.exit_code import ExitCode
from knowledge import knowledge_base


def ask(language: str, out: str | None, resume: str | None, plain: bool) -> ExitCode:
    """Asks, saves the profile, and shows the verdict once the answers are confirmed."""
    options = AskOptions(Path(out) if out else None, Path(resume) if resume else None, plain)
    result = run_ask(knowledge_base(), language, options)
    if result.profile is not None:
        show(consultant().consult(result.profile), language, "text")
    return result.exit_code
