"""Short ways to read a file in tests."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading import Loaded, load_report, read_csv
from whence.loading.delimited import Parts
from whence.model.dataset import DatasetRecord
from whence.model.schema import INTERNAL_PREFIX, LINE_COLUMN
from whence.store.store import Store
from whence.store.types import schema_of

Place = tuple[str, int | None, str | None, str | None]


def read(folder: Path, content: bytes | str, name: str = "t.csv") -> Loaded:
    """Read a file of this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_csv(path)


def loaded_of(parts: Parts) -> Loaded:
    """What was written in parts, in memory."""
    table = pa.concat_tables(pq.read_table(part.path, partitioning=None) for part in parts.parts)
    shown = [name for name in table.column_names if name == LINE_COLUMN or not name.startswith(INTERNAL_PREFIX)]
    return Loaded(table.select(shown), parts.report, {})


def rows(loaded: Loaded) -> list[tuple[object, ...]]:
    """The user's columns, row by row."""
    return [tuple(row.values()) for row in loaded.table.drop_columns([LINE_COLUMN]).to_pylist()]


def types(loaded: Loaded) -> dict[str, str]:
    """The type of each column."""
    return {field.name: field.type for field in schema_of(loaded.table.schema)}


def places(loaded: Loaded) -> list[Place]:
    """What kind of problem is where, and the text it keeps."""
    return [(problem.kind, problem.row, problem.column, problem.text) for problem in loaded.problems]


def notes_of(store: Store, record: DatasetRecord) -> list[str]:
    """Return the sentences of the load report."""
    report = load_report(store, record)
    assert report is not None
    return [problem.message for problem in report.problems]
