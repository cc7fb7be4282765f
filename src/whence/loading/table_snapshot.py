"""One version of a table whose format keeps versions: its schema and the list of its data files, which never change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.loading.parquet_file import ParquetTable
from whence.loading.table_columns import ColumnRule, columns_of_table
from whence.loading.typed_file import TypedFile, unreadable
from whence.loading.words import Mask
from whence.model.errors import BadInput
from whence.model.schema import TABLE_ROW_COLUMN

Positions = npt.NDArray[np.int64]


class RowIds(Protocol):
    """The numbers by which a table knows its rows, whatever file they are in."""

    def of(self, batch: pa.RecordBatch, start: int) -> pa.Array:
        """Return the numbers of the rows of a batch, which begins at this row of the file."""


class Deletes(Protocol):
    """Rows of a data file that were deleted after it was written."""

    def kept_rows(self, batch: pa.RecordBatch, start: int) -> Mask:
        """Return which rows of a batch are left."""


@dataclass(frozen=True)
class DeletedPositions:
    """Deleted rows, known by their positions in the file, in order."""

    positions: Positions

    def kept_rows(self, batch: pa.RecordBatch, start: int) -> Mask:
        """Return which rows of a batch are left."""
        mask = np.ones(batch.num_rows, dtype=bool)
        first, last = np.searchsorted(self.positions, [start, start + batch.num_rows])
        mask[self.positions[first:last] - start] = False
        return mask


@dataclass(frozen=True)
class TableFile:
    """A data file of a table, under the table's schema."""

    path: Path
    columns: pa.Schema
    """The columns of the table."""
    rule: ColumnRule = field(default_factory=ColumnRule)
    constants: Mapping[str, pa.Scalar] = field(default_factory=dict)
    """The values of partition columns, which are not in the file."""
    deletes: Sequence[Deletes] = ()
    row_ids: RowIds | None = None
    found: pa.Schema | None = None
    """The columns of the file, if the table knows more of them than the file itself."""

    @property
    def schema(self) -> pa.Schema:
        """The columns of the table, and a hidden one with the number of each row if the table knows rows by numbers."""
        return self.columns if self.row_ids is None else self.columns.append(pa.field(TABLE_ROW_COLUMN, pa.int64()))

    @property
    def rows(self) -> int:
        """The number of rows in the file."""
        return ParquetTable(self.path).rows

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row that was not deleted."""
        start = 0
        file = ParquetTable(self.path)
        found = list(self.found or file.schema)
        for batch in file.batches():
            yield self._under_schema(batch, found, start)
            start += batch.num_rows

    def _under_schema(self, batch: pa.RecordBatch, found: Sequence[pa.Field], start: int) -> pa.RecordBatch:
        try:
            columns = self._columns(batch, found)
            if self.row_ids is not None:
                columns.append(self.row_ids.of(batch, start))
            rows = pa.record_batch(columns, schema=self.schema)
            if not self.deletes:
                return rows
            is_kept = np.logical_and.reduce([each.kept_rows(batch, start) for each in self.deletes])
            return rows.filter(pa.array(is_kept))
        except pa.ArrowException as error:
            raise unreadable("Parquet", self.path, error) from error

    def _columns(self, batch: pa.RecordBatch, found: Sequence[pa.Field]) -> list[pa.Array]:
        wanted = list(self.columns)
        columns = columns_of_table(wanted, found, batch.columns, batch.num_rows, self.rule)
        for place, each in enumerate(wanted):
            if each.name in self.constants:
                columns[place] = pa.repeat(self.constants[each.name].cast(each.type), batch.num_rows)
        return columns

    @property
    def has_columns_of_table(self) -> bool:
        """Whether the file has the columns of the table, under the same names and types and in the same order.

        Columns with types inside types are not compared, as files with such columns are never read in place.
        """
        found = list(self.found or ParquetTable(self.path).schema)
        same = [(each.name, each.type) for each in found] == [(each.name, each.type) for each in self.columns]
        return same and self.rule.places(self.columns, found) == list(range(len(found)))


@dataclass(frozen=True)
class _NoFiles:
    """A table without rows."""

    path: Path
    schema: pa.Schema
    rows: int = 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield nothing."""
        return iter(())


@dataclass(frozen=True)
class TableSnapshot:
    """One version of a table. Its files never change; a new version has other files."""

    path: Path
    version: str | None
    """What the format calls the version. None if nothing was ever written to the table."""
    schema: pa.Schema
    files: Sequence[TableFile]
    ancestors: Sequence[str] = ()
    """The version and those that it was made from, the newest first."""

    @property
    def rows_by_file(self) -> Sequence[TypedFile]:
        """The files as rows with types. A table without files has a schema all the same."""
        return self.files or [_NoFiles(self.path, self.schema)]

    @property
    def has_row_ids(self) -> bool:
        """Whether the table knows each of its rows by a number."""
        return len(self.files) > 0 and all(file.row_ids is not None for file in self.files)

    def without_row_ids(self) -> TableSnapshot:
        """Return the version with rows that are known by other things than the numbers of the table."""
        return replace(self, files=[replace(file, row_ids=None) for file in self.files])

    @property
    def cannot_be_referenced(self) -> str | None:
        """Return why the rows are not simply those of the files, or None if they are."""
        if not self.files:
            return "the table has no rows"
        if any(file.constants for file in self.files):
            return "columns stand in the names of its folders"
        if any(file.deletes for file in self.files):
            return "rows of its files were deleted"
        other = next((file for file in self.files if not file.has_columns_of_table), None)
        return None if other is None else f"{other.path.name} has other columns than the table"


def refuse_outside(table: str, folder: Path, file: Path) -> None:
    """Raise an error for a file elsewhere: whoever may write a log could else have any file of the machine read."""
    if not file.resolve().is_relative_to(folder.resolve()):
        raise BadInput(f"{table} names the file {file}, which is not in its folder.", "Copy the table, data included.")


def local_path(address: str, table: str) -> Path:
    """Return the path of a file that a table names by an address. Raise an error if it is on another machine."""
    parts = urlsplit(address)
    if parts.scheme not in ("", "file"):
        raise BadInput(f"{table} has a file {address}, which is not on this machine.", "Copy the table.")
    return Path(unquote(parts.path) if parts.scheme else address)
