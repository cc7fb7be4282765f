"""The format of caveats.parquet: one row per caveat with its place. Caveats stay columns: there may be a million."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.caveat import Caveat
from whence.store.durable import HashingFile, Syncs, write_file

SCHEMA = pa.schema(
    [
        ("row", pa.int64()),
        ("column", pa.string()),
        ("family", pa.string()),
        ("message", pa.string()),
        ("line", pa.int64()),
        ("text", pa.string()),
        ("site", pa.int32()),
        ("low", pa.string()),
        ("high", pa.string()),
    ]
)
_BATCH = 10_000


class Caveats(Sequence[Caveat]):
    """A sequence of caveats, stored as columns. Each access creates the `Caveat` object."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    @classmethod
    def of(cls, caveats: Sequence[Caveat]) -> Caveats:
        """Return the same caveats stored as columns."""
        if isinstance(caveats, Caveats):
            return caveats
        columns = {name: [getattr(caveat, name) for caveat in caveats] for name in SCHEMA.names}
        return cls(pa.table(columns, schema=SCHEMA))

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @overload
    def __getitem__(self, index: int) -> Caveat: ...
    @overload
    def __getitem__(self, index: slice) -> Caveats: ...
    def __getitem__(self, index: int | slice) -> Caveat | Caveats:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return Caveats(self.table.take(pa.array(range(start, stop, step), pa.int64())))
        return Caveat(**self.table.slice(range(len(self))[index], 1).to_pylist()[0])

    def __iter__(self) -> Iterator[Caveat]:
        for batch in self.table.to_batches(max_chunksize=_BATCH):
            yield from (Caveat(**row) for row in batch.to_pylist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(Caveat.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} caveats>"


def caveat_table(
    messages: pa.ChunkedArray, family: str, *, row: object = None, column: str | None = None, site: int | None = None
) -> pa.Table:
    """Return a table of caveats of one family, column and site. `row` is an array of their row ids."""
    count = len(messages)
    given = {
        "row": pa.nulls(count, pa.int64()) if row is None else pa.array(row, pa.int64()),
        "column": pa.nulls(count, pa.string()) if column is None else pa.repeat(column, count),
        "family": pa.repeat(family, count),
        "message": messages,
        "site": pa.nulls(count, pa.int32()) if site is None else pa.repeat(pa.scalar(site, pa.int32()), count),
    }
    columns = [given.get(field.name, pa.nulls(count, field.type)) for field in SCHEMA]
    return pa.table(columns, schema=SCHEMA)


def write_caveats(path: Path, caveats: Sequence[Caveat], syncs: Syncs | None = None) -> HashingFile:
    """Write the caveats in the given order."""
    table = Caveats.of(caveats).table

    def fill(file: HashingFile) -> None:
        pq.write_table(table, pa.PythonFile(file, mode="w"), compression="zstd", write_page_checksum=True)

    return write_file(path, fill, "sync-caveats", syncs)


def read_caveats(path: Path) -> Caveats:
    """Read the caveats in the order in which they were written."""
    table = pq.ParquetFile(path, page_checksum_verification=True).read()
    for field in SCHEMA:  # `site` and ranges came later than the rest
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return Caveats(table)
