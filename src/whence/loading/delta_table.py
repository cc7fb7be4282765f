"""One version of a Delta table: its schema and the list of its files, with what the log says about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import numpy as np
import pyarrow as pa

from whence.loading.delta_package import delta_package
from whence.loading.parquet_file import ParquetTable
from whence.loading.typed_file import TypedFile, unreadable
from whence.loading.words import Mask
from whence.model.errors import BadInput

if TYPE_CHECKING:
    from deltalake import DeltaTable

LOG = "_delta_log"
_FEATURES = {"columnMapping", "deletionVectors", "timestampNtz", "typeWidening", "v2Checkpoint", "vacuumProtocolCheck"}
"""Features that change how a table is read, and are known here. A column's mapping and type are looked at."""
_HARMLESS = {"variantType", "typeWidening-preview", "variantType-preview"}
"""Features that matter only where a column has such a type."""


@dataclass(frozen=True)
class DeltaFile:
    """A data file of a table, under the table's schema."""

    path: Path
    schema: pa.Schema
    partition: Mapping[str, pa.Scalar]
    """The values of partition columns, which are not in the file."""
    is_kept: Mask | None
    """Which rows are left, if the log says that some were deleted."""

    @property
    def rows(self) -> int:
        """The number of rows in the file."""
        return ParquetTable(self.path).rows

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row that was not deleted."""
        start = 0
        for batch in ParquetTable(self.path).batches():
            yield self._under_schema(self._kept(batch, start))
            start += batch.num_rows

    def _kept(self, batch: pa.RecordBatch, start: int) -> pa.RecordBatch:
        if self.is_kept is None:
            return batch
        # Rows behind the end of the list are kept.
        mask = np.ones(batch.num_rows, dtype=bool)
        some = self.is_kept[start : start + batch.num_rows]
        mask[: len(some)] = some
        return batch.filter(pa.array(mask))

    def _under_schema(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the columns of the table. One that was added after the file was written is NULL."""
        try:
            return pa.record_batch([self._column(batch, field) for field in self.schema], schema=self.schema)
        except pa.ArrowException as error:
            raise unreadable("Parquet", self.path, error) from error

    def _column(self, batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
        if field.name in self.partition:
            return pa.repeat(self.partition[field.name].cast(field.type), batch.num_rows)
        if field.name not in batch.schema.names:
            return pa.nulls(batch.num_rows, field.type)
        return batch.column(field.name).cast(field.type)


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
class DeltaSnapshot:
    """One version of a table. Its files never change; a new version has other files."""

    path: Path
    version: int
    schema: pa.Schema
    files: Sequence[DeltaFile]

    @property
    def rows_by_file(self) -> Sequence[TypedFile]:
        """The files as rows with types. A table without files has a schema all the same."""
        return self.files or [_NoFiles(self.path, self.schema)]

    @property
    def cannot_be_referenced(self) -> str | None:
        """Return why the rows are not simply those of the files, or None if they are."""
        if not self.files:
            return "the table has no rows"
        if any(file.partition for file in self.files):
            return "columns stand in the names of its folders"
        if any(file.is_kept is not None for file in self.files):
            return "rows of its files were deleted"
        other = next((file for file in self.files if not self._has_columns_of_table(file)), None)
        return None if other is None else f"{other.path.name} has other columns than the table"

    def _has_columns_of_table(self, file: DeltaFile) -> bool:
        found = ParquetTable(file.path).schema
        return [(each.name, each.type) for each in found] == [(each.name, each.type) for each in self.schema]


def is_delta_table(path: Path) -> bool:
    """Whether a folder is a Delta table."""
    return (path / LOG).is_dir()


def read_snapshot(path: Path, version: int | None = None, timestamp: str | None = None) -> DeltaSnapshot:
    """Read the log of a table up to its newest version, a version, or the one that was current at a time."""
    table = _open(path, version, timestamp)
    _refuse_unknown_features(path, table)
    # Types of Arrow's C interface: large strings are only for tables in memory.
    schema = pa.schema(table.schema().to_arrow())
    deleted = _kept_rows(table)
    actions = pa.table(table.get_add_actions(flatten=False)).combine_chunks()
    files = [_file(path, schema, row, deleted) for row in _in_order_of_writing(actions)]
    return DeltaSnapshot(path, table.version(), schema, files)


def _open(path: Path, version: int | None, timestamp: str | None) -> DeltaTable:
    package = delta_package()
    if version is not None and timestamp is not None:
        raise BadInput("version= and timestamp= are both given.", "Give one of them.")
    try:
        table = package.DeltaTable(str(path.resolve()), version=version)
        if timestamp is not None:
            table.load_as_version(_moment(timestamp))
            _refuse_earlier_times(path, table, _moment(timestamp))
        return table
    except (package.exceptions.DeltaError, ValueError, OverflowError, TypeError) as error:
        wanted = f" in version {version}" if version is not None else ""
        raise BadInput(f"The Delta table {path} cannot be read{wanted}: {_first_line(error)}.") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0].rstrip(".")


def _moment(timestamp: str) -> datetime:
    try:
        found = datetime.fromisoformat(timestamp)
    except ValueError as error:
        raise BadInput(f"{timestamp!r} is no time.", 'For example: timestamp="2024-05-31T12:00:00+00:00".') from error
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _refuse_earlier_times(path: Path, table: DeltaTable, moment: datetime) -> None:
    """Raise an error for a time before the first version, for which the package gives the first version."""
    written = next((each["timestamp"] for each in table.history() if each["version"] == table.version()), None)
    if written is not None and written > moment.timestamp() * 1000:
        earliest = datetime.fromtimestamp(written / 1000, UTC).isoformat()
        raise BadInput(
            f"The Delta table {path} has no version of {moment.isoformat()}.", f"The first is of {earliest}."
        )


def _refuse_unknown_features(path: Path, table: DeltaTable) -> None:
    unknown = {*(table.protocol().reader_features or ())} - _FEATURES - _HARMLESS
    if unknown:
        raise BadInput(f"The Delta table {path} needs {', '.join(sorted(unknown))}, which whence does not know.")
    if table.metadata().configuration.get("delta.columnMapping.mode", "none") != "none":
        raise BadInput(
            f"The columns of the Delta table {path} have other names in its files (column mapping), which is not read.",
            "Write the table again without column mapping.",
        )
    if '"variant"' in table.schema().to_json():
        raise BadInput(f"The Delta table {path} has a column of type variant, which is not read.", "Write it as text.")


def _kept_rows(table: DeltaTable) -> dict[Path, Mask]:
    """Return which rows are left of each file of which rows were deleted."""
    found = pa.table(table.deletion_vectors()).to_pylist()
    return {_local_path(each["filepath"]): np.array(each["selection_vector"], dtype=bool) for each in found}


def _in_order_of_writing(actions: pa.Table) -> list[dict[str, object]]:
    """Return the files, the oldest first, so that rows that are added come last. Partition values keep their types."""
    names = [name for name in ("path", "modification_time") if name in actions.column_names]
    rows: list[dict[str, object]] = actions.select(names).to_pylist()
    if "partition" in actions.column_names:
        partition = actions.column("partition")
        for number, row in enumerate(rows):
            scalar = partition[number]
            row["partition"] = {name: scalar[name] for name in scalar.type.names}
    return sorted(rows, key=lambda row: (row["modification_time"], row["path"]))


def _file(path: Path, schema: pa.Schema, row: Mapping[str, object], deleted: Mapping[Path, Mask]) -> DeltaFile:
    address = str(row["path"])
    file = _local_path(address) if "://" in address else path.resolve() / unquote(address)
    _refuse_outside(path, file)
    partition = row.get("partition") or {}
    assert isinstance(partition, dict)
    return DeltaFile(file, schema, partition, deleted.get(file))


def _refuse_outside(path: Path, file: Path) -> None:
    """Raise an error for a file elsewhere: whoever may write a log could else have any file of the machine read."""
    if not file.resolve().is_relative_to(path.resolve()):
        raise BadInput(
            f"The Delta table {path} names the file {file}, which is not in its folder.",
            "Copy the table, data included.",
        )


def _local_path(address: str) -> Path:
    parts = urlsplit(address)
    if parts.scheme != "file":
        raise BadInput(f"The Delta table has a file {address}, which is not on this machine.", "Copy the table.")
    return Path(unquote(parts.path))
