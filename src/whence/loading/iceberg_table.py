"""One snapshot of an Iceberg table: its schema and the list of its data files, with what was deleted from each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from whence.loading.iceberg_deletes import DeleteFiles, InheritedRowIds
from whence.loading.iceberg_location import current_metadata, first_line, read_metadata
from whence.loading.iceberg_manifests import DATA, Entry, TableFolder, read_entries
from whence.loading.iceberg_names import with_mapped_ids
from whence.loading.iceberg_package import iceberg_package
from whence.loading.parquet_file import ParquetTable
from whence.loading.table_columns import ColumnRule, parquet_id, small_schema
from whence.loading.table_snapshot import RowIds, TableFile, TableSnapshot
from whence.loading.table_version import moment_of, refuse_two_versions
from whence.model.errors import BadInput

if TYPE_CHECKING:
    from pyiceberg.schema import Schema
    from pyiceberg.table.metadata import TableMetadata
    from pyiceberg.table.snapshots import Snapshot

_ROW_ID = 2147483540
_MAPPING = "schema.name-mapping.default"


def read_iceberg_snapshot(path: Path, version: int | str | None = None, timestamp: str | None = None) -> TableSnapshot:
    """Read a table's metadata: the current snapshot, the one with an id, a branch or a tag, or the one of a time."""
    refuse_two_versions(version, timestamp)
    file = current_metadata(path)
    metadata = read_metadata(file)
    folder = TableFolder(file.resolve().parent.parent, metadata.location)
    snapshot = _snapshot(folder.path, metadata, version, timestamp)
    is_current = version is None and timestamp is None
    schema = _schema(metadata, None if is_current or snapshot is None else snapshot.schema_id)
    if snapshot is None:
        return TableSnapshot(folder.path, None, _arrow_schema(folder.path, schema), [])
    return _Reader(folder, metadata, schema, snapshot).read()


def _snapshot(path: Path, metadata: TableMetadata, version: int | str | None, timestamp: str | None) -> Snapshot | None:
    if timestamp is not None:
        return _snapshot_at(path, metadata, moment_of(timestamp))
    if version is None:
        return metadata.current_snapshot()
    by_name = {name: ref.snapshot_id for name, ref in metadata.refs.items()}
    wanted = by_name.get(str(version), version)
    found = next((each for each in metadata.snapshots if str(each.snapshot_id) == str(wanted)), None)
    if found is None:
        known = ", ".join([*map(str, by_name), *(str(each.snapshot_id) for each in metadata.snapshots[-5:])])
        raise BadInput(
            f"The Iceberg table {path} has no snapshot, branch or tag {version}.", f"It has {known or 'none'}."
        )
    return found


def _snapshot_at(path: Path, metadata: TableMetadata, moment: datetime) -> Snapshot:
    log = [each for each in metadata.snapshot_log if each.timestamp_ms <= moment.timestamp() * 1000]
    known = {each.snapshot_id: each for each in metadata.snapshots}
    if log and log[-1].snapshot_id in known:
        return known[log[-1].snapshot_id]
    first = next((each.timestamp_ms for each in metadata.snapshot_log if each.snapshot_id in known), None)
    hint = (
        "It has none." if first is None else f"The first is of {datetime.fromtimestamp(first / 1000, UTC).isoformat()}."
    )
    raise BadInput(f"The Iceberg table {path} has no snapshot of {moment.isoformat()}.", hint)


def _schema(metadata: TableMetadata, number: int | None) -> Schema:
    by_number = {each.schema_id: each for each in metadata.schemas}
    return by_number.get(number, by_number[metadata.current_schema_id])


def _arrow_schema(path: Path, schema: Schema) -> pa.Schema:
    try:
        return small_schema(iceberg_package("io.pyarrow").schema_to_pyarrow(schema, include_field_ids=True))
    # The package raises errors of several kinds for types without a type in Arrow.
    except Exception as error:
        what = f"The Iceberg table {path} has a column of a type that is not read"
        raise BadInput(f"{what}: {first_line(error)}.", "Write it as text.") from error


@dataclass(frozen=True)
class _Reader:
    """Reads the files of one snapshot."""

    folder: TableFolder
    metadata: TableMetadata
    schema: Schema
    snapshot: Snapshot

    def read(self) -> TableSnapshot:
        entries = read_entries(self.folder, self.snapshot)
        columns, rule = _arrow_schema(self.folder.path, self.schema), self._rule()
        unpartitioned = frozenset(each.spec_id for each in self.metadata.partition_specs if each.is_unpartitioned())
        deletes = DeleteFiles(
            self.folder, [each for each in entries if each.content != DATA], self._column, rule, unpartitioned
        )
        data = sorted((each for each in entries if each.content == DATA), key=self._order_of_writing)
        files = [self._file(each, columns, rule, deletes) for each in data]
        return TableSnapshot(self.folder.path, str(self.snapshot.snapshot_id), columns, files, list(self._ancestors()))

    def _ancestors(self) -> Iterator[str]:
        by_id = {each.snapshot_id: each for each in self.metadata.snapshots}
        current: Snapshot | None = self.snapshot
        while current is not None:
            yield str(current.snapshot_id)
            current = by_id.get(current.parent_snapshot_id)

    def _order_of_writing(self, entry: Entry) -> tuple[int, int, str]:
        """Order the files, the oldest first, so that rows that are added come last."""
        times = {each.snapshot_id: each.timestamp_ms for each in self.metadata.snapshots}
        return entry.sequence, times.get(entry.snapshot, 0), entry.address

    def _rule(self) -> ColumnRule:
        """Return what tells columns: their numbers, which stay when columns are renamed and are never given again."""
        defaults = {
            each.field_id: _scalar(each.initial_default, kind.type)
            for each, kind in zip(self.schema.fields, _arrow_schema(self.folder.path, self.schema), strict=True)
            if each.initial_default is not None
        }
        return ColumnRule(parquet_id, parquet_id, defaults)

    def _column(self, number: int) -> pa.Field:
        for schema in (self.schema, *reversed(self.metadata.schemas)):
            for each in _arrow_schema(self.folder.path, schema):
                if parquet_id(each) == number:
                    return each
        raise BadInput(f"Rows of the Iceberg table {self.folder.path} were deleted by their values in a nested column.")

    def _file(self, entry: Entry, columns: pa.Schema, rule: ColumnRule, deletes: DeleteFiles) -> TableFile:
        path = self.folder.file(entry.address)
        if entry.format != "PARQUET":
            what = f"The Iceberg table {self.folder.path} has a data file of the format {entry.format}"
            raise BadInput(f"{what}, which is not read.", "Rewrite its data files as Parquet.")
        found = self._columns_of_file(path)
        partition = dict(self._partition_values(entry, columns))
        constants = {
            each.name: partition[each.name]
            for each, place in zip(columns, rule.places(columns, list(found)), strict=True)
            if each.name in partition and place is None
        }
        row_ids = self._row_ids(entry, found)
        gone = list(deletes.of(entry, list(found)))
        return TableFile(path, columns, rule, constants, deletes=gone, row_ids=row_ids, found=found)

    def _columns_of_file(self, path: Path) -> pa.Schema:
        found = ParquetTable(path).schema
        if any(parquet_id(each) is not None for each in found):
            return found
        mapping = self.metadata.properties.get(_MAPPING)
        if mapping is None:
            raise BadInput(f"{path} does not say which columns of the Iceberg table it holds, so it is not read.")
        return with_mapped_ids(found, json.loads(mapping))

    def _partition_values(self, entry: Entry, columns: Sequence[pa.Field]) -> Iterator[tuple[str, pa.Scalar]]:
        """Yield the columns whose values are the same in a whole partition, as files may leave these out."""
        values = dict(entry.partition)
        spec = next(each for each in self.metadata.partition_specs if each.spec_id == entry.spec)
        by_number = {parquet_id(each): each for each in columns}
        for field in spec.fields:
            column = by_number.get(field.source_id)
            if str(field.transform) == "identity" and column is not None and field.field_id in values:
                yield column.name, _scalar(values[field.field_id], column.type)

    def _row_ids(self, entry: Entry, found: pa.Schema) -> RowIds | None:
        if self.metadata.format_version < 3 or entry.first_row_id is None:
            return None
        places = [n for n, each in enumerate(found) if parquet_id(each) == _ROW_ID]
        return InheritedRowIds(entry.first_row_id, places[0] if places else None)


def _scalar(value: Any, kind: pa.DataType) -> pa.Scalar:  # noqa: ANN401
    """Return a value of the metadata, where days and times are whole numbers, under its type."""
    storage = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
    if isinstance(value, int) and pa.types.is_temporal(storage):
        return pa.scalar(value, pa.int32() if pa.types.is_date(storage) else pa.int64()).cast(storage)
    return pa.scalar(getattr(value, "bytes", value), storage)
