"""Saves a dataset version as a table of a format that keeps versions, with the doubts about it beside the rows."""

from __future__ import annotations

import os
from pathlib import Path

from whence.loading.iceberg_location import is_iceberg_address, metadata_in_catalog
from whence.loading.table_formats import TableFormat, table_format
from whence.loading.table_notes import notes_folder
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.workspace.context import Context
from whence.workspace.save_delta import save_delta, write_delta
from whence.workspace.save_iceberg import save_iceberg, write_iceberg
from whence.workspace.save_table_notes import earlier_notes, note_rows

Place = str | os.PathLike[str]


def save_as_delta(context: Context, record: DatasetRecord, place: Place, mode: str, *, caveats: bool) -> None:
    """Write a Delta table into a folder."""
    folder = Path(place).resolve()
    form = table_format(folder)
    earlier = earlier_notes(form, folder) if caveats and mode == "append" and form is not None else []
    save_delta(context.store, record, Path(place), mode)
    if caveats:
        written = _format_of(folder).read(folder, None, None)
        write_delta(notes_folder(folder), note_rows(context, record, written, earlier).to_reader(), "append")


def save_as_iceberg(context: Context, record: DatasetRecord, place: Place, mode: str, *, caveats: bool) -> None:
    """Write an Iceberg table into a folder or into a catalog."""
    address = os.fspath(place)
    before = _iceberg_folder(address) if caveats and mode == "append" else None
    form = None if before is None else table_format(before)
    earlier = earlier_notes(form, before) if form is not None and before is not None else []
    save_iceberg(context.store, record, address, mode)
    folder = _iceberg_folder(address) if caveats else None
    if folder is not None:
        metadata = metadata_in_catalog(address) if is_iceberg_address(address) else folder
        written = _format_of(metadata).read(metadata, None, None)
        write_iceberg(notes_folder(folder), note_rows(context, record, written, earlier).to_reader(), "append")


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
