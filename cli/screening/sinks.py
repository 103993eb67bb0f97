"""Where the table goes with its new columns: CSV or Parquet, written piece by piece, whole or not at all."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from cli.screening.header import ADDED
from cli.screening.judging import Added
from cli.screening.tables import Batch, ParquetTable, Table

PARQUET = (".parquet", ".pq")
Judged = Iterator[tuple[Batch, Added]]


def write_csv(table: Table, judged: Judged, target: TextIO) -> None:
    """The table as CSV, its cells as they stood, parted as they were."""
    writer = csv.writer(target, delimiter=getattr(table, "delimiter", ","), lineterminator="\n")
    writer.writerow([*table.names, *ADDED])
    for batch, added in judged:
        own = [_as_text(column) for column in batch.cells] if table.is_parquet else batch.cells
        writer.writerows(zip(*own, *(_as_text(column) for column in added.columns), strict=True))


def _as_text(column: Sequence[Any]) -> list[Any]:
    """The cells as CSV holds them: nothing for null, numbers as short as they can be."""
    return [_cell(cell) for cell in column]


def _cell(cell: Any) -> Any:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return f"{cell:.15g}" if isinstance(cell, float) else cell


def write_parquet(table: Table, judged: Judged, path: Path) -> None:
    """The table as Parquet; a CSV's own columns stay text. Raises what came up while it was judged."""
    import polars as pl
    from polars.io.plugins import register_io_source

    own = table.schema if isinstance(table, ParquetTable) else dict.fromkeys(table.names, pl.String)
    kinds = [pl.Float64 if name == "margin" else pl.String for name in ADDED]
    schema = pl.Schema({**own, **dict(zip(ADDED, kinds, strict=True))})
    failed: list[BaseException] = []

    def frames(*_: object) -> Iterator[pl.DataFrame]:
        try:
            for batch, added in judged:
                frame = batch.frame
                if frame is None:
                    frame = pl.DataFrame(dict(zip(table.names, batch.cells, strict=True)), schema=dict(own))
                new = [
                    pl.Series(name, column, kind)
                    for name, column, kind in zip(ADDED, added.columns, kinds, strict=True)
                ]
                yield frame.with_columns(new)
        except BaseException as error:  # noqa: BLE001  # the library would turn it into an error of its own
            failed.append(error)

    try:
        register_io_source(frames, schema=schema).sink_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise OSError(0, str(error).splitlines()[0]) from error
    if failed:
        raise failed[0]
