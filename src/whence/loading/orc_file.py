"""Reads the rows of an ORC file, a stripe at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from whence.loading.spark_orc import as_spark_meant
from whence.loading.typed_file import BATCH, begins_with, unreadable
from whence.model.lazy_module import LazyModule

# Loaded on first use: hardly any workspace has ORC files.
if TYPE_CHECKING:
    import pyarrow.orc as orc
else:
    orc = LazyModule("pyarrow.orc")

_MAGIC = b"ORC"
_BY_SPARK = "Read it with Spark: ws.create(name, ws.spark.read.orc(path))."


class OrcTable:
    """An ORC file."""

    suffixes = (".orc",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def is_format_of(path: Path) -> bool:
        """Whether a file is of this format. Text may begin with the same letters, so its end is looked at, too."""
        return begins_with(path, _MAGIC) and _last_bytes(path)[:-1] == _MAGIC

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types of the file."""
        try:
            return pa.schema([as_spark_meant(field) for field in self._open().schema])
        except (pa.ArrowException, OSError) as error:
            raise unreadable("ORC", self.path, error) from error

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self._open().nrows)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order."""
        file, schema = self._open(), self.schema
        for number in range(file.nstripes):
            try:
                stripe = _under(file.read_stripe(number), schema)
            # Arrow reads times in nanoseconds, which end in the year 2262, and refuses later ones.
            except (pa.ArrowException, OSError) as error:
                raise unreadable("ORC", self.path, error, _BY_SPARK) from error
            yield from (stripe.slice(start, BATCH) for start in range(0, stripe.num_rows, BATCH))

    def _open(self) -> orc.ORCFile:
        try:
            return orc.ORCFile(self.path)
        except (pa.ArrowException, OSError) as error:
            raise unreadable("ORC", self.path, error) from error


def _under(stripe: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = [column.cast(field.type) for column, field in zip(stripe.columns, schema, strict=True)]
    return pa.record_batch(columns, schema=schema)


def _last_bytes(path: Path) -> bytes:
    """Return the magic number at the end of an ORC file, and the byte after it."""
    with path.open("rb") as file:
        file.seek(-min(len(_MAGIC) + 1, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return file.read()
