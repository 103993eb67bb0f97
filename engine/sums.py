"""What several workloads draw on together: a supply that was told once, against the sum of what they need: data."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.conditions_file import ConditionReader
from engine.faults import Place, Report
from engine.forms import Form, file_form
from engine.guidance import Guidance
from engine.language import Condition
from engine.loading import Node
from engine.values import Text
from engine.vocabulary import Vocabulary


@dataclass(frozen=True)
class Sum:
    """A supply, the need that counts against it, and where it counts. `gap` says what is missing: {need}, {supply}."""

    id: str
    source: tuple[str, ...]
    supply: str
    need: str
    when: Condition
    gap: Text
    place: Place = field(compare=False)


def read_sums(node: Node, vocabulary: Vocabulary, guidance: Guidance, report: Report) -> tuple[Sum, ...]:
    """The sums of the file's root node."""
    form = file_form(node, ["sums"], report)
    return tuple(_sum(item, vocabulary, guidance, report) for item in form.items("sums"))


def _sum(node: Node, vocabulary: Vocabulary, guidance: Guidance, report: Report) -> Sum:
    form = Form(node, ["id", "source", "supply", "need", "when", "gap"], report)
    reader = ConditionReader(vocabulary, report)
    for scalar in (*form.scalars("supply"), *form.scalars("need")):
        fact = reader.fact(scalar)
        if fact is not None and fact.kind != "number":
            report.add("expected-number-of", scalar.place, key=scalar.text)
    for row in form.scalars("source"):
        if row.text not in guidance.rows:
            report.add("unknown-row", row.place, typed=row.text, hint="")
    return Sum(
        form.word("id"),
        form.words("source"),
        form.word("supply"),
        form.word("need"),
        reader.condition(form.node("when")),
        form.text("gap"),
        form.place,
    )
