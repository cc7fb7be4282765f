"""Answers one step at a time: from rows of a dataset to rows of what it was made from, and back."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from whence.lineage.block import Block, Ids, from_arrays
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.index import Index, build_index
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile
from whence.model.ids import DatasetId
from whence.store.store import Store

_BLOCKS_KEPT = 64
_INDEXES_KEPT = 128


class Edges:
    """Blocks and the lookups derived from them, kept in memory while they are in use."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._block = lru_cache(maxsize=_BLOCKS_KEPT)(self._read_block)
        self._index = lru_cache(maxsize=_INDEXES_KEPT)(self._build_index)
        self._document = lru_cache(maxsize=1024)(self._read_document)

    def document(self, record: DatasetRecord) -> LineageDocument | None:
        """What is known of a dataset's lineage; None for one that was loaded or created."""
        return self._document(record.id)

    def block(self, record: DatasetRecord) -> Block:
        """The derivations of a dataset."""
        return self._block(record.id)

    def backward(self, record: DatasetRecord, source: int, ids: Ids) -> Ids:
        """The rows of one source behind these rows, sorted and unique."""
        document = self._known(record)
        if not document.is_exact:
            return self._everything(document.sources[source]) if len(ids) else ids
        return _unique(self._index(record.id, source, backward=True).of(ids))

    def forward(self, record: DatasetRecord, source: int, ids: Ids) -> Ids:
        """The rows made from these rows of one source, sorted and unique."""
        document = self._known(record)
        if not document.is_exact:
            return self._everything(record.id) if len(ids) else ids
        return _unique(self._index(record.id, source, backward=False).of(ids))

    def pairs(self, record: DatasetRecord, source: int) -> tuple[Ids, Ids]:
        """Every (row, source row), each once."""
        document = self._known(record)
        if document.is_exact:
            outs, ids = self.block(record).pairs(source)
        else:
            every = self._everything(document.sources[source])
            outs = np.repeat(np.arange(record.rows, dtype=np.int64), len(every))
            ids = np.tile(every, record.rows)
        return unique_pairs(outs, ids)

    def _known(self, record: DatasetRecord) -> LineageDocument:
        document = self.document(record)
        if document is None:
            raise DamagedFile(f"{record.label} has no lineage, although it was made from other datasets.")
        return document

    def _everything(self, dataset: DatasetId) -> Ids:
        return np.arange(self._store.by_id(dataset).rows, dtype=np.int64)

    def _read_document(self, dataset: DatasetId) -> LineageDocument | None:
        content = self._store.document(self._store.by_id(dataset), NAME)
        return None if content is None else LineageDocument.from_json(content)

    def _read_block(self, dataset: DatasetId) -> Block:
        record = self._store.by_id(dataset)
        files = [self._store.arrays(record, f"part{number}") for number in range(self._known(record).parts)]
        if any(file is None for file in files):
            raise DamagedFile(f"A lineage file of {record.label} is missing.", "Run `whence doctor`.")
        return from_arrays(record.rows, [file for file in files if file is not None])

    def _build_index(self, dataset: DatasetId, source: int, *, backward: bool) -> Index:
        record = self._store.by_id(dataset)
        outs, ids = self._block(dataset).pairs(source)
        if backward:
            return build_index(outs, ids, record.rows)
        parent = self._store.by_id(self._known(record).sources[source])
        return build_index(ids, outs, parent.rows)


def unique_pairs(left: Ids, right: Ids) -> tuple[Ids, Ids]:
    """Each pair once, sorted."""
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    keep = np.ones(len(left), dtype=bool)
    keep[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return left[keep], right[keep]


def _unique(ids: Ids) -> Ids:
    return np.unique(ids)
