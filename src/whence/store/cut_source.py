"""Cuts the lines of rows that go out of the kept copy of a delimited file, and renumbers the lines that stay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.model.schema import LINE_COLUMN
from whence.store.store import Store

LOAD_REPORT = "load_report"
"""The document in which a load lists its problems by kind, in the order of the caveats."""

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CutSource:
    """The bytes of a file without some lines."""

    pieces: tuple[memoryview, ...]
    """The bytes between the lines that went."""
    gone: _Numbers
    """The numbers of the lines that went, from 1, in order."""
    lines: _Numbers
    """The line on which each row began, those that go included."""

    def new_lines(self, lines: pa.Array | pa.ChunkedArray) -> pa.Array:
        """Return what becomes of line numbers; a line that went becomes the one that followed it.

        >>> CutSource((), np.array([2, 3]), np.array([])).new_lines(pa.array([1, 2, 4, None])).to_pylist()
        [1, 2, 2, None]
        """
        old = pc.fill_null(lines, 0).to_numpy(zero_copy_only=False)
        return pa.array(
            old - np.searchsorted(self.gone, old), pa.int64(), mask=pc.is_null(lines).to_numpy(zero_copy_only=False)
        )


def cut_source(
    store: Store, record: DatasetRecord, stays: npt.NDArray[np.bool_], values: frozenset[str]
) -> CutSource | None:
    """Return the kept source file of a version without the rows that go; None if its lines cannot be told for sure.

    `values` are texts that only rows that go hold: if the lines do not hold them, the lines are not those of the rows.
    """
    lines, data = _lines(store, record), _content(store, record)
    if lines is None or data is None:
        return None
    starts = np.concatenate([[0], np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1])
    if len(lines) and lines[-1] > len(starts):
        return None
    ends = np.append(starts[1:], len(data))
    stretches = list(_stretches(data, lines, stays, starts, ends))
    cut = b"".join(data[starts[first - 1] : ends[last - 1]] for first, last in stretches)
    if not all(value.encode() in cut for value in _texts(store, record, stays) & values):
        return None
    gone = [np.arange(first, last + 1) for first, last in stretches]
    return CutSource(tuple(_rest(data, stretches, starts, ends)), np.concatenate([np.empty(0, np.int64), *gone]), lines)


def _lines(store: Store, record: DatasetRecord) -> _Numbers | None:
    """Return the line on which each row begins; None if it is not known of each row of one delimited file."""
    report: dict[str, Any] | None = store.document(record, LOAD_REPORT)
    if report is None or report["dialect"] is None or report["files"]:
        return None
    column = store.read(record, 0, record.rows, [LINE_COLUMN]).column(0)
    if column.null_count:
        return None
    lines: _Numbers = column.to_numpy()
    return lines if bool((lines[1:] > lines[:-1]).all()) else None


def _content(store: Store, record: DatasetRecord) -> bytes | None:
    """Return the bytes of the only kept source file, if its lines end as those of UTF-8 text do."""
    copies = store.forgetting.kept_copies(record.id)
    if len(copies) != 1:
        return None
    ((sha256, path),) = copies
    try:
        data = path.read_bytes()
        if not data.isascii():  # which takes a tenth of the time
            data.decode()
    except (OSError, UnicodeDecodeError):
        return None
    # Counting takes as long as all else here, and most files have no carriage return.
    has_plain_lines = b"\r" not in data or data.count(b"\r") == data.count(b"\r\n")
    is_whole = hashlib.sha256(data).hexdigest() == sha256
    return data if is_whole and has_plain_lines and b"\0" not in data else None


def _stretches(
    data: bytes, lines: _Numbers, stays: npt.NDArray[np.bool_], starts: _Numbers, ends: _Numbers
) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each row that goes; blank lines after it stay."""
    for row in np.flatnonzero(~stays):
        first = int(lines[row])
        last = int(lines[row + 1]) - 1 if row + 1 < len(lines) else len(starts)
        while last > first and not data[starts[last - 1] : ends[last - 1]].strip():
            last -= 1
        yield first, last


def _texts(store: Store, record: DatasetRecord, stays: npt.NDArray[np.bool_]) -> set[str]:
    """Return the texts of rows that go."""
    names = [field.name for field in record.schema if field.type == "string"]
    table = store.take(record, np.flatnonzero(~stays), names)
    return {value for column in table.columns for value in column.to_pylist() if value is not None}


def _rest(data: bytes, stretches: list[tuple[int, int]], starts: _Numbers, ends: _Numbers) -> Iterator[memoryview]:
    place, view = 0, memoryview(data)
    for first, last in stretches:
        yield view[place : starts[first - 1]]
        place = int(ends[last - 1])
    yield view[place:]
