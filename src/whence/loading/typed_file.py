"""What a reader of files with types offers: the schema, and the rows in batches of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from whence.model.errors import BadInput
from whence.store.parts import ROW_GROUP

BATCH = 4 * ROW_GROUP
"""Number of rows in memory at a time, as far as the format allows it."""

NOTE = b"whence.note"
"""Key in a column's metadata: what the reader had to do to its values, as the end of a sentence about the column."""


class TypedFile(Protocol):
    """A file whose columns have types, such as a Parquet file. Its rows can be read several times."""

    @property
    def path(self) -> Path:
        """Where the file is."""

    @property
    def schema(self) -> pa.Schema:
        """The columns, with the types of the file."""

    @property
    def rows(self) -> int:
        """The number of rows, or 0 if only reading the file would tell."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order."""


def begins_with(path: Path, magic: bytes) -> bool:
    """Whether a file begins with these bytes."""
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False  # the reader reports what is wrong with the file


def unreadable(form: str, path: Path, error: Exception, hint: str = "Get it again.") -> BadInput:
    """Return the error for a file that is damaged, or uses what its reader does not know."""
    return BadInput(f"The {form} file {path} cannot be read: {error}.", hint)
