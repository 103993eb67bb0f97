"""The exit codes of every command, once."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a script learns from how the command ended."""

    DONE = 0
    CHECK_SAID_NO = 1
    BAD_INPUT = 2
    ENGINE_STOPPED = 3
    NOT_WRITTEN = 4
    INTERRUPTED = 130
