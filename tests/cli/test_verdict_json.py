"""The verdict in JSON is what other people's scripts were promised, key by key."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import EXAMPLES, run_here, write
from tests.cli.verdict_shape import FORMS, VERDICT, misfits

PROFILES = {
    "nothing told": "",
    "data that must stay": "compliance: {residency: on_premises}\n",
    "a cloud that is barred, and hardware that nobody can pay": (
        "compliance: {residency: on_premises}\noperations: {team: none}\nfinance: {funding: operating}\n"
    ),
    "a base and bursts": (
        "stage: online_inference\noperations: {team: solid, site: machine_room, gpus_owned: 0}\n"
        "finance: {funding: capital}\ndemand: {pattern: base_and_bursts, utilization: 85%, gpus_steady: 16, "
        "gpus_peak: 48, peak_share: 10%, horizon_months: 48}\n"
    ),
    "hardware that comes too late": (
        "stage: online_inference\noperations: {team: solid, site: machine_room}\nfinance: {funding: capital}\n"
        "demand: {pattern: steady, utilization: 90%, gpus_steady: 8, gpus_peak: 8, horizon_months: 48, "
        "start_within_days: 14}\n"
    ),
    "facts told as ranges": (
        "stage: online_inference\noperations: {team: thin, site: machine_room}\nfinance: {funding: either}\n"
        "demand: {pattern: steady, utilization: 20-90%, gpus_steady: 4-16, horizon_months: 6-60}\n"
    ),
    "workloads that part": (
        "workloads:\n  - {name: a, compliance: {residency: on_premises}}\n  - {stage: exploration}\n"
        "  - {name: ~, stage: unknown}\n"
    ),
    "more than the sum of what is there": (
        "operations: {gpus_owned: 8, spare_power_kw: 1}\ncompliance: {residency: on_premises}\n"
        "workloads:\n  - {name: a, demand: {gpus_peak: 8}}\n  - {name: b, demand: {gpus_peak: 8}}\n"
    ),
}


def verdict_on(text: str, folder: Path) -> Any:
    return run_here("advise", write(folder, f"profile: 1\n{text}"), "--format", "json").document


@pytest.mark.parametrize("text", list(PROFILES.values()), ids=list(PROFILES))
def test_a_verdict_has_the_keys_and_types_of_the_contract(text: str, tmp_path: Path) -> None:
    verdict = verdict_on(text, tmp_path)
    assert list(misfits(verdict, VERDICT)) == []
    for found in [verdict["overall"], *verdict["workloads"]]:
        assert found["form"] in (*FORMS.get(found["route"], ()), None)
        assert (found["route"] is None) == (found["status"] in ("infeasible", "undetermined"))
    for workload in verdict["workloads"]:
        assert (workload["proof"] is not None) == (workload["status"] == "provisional")
        assert (workload["witness"] is not None) == (workload["proof"] == "witness")
        assert (workload["parts"] is not None) == (workload["route"] == "hybrid")
        assert (workload["scores"]["hybrid"] is not None) == (workload["route"] == "hybrid")
        assert (workload["tie"] is not None) == (workload["status"] == "tied")


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.yaml")))
def test_the_verdicts_on_the_examples_have_them_too(name: str) -> None:
    verdict = run_here("advise", str(EXAMPLES / name), "--format", "json").document
    assert list(misfits(verdict, VERDICT)) == []


def test_the_profiles_of_this_file_come_to_every_kind_of_route(tmp_path: Path) -> None:
    verdicts = [verdict_on(text, tmp_path) for text in PROFILES.values()]
    assert {w["route"] for verdict in verdicts for w in verdict["workloads"]} == {"on_prem", "cloud", "hybrid", None}
    assert any(verdict["overall"]["advice"] for verdict in verdicts)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("overall", "route"), "moon", "$.overall.route is 'moon'"),
        (("knowledge", "rules"), True, "$.knowledge.rules is True"),
        (("workloads", 0, "unknown"), None, "$.workloads[0].unknown is no list"),
        (("workloads", 0, "flips"), "none", "$.workloads[0].flips is no list"),
        (("workloads", 0, "scores", "cloud"), "3", "$.workloads[0].scores.cloud is '3'"),
        (("workloads", 0, "rules"), [], "$.workloads[0].rules is no object"),
        (("workloads", 0, "surprise"), 1, "$.workloads[0] has the keys ['surprise'] too many or too few"),
        (("profile", "digest"), "sha256:0", "$.profile.digest is 'sha256:0'"),
    ],
)
def test_the_check_of_the_shape_sees_what_is_wrong(
    path: tuple[str | int, ...], value: object, told: str, tmp_path: Path
) -> None:
    verdict = copy.deepcopy(verdict_on("", tmp_path))
    holder = verdict
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    assert list(misfits(verdict, VERDICT)) == [told]


def test_the_digest_of_the_profile_leaves_out_names_and_the_file(tmp_path: Path) -> None:
    one = write(tmp_path, "profile: 1\nname: a\nworkloads: [{name: b, stage: training, region: cn}]\n", "1.yaml")
    two = write(tmp_path, "profile: 1\nregion: cn\nworkloads:\n  - stage: training\n", "2.yaml")
    other = write(tmp_path, "profile: 1\nregion: us\nworkloads:\n  - stage: training\n", "3.yaml")
    digests = [run_here("advise", p, "--format", "json").document["profile"]["digest"] for p in (one, two, other)]
    assert digests[0] == digests[1] != digests[2]
