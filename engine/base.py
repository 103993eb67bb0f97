"""The knowledge base: vocabulary, rules, routes, guidance, advice and figures, loaded together and cross-checked.

A folder holds facts.yaml, routes.yaml, guidance.yaml, advice.yaml, rules/*.yaml and figures/*.yaml, with the CSV files
that these name; divisions.yaml, sums.yaml and invariants.yaml may stand beside them. Formulas are code and are handed
in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.advising import check_placeholders
from engine.as_of import recency
from engine.csv_rows import read_rows
from engine.divisions import Division, check_divisions, read_divisions
from engine.faults import FaultError, Place, Report, did_you_mean, nearest
from engine.figure_table import Table
from engine.figure_table_file import csv_name, read_table
from engine.figures import Figure, Formula, is_prefix
from engine.figures_file import put, read_figures, table_names
from engine.guidance import Advice, Guidance, Invariant, read_advice, read_guidance, read_invariants
from engine.house import House, HouseFiles, check_house_names, house_of, house_rules, read_house, with_house
from engine.language import Rule
from engine.loading import Node, plain, read_file
from engine.loading import Sequence as SequenceNode
from engine.ordering import Ordered, order_rules
from engine.overlays import Overlay, overlaid, read_overlays
from engine.routes import Routes, read_routes
from engine.rules_file import Surroundings, read_rules
from engine.sums import Sum, read_sums
from engine.vocabulary import Vocabulary, with_figures
from engine.vocabulary_file import read_vocabulary

_DIVISIONS, _SUMS, _INVARIANTS = "divisions.yaml", "sums.yaml", "invariants.yaml"
_OPTIONAL = (_DIVISIONS, _SUMS, _INVARIANTS)
_PARTS = ("facts.yaml", "routes.yaml", "guidance.yaml", "advice.yaml")


@dataclass(frozen=True)
class KnowledgeBase:
    """Everything that one expert knows. `rules` stand in their order of firing, `otherwise` rules included."""

    vocabulary: Vocabulary
    routes: Routes
    guidance: Guidance
    advice: Mapping[str, Advice]
    figures: Mapping[str, Figure]
    formulas: tuple[Formula, ...]
    ordered: Ordered
    divisions: tuple[Division, ...]
    sums: tuple[Sum, ...]
    invariants: tuple[Invariant, ...]
    digest: str
    house: House | None = None

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        return {rule.id: rule for rule in self.ordered.rules}

    @cached_property
    def formula_of(self) -> Mapping[str, Formula]:
        """The formula of each computed fact."""
        return {formula.fact: formula for formula in self.formulas}

    @property
    def written(self) -> tuple[Rule, ...]:
        """The rules that somebody wrote: all but the `otherwise` of inferred facts."""
        return tuple(rule for rule in self.ordered.rules if rule.otherwise_of is None)

    def bearers(self) -> Mapping[str, tuple[str, ...]]:
        """For each row of the guidance the ids of what carries it: rules, facts, figures and whatever else cites it."""
        found: dict[str, list[str]] = {row: [] for row in self.guidance.rows}
        for rule in self.written:
            _note(found, rule.source, rule.id)
        for fact in self.vocabulary.facts.values():
            _note(found, fact.source, fact.path)
        for figure in self.figures.values():
            _note(found, figure.rows, figure.id)
        citing: tuple[Division | Sum | Invariant, ...] = (*self.divisions, *self.sums, *self.invariants)
        for item in citing:
            _note(found, item.source, item.id)
        return {row: tuple(ids) for row, ids in found.items()}

    def figures_as_of(self, prefix: str = "") -> str | None:
        """The newest date among the figures whose id begins so; None where there are none."""
        dates = [figure.as_of for name, figure in self.figures.items() if name.startswith(prefix)]
        return max(dates, key=recency, default=None)


def _note(found: dict[str, list[str]], rows: Iterable[str], bearer: str) -> None:
    for row in rows:
        found.setdefault(row, []).append(bearer)


def load_base(
    folder: Path,
    formulas: Sequence[Formula] = (),
    formula_text: str = "",
    overlays: Iterable[Path] = (),
    rules_over: str | None = None,
) -> KnowledgeBase:
    """The knowledge base of a folder. Raises FaultError with everything that is wrong.

    `formula_text` is what the formulas are made of (their source): it is part of the digest. `overlays` are files of
    figures that go over those of the folder, one after the other; `rules_over` is a folder of house rules, as it was
    typed, that go over its rules. What they say is part of the digest too.
    """
    files, over, house = _read_all(folder), read_overlays(overlays), read_house(rules_over)
    report = Report()
    around = _surroundings(files, report)
    report.check()  # rules are checked against what stands here, so it must be whole first
    around = with_house(around, house, report)
    report.check()
    rules = _rules(files, house, around, report)
    report.check()
    figures = _figures(files, over, report)
    report.check()  # formulas are checked against the figures
    base = KnowledgeBase(
        vocabulary=with_figures(around.vocabulary, figures),
        routes=around.routes,
        guidance=around.guidance,
        advice=around.advice,
        figures=figures,
        formulas=tuple(formulas),
        ordered=order_rules(rules, around.vocabulary, report),
        divisions=_divisions(files, around, report),
        sums=_sums(files, around, report),
        invariants=_invariants(files, around, report),
        digest=_digest(files, over, formula_text, house),
        house=house_of(house, rules),
    )
    _cross_check(base, report)
    report.check()
    return base


def _rules(files: Mapping[str, Node], house: HouseFiles | None, around: Surroundings, report: Report) -> list[Rule]:
    """The rules of all files, those of the house last."""
    rules = [r for name in files if name.startswith("rules/") for r in read_rules(files[name], around, report)]
    return [*rules, *house_rules(house, around, report)]


def _surroundings(files: Mapping[str, Node], report: Report) -> Surroundings:
    tables = {name: table_names(files[name]) for name in _figure_files(files)}
    vocabulary = read_vocabulary(files["facts.yaml"], tables, report)
    return Surroundings(
        vocabulary,
        read_routes(files["routes.yaml"], vocabulary, report),
        read_guidance(files["guidance.yaml"], report),
        read_advice(files["advice.yaml"], report),
    )


def _figure_files(files: Mapping[str, Node]) -> list[str]:
    return [name for name in files if name.startswith("figures/") and name.endswith(".yaml")]


def _figures(files: Mapping[str, Node], overlays: Iterable[Overlay], report: Report) -> Mapping[str, Figure]:
    """The figures of all files; reports an id that two files have."""
    tables = _tables(files, report)
    found: dict[str, Figure] = {}
    for name in _figure_files(files):
        rows = files.get(f"figures/{tables[name].file}") if name in tables else None
        ours = tables[name].figures(rows, report) if isinstance(rows, SequenceNode) else {}
        for figure in (*read_figures(files[name], report).values(), *ours.values()):
            put(figure, found, report)
    for overlay in overlays:
        found = overlaid(found, overlay, tuple(tables.values()), report)
    for figure in found.values():
        table = next((table for table in tables.values() if figure.id.startswith(table.prefix)), None)
        if table and not figure.attributes:
            report.add("not-in-its-table", figure.place, id=figure.id, known=table.file)
    return found


def _tables(files: Mapping[str, Node], report: Report) -> Mapping[str, Table]:
    """The tables of figures by their files. Raises FaultError where one is wrong: its rows cannot be read then."""
    names = {name: table_names(files[name]) for name in _figure_files(files)}
    known = {name.removeprefix("figures/").removesuffix(".yaml"): ids for name, ids in names.items() if ids}
    found = {name: read_table(files[name], known, report) for name in names}
    report.check()
    return {name: table for name, table in found.items() if table is not None}


def _cross_check(base: KnowledgeBase, report: Report) -> None:
    check_placeholders(base.advice, base.written, base.vocabulary, report)
    check_divisions(base.divisions, base.rules, report)
    check_house_names(base, report)
    _check_sources(base.vocabulary, base.figures, base.guidance, report)
    _check_formulas(base.formulas, base.vocabulary, base.figures, report)


def _divisions(files: Mapping[str, Node], around: Surroundings, report: Report) -> tuple[Division, ...]:
    """The divisions, where the knowledge base has any."""
    if _DIVISIONS not in files:
        return ()
    return read_divisions(files[_DIVISIONS], around.vocabulary, around.routes, around.guidance, report)


def _sums(files: Mapping[str, Node], around: Surroundings, report: Report) -> tuple[Sum, ...]:
    return read_sums(files[_SUMS], around.vocabulary, around.guidance, report) if _SUMS in files else ()


def _invariants(files: Mapping[str, Node], around: Surroundings, report: Report) -> tuple[Invariant, ...]:
    return read_invariants(files[_INVARIANTS], around.guidance, report) if _INVARIANTS in files else ()


def _read_all(folder: Path) -> Mapping[str, Node]:
    """Every file of the folder by its name within it, in a fixed order; all unreadable ones are told together."""
    report = Report()
    optional = [name for name in _OPTIONAL if (folder / name).exists()]
    names = [*_PARTS, *optional, *_listed(folder, "rules"), *_listed(folder, "figures")]
    files: dict[str, Node] = {}
    for name in names:
        try:
            files[name] = read_file(folder / name, name)
            rows = csv_name(files[name]) if name.startswith("figures/") else None
            if rows is not None:
                files[f"figures/{rows}"] = read_rows(folder / "figures" / rows, f"figures/{rows}")
        except FaultError as error:
            report.extend(error.faults)
    report.check()
    return files


def _listed(folder: Path, kind: str) -> list[str]:
    return [f"{kind}/{path.name}" for path in sorted((folder / kind).glob("*.yaml"), key=lambda path: path.name)]


def _digest(files: Mapping[str, Node], overlays: Iterable[Overlay], formula_text: str, house: HouseFiles | None) -> str:
    """SHA-256 over what the files say, not over their layout, comments or paths, and over the formulas' text."""
    said = {name: plain(node) for name, node in files.items()}
    over = [plain(overlay.node) for overlay in overlays]
    everything = [said, over, formula_text.replace("\r\n", "\n"), *([house.said] if house else [])]
    text = json.dumps(everything, sort_keys=True, ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def _check_sources(vocabulary: Vocabulary, figures: Mapping[str, Figure], guidance: Guidance, report: Report) -> None:
    cited = [(row, fact.place) for fact in vocabulary.facts.values() for row in fact.source]
    cited += [(row, figure.place) for figure in figures.values() for row in figure.rows]
    for row, place in cited:
        if row not in guidance.rows:
            report.add("unknown-row", place, typed=row, hint=did_you_mean(nearest(row, guidance.rows)))


def _check_formulas(
    formulas: Iterable[Formula], vocabulary: Vocabulary, figures: Mapping[str, Figure], report: Report
) -> None:
    computed: set[str] = set()
    known: dict[str, bool] = {}
    for formula in formulas:
        place = Place(f"formula {formula.fact}")
        for path in (formula.fact, *formula.inputs):
            if path not in vocabulary.facts:
                report.add("unknown-fact", place, typed=path, hint="")
            elif path != formula.fact and vocabulary.facts[path].origin != "told" and path not in computed:
                report.add("formula-order", place, fact=formula.fact, input=path)
        for name in formula.figures:
            if name not in known:
                known[name] = _stands_for_figures(name, vocabulary, figures)
            if not known[name]:
                report.add("unknown-figure", place, typed=name)
        computed.add(formula.fact)
    for fact in vocabulary.facts.values():
        if fact.origin == "computed" and fact.path not in computed:
            report.add("no-formula", fact.place, fact=fact.path)


def _stands_for_figures(name: str, vocabulary: Vocabulary, figures: Mapping[str, Figure]) -> bool:
    """Whether a declared name is a figure's, an assumption's, or what the id of some figure begins with."""
    if is_prefix(name):
        return any(figure.startswith(name[:-1]) for figure in figures)
    return name in figures or name in vocabulary.assumptions
