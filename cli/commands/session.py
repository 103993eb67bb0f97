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


def read_profile(path: str, settings: Sequence[str] = ()) -> Profile:
    """The profile at a path, or on standard input for `-`, with `--set` over it. Raises FaultError."""
    report = Report()
    root = profile_node(path, report)
    return profile_reader().read(root, [Setting.parse(typed) for typed in settings], report)


def profile_node(path: str, report: Report) -> Node:
    """What the file or standard input holds; the report gets what is wrong and leaves the rest readable."""
    if path == STANDARD_INPUT:
        if sys.stdin is None:  # closed before the start
            raise fail("cannot-read", Place(_STDIN), reason=os.strerror(errno.EBADF))
        return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), _STDIN, report)
    return read_file(Path(path), path, report)
