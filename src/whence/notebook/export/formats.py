"""Writers of datasets, one for each file format. whence can load what they write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import openpyxl
else:
    openpyxl = LazyModule("openpyxl")

Batches = Iterable[pa.Table]
Write = Callable[[Path, Batches, pa.Schema], None]

EXCEL_ROWS = 1_048_575
"""Rows of an Excel sheet below its header."""
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\0")
"""A spreadsheet may take a text that begins with one of these for a formula, and run it."""


def write_csv(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write comma-separated text. NULL is an empty field, an empty text is a pair of quotes."""
    _write_csv(path, batches, schema, str)


def write_csv_for_spreadsheets(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write comma-separated text with an apostrophe before every text that a spreadsheet might run as a formula."""
    _write_csv(path, batches, schema, guarded)


def guarded(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula.

    >>> guarded("=1+1"), guarded("a=1")
    ("'=1+1", 'a=1')
    """
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def _write_csv(path: Path, batches: Batches, schema: pa.Schema, shown: Callable[[str], str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(_field(shown(name)) for name in schema.names) + "\r\n")
        for row in _rows(batches):
            file.write(",".join(_csv_value(value, shown) for value in row) + "\r\n")


def _csv_value(value: object, shown: Callable[[str], str]) -> str:
    if value is None:
        return ""
    return _field(shown(value)) if isinstance(value, str) else _field(_plain_text(value))


def _field(text: str) -> str:
    # Quotes also go around texts in which a reader that guesses might see another delimiter or a comment.
    is_plain = text and text == text.strip() and not set(text) & set(',"\r\n\0;\t#')
    return text if is_plain else '"' + text.replace('"', '""') + '"'


def _plain_text(value: object) -> str:
    if isinstance(value, bool):  # before int, of which bool is a subclass
        return "true" if value else "false"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, int | float | Decimal):
        return str(value)
    return json.dumps(value, default=_json_value, ensure_ascii=False)


def write_json(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write one JSON object per line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in _rows(batches):
            named = dict(zip(schema.names, row, strict=True))
            file.write(json.dumps(named, default=_json_value, ensure_ascii=False) + "\n")


def write_parquet(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write Parquet with page checksums."""
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        for batch in batches:
            writer.write_table(batch.cast(schema))


def write_excel(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write one sheet of an Excel workbook. Texts stay texts, whatever they begin with."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("data")
    sheet.append(list(schema.names))
    for number, row in enumerate(_rows(batches)):
        if number >= EXCEL_ROWS:
            raise UserError(f"A sheet of Excel holds {EXCEL_ROWS:,} rows.", "Export CSV or Parquet instead.")
        sheet.append([_excel_value(sheet, value) for value in row])
    book.save(path)


def _excel_value(sheet: object, value: object) -> object:
    if isinstance(value, str):
        cell = openpyxl.cell.WriteOnlyCell(sheet, value)
        cell.data_type = "s"  # openpyxl stores a text that begins with = as a formula
        return cell
    if value is None or isinstance(value, bool | int | float | Decimal):
        return value
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)  # Excel has no time zones, and openpyxl refuses them
    return value if isinstance(value, date | time) else _plain_text(value)


def write_sqlite(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write an SQLite database with one table, called data."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in schema.names]
    types = [_sqlite_type(field.type) for field in schema]
    columns = ", ".join(f"{name} {type}" for name, type in zip(quoted, types, strict=True))
    places = ", ".join("?" * len(schema.names))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"create table data ({columns})")
        for batch in batches:
            rows = ([_sqlite_value(value) for value in row] for row in _rows([batch]))
            database.executemany(f"insert into data values ({places})", rows)


def _sqlite_type(type: pa.DataType) -> str:
    if pa.types.is_integer(type) or pa.types.is_boolean(type):
        return "integer"
    return "real" if pa.types.is_floating(type) else "text"


def _sqlite_value(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str | bytes) else _plain_text(value)


def _json_value(value: object) -> object:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else str(value)


def _rows(batches: Batches) -> Iterator[tuple[object, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


FORMATS: dict[str, Write] = {
    "csv": write_csv,
    "csv for spreadsheets": write_csv_for_spreadsheets,
    "json": write_json,
    "parquet": write_parquet,
    "excel": write_excel,
    "sqlite": write_sqlite,
}

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".xlsx": "excel",
    ".sqlite": "sqlite",
    ".db": "sqlite",
}
