"""Row keys: which row is the same row in two versions of a dataset.

A declared key column decides. Without one, a row's key is a 128-bit hash of its values and, because rows may repeat,
the number of equal rows before it. Row positions are never used: a reload may reorder rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.model.lazy_module import LazyModule
from whence.store.bit_hashes import has_bits, hashed_bits
from whence.store.store import Store

# Loaded on first use: opening a workspace needs no pandas.
if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Keys = npt.NDArray[np.uint64]
"""An array with one row per dataset row, of two 64-bit words each."""

# pandas wants keys of 16 bytes. Two hashes of 64 bits make one of 128.
_SEEDS = ("whence row key 1", "whence row key 2")
_CHUNK = 1 << 18
# 2**64 divided by the golden ratio, as in SplitMix64. It is odd, so multiplying by it loses nothing.
_MIX = np.uint64(0x9E3779B97F4A7C15)


def row_keys(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Keys:
    """Return the keys of all rows by these columns, in row id order. Equal keys are numbered by their content."""
    keys = hashed_columns(store, record, columns)
    if set(columns) == set(record.schema.names):
        return told_apart(keys)
    return told_apart(keys, lambda: hashed_columns(store, record, record.schema.names))


def hashed_columns(store: Store, record: DatasetRecord, columns: Sequence[str]) -> Keys:
    """Return one hash per row of its values in these columns."""
    return mixed([hashed_column(store, record, column) for column in columns], record.rows)


def hashed_column(store: Store, record: DatasetRecord, column: str) -> Keys:
    """Return one hash per row of its value in this column."""
    chunks = [hashed(texts) for texts in _texts_of(store, record, column)]
    return np.concatenate(chunks) if chunks else np.empty((0, 2), dtype=np.uint64)


def hashed_rows(
    store: Store,
    record: DatasetRecord,
    columns: Sequence[str],
    rows: npt.NDArray[np.int64],
    by_bits: Collection[str] = (),
) -> Keys:
    """Return one hash for each of these rows, which are in order, of its values in these columns.

    Columns in `by_bits` are hashed without making texts of them.
    """
    hashes = (
        hashed_bits(store.take(record, rows, [column]).column(0))
        if column in by_bits
        else hashed(_texts_at(store, record, column, rows))
        for column in columns
    )
    return mixed(hashes, len(rows))


def columns_with_bits(store: Store, records: Sequence[DatasetRecord], columns: Sequence[str]) -> frozenset[str]:
    """Return the columns that have one type in these datasets, whose values are equal exactly if their bits are."""
    types = [store.read(record, 0, 0, columns).schema for record in records]
    return frozenset(
        column
        for place, column in enumerate(columns)
        if has_bits(types[0].field(place).type)
        and len({each.field(place).type for each in types}) == 1
        and not any(len(misfit_texts(store, record, column)) for record in records)
    )


def hashed(values: pa.Array | pa.ChunkedArray) -> Keys:
    """Return one hash per value, of its text. The number 7 and the text "7" hash alike."""
    # A missing value must not look like the text None.
    texts = pc.fill_null(as_text(values), "\0")
    known = texts.dictionary_encode()
    if len(known.dictionary) * 2 > len(texts):
        return _hashed_texts(texts)
    each: Keys = _hashed_texts(known.dictionary)[known.indices.to_numpy()]
    return each


def _hashed_texts(texts: pa.Array) -> Keys:
    objects = texts.to_numpy(zero_copy_only=False)
    words = [pd.util.hash_array(objects, hash_key=seed, categorize=False) for seed in _SEEDS]
    return np.stack(words, axis=1)


def mixed(parts: Iterable[Keys], count: int, tag: int = 0) -> Keys:
    """Combine several hashes into one. The order matters: a row whose two values are swapped gets another hash."""
    total: Keys = np.full((count, 2), tag, dtype=np.uint64)
    for part in parts:
        high = total >> np.uint64(29)
        total ^= part
        total *= _MIX
        total += high
    return total


def told_apart(keys: Keys, content: Callable[[], Keys] | None = None) -> Keys:
    """Make repeated keys distinct by numbering them, in the order of `content` if given, else in row order."""
    if not has_repeats(keys[:, 0]):
        return keys
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


def has_repeats(words: npt.NDArray[np.uint64]) -> bool:
    """Return whether a number occurs twice. Sorting single words is ten times as fast as sorting keys of two."""
    ordered = np.sort(words)
    return bool((ordered[1:] == ordered[:-1]).any())


def as_text(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return each value as text."""
    combined = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_nested(combined.type) or pa.types.is_binary(combined.type):
        return pa.array([None if value is None else repr(value) for value in combined.to_pylist()], pa.string())
    return pc.cast(combined, pa.string())


def _texts_of(store: Store, record: DatasetRecord, column: str) -> Iterator[pa.Array]:
    """Yield the values as text. Where a value did not fit the column's type, yield the text from the source file."""
    misfits = misfit_texts(store, record, column)
    rows = misfits["row"].to_numpy()
    for start in range(0, record.rows, _CHUNK):
        texts = as_text(store.read(record, start, start + _CHUNK, [column]).column(0))
        first, last = np.searchsorted(rows, [start, start + len(texts)])
        yield _filled_in(texts, misfits.slice(first, last - first), start) if last > first else texts


def _texts_at(store: Store, record: DatasetRecord, column: str, rows: npt.NDArray[np.int64]) -> pa.Array:
    """Return the values of some rows as `_texts_of` does."""
    texts, misfits = as_text(store.take(record, rows, [column]).column(0)), misfit_texts(store, record, column)
    places = np.searchsorted(rows, misfits["row"].to_numpy())
    is_there = np.append(rows, -1)[places] == misfits["row"].to_numpy()
    if not is_there.any():
        return texts
    texts_there = misfits["text"].filter(pa.array(is_there))
    return _filled_in(texts, pa.table({"row": places[is_there], "text": texts_there}), 0)


def misfit_texts(store: Store, record: DatasetRecord, column: str) -> pa.Table:
    """Return row and text of the cells in this column whose text did not fit the type, in row order."""
    table = store.caveats(record).table
    chosen = pc.and_(pc.equal(table["family"], "load"), pc.equal(table["column"], column))
    known = pc.and_(pc.is_valid(table["text"]), pc.is_valid(table["row"]))
    return table.filter(pc.and_(chosen, known)).select(["row", "text"]).sort_by("row").combine_chunks()


def _filled_in(texts: pa.Array, misfits: pa.Table, start: int) -> pa.Array:
    places, firsts = np.unique(misfits["row"].to_numpy() - start, return_index=True)
    mask = np.zeros(len(texts), dtype=bool)
    mask[places] = True
    return pc.replace_with_mask(texts, mask, misfits["text"].combine_chunks().take(pa.array(firsts)))
