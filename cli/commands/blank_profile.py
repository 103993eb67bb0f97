"""`init` and `schema`: an empty profile to fill in, and what an editor needs to help with it."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.commands.session import profile_reader
from cli.console import error, write_json
from cli.exit_code import ExitCode
from cli.files import replace_file
from cli.strings import say
from engine.faults import Place, fail
from engine.vocabulary import FactType, Vocabulary
from knowledge import knowledge_base


def init(language: str, path: str | None) -> ExitCode:
    """Writes a commented empty profile to a new file, or to standard output. Never overwrites a file."""
    text = blank_profile(knowledge_base().vocabulary, language)
    if path is None:
        sys.stdout.write(text)
        return ExitCode.DONE
    if Path(path).exists():
        raise fail("file-exists", Place(path))
    replace_file(Path(path), text.encode("utf-8"))
    error(say("profile.written", language, path=path))
    return ExitCode.DONE


def schema() -> ExitCode:
    """The JSON Schema of a profile on standard output."""
    write_json(profile_reader().json_schema())
    return ExitCode.DONE


def blank_profile(vocabulary: Vocabulary, language: str) -> str:
    """Every fact as `unknown` under a comment that says what it means: a valid profile as it stands."""
    lines = [f"# {say('profile.head', language)}", "profile: 1"]
    group = ""
    for fact in vocabulary.told():
        path, _, name = fact.path.rpartition(".")
        if path != group and path:
            lines += ["", f"# {vocabulary.groups[path].title[language]}", f"{path}:"]
        group = path
        indent = "  " if path else ""
        lines += ["", *(f"{indent}# {line}" for line in _comments(fact, language)), f"{indent}{name}: unknown"]
    return "\n".join([*lines, ""])


def _comments(fact: FactType, language: str) -> list[str]:
    lines = [say("profile.meaning", language, title=fact.title[language], meaning=fact.meaning[language])]
    lines += [say("profile.choice", language, value=c.value, label=c.label[language]) for c in fact.choices]
    if not fact.choices:
        lines.append(say(f"profile.example-{fact.kind}", language, example=fact.example))
    return lines
