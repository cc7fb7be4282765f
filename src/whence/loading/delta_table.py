"""One version of a Delta table: its schema and the list of its files, with what the log says about each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np
import pyarrow as pa

from whence.loading.delta_package import delta_package
from whence.loading.table_columns import ColumnRule, Identity, name_of, parquet_id
from whence.loading.table_snapshot import (
    DeletedPositions,
    Positions,
    TableFile,
    TableSnapshot,
    local_path,
    refuse_outside,
)
from whence.loading.table_version import moment_of, refuse_two_versions, version_number
from whence.model.errors import BadInput

if TYPE_CHECKING:
    from deltalake import DeltaTable

LOG = "_delta_log"
_WHAT = "The Delta table"
_FEATURES = {"columnMapping", "deletionVectors", "timestampNtz", "typeWidening", "v2Checkpoint", "vacuumProtocolCheck"}
"""Features that change how a table is read, and are known here. A column's mapping and type are looked at."""
_HARMLESS = {"variantType", "typeWidening-preview", "variantType-preview"}
"""Features that matter only where a column has such a type."""


def is_delta_table(path: Path) -> bool:
    """Whether a folder is a Delta table."""
    return (path / LOG).is_dir()


def read_delta_snapshot(path: Path, version: int | str | None = None, timestamp: str | None = None) -> TableSnapshot:
    """Read the log of a table up to its newest version, a version, or the one that was current at a time."""
    table = _open(path, version, timestamp)
    _refuse_unknown_features(path, table)
    # Types of Arrow's C interface: large strings are only for tables in memory.
    schema = pa.schema(table.schema().to_arrow())
    deleted = _deleted_rows(table)
    actions = pa.table(table.get_add_actions(flatten=False)).combine_chunks()
    rule = _column_rule(path, table)
    files = [_file(path, schema, row, deleted, rule) for row in _in_order_of_writing(actions)]
    versions = [str(number) for number in range(table.version(), -1, -1)]
    return TableSnapshot(path, versions[0], schema, files, versions)


def _open(path: Path, version: int | str | None, timestamp: str | None) -> DeltaTable:
    package = delta_package()
    refuse_two_versions(version, timestamp)
    number = version_number(version, f"{_WHAT} {path}")
    try:
        table = package.DeltaTable(str(path.resolve()), version=number)
        if timestamp is not None:
            table.load_as_version(moment_of(timestamp))
            _refuse_earlier_times(path, table, moment_of(timestamp))
        return table
    except (package.exceptions.DeltaError, ValueError, OverflowError, TypeError) as error:
        wanted = f" in version {version}" if version is not None else ""
        raise BadInput(f"The Delta table {path} cannot be read{wanted}: {_first_line(error)}.") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0].rstrip(".")


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
    if '"variant"' in table.schema().to_json():
        raise BadInput(f"The Delta table {path} has a column of type variant, which is not read.", "Write it as text.")


def _column_rule(path: Path, table: DeltaTable) -> ColumnRule:
    """Return what tells the columns of the table in its files: their names, other names, or numbers."""
    mode = table.metadata().configuration.get("delta.columnMapping.mode", "none")
    if mode not in _RULES:
        raise BadInput(f"The Delta table {path} has column mapping by {mode}, which whence does not know.")
    return _RULES[mode]


def _name_in_files(column: pa.Field) -> Identity:
    name = (column.metadata or {}).get(b"delta.columnMapping.physicalName")
    return str(column.name) if name is None else str(name.decode())


def _number_in_files(column: pa.Field) -> Identity:
    number = (column.metadata or {}).get(b"delta.columnMapping.id")
    return None if number is None else int(number)


_RULES = {
    "none": ColumnRule(),
    "name": ColumnRule(_name_in_files, name_of),
    "id": ColumnRule(_number_in_files, parquet_id),
}


def _deleted_rows(table: DeltaTable) -> dict[Path, Positions]:
    """Return the positions of the deleted rows of each file of which rows were deleted."""
    found = pa.table(table.deletion_vectors()).to_pylist()
    return {
        local_path(each["filepath"], _WHAT): np.flatnonzero(~np.array(each["selection_vector"], dtype=bool))
        for each in found
    }


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


def _file(
    path: Path, schema: pa.Schema, row: Mapping[str, object], deleted: Mapping[Path, Positions], rule: ColumnRule
) -> TableFile:
    address = str(row["path"])
    file = local_path(address, _WHAT) if "://" in address else path.resolve() / unquote(address)
    refuse_outside(f"{_WHAT} {path}", path, file)
    partition = row.get("partition") or {}
    assert isinstance(partition, dict)
    deletes = [DeletedPositions(deleted[file])] if file in deleted else []
    return TableFile(file, schema, rule, partition, deletes)
