"""Finds the rows that two versions hold at the same place: most rows of a file that was edited and loaded again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.store.rowkeys import misfit_texts
from whence.store.store import Store

Mask = npt.NDArray[np.bool_]

_CHUNK = 1 << 18
_BITS = {16: pa.int16(), 32: pa.int32(), 64: pa.int64()}


def same_places(store: Store, before: DatasetRecord, after: DatasetRecord, columns: Sequence[str]) -> Mask:
    """Return for each place that both versions have whether their rows there are known to be the same."""
    count = min(before.rows, after.rows)
    chunks = [
        _same_rows(*(store.read(record, start, min(start + _CHUNK, count), columns) for record in (before, after)))
        for start in range(0, count, _CHUNK)
    ]
    same = np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.bool_)
    for record in (before, after):
        same[_rows_of_misfits(store, record, columns, count)] = False
    return same


def _same_rows(old: pa.Table, new: pa.Table) -> Mask:
    same = np.ones(old.num_rows, dtype=np.bool_)
    for was, now in zip(old.columns, new.columns, strict=True):
        same &= _same_values(was.combine_chunks(), now.combine_chunks())
    return same


def _same_values(old: pa.Array, new: pa.Array) -> Mask:
    """Compare by bits: -0.0 and 0.0 have different texts, so keys tell them apart."""
    if old.type != new.type or pa.types.is_nested(old.type):
        return np.zeros(len(old), dtype=np.bool_)
    if pa.types.is_floating(old.type):
        old, new = (each.view(_BITS[old.type.bit_width]) for each in (old, new))
    both_missing = pc.and_(pc.is_null(old), pc.is_null(new))
    same: Mask = pc.fill_null(pc.or_kleene(pc.equal(old, new), both_missing), False).to_numpy(zero_copy_only=False)
    return same


def _rows_of_misfits(store: Store, record: DatasetRecord, columns: Sequence[str], count: int) -> npt.NDArray[np.int64]:
    """Return the rows where a value is missing because its text did not fit: two such texts may differ."""
    found = [misfit_texts(store, record, column)["row"].to_numpy() for column in columns]
    rows = np.concatenate(found).astype(np.int64) if found else np.empty(0, dtype=np.int64)
    return rows[rows < count]
