"""The formats of tables that keep versions of themselves beside their files, and how each is recognised and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from whence.loading.delta_table import LOG, is_delta_table, read_delta_snapshot
from whence.loading.iceberg_location import FOLDER, SUFFIX, is_iceberg_table
from whence.loading.iceberg_table import read_iceberg_snapshot
from whence.loading.table_snapshot import TableSnapshot

Version = int | str | None


@dataclass(frozen=True)
class TableFormat:
    """A format of tables."""

    name: str
    is_at: Callable[[Path], bool]
    read: Callable[[Path, Version, str | None], TableSnapshot]
    sign: str
    """The pattern of files that a folder of the format holds."""


FORMATS = (
    TableFormat("a Delta table", is_delta_table, read_delta_snapshot, f"{LOG}/*.json"),
    TableFormat("an Iceberg table", is_iceberg_table, read_iceberg_snapshot, f"{FOLDER}/*{SUFFIX}"),
)


def table_format(path: Path) -> TableFormat | None:
    """Return the format of a table at a path, or None if there is none."""
    return next((each for each in FORMATS if each.is_at(path)), None)


def table_within(folder: Path) -> tuple[Path, TableFormat] | None:
    """Return a table in a folder below this one, or None if there is none."""
    for each in FORMATS:
        inner = next((file for file in folder.rglob(f"*/{each.sign}")), None)
        if inner is not None and each.is_at(inner.parent.parent):
            return inner.parent.parent, each
    return None
