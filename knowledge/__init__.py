"""What this expert knows of deep-learning compute: vocabulary, rules, formulas, figures and wording."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.base import KnowledgeBase

FOLDER = Path(__file__).parent
_FORMULA_FILES = ("arithmetic.py", "delivery.py", "gpus.py", "sizing.py", "transfer.py")


@cache
def knowledge_base() -> KnowledgeBase:
    """Everything below this folder, loaded and cross-checked. Raises FaultError with all that is wrong."""
    return load(FOLDER)


def load(folder: Path) -> KnowledgeBase:
    """The knowledge base whose files stand in `folder`, with the formulas of this package."""
    from engine.base import load_base
    from knowledge import delivery, sizing, transfer

    text = "".join((FOLDER / name).read_text(encoding="utf-8") for name in _FORMULA_FILES)
    return load_base(folder, (*delivery.FORMULAS, *sizing.FORMULAS, *transfer.FORMULAS), text)
