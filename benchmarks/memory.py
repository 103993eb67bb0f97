"""Memory over a thousand traced inferences in one process. `python -m benchmarks.memory COUNT…` prints it as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from itertools import cycle
from pathlib import Path

from benchmarks.numbers import table
from benchmarks.profiles import measured_profiles
from benchmarks.warm import DAY
from cli.commands.session import consultant, tool
from engine.trace import write_trace


def memory(counts: Iterable[int]) -> str:
    """A table of the resident memory of a process of its own after so many inferences."""
    wanted = [str(count) for count in counts]
    told = subprocess.run([sys.executable, "-m", "benchmarks.memory", *wanted], capture_output=True, check=True).stdout
    resident: Mapping[str, int] = json.loads(told)
    first, last = wanted[0], wanted[-1]
    rows = [(f"after {count}", f"{resident[count] / 2**20:.1f}") for count in wanted]
    each = (resident[last] - resident[first]) / (int(last) - int(first))
    head = ("inferences", "MB")
    title = "Resident memory of one process, all profiles in turn, each inference traced"
    return f"{title}\n{table(head, rows)}\ngrowth from {first} to {last}: {each:.0f} bytes an inference"


def resident_bytes() -> int:
    """Memory that the process holds now; where the system does not tell, the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Infers, and prints the memory at each count asked for."""
    counts = {int(typed) for typed in sys.argv[1:]}
    judge, program = consultant(), tool()
    found: dict[int, int] = {}
    profiles = cycle(measured_profiles().values())
    for number in range(1, max(counts) + 1):
        write_trace(judge.consult(next(profiles)), program, "", DAY)
        if number in counts:
            found[number] = resident_bytes()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
