"""What this expert knows of deep-learning compute: vocabulary, rules, formulas, figures and wording."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.base import KnowledgeBase

FOLDER = Path(__file__).parent
_FORMULA_FILES = (
    "accounting.py", "arithmetic.py", "bands.py", "cost_facts.py", "costing.py", "currencies.py", "delivery.py",
    "economics.py", "gpus.py", "own_cost.py", "rent_cost.py", "rent_sums.py", "rental.py", "sizing.py", "terms.py",
    "transfer.py",
)  # fmt: skip


@cache
def knowledge_base() -> KnowledgeBase:
    """Everything below this folder, loaded and cross-checked. Raises FaultError with all that is wrong."""
    return load(FOLDER)


def load(folder: Path, overlays: tuple[Path, ...] = (), rules_over: str | None = None) -> KnowledgeBase:
    """The knowledge base whose files stand in `folder`, with the formulas of this package.

    `overlays` are files of figures of one's own, each laid over what stands before it: YAML in the form of
    figures/*.yaml, or CSV in the form of a table of figures. `rules_over` is a folder of house rules, as typed.
    Raises FaultError with all that is wrong in any file.
    """
    from engine.base import load_base
    from knowledge import cost_facts, delivery, sizing, transfer
    from knowledge.currencies import check_currencies
    from knowledge.terms import check_divisors

    text = "".join((FOLDER / name).read_text(encoding="utf-8") for name in _FORMULA_FILES)
    formulas = (*delivery.FORMULAS, *sizing.FORMULAS, *transfer.FORMULAS, *cost_facts.FORMULAS)
    base = load_base(folder, formulas, text, overlays, rules_over)
    check_currencies(base.figures.values())
    check_divisors(base.figures)
    return base
