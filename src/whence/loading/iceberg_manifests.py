"""Reads the manifests of a snapshot of an Iceberg table: which data files and files of deletes belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whence.loading.iceberg_location import file_of_address, first_line
from whence.loading.iceberg_package import iceberg_package
from whence.loading.table_snapshot import refuse_outside
from whence.model.errors import BadInput

if TYPE_CHECKING:
    from pyiceberg.table.snapshots import Snapshot

DATA, POSITION_DELETES, EQUALITY_DELETES = 0, 1, 2
_DELETED, _ADDED = 2, 1
Fields = Mapping[int, Any]
"""Values by the numbers that the format's specification gives to their fields."""


@dataclass(frozen=True)
class TableFolder:
    """The folder of a table, and the address that its metadata gives to it, which a copied table keeps."""

    path: Path
    location: str

    def file(self, address: str) -> Path:
        """Return a file of the table. Raise an error if it is elsewhere."""
        table = f"The Iceberg table {self.path}"
        inside = address.removeprefix(self.location.rstrip("/") + "/")
        file = file_of_address(address, table) if inside == address else self.path / inside
        refuse_outside(table, self.path, file)
        return file


@dataclass(frozen=True)
class Entry:
    """A file of a snapshot: a data file, or one with deletes."""

    content: int
    address: str
    format: str
    spec: int
    partition: tuple[tuple[int, Any], ...]
    """The values of the partition's fields, by their numbers."""
    sequence: int
    snapshot: int
    equality_ids: tuple[int, ...] = ()
    first_row_id: int | None = None
    referenced: str | None = None
    """The data file that a deletion vector is about."""


def read_entries(folder: TableFolder, snapshot: Snapshot) -> list[Entry]:
    """Return the files of a snapshot."""
    entries: list[Entry] = []
    for manifest in _records(folder, snapshot.manifest_list):
        entries += _entries(manifest, _records(folder, manifest[500]))
    return entries


def _entries(manifest: Fields, records: Iterator[Fields]) -> Iterator[Entry]:
    """Yield the files of a manifest, with what they inherit from it."""
    next_row_id = manifest.get(520)
    for record in records:
        if record[0] == _DELETED:
            continue
        entry = _entry(manifest, record)
        if entry.content == DATA and entry.first_row_id is None and next_row_id is not None:
            entry = _with_row_id(entry, next_row_id)
            next_row_id += record[2][103]
        yield entry


def _entry(manifest: Fields, record: Fields) -> Entry:
    file = record[2]
    if file.get(131) is not None:
        raise BadInput(f"The file {file[100]} of the Iceberg table is encrypted, which is not read.")
    sequence = record.get(3)
    if sequence is None:
        # Files inherit the number when they are added. Tables of version 1 of the format have no numbers.
        sequence = manifest.get(515) or 0
    partition = file[102] or {}
    return Entry(
        content=file.get(134) or DATA,
        address=file[100],
        format=str(file[101]).upper(),
        spec=manifest.get(502) or 0,
        partition=tuple(sorted(partition.items())),
        sequence=sequence,
        snapshot=record.get(1) or manifest.get(503) or 0,
        equality_ids=tuple(file.get(135) or ()),
        first_row_id=file.get(142),
        referenced=file.get(143),
    )


def _with_row_id(entry: Entry, first: int) -> Entry:
    return Entry(**{**vars(entry), "first_row_id": first})


def _records(folder: TableFolder, address: str) -> Iterator[Fields]:
    """Yield the records of an Avro file."""
    file = folder.file(address)
    avro, io = iceberg_package("avro.file"), iceberg_package("io.pyarrow").PyArrowFileIO()
    try:
        with avro.AvroFile(io.new_input(str(file.resolve()))) as reader:
            kind = reader.schema.as_struct()
            for record in reader:
                yield _by_number(record, kind)
    except BadInput:
        raise
    # The package raises errors of several kinds for a damaged file.
    except Exception as error:
        raise BadInput(f"The Iceberg metadata {file} cannot be read: {first_line(error)}.") from error


def _by_number(record: Any, kind: Any) -> Fields:  # noqa: ANN401
    """Return the values of a record, and of records inside it, by the numbers of their fields."""
    values: dict[int, Any] = {}
    for place, field in enumerate(kind.fields):
        value = record[place]
        is_record = value is not None and hasattr(field.field_type, "fields")
        values[field.field_id] = _by_number(value, field.field_type) if is_record else value
    return values
