"""Follows the tour in README.md word by word, in an empty folder with a copy of the examples.

    .venv/bin/python docs/tour.py            tells what the tour shows and the program no longer prints
    .venv/bin/python docs/tour.py --write    puts the whole of what it prints there; then shorten it with … again

In a ```console block, a line that begins with `$ ` is a command (a backslash at its end goes on to the next line), and
the lines up to the next command are what it prints on both streams, at 80 columns. `…` stands for whatever is left
out, within a line or over several. A command must exit 0, unless the next one is `echo $?`, which then shows the code.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
README = PROJECT / "README.md"
ASKS_CODE = "echo $?"
MARK = "--- end of step, exit code "


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the tour, what is shown below it, and the exit code that it must have."""

    command: str
    shown: str
    code: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A step, and what came of it."""

    step: Step
    printed: str
    code: int

    @property
    def is_right(self) -> bool:
        return self.code == self.step.code and bool(re.fullmatch(_pattern(self.step.shown), self.printed, re.DOTALL))

    @property
    def told(self) -> str:
        """For people: what is shown, and what is real."""
        shown = f"[README.md shows, exit code {self.step.code}]\n{self.step.shown}"
        return f"$ {self.step.command}\n{shown}\n[it prints, exit code {self.code}]\n{self.printed}"


def blocks(readme: str, language: str) -> list[str]:
    """The insides of the fenced blocks in one language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)


def steps(readme: str) -> list[Step]:
    """Every command of the console blocks."""
    pieces = [piece for block in blocks(readme, "console") for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    parted = [re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", piece, re.DOTALL) for piece in pieces if piece.strip()]
    said = [(found[1], found[2].rstrip("\n")) for found in parted if found]
    codes = [int(shown or 0) if command == ASKS_CODE else 0 for command, shown in said[1:]]
    return [Step(command, shown, code) for (command, shown), code in zip(said, [*codes, 0], strict=True)]


def walk(taken: Sequence[Step], folder: Path) -> list[Taken]:
    """Takes the steps in one shell, one after the other, in a folder that gets a copy of the examples."""
    shutil.copytree(PROJECT / "examples", folder / "examples")
    asks = "__code=$?; printf '\\n%s%d\\n' '" + MARK + "' $__code; (exit $__code)"
    script = "".join(f"{step.command}\n{asks}\n" for step in taken)
    printed = subprocess.run(  # noqa: S603  # what it runs stands in README.md
        ["/usr/bin/env", "bash", "-c", script],
        cwd=folder,
        env=_environment(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
        timeout=300,
    ).stdout
    ended = re.findall(rf"(.*?)\n{re.escape(MARK)}(\d+)\n", printed, re.DOTALL)
    return [Taken(s, _trimmed(text), int(code)) for s, (text, code) in zip(taken, ended, strict=True)]


def differences(all_taken: Iterable[Taken]) -> str:
    """For people: each step that came out otherwise than README.md shows; empty where none did."""
    return "\n\n".join(it.told for it in all_taken if not it.is_right)


def renewed(readme: str, all_taken: Iterable[Taken]) -> str:
    """README.md with the real output below every command whose output it shows wrongly."""
    for it in all_taken:
        if not it.is_right and it.step.command != ASKS_CODE:
            before = "\n".join(filter(None, (f"$ {it.step.command}", it.step.shown)))
            after = "\n".join(filter(None, (f"$ {it.step.command}", it.printed)))
            readme = readme.replace(f"{before}\n", f"{after}\n", 1)
    return readme


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _pattern(shown: str) -> str:
    return re.escape(shown).replace("…", ".*")


def _environment(outside: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in outside.items() if name not in ("FORCE_COLOR", "LANG", "LC_MESSAGES")}
    path = os.pathsep.join((str(Path(sys.executable).parent), outside.get("PATH", os.defpath)))
    return {**kept, "PATH": path, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


def main() -> int:
    """Exits 1 where the tour shows something else than what is printed."""
    readme = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        all_taken = walk(steps(readme), Path(folder))
    if "--write" in sys.argv[1:]:
        README.write_text(renewed(readme, all_taken), encoding="utf-8", newline="\n")
    elif found := differences(all_taken):
        print(found)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
