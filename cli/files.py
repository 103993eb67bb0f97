"""Writes files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


class NotWritten(Exception):
    """The result could not be written; `path` says where, the message why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


def replace_file(path: Path, data: bytes) -> None:
    """Write to a temporary file in the same folder, flush it to disk, and rename it over the old one.

    Raises NotWritten; the old file then stands as it was and no temporary file is left. See `replacing`.
    """
    with replacing(path) as temporary:
        if temporary == path:
            path.write_bytes(data)
        else:
            _write(temporary, data)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file in the same folder, to be written piece by piece, that in the end takes the place of the old.

    A link stays a link: the file that it names is replaced. A pipe or a device is written to itself, since putting a
    file in its place would take it away from everybody. Raises NotWritten; then, and after any other error, the old
    file stands as it was and no temporary file is left.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            yield path
            return
        target = Path(os.path.realpath(path))
        temporary = target.parent / f".{target.name}.{secrets.token_hex(6)}.tmp"
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode(target)))
            yield temporary
            _sync(temporary)
            temporary.replace(target)
            _sync_folder(target.parent)
        finally:  # also when interrupted: nothing half-written stays behind
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise NotWritten(str(path), error.strerror or str(error)) from error


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    """Flushes to disk what was written, by whatever means."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself last through a loss of power, where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _mode(path: Path) -> int:
    """The mode of the file that is replaced; for a new one read and write for all, less the umask."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o666
