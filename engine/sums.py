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
class Draw:
    """A need that counts against the supply, and where it counts."""

    need: str
    when: Condition


@dataclass(frozen=True)
class Sum:
    """A supply, and what is drawn from it: of each case the first draw whose condition holds.

    `gap` says what is missing: {need}, {supply}. All needs are of one unit.
    """

    id: str
    source: tuple[str, ...]
    supply: str
    draws: tuple[Draw, ...]
    gap: Text
    place: Place = field(compare=False)


def read_sums(node: Node, vocabulary: Vocabulary, guidance: Guidance, report: Report) -> tuple[Sum, ...]:
    """The sums of the file's root node."""
    form = file_form(node, ["sums"], report)
    return tuple(_sum(item, vocabulary, guidance, report) for item in form.items("sums"))


def _sum(node: Node, vocabulary: Vocabulary, guidance: Guidance, report: Report) -> Sum:
    form = Form(node, ["id", "source", "supply", "need", "when", "or?", "gap"], report)
    reader = ConditionReader(vocabulary, report)
    others = [Form(item, ["need", "when"], report) for item in form.items("or")]
    for scalar in (*form.scalars("supply"), *(scalar for one in (form, *others) for scalar in one.scalars("need"))):
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
        tuple(Draw(one.word("need"), reader.condition(one.node("when"))) for one in (form, *others)),
        form.text("gap"),
        form.place,
    )
