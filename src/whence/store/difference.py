"""What differs between two versions of a dataset, row by row, by their keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.store.rowkeys import Keys
from whence.store.store import Store

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ChangedCell:
    """A cell of a row that is in both versions, with another value in each."""

    row_before: int
    row_after: int
    column: str
    before: object
    after: object


@dataclass(frozen=True)
class Matched:
    """Rows by where they are: only in the one, only in the other, or in both (aligned)."""

    removed: Ids
    added: Ids
    before: Ids
    after: Ids


def matched_rows(before: Keys, after: Keys) -> Matched:
    """Pair the rows of two versions by their keys."""
    old, new = _packed(before), _packed(after)
    common, in_old, in_new = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    assert len(common) == len(in_old)
    order = np.argsort(in_new)
    return Matched(
        np.setdiff1d(np.arange(len(old), dtype=np.int64), in_old),
        np.setdiff1d(np.arange(len(new), dtype=np.int64), in_new),
        in_old[order].astype(np.int64),
        in_new[order].astype(np.int64),
    )


def changed_cells(
    store: Store, before: DatasetRecord, after: DatasetRecord, rows: Matched, columns: Sequence[str]
) -> Iterator[ChangedCell]:
    """The cells of paired rows that differ in one of these columns."""
    for column in columns:
        old = store.take(before, rows.before, [column]).column(0)
        new = store.take(after, rows.after, [column]).column(0)
        for place in _differing(old, new):
            was, row = int(rows.before[place]), int(rows.after[place])
            yield ChangedCell(was, row, column, old[place].as_py(), new[place].as_py())


def _packed(keys: Keys) -> npt.NDArray[np.void]:
    """Two words as one value that NumPy can sort."""
    packed: npt.NDArray[np.void] = np.ascontiguousarray(keys).view([("a", np.uint64), ("b", np.uint64)]).reshape(-1)
    return packed


def _differing(old: pa.ChunkedArray, new: pa.ChunkedArray) -> list[int]:
    pairs = zip(old.to_pylist(), new.to_pylist(), strict=True)
    return [place for place, (was, now) in enumerate(pairs) if was != now and not (was != was and now != now)]
