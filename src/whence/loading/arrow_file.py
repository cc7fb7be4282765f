"""Reads the rows of an Arrow file: the file format, which Feather is as well, and the stream format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.typed_file import BATCH, begins_with, unreadable
from whence.model.errors import BadInput

ARROW = b"ARROW1"
_STREAM = b"\xff\xff\xff\xff"
"""A stream has no magic number. Its first message begins with this mark, which begins no text."""
_FIRST_FEATHER = b"FEA1"
_BYTES_OF_TEXT = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
}


class ArrowTable:
    """An Arrow file or stream."""

    suffixes = (".arrow", ".feather", ".ipc", ".arrows")

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def is_format_of(path: Path) -> bool:
        """Whether a file is of this format."""
        return any(begins_with(path, magic) for magic in (ARROW, _STREAM, _FIRST_FEATHER))

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types of the file."""
        try:
            with self._open() as reader:
                return reader.schema
        except (pa.ArrowException, OSError) as error:
            raise unreadable("Arrow", self.path, error) from error

    @property
    def rows(self) -> int:
        """0: the format states no number of rows."""
        return 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order. A file is as long in memory as its longest batch."""
        try:
            with self._open() as reader:
                for batch in _whole_batches(reader):
                    for column in batch.columns:
                        _check(column)
                    yield from (batch.slice(start, BATCH) for start in range(0, batch.num_rows, BATCH))
        except (pa.ArrowException, OSError) as error:
            raise unreadable("Arrow", self.path, error) from error

    def _open(self) -> pa.RecordBatchFileReader | pa.RecordBatchStreamReader:
        if begins_with(self.path, _FIRST_FEATHER):
            hint = "Write it again with pyarrow.feather.write_feather, whose format is Arrow's own."
            raise BadInput(f"The file {self.path} is a Feather file of version 1, which is no longer read.", hint)
        # Not memory-mapped: a file that shrinks while it is mapped ends the process.
        source = pa.OSFile(str(self.path))
        return pa.ipc.open_file(source) if begins_with(self.path, ARROW) else pa.ipc.open_stream(source)


def _whole_batches(reader: pa.RecordBatchFileReader | pa.RecordBatchStreamReader) -> Iterator[pa.RecordBatch]:
    if isinstance(reader, pa.RecordBatchStreamReader):
        yield from reader
        return
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)


def _check(values: pa.Array) -> None:
    """Raise an error if the values do not lie in their buffers, which are as the file has them.

    Arrow does not look, and reads memory that is not its own. Text may have bytes that are not UTF-8 all the same.
    """
    values.validate()
    kind = values.type
    if kind in _BYTES_OF_TEXT:
        values.cast(_BYTES_OF_TEXT[kind]).validate(full=True)
    elif pa.types.is_dictionary(kind):
        _check(values.indices)
        _check(values.dictionary)
        _check_range(values.indices, len(values.dictionary))
    elif isinstance(kind, pa.BaseExtensionType):
        _check(values.storage)
    else:
        values.validate(full=True)


def _check_range(indices: pa.Array, count: int) -> None:
    least, most = pc.min_max(indices).values()
    if least.is_valid and not (least.as_py() >= 0 and most.as_py() < count):
        raise pa.ArrowInvalid("a value is not in its dictionary")
