"""Draws docs/advise.svg, the picture in README.md, from what the program really prints.

    .venv/bin/python docs/picture.py [FILE]

The same program and the same example give the same bytes, on every machine: no date, no path, and no font from the
network. tests/test_readme.py fails while the picture and the program differ; run this again, and look at the result.
"""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from cli.app import run

PROJECT = Path(__file__).resolve().parents[1]
PICTURE = PROJECT / "docs" / "advise.svg"
COMMAND = ("advise", "examples/bank-on-premises.yaml", "--as-of", "2026-12-01")
WIDTH = 80


def printed() -> str:
    """What the command prints on a color terminal of 80 columns, run in the project's folder."""
    os.environ.update(COLUMNS=str(WIDTH), FORCE_COLOR="1")
    os.environ.pop("NO_COLOR", None)
    os.chdir(PROJECT)
    page = io.StringIO()
    with redirect_stdout(page):
        code = run(COMMAND, "en")
    if code:
        sys.exit(f"gpu-advisor {' '.join(COMMAND)} exited {int(code)}")
    return page.getvalue()


def drawn(page: str) -> str:
    """The page as an SVG picture of a terminal, below the command that printed it."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ gpu-advisor {' '.join(COMMAND)}"))
    console.print(Text.from_ansi(page.rstrip("\n")))
    picture = console.export_svg(title="gpu-advisor", theme=SVG_EXPORT_THEME, unique_id="advise")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code, monospace", "Menlo, Consolas, DejaVu Sans Mono, monospace")
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)  # or some viewers drop the indentation
    return "\n".join(line.rstrip() for line in picture.splitlines()).rstrip() + "\n"


def main() -> None:
    """Writes the picture to the file that is named, else to its place."""
    target = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else PICTURE
    target.write_text(drawn(printed()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
