"""`explain`: the proof of a verdict, or why a rule, route or fact is as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.commands.session import consultant_with, read_profile
from cli.console import console, write_json
from cli.exit_code import ExitCode
from cli.strings import say
from engine.consultation import Consultation
from engine.explanation import Explainer
from engine.faults import printable
from engine.rule_steps import Step
from engine.values import Text
from engine.words import Words


@dataclass(frozen=True)
class ExplainOptions:
    """`figures` are files of figures that go over the shipped ones; `why` and `why_not` are names, or None.

    `rules` is a folder of house rules, or None.
    """

    profile: str
    format: str = "text"
    settings: Sequence[str] = ()
    figures: Sequence[str] = ()
    rules: str | None = None
    why: str | None = None
    why_not: str | None = None


def explain(language: str, options: ExplainOptions) -> ExitCode:
    """Explains each workload in turn; a lone one is not named, but in JSON, where the shape stays the same."""
    judge = consultant_with(options.figures, language, options.rules)
    consultation = judge.consult(read_profile(options.profile, options.settings, judge.base))
    workloads = list(_workloads(consultation, options))
    steps = workloads if len(workloads) > 1 else workloads[0].children
    if options.format == "json":
        from cli.render.steps_data import steps_json

        write_json({"schema": "gpu-advisor/explanation/1", "workloads": [steps_json(s, language) for s in workloads]})
    elif options.format == "markdown":
        from cli.render.markdown import steps_markdown

        print("\n".join(steps_markdown(step, language) for step in steps))
    else:
        from cli.render.text import print_steps

        for step in steps:
            print_steps(console(), step, language)
    return ExitCode.DONE


def _workloads(consultation: Consultation, options: ExplainOptions) -> Iterable[Step]:
    words = Words(consultation.base)
    for judgement in consultation.judgements:
        explainer = Explainer(words, judgement)
        found = [explainer.why(options.why)] if options.why else []
        found += [explainer.why_not(options.why_not)] if options.why_not else []
        found = found or [explainer.proof()]
        yield Step("workload", str(judgement.workload), _name(judgement.name, judgement.workload), (), tuple(found))


def _name(name: str | None, number: int) -> Text:
    return {c: printable(name) if name else say("verdict.unnamed", c, number=number + 1) for c in ("en", "zh")}
