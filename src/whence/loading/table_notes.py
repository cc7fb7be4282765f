"""The doubts about a table that whence saved, which stand in a small table of their own inside the table's folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.table_snapshot import TableSnapshot
from whence.model.errors import BadInput
from whence.store.rowkeys import hashed, mixed

FOLDER = "_whence"
"""Programs that clean the folder of a table leave names alone that begin so."""
SCHEMA = pa.schema(
    [
        ("version", pa.string()),
        ("kind", pa.string()),
        ("row_key", pa.string()),
        ("column", pa.string()),
        ("message", pa.string()),
        ("columns", pa.list_(pa.string())),
    ]
)
"""`row_key` is a hash of the row's values in `columns`, as rows of such tables have no order."""
DOUBT, ROW_SET, LINEAGE, EMPTY = "doubt", "rows may be missing", "lineage", "no doubt"


@dataclass(frozen=True)
class TableNote:
    """What was written down about a cell, a row or the whole of one version of a table."""

    kind: str
    row_key: str | None
    column: str | None
    message: str
    columns: tuple[str, ...]


def content_keys(tables: Iterable[pa.Table], columns: Sequence[str]) -> list[str]:
    """Return a hash of each row's values in some columns. Equal rows have equal hashes."""
    found: list[str] = []
    for table in tables:
        keys = mixed([hashed(table.column(column)) for column in columns], table.num_rows)
        found += [f"{first:016x}{second:016x}" for first, second in keys.tolist()]
    return found


def notes_of_version(snapshot: TableSnapshot, beside: TableSnapshot) -> list[TableNote]:
    """Return what was written down about a version of a table, or about the nearest version before it."""
    table = _rows(beside)
    known = set(table.column("version").to_pylist())
    version = next((each for each in snapshot.ancestors if each in known), None)
    if version is None:
        return []
    mine = table.filter(pc.equal(table.column("version"), version)).to_pylist()
    return [
        TableNote(each["kind"], each["row_key"], each["column"], each["message"], tuple(each["columns"] or ()))
        for each in mine
        if each["kind"] != EMPTY
    ]


def _rows(beside: TableSnapshot) -> pa.Table:
    try:
        batches = [batch.select(SCHEMA.names) for file in beside.rows_by_file for batch in file.batches()]
        return pa.concat_tables(
            [SCHEMA.empty_table(), *(pa.Table.from_batches([each]).cast(SCHEMA) for each in batches)]
        )
    except (KeyError, pa.ArrowException) as error:
        raise BadInput(
            f"The doubts beside the table, in {beside.path}, cannot be read.", "Remove that folder."
        ) from error


def notes_folder(table: Path) -> Path:
    """Return the folder of the table of doubts about a table."""
    return table / FOLDER
