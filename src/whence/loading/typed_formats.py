"""The formats of files whose columns have types, and which of them a file is."""

from __future__ import annotations

from pathlib import Path

from whence.loading.arrow_file import ArrowTable
from whence.loading.avro_file import AvroTable
from whence.loading.orc_file import OrcTable
from whence.loading.parquet_file import ParquetTable
from whence.loading.typed_file import TypedFile

_FORMATS = (ParquetTable, ArrowTable, OrcTable, AvroTable)

TYPED_SUFFIXES = tuple(suffix for each in _FORMATS for suffix in each.suffixes)
"""How the names of such files end. A folder is searched for them; a single file may have any name."""


def open_typed(path: Path) -> TypedFile | None:
    """Return a file as rows with types, by its content, or None if it is of no such format."""
    return next((each(path) for each in _FORMATS if each.is_format_of(path)), None)
