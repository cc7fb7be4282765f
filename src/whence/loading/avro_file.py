"""Reads the rows of an Avro file, a block at a time."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pyarrow as pa

from whence.loading.avro_types import AvroColumn, Node, columns_of, without_logical_types
from whence.loading.typed_file import BATCH, begins_with, unreadable
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

# An optional dependency, which only Avro files need.
if TYPE_CHECKING:
    import fastavro
else:
    fastavro = LazyModule("fastavro")

AVRO = b"Obj\x01"
# What fastavro raises for damaged files: it has no error of its own for them.
_DAMAGE = (ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error, zlib.error, OSError)


class AvroTable:
    """An Avro file. Values are read as they are written, so that no date is out of the range of Python."""

    suffixes = (".avro",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def is_format_of(path: Path) -> bool:
        """Whether a file is of this format."""
        return begins_with(path, AVRO)

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types of the file."""
        with self.path.open("rb") as file:
            return pa.schema([column.field for column in self._columns(self._blocks(file))])

    @property
    def rows(self) -> int:
        """0: the format states no number of rows."""
        return 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order."""
        with self.path.open("rb") as file:
            blocks = self._blocks(file)
            columns = self._columns(blocks)
            records = self._records(blocks)
            while some := list(islice(records, BATCH)):
                yield self._batch(some, columns)

    def _records(self, blocks: fastavro.block_reader) -> Iterator[object]:
        raw = fastavro.parse_schema(without_logical_types(blocks.writer_schema))
        try:
            for block in blocks:
                for _ in range(block.num_records):
                    # Bytes that are not UTF-8 are carried as surrogates, and become problems of their cells.
                    yield fastavro.schemaless_reader(block.bytes_, raw, None, handle_unicode_errors="surrogateescape")
        except _DAMAGE as error:
            raise unreadable("Avro", self.path, error) from error

    def _blocks(self, file: BinaryIO) -> fastavro.block_reader:
        try:
            return fastavro.block_reader(file)
        except ModuleNotFoundError:
            raise UserError(
                f"The Avro file {self.path} is read by fastavro, which is not installed.",
                "Run `pip install 'whence-data[avro]'`.",
            ) from None
        except (*_DAMAGE, fastavro.schema.SchemaParseException) as error:
            raise unreadable("Avro", self.path, error) from error

    def _columns(self, blocks: fastavro.block_reader) -> list[AvroColumn]:
        try:
            return columns_of(cast(Node, fastavro.schema.expand_schema(cast(Any, blocks.writer_schema))))
        except (*_DAMAGE, pa.ArrowException, fastavro.schema.SchemaParseException) as error:
            raise unreadable("Avro", self.path, error) from error

    def _batch(self, records: list[object], columns: list[AvroColumn]) -> pa.RecordBatch:
        try:
            arrays = [column.array(records) for column in columns]
            return pa.record_batch(arrays, schema=pa.schema([column.field for column in columns]))
        except pa.ArrowException as error:
            raise unreadable("Avro", self.path, error) from error
