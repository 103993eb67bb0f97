"""One cold `advise`, taken apart. `python -m benchmarks.stages PROFILE` prints the seconds of each part as JSON.

It does what the command does, with every import made first, so that each step is timed by itself.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.consultation import Consultant, Consultation
    from engine.profile import Profile

MODULES = ("cli.app", "cli.commands.advise", "cli.render.text", "rich.console", "engine.base", "knowledge.delivery")


class Stopwatch:
    """Seconds of each part, in the order in which the parts came to an end."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._before = time.perf_counter()

    def lap(self, part: str, less: float = 0.0) -> None:
        """Everything since the last lap was this part; `less` are seconds within it that belong to another."""
        now = time.perf_counter()
        self.seconds[part] = now - self._before - less
        self._before = time.perf_counter()


def main() -> None:
    """Times the parts and prints them."""
    watch = Stopwatch()
    import_module("cli.app").start_quickly()  # as the command itself begins
    for name in MODULES:
        import_module(name)
    watch.lap("import everything")
    import_module("cli.app").build("en")
    watch.lap("build the command line")
    judge = _consultant(watch)
    profile = _profile(watch, sys.argv[1])
    consultation = judge.consult(profile)
    watch.lap("infer")
    _show(judge, consultation)
    watch.lap("lay out and print")
    print(json.dumps(watch.seconds))


def _consultant(watch: Stopwatch) -> Consultant:
    from cli.commands.session import consultant
    from knowledge import knowledge_base

    reading = _TimedReading()
    knowledge_base()
    watch.seconds["read the YAML files"] = reading.seconds
    watch.lap("check them, make the base", less=reading.seconds)
    judge = consultant()
    watch.lap("build the rule network")
    return judge


class _TimedReading:
    """Stands in for the reading of one file of the knowledge base, and adds up how long that takes."""

    def __init__(self) -> None:
        base = vars(import_module("engine.base"))
        self.seconds = 0.0
        self._read = base["read_file"]
        base["read_file"] = self

    def __call__(self, *where: object) -> object:
        begun = time.perf_counter()
        node = self._read(*where)
        self.seconds += time.perf_counter() - begun
        return node


def _profile(watch: Stopwatch, path: str) -> Profile:
    from cli.commands.session import profile_reader, read_profile

    profile_reader()
    watch.lap("make the profile model (imports too)")
    profile = read_profile(path)
    watch.lap("read the profile")
    return profile


def _show(judge: Consultant, consultation: Consultation) -> None:
    from cli.commands.advise import show
    from cli.outlook import outlooks

    with contextlib.redirect_stdout(io.StringIO()):
        show(consultation, outlooks(judge, consultation), "en", "text")


if __name__ == "__main__":
    main()
