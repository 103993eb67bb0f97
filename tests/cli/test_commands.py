"""Every command: its exit code, its two streams, its forms and languages."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.app import build
from cli.exit_code import ExitCode
from cli.language import language_of
from engine.checking import Checked
from engine.faults import Fault, InferenceStopped, Place
from engine.trace import chained
from knowledge import knowledge_base
from tests.cli.command import EXAMPLES, FORMATS, LANGUAGES, Done, run_here, write

STARTUP = str(EXAMPLES / "startup-bursts.yaml")
SEVERAL = str(EXAMPLES / "several-workloads.yaml")
BANK = str(EXAMPLES / "bank-on-premises.yaml")
RULE = "compliance.data-must-stay-on-premises"
NAMES = ("training on patient scans", "search for better networks", "reports for hospitals")
CHINESE = re.compile("[\u4e00-\u9fff]")
ENGLISH_SENTENCE = re.compile(r"\b[a-z]+ [a-z]+ [a-z]+ [a-z]+\b")
FORMS_AND_LANGUAGES = tuple(itertools.product(FORMATS, LANGUAGES))
ASKED = ("--why", "on_prem"), ("--why-not", "cloud"), ("--why", RULE), ("--why", "compliance.residency"), ()


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("trace") / "trace.jsonl")
    assert run_here("advise", SEVERAL, "--trace", path).code == 0
    return path


def said_in(done: Done, language: str) -> bool:
    """Whether what was printed is in this language; names of workloads and sources of figures are left aside."""
    text = re.sub("|".join([*NAMES, "可信度.；.*"]), "", done.out)
    if language == "zh":
        return bool(CHINESE.search(text)) and not ENGLISH_SENTENCE.search(text)
    return not CHINESE.search(text)


# What comes out, form by form and language by language


@pytest.mark.parametrize(("form", "language"), FORMS_AND_LANGUAGES)
@pytest.mark.parametrize("profile", sorted(path.name for path in EXAMPLES.glob("*.yaml")))
def test_advice_comes_in_every_form_and_language_and_nothing_stands_beside_it(
    profile: str, form: str, language: str
) -> None:
    done = run_here("advise", str(EXAMPLES / profile), "--format", form, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    if form == "json":
        assert done.document["schema"] == "gpu-advisor/verdict/1"
    else:
        assert said_in(done, language)


@pytest.mark.parametrize(("form", "language"), FORMS_AND_LANGUAGES)
@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_an_explanation_comes_in_every_form_and_language(asked: tuple[str, ...], form: str, language: str) -> None:
    done = run_here("explain", BANK, *asked, "--format", form, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    if form == "json":
        (workload,) = done.document["workloads"]
        assert (workload["kind"], len(workload["because"])) == ("workload", 1)
    else:
        assert said_in(done, language)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_both_questions_of_an_explanation_may_be_put_at_once(form: str) -> None:
    both = run_here("explain", BANK, "--why", "on_prem", "--why-not", "cloud", "--format", form).out
    assert run_here("explain", BANK, "--why", "on_prem", "--format", form).out.strip() in both
    assert run_here("explain", BANK, "--why-not", "cloud", "--format", form).out.strip() in both


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_of_several_workloads_is_explained_under_its_name(language: str) -> None:
    done = run_here("explain", SEVERAL, "--why-not", "cloud", "--lang", language)
    heads = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert heads == list(NAMES)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (("rules", "list"), ExitCode.DONE),
        (("rules", "show", RULE), ExitCode.DONE),
        (("check", STARTUP, BANK), ExitCode.DONE),
        (("init",), ExitCode.DONE),
        (("--help",), ExitCode.DONE),
        (("advise", "-h"), ExitCode.DONE),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_command_speaks_both_languages_on_standard_output_alone(
    typed: tuple[str, ...], code: ExitCode, language: str
) -> None:
    done = run_here(*typed, "--lang", language) if "help" not in typed[0] else run_here("--lang", language, *typed)
    assert (done.code, done.err) == (code, "")
    assert bool(CHINESE.search(done.out)) == (language == "zh" or "show" in typed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "faults", [(), (Fault("trace-empty", {}, Place("rules/x.yaml", 3, 5)),)], ids=["right", "wrong"]
)
def test_a_check_of_the_rules_counts_and_tells_faults_beside_the_counts(
    faults: tuple[Fault, ...], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = Checked(rows=61, carried=42, pending=19, rules=57, cases=196, scenarios=50, faults=faults, came=())
    monkeypatch.setattr("engine.checking.check_base", lambda *_: checked)
    done = run_here("rules", "check", "--lang", language)
    assert done.code == (ExitCode.CHECK_SAID_NO if faults else ExitCode.DONE)
    assert done.err == "".join(f"{fault.text(language)}\n" for fault in faults)
    assert {int(number) for number in re.findall(r"\d+", done.out)} >= {61, 42, 19, 57, 196, 50}
    assert bool(CHINESE.search(done.out)) == (language == "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trace_is_shown_and_verified_in_both_languages(trace: str, language: str) -> None:
    for command in ("show", "verify"):
        done = run_here("audit", command, trace, "--lang", language)
        assert (done.code, done.err) == (ExitCode.DONE, "")
        assert bool(CHINESE.search(done.out)) == (language == "zh")


def test_the_help_names_every_command_and_every_command_has_a_help() -> None:
    group = build("en")
    listed = run_here("--help").out
    for name, command in group.commands.items():
        assert re.search(rf"^  {name} ", listed, re.MULTILINE)
        assert run_here(name, "--help").out.startswith(f"Usage: gpu-advisor {name}")
        assert command.help


def test_without_a_command_the_help_is_shown_as_it_is_and_the_exit_code_is_that_of_bad_usage() -> None:
    for typed in ([], ["rules"], ["audit"]):
        done = run_here(*typed)
        assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
        assert done.err.startswith("Usage: gpu-advisor")


def test_the_version_stands_alone_on_standard_output() -> None:
    done = run_here("--version")
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert re.fullmatch(r"gpu-advisor \d+\.\d+\.\d+\S*\n", done.out)


# Exit codes

BAD_USAGE = {
    "no profile": ("advise",),
    "two profiles": ("advise", STARTUP, BANK),
    "no such command": ("advice", STARTUP),
    "no such option": ("advise", STARTUP, "--verbose"),
    "no such form": ("advise", STARTUP, "--format", "xml"),
    "no such language": ("advise", STARTUP, "--lang", "fr"),
    "no date": ("advise", STARTUP, "--as-of", "tomorrow"),
    "no day of the calendar": ("advise", STARTUP, "--as-of", "2026-02-29"),
    "no such file": ("advise", "nowhere.yaml"),
    "a folder": ("advise", str(EXAMPLES)),
    "a setting without a value": ("advise", STARTUP, "--set", "stage"),
    "a setting of no fact": ("advise", STARTUP, "--set", "stages=training"),
    "a setting that is no value": ("advise", STARTUP, "--set", "stage=trainning"),
    "a setting of no workload": ("advise", SEVERAL, "--set", "nobody/stage=training"),
    "a computed fact set": ("advise", STARTUP, "--set", "compliance.cloud_barred=yes"),
    "nothing of this name to explain": ("explain", STARTUP, "--why", "onprem"),
    "no such rule": ("rules", "show", "compliance.data-must-stay"),
    "no such trace": ("audit", "show", "nowhere.jsonl"),
    "no such trace to verify": ("audit", "verify", "nowhere.jsonl"),
    "no trace at all": ("audit", "show", STARTUP),
    "a file that is there": ("init", STARTUP),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", list(BAD_USAGE.values()), ids=list(BAD_USAGE))
def test_bad_usage_exits_two_and_says_why_beside_an_empty_result(typed: tuple[str, ...], language: str) -> None:
    done = run_here(*typed, environment={"LC_ALL": f"{language}.UTF-8"})
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert bool(CHINESE.search(done.err)) == (language == "zh")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        (("advise", STARTUP, "--set", "demand.utilisation=3%"), "did you mean 'demand.utilization'?"),
        (("advise", STARTUP, "--set", "stage=trainning"), "did you mean 'training'?"),
        (("explain", STARTUP, "--why", "on_perm"), "did you mean 'on_prem'?"),
        (("rules", "show", "compliance.data-must-stay-on-premisses"), f"did you mean '{RULE}'?"),
        (("advise", STARTUP, "--set", "assumptions.pu=1.2"), "did you mean"),
    ],
    ids=["fact", "value", "route", "rule", "figure"],
)
def test_the_nearest_name_is_suggested(typed: tuple[str, ...], hint: str) -> None:
    assert hint in run_here(*typed).err


def test_the_exit_codes_are_those_of_the_contract() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "DONE": 0,
        "CHECK_SAID_NO": 1,
        "BAD_INPUT": 2,
        "ENGINE_STOPPED": 3,
        "NOT_WRITTEN": 4,
        "INTERRUPTED": 130,
    }


def test_a_check_tells_the_valid_on_standard_output_and_the_rest_beside_it_and_says_no(tmp_path: Path) -> None:
    wrong = write(tmp_path, "profile: 1\nstages: training\n")
    done = run_here("check", STARTUP, wrong, "nowhere.yaml", SEVERAL)
    assert done.code == ExitCode.CHECK_SAID_NO
    assert [line.partition(":")[0] for line in done.out.splitlines()] == [STARTUP, SEVERAL]
    assert [line.partition(":")[0] for line in done.err.splitlines()] == [wrong, "nowhere.yaml"]


def test_a_check_counts_workloads_and_told_facts(tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nregion: cn\nworkloads: [{stage: training}, {name: b, stage: unknown}]\n")
    assert "workloads: 2, facts told: 3" in run_here("check", path).out


@pytest.mark.parametrize("line", [0, 3, -1], ids=["header", "middle", "end"])
def test_a_trace_that_was_changed_is_refused_by_verify_with_one_and_by_show_with_two(
    trace: str, tmp_path: Path, line: int
) -> None:
    lines = Path(trace).read_text(encoding="utf-8").splitlines(keepends=True)
    lines[line] = lines[line].replace(":", ": ", 1).replace('"kind"', '"kind2"')
    path = write(tmp_path, "".join(lines), "trace.jsonl")
    verified, shown = run_here("audit", "verify", path), run_here("audit", "show", path)
    assert (verified.code, verified.out) == (ExitCode.CHECK_SAID_NO, "")
    assert (shown.code, shown.out) == (ExitCode.BAD_INPUT, "")
    number = line % len(lines)
    assert verified.err.startswith(f"{path}:{number + 1}:1: ")
    assert f"record {number} " in verified.err


def test_a_rule_that_infers_twice_stops_the_engine_with_three(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise InferenceStopped([Fault("limit-reached", {"limit": 10, "rule": RULE})])

    monkeypatch.setattr("engine.consultation.Consultant.consult", stop)
    done = run_here("advise", STARTUP)
    assert (done.code, done.out) == (ExitCode.ENGINE_STOPPED, "")
    assert RULE in done.err


# Settings


def route(*settings: str, profile: str = SEVERAL) -> list[str | None]:
    """The routes of the workloads under these settings."""
    typed = [part for setting in settings for part in ("--set", setting)]
    done = run_here("advise", profile, "--format", "json", *typed)
    assert done.code == ExitCode.DONE, done.err
    return [workload["route"] for workload in done.document["workloads"]]


def test_a_setting_without_a_name_holds_for_every_workload() -> None:
    assert route() != ["on_prem"] * 3
    assert route("compliance.residency=on_premises") == ["on_prem"] * 3


def test_a_setting_with_a_name_holds_for_that_workload_alone() -> None:
    before = route()
    after = route("search for better networks/compliance.residency=on_premises")
    assert after == [before[0], "on_prem", before[2]]
    assert before[1] != "on_prem"


def test_the_later_of_two_settings_holds() -> None:
    assert route("compliance.residency=on_premises", "compliance.residency=anywhere") == route(
        "compliance.residency=anywhere"
    )


def test_a_setting_may_make_a_told_fact_unknown(tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\ncompliance: {residency: on_premises}\n")
    assert route(profile=path) == ["on_prem"]
    for word in ("unknown", "null", ""):
        assert route(f"compliance.residency={word}", profile=path) == [None]


@pytest.mark.parametrize("spelled", ["0.4-0.7", "40-70%", "[0.4, 0.7]", "[40%,70%]", "４０％-７０％"])
def test_a_range_may_be_set_in_every_spelling(spelled: str) -> None:
    typed = ("advise", STARTUP, "--format", "json", "--set")
    wanted = run_here(*typed, "demand.utilization=40%-70%").document
    assert run_here(*typed, f"demand.utilization={spelled}").document == wanted


def test_a_name_with_a_slash_or_an_equals_sign_can_be_set(tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nworkloads:\n  - name: a/b\n  - name: c\n")
    assert route("a/b/compliance.residency=on_premises", profile=path) == ["on_prem", None]


def test_a_figure_may_be_replaced_by_an_option(tmp_path: Path) -> None:
    path = str(tmp_path / "t.jsonl")
    run_here("advise", SEVERAL, "--set", "assumptions.lead_time_days=12", "--trace", path)
    first = Path(path).read_text(encoding="utf-8").splitlines()[1]
    assert json.loads(first) | {"hash": ""} == {
        "n": 1,
        "kind": "fact",
        "workload": None,
        "id": 0,
        "path": "assumptions.lead_time_days",
        "value": 12,
        "from": {"kind": "option"},
        "hash": "",
    }


def test_every_fault_of_every_setting_is_told_at_once() -> None:
    done = run_here("advise", STARTUP, "--set", "stages=1", "--set", "stage=x", "--set", "demand.gpus_peak=-1")
    assert len(done.err.splitlines()) == 3


# Standard input, JSON, init, schema


@pytest.mark.parametrize("command", ["advise", "explain", "check"])
def test_a_dash_reads_standard_input(command: str) -> None:
    done = run_here(command, "-", stdin=Path(STARTUP).read_bytes())
    assert (done.code, done.err) == (ExitCode.DONE, "")
    if command == "advise":
        assert done.out == run_here(command, STARTUP).out


def test_faults_of_standard_input_name_it() -> None:
    assert run_here("advise", "-", stdin=b"stage: x\n").err.startswith("<stdin>:1:1: ")


def test_a_profile_in_json_means_the_same_as_in_yaml(tmp_path: Path) -> None:
    told = {
        "profile": 1,
        "name": "\U0001f600 startup",
        "stage": "fine_tuning",
        "operations": {"team": "thin", "vendor_run": False},
        "model": {"parameters": "70亿", "method": None},
        "demand": {"utilization": [0.1, 0.2], "gpus_peak": 32, "interruptible": True},
    }
    lines = "profile: 1\nstage: fine_tuning\noperations: {team: thin, vendor_run: no}\nmodel: {parameters: 7e9}\n"
    lines += "demand: {utilization: 10-20%, gpus_peak: 32, interruptible: yes}\n"
    wanted = run_here("advise", write(tmp_path, lines), "--format", "json").document
    for text in (json.dumps(told), json.dumps(told, ensure_ascii=False, indent="\t")):
        assert run_here("advise", write(tmp_path, text, "p.json"), "--format", "json").document == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_blank_profile_is_valid_and_names_every_fact_that_can_be_told(tmp_path: Path, language: str) -> None:
    path = tmp_path / "new.yaml"
    done = run_here("init", str(path), "--lang", language)
    assert (done.code, done.out) == (ExitCode.DONE, "")
    assert str(path) in done.err
    text = path.read_text(encoding="utf-8")
    assert text == run_here("init", "--lang", language).out
    assert run_here("check", str(path)).code == ExitCode.DONE
    assert run_here("advise", str(path), "--format", "json").document["overall"]["status"] == "undetermined"
    assert text.count(": unknown\n") == len(knowledge_base().vocabulary.told())


def test_init_never_overwrites(tmp_path: Path) -> None:
    path = write(tmp_path, "mine")
    assert run_here("init", path).code == ExitCode.BAD_INPUT
    assert Path(path).read_text(encoding="utf-8") == "mine"


def test_init_into_a_folder_that_is_not_there_exits_four(tmp_path: Path) -> None:
    done = run_here("init", str(tmp_path / "none" / "new.yaml"))
    assert (done.code, done.out, list(tmp_path.iterdir())) == (ExitCode.NOT_WRITTEN, "", [])


def test_the_schema_describes_every_fact_and_refuses_every_other_key() -> None:
    done = run_here("schema")
    assert (done.code, done.err) == (ExitCode.DONE, "")
    schema = done.document
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (schema["required"], schema["additionalProperties"]) == (["profile"], False)
    groups = {name: _resolved(schema, name) for name in schema["properties"]}
    for fact in knowledge_base().vocabulary.told():
        group, _, name = fact.path.rpartition(".")
        described = (groups[group]["properties"] if group else schema["properties"])[name]
        assert described["title"] == fact.title["en"]
        assert described["description"] == fact.meaning["en"]
    assert all(group["additionalProperties"] is False for group in groups.values() if "properties" in group)


def _resolved(schema: Any, name: str) -> Any:
    """The object behind a property of the schema, or an empty one."""
    found = re.search(r'"#/\$defs/(\w+)"', json.dumps(schema["properties"][name]))
    return schema["$defs"][found[1]] if found else {}


# Which language


@pytest.mark.parametrize(
    ("typed", "environment", "language"),
    [
        ((), {}, "en"),
        ((), {"LANG": "zh_CN.UTF-8"}, "zh"),
        ((), {"LANG": "zh"}, "zh"),
        ((), {"LANG": "zh-Hans-CN"}, "zh"),
        ((), {"LANG": "zh_TW.Big5"}, "zh"),
        ((), {"LANG": "C.UTF-8"}, "en"),
        ((), {"LANG": "POSIX"}, "en"),
        ((), {"LANG": "de_DE.UTF-8"}, "en"),
        ((), {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ((), {"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "zh"),
        ((), {"LC_MESSAGES": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        (("--lang", "zh"), {"LC_ALL": "en_US.UTF-8"}, "zh"),
        (("--lang=en",), {"LC_ALL": "zh_CN.UTF-8"}, "en"),
        (("--lang", "zh", "advise", "--lang", "en"), {}, "en"),
        (("--lang", "fr"), {"LC_ALL": "zh_CN.UTF-8"}, "zh"),
        (("--lang",), {}, "en"),
    ],
)
def test_the_option_chooses_the_language_then_the_locale_then_english(
    typed: tuple[str, ...], environment: Mapping[str, str], language: str
) -> None:
    assert language_of(typed, environment) == language


def test_the_option_may_stand_before_the_command_or_behind_it() -> None:
    before, behind = run_here("--lang", "zh", "check", STARTUP), run_here("check", STARTUP, "--lang", "zh")
    assert before == behind
    assert CHINESE.search(before.out)


def test_the_language_changes_only_the_wording_of_advice_in_json() -> None:
    found = [
        json.loads(run_here("advise", SEVERAL, "--format", "json", "--lang", code).out, object_hook=_without_text)
        for code in LANGUAGES
    ]
    assert found[0] == found[1]


def _without_text(data: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in data.items() if key != "text"}


def test_the_chain_of_a_trace_is_what_the_engine_makes_of_its_records(trace: str) -> None:
    lines = Path(trace).read_bytes().splitlines(keepends=True)
    bare = [{k: v for k, v in json.loads(line).items() if k not in ("n", "hash")} for line in lines]
    assert list(chained(bare)) == lines
