"""Which caveat is the same in two versions of a dataset: the same doubt about the same row, known by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.rowkeys import RowKeys
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.model.lazy_module import LazyModule
from whence.store.acknowledged import KEY, CaveatKeys
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

_SEEDS = ("whence caveat 01", "whence caveat 02")


class Identity:
    """Makes the keys of a dataset's caveats, once for each version that is asked about."""

    def __init__(self, store: Store, rows: RowKeys) -> None:
        self._store = store
        self._rows = rows
        self._keys = MemoryCache(store, self._make, most=32)

    def keys(self, record: DatasetRecord) -> CaveatKeys:
        """One key for each caveat, in their order."""
        return self._keys(record.id)

    def _make(self, dataset: DatasetId) -> CaveatKeys:
        record = self._store.by_id(dataset)
        table = self._store.caveat_table(record)
        words = np.stack([_hash_caveats(table, seed) for seed in _SEEDS], axis=1)
        places = pc.fill_null(table["row"], -1).to_numpy()
        has_row = places >= 0
        if has_row.any():
            words[has_row] ^= self._rows.of(record)[places[has_row]]
        return np.ascontiguousarray(words).view(KEY).reshape(-1)


def _hash_caveats(table: pa.Table, seed: str) -> npt.NDArray[np.uint64]:
    """A caveat's message often tells its line, which a reload may move: what it is about is family, column and text."""
    is_told = pc.is_valid(table["text"])
    subject = pc.if_else(is_told, table["text"], table["message"])
    parts = (table["family"], table["column"], subject)
    joined = pc.binary_join_element_wise(*(pc.fill_null(part, "\0") for part in parts), "\1")
    hashed: npt.NDArray[np.uint64] = pd.util.hash_array(
        joined.to_numpy(zero_copy_only=False), hash_key=seed, categorize=False
    )
    return hashed
