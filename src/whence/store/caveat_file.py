"""The form of a dataset's caveats.parquet: one row per caveat, with where it sits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.caveat import Caveat
from whence.store.durable import HashingFile, write_file

_SCHEMA = pa.schema(
    [
        ("row", pa.int64()),
        ("column", pa.string()),
        ("family", pa.string()),
        ("message", pa.string()),
        ("line", pa.int64()),
        ("text", pa.string()),
    ]
)


def write_caveats(path: Path, caveats: Sequence[Caveat]) -> HashingFile:
    """Write the caveats in the order given."""
    columns = {name: [getattr(caveat, name) for caveat in caveats] for name in (field.name for field in fields(Caveat))}
    table = pa.table({name: columns[name] for name in _SCHEMA.names}, schema=_SCHEMA)

    def fill(file: HashingFile) -> None:
        pq.write_table(table, pa.PythonFile(file, mode="w"), compression="zstd", write_page_checksum=True)

    return write_file(path, fill, "sync-caveats")


def read_caveats(path: Path) -> list[Caveat]:
    """The caveats in the order they were given."""
    return [Caveat(**row) for row in read_caveat_table(path).to_pylist()]


def read_caveat_table(path: Path) -> pa.Table:
    """The caveats as columns, for whoever only counts or filters them."""
    return pq.ParquetFile(path, page_checksum_verification=True).read()
