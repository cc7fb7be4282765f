"""Writes a dataset version as an Iceberg table: into a folder, or into a catalog."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from whence.loading.iceberg_location import (
    FOLDER,
    HINT,
    SUFFIX,
    CatalogTable,
    current_metadata,
    file_of_address,
    first_line,
    is_iceberg_address,
    is_iceberg_table,
    metadata_number,
    parse_address,
)
from whence.loading.iceberg_package import iceberg_package
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError, WhenceError
from whence.store.store import Store
from whence.workspace.saved_rows import saved_rows

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

_FOLDER_TABLE = "whence.table"
"""The name of a table without a catalog in the catalog that exists while the table is written."""


def save_iceberg(store: Store, record: DatasetRecord, place: str, mode: str) -> None:
    """Write all rows as one commit of the table. Rows of an Iceberg table have no order."""
    rows = saved_rows(store, record, "Iceberg tables")
    with_lists = pa.RecordBatchReader.from_batches(rows.schema, map(_with_no_missing_lists, rows))
    write_iceberg(place, with_lists, mode)


def write_iceberg(place: str | Path, rows: pa.RecordBatchReader, mode: str) -> None:
    """Write rows as one commit of a table, which a catalog's address or a folder names."""
    with _errors_in_words(place):
        if is_iceberg_address(str(place)):
            _save_in_catalog(parse_address(str(place)), str(place), rows, mode)
        else:
            _save_in_folder(Path(place).resolve(), rows, mode)


@contextmanager
def _errors_in_words(place: str | Path) -> Iterator[None]:
    try:
        yield
    except WhenceError:
        raise
    # The package and the drivers of catalogs raise errors of many kinds.
    except Exception as error:
        raise UserError(f"The Iceberg table {place} cannot be written: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """Return the first line, or of a table of differing columns the first that differs."""
    different = next((line for line in str(error).splitlines() if "❌" in line), None)
    if different is None:
        return first_line(error)
    in_table, here = (re.sub(r"^\d+: ", "", part.strip()) for part in different.strip("│ ").split("│")[1:])
    return f"it has the column {in_table}, and the dataset has {here}"


def _save_in_catalog(wanted: CatalogTable, place: str, rows: pa.RecordBatchReader, mode: str) -> None:
    catalog = wanted.open_catalog()
    exists = catalog.table_exists(wanted.name)
    if exists and mode == "errorifexists":
        raise _exists(place)
    if not exists:
        catalog.create_namespace_if_not_exists(wanted.name.rpartition(".")[0])
    _write(catalog, wanted.name, rows, mode, None, exists=exists)


def _with_no_missing_lists(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch. Raise an error for lists and maps of structs that are NULL: the package writes empty ones."""
    for name, values in zip(batch.schema.names, batch.columns, strict=True):
        if _has_missing_lists(values):
            raise UserError(
                f"Column {name} has a missing list or map of structs, and pyiceberg writes these as empty ones.",
                "Write the column as text with to_json, or fill the missing lists.",
            )
    return batch


def _has_missing_lists(values: pa.Array) -> bool:
    kind = values.type
    if pa.types.is_struct(kind):
        return any(_has_missing_lists(each) for each in values.flatten())
    if pa.types.is_map(kind):
        return _is_missing_somewhere(values, kind.item_type) or _has_missing_lists(values.items)
    if pa.types.is_list(kind):
        return _is_missing_somewhere(values, kind.value_type) or _has_missing_lists(values.values)
    return False


def _is_missing_somewhere(values: pa.Array, inner: pa.DataType) -> bool:
    return bool(pa.types.is_struct(inner) and values.null_count)


def _exists(place: str | Path) -> UserError:
    return UserError(f"The Iceberg table {place} exists.", 'mode="append" adds rows, mode="overwrite" replaces them.')


def _save_in_folder(folder: Path, rows: pa.RecordBatchReader, mode: str) -> None:
    """Write a table that no catalog knows: numbered metadata files, and a hint which of them is current."""
    current = current_metadata(folder) if is_iceberg_table(folder) else None
    if current is not None and mode == "errorifexists":
        raise _exists(folder)
    if current is not None and not (folder / FOLDER / HINT).is_file():
        raise BadInput(
            f"The Iceberg table {folder} is kept by a catalog, which would not know of what is written here.",
            "Name the table in its catalog: iceberg='iceberg://prod/shop.orders'.",
        )
    catalog = iceberg_package("catalog.sql").SqlCatalog("whence", uri="sqlite:///:memory:")
    try:
        catalog.create_namespace("whence")
        if current is not None:
            catalog.register_table(_FOLDER_TABLE, str(current))
        _write(catalog, _FOLDER_TABLE, rows, mode, folder, exists=current is not None)
        written = file_of_address(catalog.load_table(_FOLDER_TABLE).metadata_location, str(folder))
    finally:
        catalog.engine.dispose()
    _make_current(folder, written, 1 if current is None else metadata_number(current) + 1)


def _write(
    catalog: Catalog, name: str, rows: pa.RecordBatchReader, mode: str, folder: Path | None, *, exists: bool
) -> None:
    if not exists:
        location = None if folder is None else _address(folder)
        with catalog.create_table_transaction(name, rows.schema, location=location) as transaction:
            transaction.append(rows)
        return
    table = catalog.load_table(name)
    # The package writes partitions of tables in memory only.
    batches = rows if table.spec().is_unpartitioned() else rows.read_all()
    with table.transaction() as transaction:
        (transaction.append if mode == "append" else transaction.overwrite)(batches)


def _address(folder: Path) -> str:
    # The package cuts addresses, but not paths, at these letters.
    return str(folder) if {"#", "?"} & {*str(folder)} else f"file://{folder}"


def _make_current(folder: Path, written: Path, number: int) -> None:
    """Give a metadata file its number. Of two programs that write at once one finds the number taken."""
    final = folder / FOLDER / f"v{number}{SUFFIX}"
    try:
        os.link(written, final)
    except FileExistsError as error:
        raise UserError(f"The Iceberg table {folder} was changed by another program.", "Save it again.") from error
    finally:
        written.unlink()
    hint = folder / FOLDER / HINT
    draft = hint.with_name(f"{HINT}.{os.getpid()}")
    draft.write_text(str(number), encoding="utf-8")
    draft.replace(hint)
