"""Row keys: which row is the same row in two versions of a dataset.

A declared key column says so. Without one a row is known by what it says: a 128-bit hash of its values and, because
rows may repeat, how many equal rows came before it. Positions are never used: a reload may reorder rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.store.store import Store

Keys = npt.NDArray[np.uint64]
"""One row of two words for each row of the dataset."""

_SEEDS = ("whence row key 1", "whence row key 2")
_CHUNK = 1 << 18
_MIX = np.uint64(0x9E3779B97F4A7C15)


def row_keys(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Keys:
    """The keys of all rows by these columns, in rid order."""
    chunks = [_hashed(table) for table in _tables(store, record, columns)]
    hashes = np.concatenate(chunks) if chunks else np.empty((0, 2), dtype=np.uint64)
    hashes[:, 1] ^= _occurrence(hashes).astype(np.uint64) * _MIX
    return hashes


def _tables(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Iterator[pa.Table]:
    """The texts of the values; where a value did not fit its column, the text that stood in the file."""
    misfits = {
        (caveat.row, caveat.column): caveat.text
        for caveat in store.caveats(record)
        if caveat.family == "load" and caveat.text is not None and caveat.column in columns
    }
    for start in range(0, record.rows, _CHUNK):
        table = store.read(record, start, start + _CHUNK, columns)
        yield pa.table({name: _texts(table.column(name), name, start, misfits) for name in columns})


def _texts(
    values: pa.ChunkedArray, name: str, start: int, misfits: dict[tuple[int | None, str | None], str]
) -> pa.Array:
    texts = _as_text(values)
    mine = [(row - start, text) for (row, column), text in misfits.items() if column == name and row is not None]
    inside = [(place, text) for place, text in mine if 0 <= place < len(texts)]
    if not inside:
        return texts
    filled = texts.to_pylist()
    for place, text in inside:
        filled[place] = text
    return pa.array(filled, pa.string())


def _as_text(values: pa.ChunkedArray) -> pa.Array:
    combined = values.combine_chunks()
    if pa.types.is_nested(combined.type) or pa.types.is_binary(combined.type):
        return pa.array([None if value is None else repr(value) for value in combined.to_pylist()], pa.string())
    return pc.cast(combined, pa.string())


def _hashed(table: pa.Table) -> Keys:
    words = [_hash_with(table, seed) for seed in _SEEDS]
    return np.stack(words, axis=1)


def _hash_with(table: pa.Table, seed: str) -> npt.NDArray[np.uint64]:
    """Column hashes mixed in order, so that two columns that swap their values give another row."""
    total = np.zeros(table.num_rows, dtype=np.uint64)
    for column in table.columns:
        # A missing value must not look like the text None.
        texts = pc.fill_null(column, "\0").to_numpy(zero_copy_only=False)
        hashed = pd.util.hash_array(texts, hash_key=seed, categorize=False)
        total = (total ^ hashed) * _MIX + (total >> np.uint64(29))
    return total


def _occurrence(hashes: Keys) -> npt.NDArray[np.int64]:
    """How many equal rows came before each row."""
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    ordered = hashes[order]
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.maximum.accumulate(np.where(is_new, np.arange(len(ordered)), 0))
    counts = np.empty(len(ordered), dtype=np.int64)
    counts[order] = np.arange(len(ordered)) - starts
    return counts
