"""Checks a rule base against its own examples: every case beside a rule, every scenario, every row of the guidance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.base import KnowledgeBase
from engine.consultation import NO_ROUTE, Consultant, Consultation
from engine.faults import Fault, FaultError, Place, Report, did_you_mean, nearest
from engine.forms import Form, file_form
from engine.inference import Given, Inference, Source
from engine.judgement import Judgement
from engine.language import Case, Rule
from engine.loading import Mapping as MappingNode
from engine.loading import Node, Scalar, read_file
from engine.profile import Profile, ProfileReader
from engine.profile_model import FORMAT
from engine.truth import Truth, truth
from engine.values import Facts

_OF_THE_WHOLE = ("route?", "form?", "status?")
_OF_A_WORKLOAD = (*_OF_THE_WHOLE, "fired?", "defeated?", "advice?")
_EXPECTED = (*_OF_A_WORKLOAD, "workloads?", "overall?")
_CASE = Source("case")


@dataclass(frozen=True)
class Expected:
    """What a scenario says of one verdict; an empty tuple says nothing."""

    one_of: Mapping[str, tuple[str, ...]]
    holds: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Scenario:
    """A whole profile with the verdict that it must get."""

    name: str
    profile: Profile
    workloads: tuple[Expected, ...]
    overall: Expected
    place: Place


@dataclass(frozen=True)
class Checked:
    """What was counted, what is wrong, and each scenario with what it came to, None where the engine stopped."""

    rows: int
    carried: int
    pending: int
    rules: int
    cases: int
    scenarios: int
    faults: tuple[Fault, ...]
    came: tuple[tuple[Scenario, Consultation | None], ...]


def check_base(consultant: Consultant, folder: Path) -> Checked:
    """Runs every case and every scenario and looks for rows that nothing carries."""
    base, report = consultant.base, Report()
    scenarios = read_scenarios(folder, base, report)
    report.extend([*bare_rows(base), *_stale_marks(base)])
    for rule in base.written:
        for case in rule.cases:
            check_case(consultant, rule, case, report)
    found = tuple((scenario, _check_scenario(consultant, scenario, report)) for scenario in scenarios)
    bearers = base.bearers()
    return Checked(
        rows=len(base.guidance.rows),
        carried=sum(bool(bearers[row]) for row in base.guidance.rows),
        pending=sum(row.pending for row in base.guidance.rows.values()),
        rules=len(base.written),
        cases=sum(len(rule.cases) for rule in base.written),
        scenarios=len(scenarios),
        faults=tuple(report.faults),
        came=found,
    )


def bare_rows(base: KnowledgeBase) -> Iterator[Fault]:
    """A fault for each row that nothing carries and that is not marked as pending."""
    bearers = base.bearers()
    for row in base.guidance.rows.values():
        if not bearers[row.id] and not row.pending:
            yield Fault("row-bare", {"row": row.id, "statement": row.statement}, row.place)


def _stale_marks(base: KnowledgeBase) -> Iterator[Fault]:
    bearers = base.bearers()
    for row in base.guidance.rows.values():
        if bearers[row.id] and row.pending:
            yield Fault("row-not-pending", {"row": row.id, "bearers": bearers[row.id]}, row.place)


# Cases


def check_case(consultant: Consultant, rule: Rule, case: Case, report: Report) -> None:
    """Reports the case where the rule does not do on its facts what it says."""
    try:
        found = case_outcome(consultant, rule, case.given)
    except FaultError as error:
        report.extend(Fault(fault.key, fault.params, case.place) for fault in error.faults)
        return
    if found != case.outcome:
        report.add("case-fails", case.place, rule=rule.id, case=case.name, wanted=case.outcome, came=found)


def case_outcome(consultant: Consultant, rule: Rule, given: Facts) -> str:
    """What the rule does on these facts: fires, silent, undecided or defeated.

    A rule that speaks after the verdict is tested on the verdict that the case gives, and on none otherwise.
    """
    base, reasoner = consultant.base, consultant.reasoner
    told = {path: Given(given[path], _CASE) for path in base.vocabulary.facts if path in given}
    verdict = {path: told.pop(path) for path in list(told) if base.vocabulary.facts[path].origin == "verdict"}
    with reasoner.network:
        inference = reasoner.before_verdict(told, {})
        if rule.id not in base.ordered.after_verdict:
            return _outcome(rule, inference)
        values = {**inference.values, **{path: item.value for path, item in verdict.items()}}
        found = truth(rule.when, values)
        if found is not Truth.TRUE:
            return "undecided" if found is Truth.UNKNOWN else "silent"
        reasoner.after_verdict(inference, {path: str(item.value) for path, item in verdict.items()})
        return _outcome(rule, inference)


def _outcome(rule: Rule, inference: Inference) -> str:
    if rule.id in inference.defeated:
        return "defeated"
    if rule.id in inference.fired:
        return "fires"
    return "undecided" if inference.silent[rule.id].truth is Truth.UNKNOWN else "silent"


# Scenarios


def read_scenarios(folder: Path, base: KnowledgeBase, report: Report) -> tuple[Scenario, ...]:
    """Every scenario below `folder`/scenarios, in the order of files and lines. What is wrong goes to the report."""
    reader = ProfileReader(base.vocabulary)
    found: list[Scenario] = []
    for path in sorted((folder / "scenarios").glob("*.yaml"), key=lambda path: path.name):
        try:
            form = file_form(read_file(path, f"scenarios/{path.name}"), ["scenarios"], report)
        except FaultError as error:
            report.extend(error.faults)
            continue
        found += [s for item in form.items("scenarios") if (s := _scenario(item, reader, base, report))]
    return tuple(found)


def _scenario(node: Node, reader: ProfileReader, base: KnowledgeBase, report: Report) -> Scenario | None:
    form = Form(node, ["name", "profile", "expect"], report)
    profile, expect = form.node("profile"), form.node("expect")
    if profile is None or expect is None:
        return None
    try:
        read = reader.read(_with_version(profile))
    except FaultError as error:
        report.extend(error.faults)
        return None
    told = Form(expect, _EXPECTED, report)
    parts = told.items("workloads") or (expect,)
    if "workloads" in told and len(parts) != len(read.workloads):
        report.add("scenario-workloads", form.place, scenario=form.word("name"), count=len(read.workloads))
        return None
    workloads = tuple(_expected(Form(part, _OF_A_WORKLOAD, report), base, report) for part in parts)
    overall = told.node("overall")
    whole = _expected(Form(overall, _OF_THE_WHOLE, report), base, report) if overall else Expected({}, {})
    return Scenario(form.word("name"), read, workloads, whole, form.place)


def _with_version(node: Node) -> Node:
    """A scenario's profile leaves the format version out, since all of them have the newest."""
    if not isinstance(node, MappingNode):
        return node
    version = (Scalar("profile", False, node.place), Scalar(str(FORMAT), False, node.place))
    return MappingNode((version, *node.entries), node.place)


def _expected(form: Form, base: KnowledgeBase, report: Report) -> Expected:
    one_of = {key: form.words(key) for key in ("route", "form", "status") if key in form}
    holds = {key: form.words(key) for key in ("fired", "defeated", "advice") if key in form}
    for key, names in holds.items():
        known = base.advice if key == "advice" else base.rules
        for name in names:
            if name not in known:
                fault = "unknown-advice" if key == "advice" else "unknown-rule"
                report.add(fault, form.place_of(key), typed=name, hint=did_you_mean(nearest(name, known)))
    return Expected(one_of, holds)


def _check_scenario(consultant: Consultant, scenario: Scenario, report: Report) -> Consultation | None:
    """Reports where the scenario's verdict is not the one that it tells; the verdict, or None where there is none.

    It is settled by bounds, which is quick, and searched only where the scenario tells otherwise.
    """
    try:
        consultation = consultant.by_bounds.consult(scenario.profile)
        differs = _differs(scenario, consultation)
        if differs:
            differs = _differs(scenario, consultant.consult(scenario.profile))
    except FaultError as error:
        report.extend(Fault(fault.key, fault.params, scenario.place) for fault in error.faults)
        return None
    for key, wanted, found in differs:
        report.add("scenario-fails", scenario.place, scenario=scenario.name, key=key, wanted=wanted, came=found)
    return consultation


def _differs(scenario: Scenario, consultation: Consultation) -> list[tuple[str, list[str], str]]:
    """Where the verdict is not the one that the scenario tells: of what, what was told, and what came."""
    whole = consultation.overall
    whole_came = {"route": whole.route, "form": whole.form, "status": whole.status}
    found = list(_differences(scenario.overall, whole_came, {}))
    for expected, judgement in zip(scenario.workloads, consultation.judgements, strict=False):
        found += _differences(expected, came(judgement), _held(judgement))
    return found


def came(judgement: Judgement) -> dict[str, str | None]:
    """Route, form and status as they came out, by these words."""
    return {"route": judgement.route, "form": judgement.form, "status": judgement.status}


def _held(judgement: Judgement) -> dict[str, Sequence[str]]:
    inference = judgement.inference
    return {
        "fired": list(inference.fired),
        "defeated": list(inference.defeated),
        "advice": [advised.id for advised in judgement.advice],
    }


def _differences(
    expected: Expected, came: Mapping[str, str | None], held: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, list[str], str]]:
    for key, wanted in expected.one_of.items():
        found = came[key] or NO_ROUTE
        if found not in wanted:
            yield key, list(wanted), found
    for key, names in expected.holds.items():
        missing = [name for name in names if name not in held[key]]
        if missing:
            yield key, missing, "-"
