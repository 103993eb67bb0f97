"""Which language to speak: the option, else the locale of the environment, else English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.faults import LANGUAGES

DEFAULT = "en"


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language for this run. An option that names no known language is left for the command line to refuse."""
    asked = _option(arguments)
    if asked in LANGUAGES:
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            code = environment[name].partition("_")[0].partition(".")[0].lower()
            return code if code in LANGUAGES else DEFAULT
    return DEFAULT


def _option(arguments: Sequence[str]) -> str:
    for before, argument in zip(("", *arguments), arguments, strict=False):
        if before == "--lang":
            return argument
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
    return ""
