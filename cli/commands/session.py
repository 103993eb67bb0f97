"""What most commands begin with: the knowledge base, a profile, a consultation."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.faults import Place, Report, fail
from engine.loading import MAX_BYTES, Node, read_bytes, read_file
from engine.profile import Profile, ProfileReader, Setting
from knowledge import knowledge_base

if TYPE_CHECKING:
    from engine.base import KnowledgeBase
    from engine.consultation import Consultant
    from engine.trace import Tool

STANDARD_INPUT = "-"
_STDIN = "<stdin>"
NAME = "gpu-advisor"


@cache
def consultant() -> Consultant:
    """The consultant over the shipped knowledge base, its rule network built once a process."""
    from engine.consultation import Consultant

    return Consultant(knowledge_base())


def knowledge_with(figures: Sequence[str], rules: str | None = None) -> KnowledgeBase:
    """The shipped knowledge base with these files of figures, and the house rules of this folder, over it.

    Raises FaultError with all that is wrong.
    """
    if not figures and rules is None:
        return knowledge_base()
    from knowledge import FOLDER, load

    return load(FOLDER, tuple(Path(path) for path in figures), rules)


def consultant_with(figures: Sequence[str], language: str, rules: str | None = None) -> Consultant:
    """The consultant over the shipped knowledge base with these files of figures and these house rules over it.

    Says beside the result where a price of theirs is no lower than it should be. Raises FaultError.
    """
    if not figures and rules is None:
        return consultant()
    from engine.consultation import Consultant

    base = knowledge_with(figures, rules)
    if figures:
        warn_of_prices(base, figures, language)
    return Consultant(base)


def warn_of_prices(base: KnowledgeBase, figures: Sequence[str], language: str) -> None:
    """Tells on standard error every doubtful price that stands in one of these files, or is measured by one there."""
    from cli.console import error
    from cli.render.figures_text import warning_line
    from knowledge.price_checks import price_warnings

    files = {str(Path(path)) for path in figures}
    for warning in price_warnings(base):
        if files & {warning.figure.place.file, warning.on_demand.place.file}:
            error(warning_line(warning, language))


@cache
def profile_reader() -> ProfileReader:
    return ProfileReader(knowledge_base().vocabulary)


def tool() -> Tool:
    """This program, as traces and verdicts name it."""
    from engine.trace import Tool

    return Tool(NAME, version())


def version() -> str:
    from importlib.metadata import version as installed  # costs 15 ms: only where a document names the program

    return installed(NAME)


def read_profile(path: str, settings: Sequence[str] = (), base: KnowledgeBase | None = None) -> Profile:
    """The profile at a path, or on standard input for `-`, with `--set` over it. Raises FaultError.

    `base` is what it may speak of, the shipped knowledge base where it is left out.
    """
    report = Report()
    root = profile_node(path, report)
    shipped = knowledge_base()
    reader = profile_reader() if (base or shipped) is shipped else ProfileReader((base or shipped).vocabulary)
    return reader.read(root, [Setting.parse(typed) for typed in settings], report)


def profile_node(path: str, report: Report) -> Node:
    """What the file or standard input holds; the report gets what is wrong and leaves the rest readable."""
    if path == STANDARD_INPUT:
        if sys.stdin is None:  # closed before the start
            raise fail("cannot-read", Place(_STDIN), reason=os.strerror(errno.EBADF))
        return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), _STDIN, report)
    return read_file(Path(path), path, report)
