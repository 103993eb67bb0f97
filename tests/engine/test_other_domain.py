"""The engine reasons about bicycles and trains as it does about anything else, and has no word of the real domain."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine.faults
from engine.base import KnowledgeBase
from engine.checking import check_base
from engine.consultation import Consultant, undecided
from engine.explanation import Explainer
from engine.faults import LANGUAGES
from engine.rule_steps import Step
from engine.trace import Tool, write_trace
from engine.values import Value
from engine.verifying import verify
from engine.words import Words
from knowledge import FOLDER
from tests.engine.helpers import TINY, load_tiny, profile_of, profile_with

TOOL = Tool("trip-advisor", "1.0")
ENGINE = Path(engine.faults.__file__).parent


def test_the_tiny_base_holds_its_own_cases_and_scenarios(tiny_consultant: Consultant) -> None:
    checked = check_base(tiny_consultant, TINY)
    assert [fault.text() for fault in checked.faults] == []
    assert (checked.rows, checked.carried, checked.pending) == (9, 8, 1)
    assert (checked.rules, checked.cases, checked.scenarios) == (20, 66, 12)


def test_the_strengths_of_the_tiny_base_have_names_of_their_own(tiny: KnowledgeBase) -> None:
    assert dict(tiny.routes.weights) == {"faint": 1, "clear": 3, "heavy": 9}


def test_a_case_is_judged_with_all_it_rests_on(tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"weather.sky": "snow", "trip.distance": 40.0, "season": "summer"}
    told |= {"rider.spikes": True, "rider.spikes_worn": True}
    (judged,) = tiny_consultant.consult(profile_with(tiny_consultant.base, told)).judgements
    assert (judged.route, judged.status, judged.form) == ("train", "settled", "single")
    assert judged.inference.values["road.slippery"] is True
    assert dict(judged.inference.defeated) == {"road.spikes-grip": "road.worn-spikes-slide"}
    assert judged.weighing.exclusions == {"bicycle": ("road.no-riding-on-ice",)}
    assert judged.weighing.scores == {"bicycle": -10, "train": 3}
    assert judged.deciding()[0] == "road.no-riding-on-ice"


def test_an_inferred_fact_holds_otherwise_once_all_its_rules_are_known_to_be_false(tiny_consultant: Consultant) -> None:
    base = tiny_consultant.base

    def slippery(**told: str | float) -> object:
        values = {path.replace("__", "."): value for path, value in told.items()}
        return tiny_consultant.consult(profile_with(base, values)).judgements[0].inference.values.get("road.slippery")

    assert slippery(weather__sky="dry") is False
    assert slippery(weather__sky="rain", weather__degrees=3.0) is False
    assert slippery(weather__sky="rain") is None
    assert slippery(weather__degrees=-3.0) is None
    assert slippery(weather__sky="snow") is True


def test_what_an_undecided_rule_waits_for_are_told_facts_alone(tiny_consultant: Consultant) -> None:
    (judged,) = tiny_consultant.consult(profile_with(tiny_consultant.base, {"trip.distance": 3.0})).judgements
    waits = undecided(tiny_consultant.base, judged)
    assert waits["road.no-riding-on-ice"] == ("weather.sky", "weather.degrees")
    assert waits["ways.haste-takes-the-train"] == ("trip.minutes_left",)
    assert "ways.short-ways-suit-the-bicycle" not in waits


def test_workloads_that_part_are_a_whole_of_both(tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    text = "profile: 1\nworkloads: [{name: a, rider: {bicycle: none}}, {name: b, train: {running: no}}]\n"
    overall = tiny_consultant.consult(profile_of(tiny, text)).overall
    assert (overall.route, overall.form, overall.status) == ("both", "each_its_own", "settled")
    assert overall.reasons == ("ways.no-bicycle-no-ride", "ways.no-trains-on-strike")


def test_a_figure_of_the_profile_takes_the_place_of_the_shipped_one(tiny: KnowledgeBase) -> None:
    text = "profile: 1\ntrip: {distance: 30}\nassumptions: {ride_speed: 30 km/h}\n"
    (judged,) = Consultant(tiny).consult(profile_of(tiny, text)).judgements
    assert judged.inference.values["ride.minutes"] == 60
    assert "ways.long-rides-tire" not in judged.inference.fired


@pytest.mark.parametrize("text", ["{}", "{weather: {sky: rain}, trip: {distance: 5-40}, rider: {rain_gear: yes}}"])
def test_a_trace_of_the_tiny_base_verifies(text: str, tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    head = "{profile: 1, " + text[1:]
    consultation = tiny_consultant.consult(profile_of(tiny, head))
    data = write_trace(consultation, TOOL, "2026-01-01T00:00:00Z", "2026-01-01")
    assert verify(data, "trace", tiny_consultant, TOOL) is None


def _steps(step: Step) -> Iterator[Step]:
    yield step
    for child in step.children:
        yield from _steps(child)


def test_everything_can_be_explained_in_every_language(tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"weather.sky": "snow", "rider.spikes": True, "trip.distance": 40.0, "season": "winter"}
    cases: list[dict[str, Value]] = [{}, told, {"train.running": False, "rider.bicycle": "none"}]
    for facts in cases:
        (judged,) = tiny_consultant.consult(profile_with(tiny, facts)).judgements
        explainer = Explainer(Words(tiny), judged)
        names = [*tiny.rules, *tiny.vocabulary.facts, *(route.id for route in tiny.routes.routes)]
        for step in (one for name in names for one in _steps(explainer.why(name))):
            assert all(step.text[code] and "{" not in step.text[code] for code in LANGUAGES), step
        assert {one.kind for one in _steps(explainer.proof())} > {"route"}


def test_a_tie_on_facts_is_explained_by_the_facts(tiny: KnowledgeBase, tiny_consultant: Consultant) -> None:
    told: dict[str, Value] = {"weather.sky": "dry", "weather.rain_chance": 0.0, "rider.bicycle": "plain"}
    told |= {"trip.distance": 4.0, "trip.minutes_left": 5.0, "train.running": True}
    cheap: dict[str, Value] = {"trip.people": 1.0, "train.line": "coast-line"}
    (level,) = tiny_consultant.consult(profile_with(tiny, told)).judgements
    assert [step.children for step in _steps(Explainer(Words(tiny), level).proof()) if step.kind == "tie"] == [()]
    base = replace(tiny, formulas=tuple(formula for formula in tiny.formulas if formula.fact != "train.fare"))
    base = replace(base, formulas=(*base.formulas, replace(tiny.formulas[-1], compute=lambda *_: 4.0)))
    (judged,) = Consultant(base).consult(profile_with(base, told | cheap)).judgements
    assert (judged.route, judged.deciding()[0]) == ("train", "tie.small-change")
    (tie,) = [step for step in _steps(Explainer(Words(base), judged).proof()) if step.kind == "tie"]
    assert [child.id for child in tie.children] == ["train.fare"]
    assert "5 or less" in tie.children[0].text["en"]


def test_the_digest_follows_what_the_files_say_and_not_how(tmp_path: Path, tiny: KnowledgeBase) -> None:
    for file in TINY.rglob("*.yaml"):
        copy = tmp_path / file.relative_to(TINY)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(f"# Another comment\n{file.read_text(encoding='utf-8')}\n\n", encoding="utf-8")
    rows = (TINY / "figures" / "fares.csv").read_bytes()
    (tmp_path / "figures" / "fares.csv").write_bytes(b"\xef\xbb\xbf" + rows.replace(b"\n", b"\r\n\r\n"))
    assert load_tiny(tmp_path).digest == tiny.digest
    routes = tmp_path / "routes.yaml"
    routes.write_text(routes.read_text(encoding="utf-8").replace("faint: 1", "faint: 2"), encoding="utf-8")
    assert load_tiny(tmp_path).digest != tiny.digest


# No word of the real domain

PLAIN = {"base", "data", "machine", "migration", "model", "split", "verdict"}
"""Words of the domain's ids that any program about anything may use."""
MORE = {"gpu", "gpus", "prem", "server", "servers", "cost", "rent", "rented", "vendor", "hardware", "price", "money"}


@cache
def _file(name: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((FOLDER / name).read_text(encoding="utf-8"), loader)


@cache
def _domain_words() -> set[str]:
    """Every word of the ids of routes, forms and groups of the real knowledge base."""
    routes, facts = _file("routes.yaml")["routes"], _file("facts.yaml")
    ids = [route["id"] for route in routes] + [form["id"] for route in routes for form in route["forms"]]
    ids += [group["path"] for group in facts["groups"]]
    words = {word for name in ids for word in re.split(r"[_.]", name) if len(word) > 3}
    return (words | MORE) - PLAIN


def _said(file: Path) -> Iterator[str]:
    """Names and strings of a Python file; all of a message file but its comments."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".yaml":
        yield from (line for line in text.splitlines() if not line.startswith("#"))
        return
    for node in ast.walk(ast.parse(text)):
        for field in ("id", "attr", "name", "arg", "module", "value"):
            if isinstance(said := getattr(node, field, None), str):
                yield said


def _sources() -> list[Path]:
    return [*sorted(ENGINE.glob("*.py")), *sorted((ENGINE / "messages").glob("*.yaml"))]


@pytest.mark.parametrize("file", _sources(), ids=lambda file: file.name)
def test_no_word_of_the_real_domain_stands_in_the_engine(file: Path) -> None:
    words = _domain_words()
    said = {word for text in _said(file) for word in re.findall(r"[a-z]+", text.lower())}
    assert said & words == set()


def test_the_words_looked_for_are_those_of_the_real_domain() -> None:
    assert {
        "cloud",
        "prem",
        "hybrid",
        "colocation",
        "compliance",
        "finance",
        "operations",
        "delivery",
    } < _domain_words()
    paths = [fact["path"] for fact in _file("facts.yaml")["facts"]]
    told = "\n".join(text for file in _sources() for text in _said(file))
    assert [path for path in paths if "." in path and not path.startswith("verdict.") and path in told] == []
