"""The command for tests: in this process with streams and an environment of its own, or as a process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cli.app import run
from cli.console import never_fail_on_characters
from cli.language import language_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LANGUAGES = ("en", "zh")
NOTHING: Mapping[str, str] = {}
FORMATS = ("text", "json", "markdown")
_DECIDING = ("LC_", "LANG", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM", "PYTHONIOENCODING", "PYTHONUTF8")


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended: its exit code and what stands on its two streams."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output. Raises ValueError where there is more, or less, than one."""
        return json.loads(self.out)


def run_here(
    *typed: str, stdin: bytes = b"", encoding: str = "utf-8", environment: Mapping[str, str] = NOTHING
) -> Done:
    """The command in this process, its streams in one encoding, and no other environment than the one given."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2))
    with (
        patch.dict(os.environ, surroundings(environment), clear=True),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding=encoding)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        never_fail_on_characters()
        code = run(typed, language_of(typed, os.environ))
    return Done(int(code), written(out), written(err))


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode(stream.encoding)


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of the tests without what decides language, width, color or encoding, and with this instead."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_DECIDING)} | dict(environment)


def run_process(
    *typed: str,
    stdin: bytes = b"",
    redirection: str = "",
    folder: Path = ROOT,
    environment: Mapping[str, str] = NOTHING,
) -> Done:
    """The command as a process of its own; `redirection` is what stands behind it on a command line, such as `>&-`."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {redirection}', sys.executable, "-m", "cli", *typed],
        input=stdin,
        cwd=folder,
        env=surroundings(environment) | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return Done(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


def write(folder: Path, text: str | bytes, name: str = "profile.yaml") -> str:
    """A file with this text; its path."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return str(path)
