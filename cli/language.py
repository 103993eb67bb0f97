"""Which language to speak: the option, else the locale of the environment, else English."""

from __future__ import annotations

import re
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
            code = re.split(r"[-_.@]", environment[name], maxsplit=1)[0].lower()
            return code if code in LANGUAGES else DEFAULT
    return DEFAULT


def _option(arguments: Sequence[str]) -> str:
    """The last `--lang`, as the command line reads it."""
    found = ""
    for before, argument in zip(("", *arguments), arguments, strict=False):
        if before == "--lang":
            found = argument
        elif argument.startswith("--lang="):
            found = argument.removeprefix("--lang=")
    return found
