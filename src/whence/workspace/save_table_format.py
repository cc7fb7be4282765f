"""Saves a dataset version as a table of a format that keeps versions, with the doubts about it beside the rows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from whence.loading.iceberg_location import is_iceberg_address, metadata_in_catalog
from whence.loading.table_formats import TableFormat, table_format
from whence.loading.table_lineage import lineage_folder
from whence.loading.table_notes import notes_folder
from whence.loading.table_snapshot import TableSnapshot
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.workspace.context import Context
from whence.workspace.save_delta import save_delta, write_delta
from whence.workspace.save_iceberg import save_iceberg, write_iceberg
from whence.workspace.save_table_lineage import head_without_rows, lineage_rows
from whence.workspace.save_table_notes import earlier_notes, note_rows

Place = str | os.PathLike[str]


@dataclass(frozen=True)
class BesideTable:
    """What is written beside the rows of a table."""

    caveats: bool
    lineage: bool


def save_as_delta(context: Context, record: DatasetRecord, place: Place, mode: str, beside: BesideTable) -> None:
    """Write a Delta table into a folder."""
    folder = Path(place).resolve()
    form = table_format(folder)
    earlier = earlier_notes(form, folder) if beside.caveats and mode == "append" and form is not None else []
    save_delta(context.store, record, Path(place), mode)
    written = _format_of(folder).read(folder, None, None)
    if beside.caveats:
        write_delta(notes_folder(folder), note_rows(context, record, written, earlier).to_reader(), "append")
    lines = _lineage(context, record, written, mode, beside)
    if lines is not None:
        write_delta(lineage_folder(folder), lines.to_reader(), "append")


def save_as_iceberg(context: Context, record: DatasetRecord, place: Place, mode: str, beside: BesideTable) -> None:
    """Write an Iceberg table into a folder or into a catalog."""
    address = os.fspath(place)
    before = _iceberg_folder(address) if beside.caveats and mode == "append" else None
    form = None if before is None else table_format(before)
    earlier = earlier_notes(form, before) if form is not None and before is not None else []
    save_iceberg(context.store, record, address, mode)
    folder = _iceberg_folder(address)
    if folder is None:
        return
    metadata = metadata_in_catalog(address) if is_iceberg_address(address) else folder
    written = _format_of(metadata).read(metadata, None, None)
    if beside.caveats:
        write_iceberg(notes_folder(folder), note_rows(context, record, written, earlier).to_reader(), "append")
    lines = _lineage(context, record, written, mode, beside)
    if lines is not None:
        write_iceberg(lineage_folder(folder), lines.to_reader(), "append")


def _lineage(
    context: Context, record: DatasetRecord, written: TableSnapshot, mode: str, beside: BesideTable
) -> pa.Table | None:
    """Return the lines of lineage to write; None if there are none yet and none are wanted."""
    replaces = mode != "append"
    if beside.lineage:
        return lineage_rows(context, record, written, replaces=replaces)
    is_there = lineage_folder(written.path).exists()
    return head_without_rows(record, written, replaces=replaces) if is_there else None


def _format_of(path: Path) -> TableFormat:
    form = table_format(path)
    assert form is not None, path
    return form


def _iceberg_folder(address: str) -> Path | None:
    """Return the folder of a table. It has none if it is to be made, or if its catalog keeps it on another machine."""
    if not is_iceberg_address(address):
        return Path(address).resolve()
    try:
        return metadata_in_catalog(address).parent.parent
    except BadInput:
        return None
