"""A table screened: every row has its verdict, none is lost, and what is wrong is told with its line and fact."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from cli.exit_code import ExitCode
from cli.screening.header import ADDED
from engine.values import Value
from knowledge import knowledge_base
from tests.cli.command import EXAMPLES, LANGUAGES, Done, run_here, write
from tests.engine.column_equality import by_bounds
from tests.engine.helpers import told

FLEET = str(EXAMPLES / "fleet.csv")
BASE = knowledge_base()
FACTS = BASE.vocabulary.facts
ONE = "id,stage,demand.utilization\n"


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def screened(folder: Path, text: str, name: str = "table.csv") -> Done:
    return run_here("screen", write(folder, text, name))


def facts_of(row: Mapping[str, str]) -> dict[str, Value]:
    read = {path: FACTS[path].read(cell) for path, cell in row.items() if path in FACTS}
    return {path: value for path, value in read.items() if value is not None}


def test_each_row_of_the_fleet_has_the_verdict_that_it_gets_by_itself() -> None:
    done = run_here("screen", FLEET)
    assert done.code == ExitCode.DONE
    judge = by_bounds(BASE)
    for row in rows_of(done.out):
        judgement = judge.judge(0, None, told(BASE, facts_of(row)), {})
        deciding = judgement.deciding()
        found = (judgement.route or "", judgement.form or "", judgement.status, deciding[0] if deciding else "")
        assert (row["route"], row["form"], row["status"], row["reason"]) == found, row["id"]


def test_the_margin_is_the_lead_over_the_other_route(tmp_path: Path) -> None:
    done = screened(tmp_path, "demand.pattern,demand.utilization,finance.funding\nbursts,10%,either\n")
    (row,) = rows_of(done.out)
    judgement = by_bounds(BASE).judge(0, None, told(BASE, facts_of(row)), {})
    scores = sorted(judgement.weighing.scores.values())
    assert float(row["margin"]) == scores[1] - scores[0] > 0


def test_the_columns_and_the_order_of_the_rows_stay_and_five_are_added() -> None:
    done = run_here("screen", FLEET)
    before = rows_of(Path(FLEET).read_text(encoding="utf-8"))
    after = rows_of(done.out)
    assert list(after[0]) == [*before[0], *ADDED]
    assert [{name: row[name] for name in before[0]} for row in after] == before


def test_a_row_at_fault_is_told_with_its_line_and_fact_and_kept(tmp_path: Path) -> None:
    done = screened(tmp_path, ONE + 'a,training,30%\nb,"training",70\n"c\nd",trainin,10%\ne,,\n')
    assert done.code == ExitCode.CHECK_SAID_NO
    rows = rows_of(done.out)
    assert [row["id"] for row in rows] == ["a", "b", "c\nd", "e"]
    assert [row["reason"] for row in rows[1:3]] == ["invalid: demand.utilization", "invalid: stage"]
    assert [row["route"] + row["status"] + row["margin"] for row in rows[1:3]] == ["", ""]
    assert rows[3]["status"] == "undetermined"
    first, second, *_ = done.err.splitlines()
    assert first.startswith(f"{tmp_path / 'table.csv'}:3:3: ")
    assert "'demand.utilization'" in first
    assert second.startswith(f"{tmp_path / 'table.csv'}:4:2: ")
    assert "did you mean 'training'" in second


def test_facts_that_cannot_be_together_put_a_row_at_fault(tmp_path: Path) -> None:
    done = screened(tmp_path, "demand.gpus_steady,demand.gpus_peak\n8,4\n4,8\n8,\n")
    assert [row["reason"].startswith("invalid") for row in rows_of(done.out)] == [True, False, False]
    assert "'demand.gpus_peak' is 4 GPU, below 'demand.gpus_steady'" in done.err


def test_only_the_first_faults_are_told_and_the_others_counted(tmp_path: Path) -> None:
    done = screened(tmp_path, ONE + "x,nonsense,\n" * 50)
    assert sum("nonsense" in line for line in done.err.splitlines()) == 20
    assert "and 30 rows more" in done.err


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("id,complaince.residency", "did you mean 'compliance.residency'?"),
        ("stage,cost.own_over_cloud", "unknown fact 'cost.own_over_cloud'"),
        ("stage,route", "the column 'route' has the name of one that is added"),
        ("stage,id,id", "the column 'id' stands twice"),
        ("id,owner", "no column holds a fact"),
    ],
)
def test_a_header_that_could_be_misread_is_refused(header: str, said: str, tmp_path: Path) -> None:
    done = screened(tmp_path, f"{header}\n")
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert said in done.err


def test_a_row_with_too_many_cells_stops_and_one_with_too_few_is_at_fault(tmp_path: Path) -> None:
    long = screened(tmp_path, ONE + "a,training,30%\nb,training,30%,x\n")
    assert long.code == ExitCode.BAD_INPUT
    assert "table.csv:3:1: " in long.err
    short = screened(tmp_path, ONE + "a,training\nb,training,30%\n")
    assert short.code == ExitCode.CHECK_SAID_NO
    assert rows_of(short.out)[0]["reason"] == "invalid"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_any_usual_delimiter_and_a_byte_order_mark_are_read(delimiter: str, tmp_path: Path) -> None:
    text = f"\ufeffstage{delimiter}demand.utilization\nonline_inference{delimiter}40-70%\n"
    done = screened(tmp_path, text)
    assert done.code == ExitCode.DONE
    (row,) = rows_of(done.out, delimiter)
    assert row["stage"] == "online_inference"
    assert row["demand.utilization"] == "40-70%"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("stage,部门\ntraining,影像\n".encode("gbk"), "is not UTF-8"),
        (b"", "is empty"),
        (b'stage\n"training\n', "is not CSV here"),
        (b"PAR1nothing", "cannot be read as Parquet"),
    ],
)
def test_a_file_that_is_no_table_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(content)
    done = run_here("screen", str(tmp_path / "table.csv"))
    assert done.code == ExitCode.BAD_INPUT
    assert said in done.err


def test_a_table_comes_through_standard_input(tmp_path: Path) -> None:
    text = ONE + "a,training,30%\n"
    done = run_here("screen", "-", stdin=text.encode())
    assert done.out == screened(tmp_path, text).out


def test_small_batches_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_here("screen", FLEET)
    monkeypatch.setattr("cli.screening.tables.ROWS_AT_ONCE", 7)
    monkeypatch.setattr("cli.screening.values.MOST_KEPT", 3)
    assert run_here("screen", FLEET).out == whole.out


def test_parquet_with_typed_columns_gets_the_verdicts_of_the_same_csv(tmp_path: Path) -> None:
    typed = {
        "id": ["a", "b", None],
        "stage": ["training", "online_inference", None],
        "demand.utilization": [0.3, float("nan"), 0.9],
        "demand.gpus_peak": [8, 64, None],
        "demand.interruptible": [True, False, None],
    }
    pl.DataFrame(typed).write_parquet(tmp_path / "table.parquet")
    text = (
        "id,stage,demand.utilization,demand.gpus_peak,demand.interruptible\n"
        "a,training,30%,8,yes\nb,online_inference,,64,no\n,,90%,,\n"
    )
    out = tmp_path / "out.parquet"
    assert run_here("screen", str(tmp_path / "table.parquet"), "--out", str(out)).code == ExitCode.DONE
    found = pl.read_parquet(out)
    assert found.drop(*ADDED).equals(pl.DataFrame(typed))
    wanted = rows_of(screened(tmp_path, text).out)
    assert [
        [str(cell) if cell is not None else "" for cell in row] for row in found.select("route", "reason").rows()
    ] == [[row["route"], row["reason"]] for row in wanted]


def test_parquet_with_columns_of_any_type_is_carried_along_and_read_where_it_can_be(tmp_path: Path) -> None:
    odd = pl.DataFrame(
        {
            "stage": pl.Series(["training", "training"], dtype=pl.Categorical),
            "demand.utilization": [[0.2, 0.4], [0.4, 0.2]],
            "model.parameters": pl.Series(["7000000000", None]).cast(pl.Decimal(20, 0)),
            "since": [date(2026, 1, 1), None],
            "tags": [["a"], []],
            "owner": [{"name": "x"}, None],
        }
    )
    odd.write_parquet(tmp_path / "odd.parquet")
    done = run_here("screen", str(tmp_path / "odd.parquet"), "--out", str(tmp_path / "out.parquet"))
    assert done.code == ExitCode.CHECK_SAID_NO
    found = pl.read_parquet(tmp_path / "out.parquet")
    assert found.drop(*ADDED).equals(odd)
    assert found["reason"].to_list()[1] == "invalid: demand.utilization"
    assert found["route"].to_list()[0] is not None
    csv_done = run_here("screen", str(tmp_path / "odd.parquet"))
    assert len(rows_of(csv_done.out)) == 2


def test_csv_becomes_parquet_and_parquet_csv(tmp_path: Path) -> None:
    parquet = tmp_path / "fleet.parquet"
    assert run_here("screen", FLEET, "--out", str(parquet)).out == ""
    back = run_here("screen", FLEET)
    rows = rows_of(back.out)
    found = pl.read_parquet(parquet)
    assert found["id"].to_list() == [row["id"] for row in rows]
    pl.read_parquet(parquet).drop(*ADDED).write_parquet(tmp_path / "again.parquet")
    again = run_here("screen", str(tmp_path / "again.parquet"))
    assert rows_of(again.out) == rows


def test_the_table_itself_is_never_written_over(tmp_path: Path) -> None:
    table = write(tmp_path, ONE, "table.csv")
    done = run_here("screen", table, "--out", table)
    assert done.code == ExitCode.BAD_INPUT
    assert Path(table).read_text(encoding="utf-8") == ONE


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_table_that_was_interrupted_leaves_nothing_behind(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    table = write(tmp_path, ONE + "a,training,30%\n", "table.csv")
    monkeypatch.setattr("cli.screening.judging.Screener.judge", interrupted)
    assert run_here("screen", table, "--out", str(tmp_path / name)).code == ExitCode.INTERRUPTED
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_counts_routes_statuses_and_reasons(language: str) -> None:
    done = run_here("screen", FLEET, "--lang", language)
    assert "40" in done.err.splitlines()[0]
    assert "[compliance.data-must-stay-on-premises]" in done.err
    assert "id" in done.err.splitlines()[1]


def test_house_rules_hold_for_every_row() -> None:
    done = run_here("screen", FLEET, "--rules", str(EXAMPLES / "house-rules"))
    secret = [row for row in rows_of(done.out) if row["compliance.sensitivity"] == "core_secret"]
    assert secret
    assert {row["route"] for row in secret} == {"on_prem"}
