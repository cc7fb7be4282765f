"""Which rows of the data files of an Iceberg table were deleted: by position, by a deletion vector, or by value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.decoding import decode
from whence.loading.iceberg_location import first_line
from whence.loading.iceberg_manifests import DATA, EQUALITY_DELETES, Entry, TableFolder
from whence.loading.iceberg_package import iceberg_package
from whence.loading.parquet_file import ParquetTable
from whence.loading.table_columns import ColumnRule, columns_of_table
from whence.loading.table_snapshot import DeletedPositions, Deletes, Positions
from whence.loading.words import Mask
from whence.model.errors import BadInput

_PUFFIN, _PARQUET = "PUFFIN", "PARQUET"
Columns = Sequence[pa.Field]


@dataclass(frozen=True)
class DeletedValues:
    """Deleted rows, known by their values in some columns. NULL equals NULL."""

    columns: Columns
    values: Sequence[pa.Array]
    found: Columns
    """The columns of the data file."""
    rule: ColumnRule

    def kept_rows(self, batch: pa.RecordBatch, start: int) -> Mask:
        """Return which rows of a batch are left."""
        rows = columns_of_table(self.columns, self.found, batch.columns, batch.num_rows, self.rule)
        return ~_are_among([decode(each) for each in rows], self.values)


def _are_among(rows: Sequence[pa.Array], others: Sequence[pa.Array]) -> Mask:
    """Return which rows equal one of the others in all columns."""
    count = len(rows[0])
    numbers: Positions = np.zeros(count + len(others[0]), np.int64)
    for mine, theirs in zip(rows, others, strict=True):
        both = pa.concat_arrays([mine, theirs]).dictionary_encode(null_encoding="encode")
        numbers = numbers * (len(both.dictionary) + 1) + both.indices.to_numpy()
        # Numbered anew, so that the numbers of many columns do not grow beyond 64 bits.
        numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    found: Mask = np.isin(numbers[:count], numbers[count:])
    return found


@dataclass
class DeleteFiles:
    """The files of deletes of a snapshot. Each is read once."""

    folder: TableFolder
    entries: Sequence[Entry]
    column: Callable[[int], pa.Field]
    """Returns the column with a number, which the table may have dropped since."""
    rule: ColumnRule
    unpartitioned: frozenset[int]
    """The partitionings without fields. Deletes by value of such a one hold for the whole table."""
    _positions: dict[str, dict[str, Positions]] = field(default_factory=dict)

    def of(self, data: Entry, found: Columns) -> Iterator[Deletes]:
        """Yield what was deleted of a data file with these columns."""
        positions = self._deleted_positions(data)
        if len(positions):
            yield DeletedPositions(positions)
        for entry in self.entries:
            if entry.content == EQUALITY_DELETES and self._is_about(entry, data):
                yield self._deleted_values(entry, found)

    def _deleted_positions(self, data: Entry) -> Positions:
        by_position = [
            each
            for each in self.entries
            if each.content not in (DATA, EQUALITY_DELETES)
            and each.sequence >= data.sequence
            and each.referenced in (None, data.address)
        ]
        # A deletion vector holds all positions that older files of deletes hold.
        vectors = [each for each in by_position if each.format == _PUFFIN]
        found = [self._positions_in(each).get(data.address) for each in vectors or by_position]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *(each for each in found if each is not None)]))

    def _positions_in(self, entry: Entry) -> dict[str, Positions]:
        """Return the deleted positions of each data file that a file of deletes names."""
        if entry.address not in self._positions:
            read = self._read_vectors if entry.format == _PUFFIN else self._read_positions
            self._positions[entry.address] = read(entry)
        return self._positions[entry.address]

    def _read_positions(self, entry: Entry) -> dict[str, Positions]:
        files, places = self._columns_of(entry, ["file_path", "pos"])
        named = files.cast(pa.string()).dictionary_encode()
        numbers, positions = named.indices.to_numpy(), places.to_numpy()
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(1, len(named.dictionary)))
        return dict(zip(named.dictionary.to_pylist(), np.split(positions[order], starts), strict=False))

    def _columns_of(self, entry: Entry, names: Sequence[str]) -> list[pa.Array]:
        rows = self._rows(entry).select(names)
        return [rows.column(name).combine_chunks() for name in names]

    def _rows(self, entry: Entry) -> pa.Table:
        if entry.format != _PARQUET:
            what = f"The Iceberg table {self.folder.path} has deletes in a file of the format {entry.format}"
            raise BadInput(f"{what}, which is not read.", "Compact the table.")
        file = ParquetTable(self.folder.file(entry.address))
        return pa.Table.from_batches(file.batches(), file.schema)

    def _read_vectors(self, entry: Entry) -> dict[str, Positions]:
        file = self.folder.file(entry.address)
        try:
            puffin = iceberg_package("table.puffin").PuffinFile(file.read_bytes())
            vectors = iceberg_package("table.deletion_vector").deletion_vectors_from_puffin_file(puffin)
            return {each.referenced_data_file: each.to_vector().to_numpy().astype(np.int64) for each in vectors}
        # The package raises errors of several kinds for a damaged file.
        except Exception as error:
            raise BadInput(f"The deletion vectors {file} cannot be read: {first_line(error)}.") from error

    def _is_about(self, deletes: Entry, data: Entry) -> bool:
        is_there = deletes.spec in self.unpartitioned or (
            deletes.spec == data.spec and deletes.partition == data.partition
        )
        return is_there and deletes.sequence > data.sequence

    def _deleted_values(self, entry: Entry, found: Columns) -> DeletedValues:
        columns = [self._comparable(number) for number in entry.equality_ids]
        rows = self._rows(entry)
        chunks = [rows.column(n).combine_chunks() for n in range(rows.num_columns)]
        values = columns_of_table(columns, list(rows.schema), chunks, rows.num_rows, self.rule)
        return DeletedValues(columns, [decode(each) for each in values], found, self.rule)

    def _comparable(self, number: int) -> pa.Field:
        column = self.column(number)
        if pa.types.is_floating(column.type) or pa.types.is_nested(column.type):
            raise BadInput(
                f"Rows of the Iceberg table {self.folder.path} were deleted by their values in column {column.name}, "
                f"which is {column.type}; such deletes are not read.",
                "Compact the table.",
            )
        return column


@dataclass(frozen=True)
class InheritedRowIds:
    """The numbers of rows: those in the file, and for rows that have none there, the place in the file."""

    first: int
    place: int | None
    """The position of the column with numbers in the file."""

    def of(self, batch: pa.RecordBatch, start: int) -> pa.Array:
        """Return the number of each row of a batch, which begins at this row of the file."""
        begin = self.first + start
        inherited = pa.array(np.arange(begin, begin + batch.num_rows), pa.int64())
        return inherited if self.place is None else pc.coalesce(batch.column(self.place), inherited)
