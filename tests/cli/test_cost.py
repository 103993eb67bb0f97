"""The command `cost`: its forms, the files that it writes, and how it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.exit_code import ExitCode
from cli.render.cost_page import Costed
from cli.render.cost_wording import Wording
from knowledge import knowledge_base
from knowledge.costing import Costing
from tests.cli import costings
from tests.cli.command import EXAMPLES, FORMATS, LANGUAGES, run_here, write
from tests.cli.costings import ALL
from tests.cli.sheets import read_book

BANK = str(EXAMPLES / "bank-on-premises.yaml")
HAND_MADE = pytest.mark.usefixtures("costed")


@pytest.fixture
def costed(monkeypatch: pytest.MonkeyPatch) -> list[Costed]:
    """What the command finds in place of sums of its own; a test may fill it otherwise."""
    found = [Costed(None, costings.whole())]
    monkeypatch.setattr("cli.commands.cost.costings", lambda _: tuple(found))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_costs_come_in_every_form_and_language_and_nothing_stands_beside_them(
    form: str, language: str, costed: list[Costed]
) -> None:
    costed[:] = [Costed(name, made()) for name, made in ALL.items()]
    done = run_here("cost", BANK, "--format", form, "--lang", language)
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert [name for name in ALL if name not in done.out] == []


@HAND_MADE
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_all_options_stand_line_by_line_only_if_asked(form: str) -> None:
    head = "Line by line: own base and rented peak"
    short, whole = (run_here("cost", BANK, "--format", form, *more).out for more in ((), ("--all",)))
    assert (head in short, head in whole) == (False, True)
    assert len(short.splitlines()) < len(whole.splitlines())


@HAND_MADE
def test_the_json_holds_everything_of_a_costing() -> None:
    costing = costings.whole()
    document = run_here("cost", BANK, "--format", "json", "--as-of", "2026-11-30").document
    assert document["schema"] == "gpu-advisor/cost/1"
    assert document["as_of"] == "2026-11-30"
    assert document["knowledge"]["digest"] == knowledge_base().digest
    (workload,) = document["workloads"]
    assert set(Costing.__dataclass_fields__) <= set(workload)
    for option, data in zip(costing.options, workload["options"], strict=True):
        assert data["total"] == pytest.approx(option.total)
        assert [line["id"] for line in data["lines"]] == [line.id for line in option.lines]
        for line, stands in zip(option.lines, data["lines"], strict=True):
            assert [(i["name"], i["least"], i["most"], i["unit"]) for i in stands["inputs"]] == [
                (i.name, i.least, i.most, i.unit) for i in line.inputs
            ]
        assert data["cumulative"]["most"] == pytest.approx(option.cumulative[1])
        assert 0 <= data["low_confidence_share"] <= 1
    (item,), (found,) = workload["break_even"], costing.break_even
    assert found.meetings is not None
    for stands, meeting in zip(item["meetings"], found.meetings, strict=True):
        assert (stands["own"], stands["rented"]) == (pytest.approx(meeting.own), pytest.approx(meeting.rented))


@HAND_MADE
def test_the_json_names_each_way_to_move_the_data_and_which_are_best() -> None:
    (workload,) = run_here("cost", BANK, "--format", "json").document["workloads"]
    uplink, line, device = workload["moving"]
    assert (uplink["id"], uplink["days"], uplink["fee"], uplink["currency"]) == ("uplink", 4.6, 0, None)
    assert (line["fee"], line["currency"], line["at_least"]) == ([2.8, 3.6], "USD", True)
    assert (device["fee"], device["devices"]) == (None, [1, 2])
    assert (workload["quickest"], workload["cheapest"]) == (["line_10g"], ["uplink"])


def test_what_is_unlimited_is_a_word_in_json(costed: list[Costed]) -> None:
    costed[:] = [Costed(None, costings.never())]
    done = run_here("cost", BANK, "--format", "json")
    (item,) = done.document["workloads"][0]["break_even"]
    assert (item["utilization"], item["month"], item["price"]) == ("unlimited", "unlimited", 3.5)
    json.loads(done.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@HAND_MADE
def test_only_wording_of_the_json_depends_on_the_language() -> None:
    wording = ("title", "formula", "text")

    def bare(data: Any) -> Any:
        if isinstance(data, dict):
            return {key: bare(value) for key, value in data.items() if key not in wording}
        return [bare(item) for item in data] if isinstance(data, list) else data

    english, chinese = (
        run_here("cost", BANK, "--format", "json", "--lang", language).document for language in LANGUAGES
    )
    assert bare(english) == bare(chinese)
    assert english != chinese


@HAND_MADE
def test_picture_and_workbook_are_written_beside_the_page(tmp_path: Path) -> None:
    picture, sheet = tmp_path / "cost.SVG", tmp_path / "cost.xlsx"
    done = run_here("cost", BANK, "--plot", str(picture), "--xlsx", str(sheet), "--lang", "zh")
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert b"<svg" in picture.read_bytes()
    assert len(read_book(sheet.read_bytes()).sheets) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cost.SVG", "cost.xlsx"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("option", "name", "wanted"), [("--plot", "a.jpg", ".svg"), ("--xlsx", "a.csv", ".xlsx")])
def test_another_ending_is_refused_before_anything_is_done(
    option: str, name: str, wanted: str, language: str, tmp_path: Path
) -> None:
    done = run_here("cost", str(tmp_path / "no-such.yaml"), option, str(tmp_path / name), "--lang", language)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert wanted in done.err
    assert name in done.err
    assert "no-such" not in done.err.replace(str(tmp_path / name), "")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_nothing_is_not_written_and_the_page_says_what_is_missing(
    costed: list[Costed], tmp_path: Path
) -> None:
    costed[:] = [Costed(None, costings.unknown())]
    path = tmp_path / "cost.png"
    done = run_here("cost", BANK, "--plot", str(path))
    assert done.code == ExitCode.NOT_WRITTEN
    assert done.err.startswith(f"{path}: there is nothing to draw")
    assert "What is missing" in done.out
    assert not path.exists()


@HAND_MADE
def test_without_a_chinese_font_a_png_speaks_english_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = []

    def picture(_costed: Any, wording: Wording, _suffix: str, font: str | None) -> bytes:
        spoken.append((wording.language, font))
        return b""

    monkeypatch.setattr("cli.render.cost_picture.cjk_font", lambda: None)
    monkeypatch.setattr("cli.render.cost_picture.picture", picture)
    done = run_here("cost", BANK, "--plot", str(tmp_path / "a.png"), "--lang", "zh")
    assert len(done.err.splitlines()) == 1
    done = run_here("cost", BANK, "--plot", str(tmp_path / "a.svg"), "--lang", "zh")
    assert done.err == ""
    assert spoken == [("en", None), ("zh", None)]


@HAND_MADE
def test_a_file_is_never_written_over_the_profile(tmp_path: Path) -> None:
    text = Path(BANK).read_text(encoding="utf-8")
    path = write(tmp_path, text, "profile.svg")
    done = run_here("cost", path, "--plot", path)
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert Path(path).read_text(encoding="utf-8") == text


@HAND_MADE
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = run_here("cost", BANK, "--xlsx", str(tmp_path / "no-such" / "a.xlsx"))
    assert done.code == ExitCode.NOT_WRITTEN
    assert "a.xlsx" in done.err


def test_settings_go_over_the_profile_and_figures_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def costings_of(consultation: Any) -> tuple[Costed, ...]:
        seen["horizon"] = consultation.judgements[0].inference.values["demand.horizon_months"]
        return (Costed(None, costings.whole()),)

    class Stopped(Exception):
        pass

    def load(_: Path, overlays: tuple[Path, ...], _rules: str | None) -> None:
        seen["overlays"] = overlays
        raise Stopped

    monkeypatch.setattr("cli.commands.cost.costings", costings_of)
    assert run_here("cost", BANK, "--set", "demand.horizon_months=7").code == ExitCode.DONE
    monkeypatch.setattr("knowledge.load", load)
    with pytest.raises(Stopped):
        run_here("cost", BANK, "--figures", "a.yaml", "--figures", "b.csv")
    assert seen == {"horizon": 7.0, "overlays": (Path("a.yaml"), Path("b.csv"))}


def test_help_of_the_command_starts_without_the_libraries_that_draw() -> None:
    program = (
        "import sys\nfrom cli.app import run\nrun(['cost', '--help'], 'en')\n"
        "print([name for name in ('matplotlib', 'plotext', 'xlsxwriter', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.splitlines()[-1] == "[]"
