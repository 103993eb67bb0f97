"""Whole processes from nothing, in turn with a Python that does nothing, and where the time of `advise` goes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.numbers import median_ms, ratio, table
from benchmarks.profiles import EXAMPLES

BARE = "python -c pass"
EXAMPLE = str(EXAMPLES / "startup-bursts.yaml")
AIMS = {"gpu-advisor --version": 150, "gpu-advisor advise": 600}
STAGES = [sys.executable, "-m", "benchmarks.stages", EXAMPLE]
IMPORTS = [sys.executable, "-X", "importtime", "-m", "cli", "advise", EXAMPLE]
MOST_LIBRARIES = 9

Times = Mapping[str, Sequence[float]]


def cold(rounds: int) -> str:
    """Three tables: the commands against a bare Python, the parts of `advise`, and its imports."""
    commands = {BARE: [sys.executable, "-c", "pass"], **_commands()}
    for command in (*commands.values(), STAGES, IMPORTS):
        _run(command)  # leaves bytecode and files where every later run finds them
    times: dict[str, list[float]] = {name: [] for name in commands}
    parts: dict[str, list[float]] = {}
    imports: list[Mapping[str, float]] = []
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(_timed(command))
        for part, seconds in json.loads(_run(STAGES).stdout).items():
            parts.setdefault(part, []).append(seconds)
        imports.append(_by_library(_run(IMPORTS).stderr.decode()))
    return "\n\n".join((_commands_table(times), _parts_table({BARE: times[BARE], **parts}), _imports_table(imports)))


def _commands() -> Mapping[str, list[str]]:
    script = shutil.which("gpu-advisor", path=str(Path(sys.executable).parent))
    program = [script] if script else [sys.executable, "-m", "cli"]
    return {"gpu-advisor --version": [*program, "--version"], "gpu-advisor advise": [*program, "advise", EXAMPLE]}


def _timed(command: Sequence[str]) -> float:
    begun = time.perf_counter()
    _run(command)
    return time.perf_counter() - begun


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """Bytecode may be written, as for anybody who uses the command."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, env=environment, cwd=EXAMPLES.parent, capture_output=True, check=True)


def _by_library(told: str) -> Mapping[str, float]:
    """Seconds that each library's own modules took, from what `-X importtime` tells."""
    found: dict[str, float] = {}
    for line in told.splitlines():
        own, _, rest = line.removeprefix("import time:").partition("|")
        if own.strip().isdigit():
            library = rest.rpartition("|")[2].strip().partition(".")[0]
            standard = library in sys.stdlib_module_names or library in ("encodings", "_distutils_hack")
            shown = "standard library" if standard else library
            found[shown] = found.get(shown, 0.0) + int(own) / 1e6
    return found


def _commands_table(times: Times) -> str:
    rows = [
        (name, *_both(taken), f"{ratio(taken, times[BARE]):.1f}", str(AIMS.get(name, "")))
        for name, taken in times.items()
    ]
    title = f"Whole processes, cold, in turn, {len(times[BARE])} rounds; times in ms"
    return f"{title}\n{table(('command', 'median', 'best', f'x {BARE}', 'aim'), rows)}"


def _parts_table(parts: Times) -> str:
    whole = sum(median_ms(seconds) for seconds in parts.values())
    rows = [(name, *_both(seconds), f"{median_ms(seconds) / whole:.0%}") for name, seconds in parts.items()]
    title = "Where the time of a cold `advise` goes; times in ms"
    return f"{title}\n{table(('part', 'median', 'best', 'share'), [*rows, ('sum', f'{whole:.0f}', '', '')])}"


def _imports_table(rounds: Sequence[Mapping[str, float]]) -> str:
    libraries = {name: [each.get(name, 0.0) for each in rounds] for name in rounds[0]}
    largest = sorted(libraries, key=lambda name: -median_ms(libraries[name]))[:MOST_LIBRARIES]
    rows = [(name, *_both(libraries[name])) for name in largest]
    title = "Its imports by library, without what each imports in turn; times in ms, told by -X importtime"
    return f"{title}\n{table(('library', 'median', 'best'), rows)}"


def _both(seconds: Sequence[float]) -> tuple[str, str]:
    return f"{median_ms(seconds):.0f}", f"{min(seconds) * 1000:.0f}"
