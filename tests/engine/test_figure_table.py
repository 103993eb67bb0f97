"""Tables of figures: what a row becomes, what is refused together, and what is laid over the shipped figures."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base import KnowledgeBase
from engine.consultation import Consultant
from engine.csv_rows import read_rows
from engine.faults import LANGUAGES, Fault, FaultError, Place
from engine.loading import MAX_FAULTS, plain
from engine.trace import Tool, write_trace
from engine.values import Interval
from engine.verifying import verify
from tests.engine.helpers import TINY, examples, load_tiny, profile_of

FARES = TINY / "figures" / "fares.csv"
HEADER = FARES.read_text(encoding="utf-8").splitlines()[0]
TOOL = Tool("trip-advisor", "1.0")


def tiny_with(folder: Path, rows: str | bytes) -> Path:
    """A copy of the tiny base whose table of fares holds these rows."""
    shutil.copytree(TINY, folder, dirs_exist_ok=True)
    data = rows if isinstance(rows, bytes) else rows.encode()
    (folder / "figures" / "fares.csv").write_bytes(data)
    return folder


def faults_of(folder: Path, *overlays: Path) -> Sequence[Fault]:
    with pytest.raises(FaultError) as raised:
        load_tiny(folder, overlays)
    assert all(fault.text(code) for fault in raised.value.faults for code in LANGUAGES)
    return raised.value.faults


# A row becomes a figure


def test_a_row_is_a_figure_with_its_cells_as_attributes(tiny: KnowledgeBase) -> None:
    found = tiny.figures["fare.coast-line.first"]
    assert (found.value, found.unit, found.as_of) == (9.5, "EUR/trip", "2025-11")
    assert (found.source, found.confidence, found.note) == ("the timetable", "high", 'the "blue" seats')
    assert found.title == {"en": "coast-line, first, for one", "zh": "coast-line，first，每人"}
    assert found.place == Place("figures/fares.csv", 3, 1)
    assert found.valid_months == 6
    assert found.attributes == {
        "line": "coast-line", "class": "first", "zones": "3", "days": "weekday", "conductor": "Ms. Reed",
    }  # fmt: skip


def test_a_figure_that_is_no_row_has_no_attributes_and_ages_as_its_file_says(tiny: KnowledgeBase) -> None:
    assert tiny.figures["ride_speed"].attributes == {}
    assert tiny.figures["ride_speed"].valid_months is None


def test_what_an_id_cannot_hold_becomes_a_hyphen(tmp_path: Path) -> None:
    table = TINY / "figures" / "fares.yaml"
    folder = tiny_with(tmp_path, FARES.read_bytes())
    by_conductor = table.read_text(encoding="utf-8").replace("{line}.{class}", "{line}.{conductor}.{class}")
    (folder / "figures" / "fares.yaml").write_text(by_conductor, encoding="utf-8")
    assert "fare.coast-line.ms.-reed--or-her-brother.second" in load_tiny(folder).figures


# What is refused


def test_all_that_is_wrong_in_a_table_is_told_at_once_with_line_and_column(tmp_path: Path) -> None:
    rows = [
        HEADER,
        "coast-line,second,,weekday,A,4,EUR,2025,t,high,,",
        "coast-line,first,3,monday,A,4,EUR,today,t,high,,",
        "coast-line,first",
        "coast-line,second,3,weekday,A,4,EUR,2025,t,high,,",
        "coast-line,second,3,weekday,A,5,EUR,2025,t,high,,",
    ]
    faults = faults_of(tiny_with(tmp_path, "\n".join(rows)))
    told = [(fault.key, str(fault.place), fault.params.get("column")) for fault in faults]
    assert told == [
        ("bad-cell", "figures/fares.csv:2:19", "zones"),
        ("bad-cell", "figures/fares.csv:3:20", "days"),
        ("bad-cell", "figures/fares.csv:3:35", "as_of"),
        ("wrong-cells", "figures/fares.csv:4:1", None),
        ("duplicate-id", "figures/fares.csv:6:1", None),
    ]
    assert "figures/fares.csv:5:1" in faults[-1].text()


def test_a_long_table_of_faults_is_told_in_part(tmp_path: Path) -> None:
    row = ",second,3,weekday,A,4,EUR,2025,t,high,,"
    assert len(faults_of(tiny_with(tmp_path, "\n".join([HEADER, *[row] * 50])))) == MAX_FAULTS
    assert len(faults_of(tiny_with(tmp_path, '"a"b\n' * 50))) == MAX_FAULTS


def test_a_table_in_another_encoding_is_refused_with_the_line(tmp_path: Path) -> None:
    (fault,) = faults_of(tiny_with(tmp_path, f"{HEADER}\n沿海线,二等".encode("gbk")))
    assert (fault.key, str(fault.place)) == ("not-utf-8", "figures/fares.csv:2:1")


def test_a_table_with_a_header_alone_holds_no_figures(tmp_path: Path) -> None:
    faults = faults_of(tiny_with(tmp_path, HEADER))
    assert [(fault.key, str(fault.place)) for fault in faults] == [("unknown-figure", "formula train.fare")]


# Reading rows

CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.sampled_from('",; '), max_size=9)
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(CELLS.map(str.strip), min_size=width, max_size=width), min_size=1, max_size=6)
)


@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
@examples(200)
def test_a_table_that_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[str]], end: str, quoting: int
) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator=end, quoting=quoting).writerows(table)  # type: ignore[arg-type]
    file = tmp_path_factory.getbasetemp() / "table.csv"
    file.write_bytes(written.getvalue().encode())
    assert plain(read_rows(file, "table.csv")) == table


def test_every_cell_knows_its_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('线路,b\n\n"x, ""y""", z\n', encoding="utf-8")
    rows = read_rows(tmp_path / "a.csv", "a.csv")
    places = [[str(cell.place) for cell in row.items] for row in rows.items]  # type: ignore[union-attr]
    assert places == [["a.csv:1:1", "a.csv:1:4"], ["a.csv:3:1", "a.csv:3:12"]]
    assert plain(rows) == [["线路", "b"], ['x, "y"', "z"]]


# The digest


OTHER_CELLS = [
    (2, 0, "valley-line-north"), (3, 1, "first"), (1, 2, "4"), (1, 3, "weekday"), (2, 4, "Ms. Read"), (3, 5, "24"),
    (3, 6, "CHF/trip"), (1, 7, "2025"), (2, 8, "the counter"), (3, 9, "medium"), (1, 10, "a note"), (3, 11, "so"),
]  # fmt: skip


@given(st.sampled_from(OTHER_CELLS), st.sampled_from(["\n", "\r\n", "\n\n"]))
@examples(20)
def test_the_digest_changes_with_a_cell_and_not_with_the_ends_of_lines(
    tmp_path_factory: pytest.TempPathFactory, other: tuple[int, int, str], end: str
) -> None:
    table = list(csv.reader(FARES.read_text(encoding="utf-8").splitlines()))
    folder = tmp_path_factory.getbasetemp() / "digest"

    def digest() -> str:
        written = io.StringIO(newline="")
        csv.writer(written, lineterminator=end).writerows(table)
        return load_tiny(tiny_with(folder, written.getvalue())).digest

    shipped = load_tiny().digest
    assert digest() == shipped
    row, column, text = other
    table[row][column] = text
    assert digest() != shipped


# Overlays

OWN = """\
schema: 1
figures:
  - {id: ride_speed, value: 25, unit: km/h, as_of: "2026-06", source: a better stopwatch, confidence: high}
  - {id: fare.coast-line.first, low: 8, high: 12, unit: CHF/trip, as_of: "2026", source: the counter, confidence: low}
  - {id: walk_speed, value: 5, unit: km/h, as_of: "2026", source: feet, confidence: low}
"""
ROWS = f"""\
{HEADER}
coast-line,second,3,weekday,nobody,5,EUR/trip,2026-01,the counter,low,,
valley-line-north,first,5,weekday,nobody,19,EUR/trip,2026-01,the counter,low,,
"""


def overlay(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_file_of_figures_goes_over_the_shipped_ones(tmp_path: Path, tiny: KnowledgeBase) -> None:
    file = overlay(tmp_path, "own.yaml", OWN)
    found = load_tiny(TINY, [file]).figures
    assert list(found) == [*tiny.figures, "walk_speed"]
    assert (found["ride_speed"].value, found["ride_speed"].rows) == (25.0, ("A-4",))
    assert found["ride_speed"].place == Place(str(file), 3, 5)
    assert found["fare.coast-line.first"].value == Interval(8, 12)
    assert found["fare.coast-line.second"] == tiny.figures["fare.coast-line.second"]


def test_what_an_overlay_leaves_out_stays_as_it_was_shipped(tmp_path: Path, tiny: KnowledgeBase) -> None:
    found = load_tiny(TINY, [overlay(tmp_path, "own.yaml", OWN)]).figures["fare.coast-line.first"]
    before = tiny.figures["fare.coast-line.first"]
    assert (found.title, found.attributes, found.valid_months) == (before.title, before.attributes, 6)
    aged = OWN.replace("schema: 1\n", "schema: 1\nvalid_months: 2\n")
    assert load_tiny(TINY, [overlay(tmp_path, "own.yaml", aged)]).figures["ride_speed"].valid_months == 2


def test_rows_in_the_form_of_a_table_go_over_its_rows(tmp_path: Path, tiny: KnowledgeBase) -> None:
    file = overlay(tmp_path, "own.CSV", ROWS)
    found = load_tiny(TINY, [file]).figures
    assert set(found) - set(tiny.figures) == {"fare.valley-line-north.first"}
    assert (found["fare.coast-line.second"].value, found["fare.coast-line.second"].place.file) == (5.0, str(file))
    assert found["fare.coast-line.second"].attributes["conductor"] == "nobody"


def test_of_two_overlays_the_later_one_holds(tmp_path: Path) -> None:
    one, two = overlay(tmp_path, "1.yaml", OWN), overlay(tmp_path, "2.yaml", OWN.replace("value: 25", "value: 30"))
    assert load_tiny(TINY, [one, two]).figures["ride_speed"].value == 30.0
    assert load_tiny(TINY, [two, one]).figures["ride_speed"].value == 25.0


def test_overlays_are_part_of_the_digest_and_where_they_lie_is_not(tmp_path: Path, tiny: KnowledgeBase) -> None:
    one, two = overlay(tmp_path, "own.yaml", OWN), overlay(tmp_path, "same.yaml", f"# The same\n{OWN}")
    first = load_tiny(TINY, [one]).digest
    assert first != tiny.digest
    assert load_tiny(TINY, [two]).digest == first
    assert load_tiny(TINY, [overlay(tmp_path, "own.yaml", OWN.replace("25", "26"))]).digest != first


WRONG: dict[str, tuple[str, str, str, str]] = {
    "no figures": ("a.yaml", "schema: 1\n", "missing-key", "1:1"),
    "a list": ("a.yaml", "- 1\n", "expected-mapping", "1:1"),
    "a table of its own": ("a.yaml", "schema: 1\n‸table: {}\nfigures: []\n", "unknown-key", "2:1"),
    "another version": ("a.yaml", OWN.replace("schema: 1", "schema: 2"), "unknown-schema", "1:9"),
    "a twin": ("a.yaml", OWN.replace("walk_speed", "ride_speed"), "duplicate-id", "5:5"),
    "a figure without a date": ("a.yaml", OWN.replace(' as_of: "2026-06",', ""), "missing-key", "3:5"),
    "another unit": ("a.yaml", OWN.replace("25, unit: km/h", "25, unit: m/s"), "other-unit", "3:5"),
    "another unit after the currency": ("a.yaml", OWN.replace("CHF/trip", "CHF/zone"), "other-unit", "4:5"),
    "an id of a table": ("a.yaml", OWN.replace("walk_speed", "fare.by.foot"), "not-in-its-table", "5:5"),
    "a row that is not there": (
        "a.yaml", OWN.replace("source: feet,", "source: feet, source_rows: [Z-1],"), "unknown-row", "5:5",
    ),
    "broken YAML": ("a.yaml", "schema: [\n", "bad-yaml", "2:1"),
    "rows of another table": ("a.csv", ROWS.replace("zones", "stops"), "no-such-table", "1:1"),
    "a row half filled": ("a.csv", ROWS.replace("nobody,19", ",19"), "bad-cell", "3:35"),
    "a row that is implausible": ("a.csv", ROWS.replace("nobody,19", "nobody,190"), "bad-cell", "3:42"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_in_an_overlay_is_told_with_its_file_and_line(name: str, tmp_path: Path) -> None:
    file, text, key, place = WRONG[name]
    own = overlay(tmp_path, file, text.replace("‸", ""))
    faults = faults_of(TINY, own)
    assert (key, f"{own}:{place}") in [(fault.key, str(fault.place)) for fault in faults]


def test_every_overlay_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    faults = faults_of(TINY, tmp_path / "a.yaml", tmp_path / "b.csv")
    assert [(fault.key, str(fault.place)) for fault in faults] == [
        ("cannot-read", str(tmp_path / "a.yaml")), ("cannot-read", str(tmp_path / "b.csv")),
    ]  # fmt: skip


def test_a_trace_made_with_an_overlay_verifies_with_that_overlay_and_not_without(
    tmp_path: Path, tiny_consultant: Consultant
) -> None:
    base = load_tiny(TINY, [overlay(tmp_path, "own.yaml", OWN), overlay(tmp_path, "own.csv", ROWS)])
    text = "profile: 1\ntrip: {people: 2, distance: 8}\ntrain: {line: coast-line}\n"
    data = write_trace(Consultant(base).consult(profile_of(base, text)), TOOL, "t", "2026-03-01")
    assert verify(data, "trace", Consultant(base), TOOL) is None
    fault = verify(data, "trace", tiny_consultant, TOOL)
    assert fault is not None
    assert fault.key == "trace-other-knowledge"
