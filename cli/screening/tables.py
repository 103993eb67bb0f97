"""Tables as batches of rows: CSV and Parquet, read piece by piece, every cell as it stands."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from engine.faults import FaultError, Place, fail

if TYPE_CHECKING:
    import polars as pl

ROWS_AT_ONCE = 20_000
_DELIMITERS = (",", ";", "\t")
_MAGIC = b"PAR1"
_LONGEST_CELL = 1_000_000


@dataclass(frozen=True)
class Batch:
    """Some rows: the line, or the number of the row, of each; the cells column by column; `done` is the share read.

    `short` holds the places of rows with fewer cells than the header; they are filled up with empty ones. `frame` is
    the same as a data frame where the table was one.
    """

    lines: Sequence[int]
    cells: Sequence[Sequence[Any]]
    short: frozenset[int]
    done: float
    frame: pl.DataFrame | None = None


class Table(Protocol):
    """`is_parquet` tells in which format the table came; `names` are its columns."""

    name: str
    is_parquet: bool

    @property
    def names(self) -> Sequence[str]: ...

    def batches(self) -> Iterator[Batch]: ...

    def close(self) -> None: ...


def open_table(path: Path, name: str) -> Table:
    """The table in a file: Parquet by its first bytes, else CSV. Raises FaultError where it cannot be read."""
    try:
        file = path.open("rb")
        start = file.read(len(_MAGIC))
        file.seek(0)
    except OSError as error:
        raise fail("cannot-read", Place(name), reason=error.strerror or str(error)) from error
    if start == _MAGIC:
        file.close()
        return ParquetTable(path, name)
    try:
        return CsvTable(file, name, max(path.stat().st_size, 1))
    except FaultError:
        file.close()
        raise


class CsvTable:
    """CSV in UTF-8, its cells parted by commas, semicolons or tabs, whichever its header has most of.

    `size` is that of the file in bytes, 0 where it is not known and the file is another's to close.
    """

    is_parquet = False

    def __init__(self, file: BinaryIO, name: str, size: int) -> None:
        self.name = name
        self._file = file
        self._size = size
        csv.field_size_limit(_LONGEST_CELL)
        self._text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        first = self._first_line()
        self.delimiter = max(_DELIMITERS, key=first.count)
        self._rows = csv.reader(_Lines(first, self._text), delimiter=self.delimiter, strict=True)
        self.names = self._next() or []

    def close(self) -> None:
        """Closes the file, but for one that is another's to close."""
        if self._size:
            self._text.close()
        else:
            self._text.detach()

    def _first_line(self) -> str:
        try:
            first = self._text.readline()
        except UnicodeDecodeError as error:
            raise self._not_text(error) from error
        if not first.strip():
            raise fail("empty-file", Place(self.name))
        return first

    def batches(self) -> Iterator[Batch]:
        """The rows below the header; lines with nothing on them are left out."""
        lines: list[int] = []
        rows: list[list[str]] = []
        short: set[int] = set()
        while (row := self._next()) is not None:
            if not row:
                continue
            if len(row) > len(self.names):
                raise fail(
                    "wrong-cells", Place(self.name, self._rows.line_num, 1), found=len(row), wanted=len(self.names)
                )
            if len(row) < len(self.names):
                short.add(len(rows))
                row += [""] * (len(self.names) - len(row))
            lines.append(self._started)
            rows.append(row)
            if len(rows) == ROWS_AT_ONCE:
                yield self._batch(lines, rows, short)
                lines, rows, short = [], [], set()
        if rows:
            yield self._batch(lines, rows, short)

    def _batch(self, lines: list[int], rows: list[list[str]], short: set[int]) -> Batch:
        done = self._file.tell() / self._size if self._size else 0.0
        return Batch(lines, list(zip(*rows, strict=True)), frozenset(short), min(done, 1.0))

    def _next(self) -> list[str] | None:
        """The next row, None at the end."""
        self._started = self._rows.line_num + 1
        try:
            return next(self._rows, None)
        except csv.Error as error:
            raise fail("bad-csv-row", Place(self.name, self._rows.line_num, 1), reason=str(error)) from error
        except UnicodeDecodeError as error:
            raise self._not_text(error) from error

    def _not_text(self, error: UnicodeDecodeError) -> Exception:
        return fail("csv-not-utf-8", Place(self.name), byte=f"0x{error.object[error.start]:02x}")


class _Lines:
    """The first line, which has been read, and then all others."""

    def __init__(self, first: str, rest: Iterator[str]) -> None:
        self._first: str | None = first
        self._rest = rest

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._first is not None:
            line, self._first = self._first, None
            return line
        return next(self._rest)


class ParquetTable:
    """A Parquet file, read piece by piece."""

    is_parquet = True

    def __init__(self, path: Path, name: str) -> None:
        import polars as pl

        self.name = name
        self._scan = pl.scan_parquet(path, glob=False)
        try:
            self.schema = self._scan.collect_schema()
            self._height = int(self._scan.select(pl.len()).collect().item())
        except (pl.exceptions.PolarsError, OSError) as error:
            raise fail("bad-parquet", Place(name), reason=str(error).splitlines()[0]) from error
        self.names = self.schema.names()

    def close(self) -> None:
        """There is nothing to close: the library opens the file when it reads."""

    def batches(self) -> Iterator[Batch]:
        import polars as pl

        start = 1
        try:
            for frame in self._scan.collect_batches(chunk_size=ROWS_AT_ONCE, maintain_order=True):
                lines = range(start, start + frame.height)
                start += frame.height
                cells = [column.to_list() for column in frame.iter_columns()]
                yield Batch(lines, cells, frozenset(), (start - 1) / max(self._height, 1), frame)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise fail("bad-parquet", Place(self.name), reason=str(error).splitlines()[0]) from error
