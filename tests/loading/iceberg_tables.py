"""Iceberg tables of tests: where they are, and their rows as pyiceberg and as whence read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tests.loading.table_rows import Row, in_order
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.store.store import Store

if TYPE_CHECKING:
    from pyiceberg.table import Table


def folder_of(table: Table) -> Path:
    return Path(str(table.location()).removeprefix("file://"))


def by_pyiceberg(table: Table, snapshot: int | None = None) -> list[Row]:
    rows = in_order(table.scan(snapshot_id=snapshot).to_arrow().to_pylist())
    return [{name: str(value) if isinstance(value, UUID) else value for name, value in row.items()} for row in rows]


def loaded_rows(store: Store, path: Path, **request: Any) -> list[Row]:  # noqa: ANN401
    record = load_path(store, path, "t", LoadRequest(**request))
    return in_order(store.read(record, 0, 10_000).to_pylist())
