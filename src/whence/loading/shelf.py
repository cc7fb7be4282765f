"""Stores pieces of text between the two passes over a file: in memory while they are few, else on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.quick import Quick
from whence.loading.scratch import Scratch
from whence.loading.words import Rows
from whence.store.durable import writing

_LEAST, _MOST = 64 << 20, 1 << 30
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True)
class TextRows:
    """Some rows as text. `quick` holds the columns whose type the first pass found, if they were kept."""

    columns: Sequence[pa.Array]
    lines: Rows
    extra: pa.Array | None = None
    quick: Sequence[Quick | None] = ()

    @property
    def size(self) -> int:
        """Bytes in memory."""
        typed = sum(found.values.nbytes for found in self.quick if found is not None)
        return int(sum(column.nbytes for column in self.columns) + self.lines.nbytes + typed)


class Shelf:
    """A list of pieces. If all are on the disk, another process can read them."""

    def __init__(self, scratch: Scratch, room: int) -> None:
        self._scratch = scratch
        # Without a folder everything stays in memory.
        self._room = room if scratch.folder is not None else 1 << 62
        self._held: list[TextRows] = []
        self._used = 0
        self._files: list[Path] = []

    @property
    def bytes_in_memory(self) -> int:
        """Bytes in memory."""
        return self._used

    def put(self, piece: TextRows) -> None:
        """Add a piece after the others."""
        self._held.append(piece)
        self._used += piece.size
        if self._used > self._room:
            self._put_away()

    def extend(self, later: Shelf) -> None:
        """Add the pieces of a shelf that has all of them on the disk."""
        assert not self._held
        assert not later._held
        self._files += later._files

    def _put_away(self) -> None:
        """Move the pieces in memory to the disk."""
        held, self._held, self._used = self._held, [], 0
        path = self._scratch.file()
        schema = pa.schema([("line", pa.int64()), ("extra", pa.string()), *_fields(held[0])])
        with (
            writing(path),
            pa.OSFile(str(path), "wb") as file,
            pa.ipc.new_stream(file, schema, options=_OPTIONS) as out,
        ):
            for piece in held:
                extra = pa.nulls(len(piece.lines), pa.string()) if piece.extra is None else piece.extra
                out.write_batch(pa.record_batch([pa.array(piece.lines), extra, *piece.columns], schema=schema))
        self._files.append(path)

    def __iter__(self) -> Iterator[TextRows]:
        for path in self._files:
            with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as pieces:
                for batch in pieces:
                    line, extra, *columns = batch.columns
                    yield TextRows(columns, line.to_numpy().astype(np.int64, copy=False), extra)
        yield from self._held


def room() -> int:
    """Return how many bytes of text may wait in memory: an eighth of free memory, between 64 MB and 1 GB."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return _LEAST  # macOS does not say what is free
    return min(max(free // 8, _LEAST), _MOST)


def _fields(piece: TextRows) -> list[tuple[str, pa.DataType]]:
    return [(str(number), column.type) for number, column in enumerate(piece.columns)]
