"""A terminal for tests: a program in a pseudo-terminal, what is on its screen, and keys."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).resolve().parents[2]
ASK = ("-m", "cli", "ask")
SECONDS = 20


def environment(**changes: str) -> dict[str, str]:
    """The environment of a modern terminal, in no particular language."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "NO_COLOR"))}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **changes}


class Terminal:
    """One program that runs in a terminal of a given size; `output` is where its standard output goes instead."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        columns: int = 80,
        changes: Mapping[str, str] | None = None,
        output: str = "",
    ) -> None:
        to = f' > "{output}"' if output else ""
        self._screen = pyte.HistoryScreen(columns, 24, history=1000)
        self.raw = ""
        self._stream = pyte.Stream(self._screen)
        self.process = pexpect.spawn(
            "/bin/sh",
            ["-c", f'exec "$0" "$@"{to}', sys.executable, *arguments],
            cwd=str(folder),
            env=environment(**(changes or {})),
            encoding="utf-8",
            codec_errors="replace",
            dimensions=(24, columns),
            timeout=SECONDS,
        )

    @property
    def screen(self) -> str:
        """What stands on the screen, without the spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def history(self) -> str:
        """Every line that has left the screen at its top, and the screen."""
        gone = ["".join(line[x].data for x in range(self._screen.columns)) for line in self._screen.history.top]
        return "\n".join([*(line.rstrip() for line in gone), self.screen])

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, as it does for a shell."""
        import termios

        return bool(termios.tcgetattr(self.process.child_fd)[3] & termios.ECHO)

    def type(self, keys: str | bytes) -> None:
        os.write(self.process.child_fd, keys.encode("utf-8") if isinstance(keys, str) else keys)

    def wait_for(self, text: str) -> str:
        """The screen as soon as the text stands on it, whatever line breaks are in between."""
        until = time.monotonic() + SECONDS
        while text not in self.screen.replace("\n", " ") and text not in self.screen.replace("\n", ""):
            assert time.monotonic() < until, f"no {text!r} on the screen:\n{self.screen}"
            self._read(0.05)
        return self.screen

    def wait_for_words(self, text: str) -> None:
        """Waits until the text stands on the screen, however it is broken and indented."""
        until, words = time.monotonic() + SECONDS, "".join(text.split())
        while words not in "".join(self.screen.split()):
            assert time.monotonic() < until, f"no {text!r} on the screen:\n{self.screen}"
            self._read(0.05)

    def end(self) -> int:
        """The exit code, once the program has ended and all that it said is on the screen."""
        until = time.monotonic() + SECONDS
        while self._read(0.05):
            assert time.monotonic() < until, f"it does not end:\n{self.screen}"
        self.process.close()
        code = self.process.exitstatus
        return code if code is not None else -(self.process.signalstatus or 0)

    def _read(self, seconds: float) -> bool:
        """Takes in what the program has written; False once it has ended."""
        try:
            read = self.process.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += read
        self._stream.feed(read)
        return True
