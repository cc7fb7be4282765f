"""Row keys: which row is the same row in two versions of a dataset.

A declared key column says so. Without one a row is known by what it says: a 128-bit hash of its values and, because
rows may repeat, how many equal rows came before it. Positions are never used: a reload may reorder rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.model.lazy_module import LazyModule
from whence.store.store import Store

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Keys = npt.NDArray[np.uint64]
"""One row of two words for each row of the dataset."""

_SEEDS = ("whence row key 1", "whence row key 2")
_CHUNK = 1 << 18
_MIX = np.uint64(0x9E3779B97F4A7C15)


def row_keys(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Keys:
    """The keys of all rows by these columns, in rid order; rows that agree on them are counted, by their content."""
    keys = hashed_columns(store, record, columns)
    if set(columns) == set(record.schema.names):
        return told_apart(keys)
    return told_apart(keys, lambda: hashed_columns(store, record, record.schema.names))


def hashed_columns(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Keys:
    """What each row says in these columns."""
    return mixed([hashed_column(store, record, column) for column in columns], record.rows)


def hashed_column(store: Store, record: DatasetRecord, column: str) -> Keys:
    """What each value of this column says."""
    chunks = [hashed(texts) for texts in _texts_of(store, record, column)]
    return np.concatenate(chunks) if chunks else np.empty((0, 2), dtype=np.uint64)


def hashed(values: pa.Array | pa.ChunkedArray) -> Keys:
    """What each value says, as text: a number and the same number written out are one."""
    # A missing value must not look like the text None.
    texts = pc.fill_null(as_text(values), "\0").to_numpy(zero_copy_only=False)
    words = [pd.util.hash_array(texts, hash_key=seed, categorize=False) for seed in _SEEDS]
    return np.stack(words, axis=1)


def mixed(parts: Iterable[Keys], count: int, tag: int = 0) -> Keys:
    """Several keys as one, in order, so that two parts that swap their values give another row."""
    total: Keys = np.full((count, 2), tag, dtype=np.uint64)
    for part in parts:
        total = (total ^ part) * _MIX + (total >> np.uint64(29))
    return total


def told_apart(keys: Keys, content: Callable[[], Keys] | None = None) -> Keys:
    """The same keys, those that come more than once numbered: in the order of the content, else as they stand."""
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    repeats = (keys[order][1:] == keys[order][:-1]).all(axis=1)
    if not repeats.any():
        return keys
    if content is not None:
        by = content()
        order = np.lexsort((by[:, 1], by[:, 0], keys[:, 1], keys[:, 0]))
    is_new = np.concatenate([[True], ~repeats])
    starts = np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))
    numbers = np.empty(len(order), dtype=np.uint64)
    numbers[order] = np.arange(len(order)) - starts
    distinct = keys.copy()
    distinct[:, 1] ^= numbers * _MIX
    return distinct


def as_text(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Each value as text."""
    combined = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_nested(combined.type) or pa.types.is_binary(combined.type):
        return pa.array([None if value is None else repr(value) for value in combined.to_pylist()], pa.string())
    return pc.cast(combined, pa.string())


def _texts_of(store: Store, record: DatasetRecord, column: str) -> Iterator[pa.Array]:
    """The texts of the values; where a value did not fit the column, the text that stood in the file."""
    misfits = _misfits(store, record, column)
    rows = misfits["row"].to_numpy()
    for start in range(0, record.rows, _CHUNK):
        texts = as_text(store.read(record, start, start + _CHUNK, [column]).column(0))
        first, last = np.searchsorted(rows, [start, start + len(texts)])
        yield _filled_in(texts, misfits.slice(first, last - first), start) if last > first else texts


def _misfits(store: Store, record: DatasetRecord, column: str) -> pa.Table:
    """Row and text of the cells of this column whose text did not fit, in the order of rows."""
    table = store.caveats(record).table
    chosen = pc.and_(pc.equal(table["family"], "load"), pc.equal(table["column"], column))
    known = pc.and_(pc.is_valid(table["text"]), pc.is_valid(table["row"]))
    return table.filter(pc.and_(chosen, known)).select(["row", "text"]).sort_by("row").combine_chunks()


def _filled_in(texts: pa.Array, misfits: pa.Table, start: int) -> pa.Array:
    places, firsts = np.unique(misfits["row"].to_numpy() - start, return_index=True)
    mask = np.zeros(len(texts), dtype=bool)
    mask[places] = True
    return pc.replace_with_mask(texts, mask, misfits["text"].combine_chunks().take(pa.array(firsts)))
