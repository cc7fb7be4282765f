"""Reads the rows of a Parquet file in batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading.source import PARQUET
from whence.loading.typed_file import BATCH, begins_with, unreadable


class ParquetTable:
    """A Parquet file."""

    suffixes = (".parquet",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def is_format_of(path: Path) -> bool:
        """Whether a file is of this format."""
        return begins_with(path, PARQUET)

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types of the file."""
        return self._open().schema_arrow

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self._open().metadata.num_rows)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order."""
        try:
            file = self._open()
            for group in range(file.num_row_groups):  # one by one: of several groups Arrow reads all ahead
                yield from file.iter_batches(BATCH, row_groups=[group])
        except (pa.ArrowException, OSError) as error:
            raise unreadable("Parquet", self.path, error) from error

    def _open(self) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(self.path, page_checksum_verification=True, pre_buffer=False)
        except (pa.ArrowException, OSError) as error:
            raise unreadable("Parquet", self.path, error) from error
