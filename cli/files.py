"""Writes files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


class NotWritten(Exception):
    """The result could not be written; `path` says where, the message why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


def replace_file(path: Path, data: bytes) -> None:
    """Write to a temporary file in the same folder, flush it to disk, and rename it over the old one.

    Raises NotWritten; the old file then stands as it was and no temporary file is left.
    """
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(path))
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise NotWritten(str(path), error.strerror or str(error)) from error


def _mode(path: Path) -> int:
    """The mode of the file that is replaced, or what the umask leaves of read and write for all."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
