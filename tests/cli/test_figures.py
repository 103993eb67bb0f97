"""Figures on the command line: listed, shown, checked, laid over the shipped ones, and told when they are old."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.exit_code import ExitCode
from knowledge import knowledge_base
from knowledge.gpus import gpus
from tests.cli.command import EXAMPLES, LANGUAGES, Done, run_here, write

STEADY = str(EXAMPLES / "steady-inference.yaml")
BANK = str(EXAMPLES / "bank-on-premises.yaml")
COSTED = str(EXAMPLES / "busy-service-costed.yaml")
RATE = "cny_per_usd"
HEADER = (
    "provider,instance,gpu,gpu_memory_gb,gpus,region,areas,tier,purchase,includes,"
    "value,unit,as_of,source,confidence,note,accept_because"
)
LATE = "2028-01-01"
ON_H20 = (
    "profile: 1\nstage: online_inference\nregion: cn\nfinance: {currency: USD}\n"
    "compliance: {sensitivity: internal, isolation: logical}\nmodel: {gpu: H20, gpu_memory_gb: 80}\n"
    "demand: {pattern: steady, utilization: 80%, gpus_steady: 8, gpus_peak: 8, horizon_months: 24}\n"
)


def row(value: object, *, gpu: str = "H20", purchase: str = "on_demand", instance: str = "one", why: str = "") -> str:
    """A row for one instance in Beijing; `value` is its price in USD."""
    cells = f"mine,{instance},{gpu},96,8,beijing,cn,hyperscaler,{purchase},host_and_gpu"
    return f"{cells},{value},USD/GPU-hour,2026-11,q,medium,,{why}"


def table(folder: Path, rows: Iterable[str], name: str = "mine.csv") -> str:
    return write(folder, "\n".join([HEADER, *rows]) + "\n", name)


def rate(folder: Path, value: object = 6.9, schema: int = 1, name: str = "mine.yaml") -> str:
    text = (
        f'schema: {schema}\nfigures:\n  - {{id: {RATE}, value: {value}, unit: CNY/USD, as_of: "2026-11-30", '
        "source: our bank, confidence: high}\n"
    )
    return write(folder, text, name)


def told(done: Done) -> list[str]:
    return done.err.splitlines()


# List


def test_the_list_has_a_line_for_every_figure_with_value_unit_date_and_confidence() -> None:
    lines = run_here("figures", "list").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(knowledge_base().figures)
    assert (
        f"{RATE}: 7.1 CNY/USD (as of 2026-11-30, low confidence)"
        in run_here("figures", "list", "--as-of", "2026-12-01").out
    )


def test_what_is_past_is_told_by_a_word() -> None:
    before, after = (run_here("figures", "list", RATE, "--as-of", day).out for day in ("2027-02-28", "2027-03-01"))
    assert "past" not in before
    assert after == before.replace("low confidence)", "low confidence; past)")
    assert "已过期" in run_here("figures", "list", RATE, "--as-of", LATE, "--lang", "zh").out


def test_a_prefix_chooses_by_how_ids_begin_and_else_by_the_file() -> None:
    by_id = run_here("figures", "list", "draw_share.").out.splitlines()
    assert len(by_id) > 1
    assert all(line.startswith("draw_share.") for line in by_id)
    by_file = run_here("figures", "list", "exchange").out.splitlines()
    assert [line.partition(":")[0] for line in by_file] == ["cny_per_usd", "usd_per_eur"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prefix_that_no_figure_has_is_refused(language: str) -> None:
    done = run_here("figures", "list", "exchance", "--lang", language)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert "exchance" in done.err


def test_the_list_in_json_holds_everything_of_each_figure() -> None:
    document = run_here("figures", "list", "cloud_price.aws.", "--format", "json", "--as-of", LATE).document
    assert (document["schema"], document["as_of"]) == ("gpu-advisor/figures/1", LATE)
    assert document["knowledge"] == {"digest": knowledge_base().digest}
    first = document["figures"][0]
    figure = knowledge_base().figures[first["id"]]
    assert (first["value"], first["unit"], first["source"]) == (figure.value, figure.unit, figure.source)
    assert first["attributes"] == dict(figure.attributes)
    assert first["past"] is True
    assert first["place"] == {"file": "figures/cloud_prices.csv", "line": figure.place.line}
    assert "cost.cloud_total" in first["read_by"]


# Show


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_is_shown_with_all_that_is_known_of_it(language: str) -> None:
    done = run_here("figures", "show", "lead_time_days", "--lang", language)
    figure = knowledge_base().figures["lead_time_days"]
    assert (done.code, done.err) == (ExitCode.DONE, "")
    for part in ("28–180", figure.title[language], figure.source, figure.note, str(figure.place), *figure.rows):
        assert part in done.out
    assert "[delivery.slack_days]" in done.out


def test_a_figure_that_no_formula_may_read_says_so() -> None:
    name = "lead_time_days.ready_site"
    assert not any(name in formula.declared for formula in knowledge_base().formulas)
    assert run_here("figures", "show", name).out.splitlines()[-1] == "No computed fact reads it."


def test_a_row_of_a_table_is_shown_with_its_cells() -> None:
    name = "cloud_price.aws.p4d.24xlarge.us-east-1.on-demand"
    lines = run_here("figures", "show", name).out.splitlines()
    cells = knowledge_base().figures[name].attributes
    assert [f"  {column}: {cell}" for column, cell in cells.items()] == [
        line for line in lines if line.strip().partition(":")[0] in cells
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nearest_id_is_suggested_for_one_that_is_no_figure(language: str) -> None:
    done = run_here("figures", "show", "cny_per_us", "--lang", language)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert RATE in done.err


def test_a_figure_of_ones_own_is_shown_with_the_file_and_line_it_stands_in(tmp_path: Path) -> None:
    path = rate(tmp_path)
    shown = run_here("figures", "show", RATE, "--figures", path).out
    assert "6.9 CNY/USD" in shown
    assert "our bank" in shown
    assert f"{path}:3:" in shown


# Check


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_counts_by_file_and_confidence_and_names_what_is_past(language: str) -> None:
    done = run_here("figures", "check", "--as-of", LATE, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert "figures/exchange.yaml" in done.out
    document = run_here("figures", "check", "--as-of", LATE, "--format", "json", "--lang", language).document
    counts = document["figures"]
    assert counts["figures/exchange.yaml"] == {"low": 2, "medium": 0, "high": 0, "past": 2}
    assert sum(c["low"] + c["medium"] + c["high"] for c in counts.values()) == len(knowledge_base().figures)
    assert sum(c["past"] for c in counts.values()) == len(document["past"])
    assert {"id": RATE, "as_of": "2026-11-30"} in document["past"]
    assert all(past["id"] in done.out for past in document["past"])


def test_a_check_counts_offers_by_card_and_region_and_names_cards_without_any(tmp_path: Path) -> None:
    path = table(tmp_path, [row(1), row(0.6, purchase="spot"), row(1, instance="two")])
    before, after = (
        run_here("figures", "check", "--format", "json", *typed).document["offers"]
        for typed in ((), ("--figures", path))
    )
    assert after["H20"] == {**before["H20"], "cn": before["H20"]["cn"] + 2}
    assert {**after, "H20": 0} == {**before, "H20": 0}
    assert list(before) == [gpu.id for gpu in gpus()]
    text = run_here("figures", "check").out
    bare = [card for card, regions in before.items() if not any(regions.values())]
    assert all(f"{card}:" not in text for card in bare)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_warns_of_spot_no_lower_than_on_demand_with_both_prices_and_places_and_still_exits_zero(
    language: str, tmp_path: Path
) -> None:
    path = table(tmp_path, [row(1.25), row(1.5, purchase="spot"), row(1.3, purchase="reserved_1y")])
    done = run_here("figures", "check", "--figures", path, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    spot, reserved = (line for line in done.out.splitlines() if line.startswith(path) and "cloud_price.mine" in line)
    assert spot.startswith(f"{path}:3:1")
    assert reserved.startswith(f"{path}:4:1")
    for part in ("1.25 ", "1.5 ", f"{path}:2:1", "cloud_price.mine.one.beijing.spot"):
        assert part in spot
    kinds = run_here("figures", "check", "--figures", path, "--format", "json").document["warnings"]
    assert [w["kind"] for w in kinds if w["price"]["place"]["file"] == path] == ["spot", "reserved"]


def test_a_check_says_no_to_a_faulty_file_alone(tmp_path: Path) -> None:
    done = run_here("figures", "check", "--figures", rate(tmp_path, value=-1))
    assert (done.code, done.out) == (ExitCode.CHECK_SAID_NO, "")
    assert done.err.startswith(str(tmp_path / "mine.yaml"))


@pytest.mark.parametrize("command", ["list", "show", "check"])
def test_a_day_that_is_none_is_refused(command: str) -> None:
    typed = ("show", RATE) if command == "show" else (command,)
    done = run_here("figures", *typed, "--as-of", "2026-13-01")
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")


# Over the shipped figures

JUDGING = (("advise", STEADY), ("explain", STEADY), ("cost", COSTED), ("check", STEADY))


@pytest.mark.parametrize("typed", JUDGING, ids=lambda typed: typed[0])
def test_every_command_that_reads_a_profile_takes_figures_of_ones_own(typed: Sequence[str], tmp_path: Path) -> None:
    done = run_here(*typed, "--figures", rate(tmp_path), "--figures", table(tmp_path, [row(1)]))
    assert (done.code, done.err) == (ExitCode.DONE, "")


@pytest.mark.parametrize(
    "typed", [*JUDGING, ("figures", "list"), ("figures", "show", RATE)], ids=lambda t: "-".join(t[:2])
)
def test_a_faulty_file_ends_every_command_with_its_place_and_nothing_else(typed: Sequence[str], tmp_path: Path) -> None:
    path = rate(tmp_path, value=-1)
    done = run_here(*typed, "--figures", path)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert [line.startswith(f"{path}:3:") for line in told(done)] == [True]


def test_a_profile_may_replace_a_figure_that_only_a_file_of_ones_own_has(tmp_path: Path) -> None:
    path = table(tmp_path, [row(1)])
    profile = write(tmp_path, "profile: 1\nassumptions: {cloud_price.mine.one.beijing.on-demand: 2}\n")
    assert run_here("check", profile).code == ExitCode.CHECK_SAID_NO
    assert run_here("check", profile, "--figures", path).code == ExitCode.DONE


def test_a_price_of_ones_own_moves_the_sums_and_the_digest(tmp_path: Path) -> None:
    profile = write(tmp_path, ON_H20)
    typed = ("cost", profile, "--format", "json")
    shipped, own = (run_here(*typed, *more).document for more in ((), ("--figures", table(tmp_path, [row(0.5)]))))
    assert own["knowledge"]["digest"] != shipped["knowledge"]["digest"]
    hourly = [
        next(option["total"] for option in document["workloads"][0]["options"] if option["id"] == "on_demand")
        for document in (shipped, own)
    ]
    assert 0 < hourly[1][0] < hourly[0][0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["advise", "explain", "cost", "check"])
def test_spot_no_lower_than_on_demand_in_a_file_of_ones_own_is_told_beside_the_result(
    command: str, language: str, tmp_path: Path
) -> None:
    path = table(tmp_path, [row(1.25), row(1.5, purchase="spot")])
    done = run_here(command, write(tmp_path, ON_H20), "--figures", path, "--lang", language)
    assert done.code == ExitCode.DONE
    (warning,) = told(done)
    assert warning.startswith(f"{path}:3:1")
    assert "cloud_price.mine" not in done.out or command == "cost"


def test_where_spot_is_no_lower_the_verdict_knows_that_it_saves_nothing(tmp_path: Path) -> None:
    profile = write(tmp_path, ON_H20)
    found = []
    for spot in (1.5, 0.5):
        path = table(tmp_path, [row(1.25), row(spot, purchase="spot")])
        done = run_here("advise", profile, "--figures", path, "--format", "json")
        found.append(done.document["workloads"][0]["cost"]["spot_saves"])
    assert found == [False, True]


def test_a_trace_made_with_figures_of_ones_own_verifies_with_them_and_not_without(tmp_path: Path) -> None:
    path, trace = rate(tmp_path), str(tmp_path / "trace.jsonl")
    run_here("advise", STEADY, "--figures", path, "--trace", trace)
    assert run_here("audit", "verify", trace, "--figures", path).code == ExitCode.DONE
    without = run_here("audit", "verify", trace)
    assert (without.code, without.out) == (ExitCode.CHECK_SAID_NO, "")
    assert "other knowledge" in without.err
    assert run_here("audit", "verify", trace, "--figures", rate(tmp_path, 7.0)).code == ExitCode.CHECK_SAID_NO
    faulty = run_here("audit", "verify", trace, "--figures", rate(tmp_path, -1))
    assert (faulty.code, faulty.out) == (ExitCode.BAD_INPUT, "")


# What is refused in a file of one's own


def test_a_price_in_the_wrong_field_is_refused_with_its_place_unless_it_is_said_why_it_is_right(tmp_path: Path) -> None:
    path = table(tmp_path, [row(0.01, gpu="B200-SXM-180GB")])
    done = run_here("cost", STEADY, "--figures", path)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    (line,) = told(done)
    assert line.startswith(f"{path}:2:")
    assert "'value'" in line
    assert "accept_because" in line
    meant = table(tmp_path, [row(0.01, gpu="B200-SXM-180GB", why="a grant pays the rest")])
    assert run_here("cost", STEADY, "--figures", meant).code == ExitCode.DONE


def test_a_half_filled_row_is_refused_with_its_line(tmp_path: Path) -> None:
    path = table(tmp_path, [row(1), "mine,two,H20,96,8,beijing"])
    (line,) = told(run_here("figures", "list", "--figures", path))
    assert line.startswith(f"{path}:3:1: ")


def test_of_a_hundred_rows_every_blank_price_is_named(tmp_path: Path) -> None:
    blank = (4, 17, 18, 40, 63, 77, 99)
    rows = [row("" if number in blank else 1, instance=f"i{number}") for number in range(100)]
    path = table(tmp_path, rows)
    done = run_here("advise", STEADY, "--figures", path)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert [line.split(":")[1] for line in told(done)] == [str(number + 2) for number in blank]
    assert all("'value'" in line for line in told(done))


def test_two_rows_of_one_id_are_refused_with_the_place_of_the_first(tmp_path: Path) -> None:
    path = table(tmp_path, [row(1), row(1.1)])
    (line,) = told(run_here("figures", "list", "--figures", path))
    assert line.startswith(f"{path}:3:1: ")
    assert f"{path}:2:1" in line


def test_a_file_of_a_version_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = rate(tmp_path, schema=2)
    (line,) = told(run_here("advise", STEADY, "--figures", path))
    assert line.startswith(f"{path}:1:")
    assert "2" in line.removeprefix(path)


def test_a_region_without_a_price_is_told_and_costs_not_zero(tmp_path: Path) -> None:
    profile = write(tmp_path, ON_H20.replace("gpu: H20, gpu_memory_gb: 80", "gpu: H100-SXM-80GB"))
    assert "No price of renting H100-SXM-80GB in mainland China is known" in run_here("cost", profile).out
    (workload,) = run_here("cost", profile, "--format", "json").document["workloads"]
    rented = [option for option in workload["options"] if option["id"] == "on_demand"]
    assert all(option["total"] is None for option in rented)
    assert {"price"} <= {
        missing["kind"] for missing in (*workload["missing"], *(m for o in rented for m in o["missing"]))
    }
    verdict = run_here("advise", profile, "--format", "json").document["workloads"][0]
    assert "cloud_total" not in (verdict["cost"] or {})


# The age of figures in the verdict


def cloud(ids: Iterable[str]) -> list[str]:
    return [name for name in ids if name.startswith("cloud_price.")]


def test_prices_that_are_past_are_told_in_text_in_json_and_in_the_trace(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    done = run_here("advise", STEADY, "--as-of", LATE, "--format", "json", "--trace", str(trace))
    past = done.document["knowledge"]["figures_past"]
    assert cloud(item["id"] for item in past)
    assert [item["as_of"] for item in past] == [knowledge_base().figures[item["id"]].as_of for item in past]
    assert json.loads(trace.read_text(encoding="utf-8").splitlines()[-1])["past"] == [item["id"] for item in past]
    titles = {code: [knowledge_base().figures[item["id"]].title[code] for item in past] for code in LANGUAGES}
    for code in LANGUAGES:
        short = run_here("advise", STEADY, "--as-of", LATE, "--lang", code).out.splitlines()[-1]
        assert LATE in short
        assert sum(title in short for title in titles[code]) == 2
        assert str(len(past) - 2) in short
        whole = run_here("advise", STEADY, "--as-of", LATE, "--lang", code, "--all").out.splitlines()[-1]
        assert all(title in whole for title in titles[code])
    page = run_here("advise", STEADY, "--as-of", LATE, "--format", "markdown").out
    assert page.rstrip().splitlines()[-1].startswith(f"_Past their age limit on {LATE}")


def test_the_oldest_figures_are_named_first() -> None:
    document = run_here("advise", STEADY, "--as-of", LATE, "--format", "json").document
    oldest = min(document["knowledge"]["figures_past"], key=lambda item: str(item["as_of"]))
    line = run_here("advise", STEADY, "--as-of", LATE).out.splitlines()[-1]
    assert f"ones: {knowledge_base().figures[oldest['id']].title['en']} (as of {oldest['as_of']})" in line


def test_nothing_is_said_of_age_where_no_figure_used_is_past() -> None:
    assert "age limit" not in run_here("advise", BANK, "--as-of", "2026-12-01").out
    document = run_here("advise", BANK, "--as-of", "2026-12-01", "--format", "json").document
    assert document["knowledge"]["figures_past"] == []


def test_the_date_of_the_prices_is_that_of_the_newest_and_never_missing(tmp_path: Path) -> None:
    def dated(*typed: str) -> Any:
        return run_here("advise", BANK, "--format", "json", *typed).document["knowledge"]["prices_as_of"]

    assert dated() == knowledge_base().figures_as_of("cloud_price.") is not None
    newer = table(tmp_path, [row(1).replace("2026-11,", "2027-05,")])
    assert dated("--figures", newer) == "2027-05"
