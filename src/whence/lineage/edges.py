"""Answers one step at a time: from rows of a dataset to rows of what it was made from, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from whence.lineage.block import Block, Ids, from_arrays
from whence.lineage.declared_lookups import DeclaredLookups
from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.index import build_lookup
from whence.lineage.index_cache import IndexCache
from whence.lineage.inline_ids import read_inline_row_ids
from whence.lineage.lookup import AnswersItself, CoarseLookup, Lookup, UnionLookup
from whence.lineage.lost_lineage import LineageLost
from whence.lineage.selection import Selection
from whence.lineage.strategy import FAILED
from whence.lineage.stretches import READINGS, lookups_under, with_readings
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile
from whence.model.ids import DatasetId
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

_BLOCKS_KEPT = 16
_LOOKUPS_KEPT = 256
_DATASETS_KEPT = 4096

Answer = TypeVar("Answer")


class Edges:
    """Blocks and the lookups derived from them, kept while they are in use and dropped when anything is forgotten."""

    def __init__(
        self, store: Store, deferred: DeferredLineage | None = None, declared: DeclaredLookups | None = None
    ) -> None:
        self._store = store
        self._declared = declared
        self._deferred = deferred
        self._cache = IndexCache(store)
        self._block = MemoryCache(store, self._read_block, most=_BLOCKS_KEPT)
        self._lookup = MemoryCache(store, self._make_lookup, most=_LOOKUPS_KEPT)
        self._reader = MemoryCache(store, self._make_reader, most=_LOOKUPS_KEPT)
        self._document = MemoryCache(store, self._read_document, most=_DATASETS_KEPT)
        self._record = MemoryCache(store, store.by_id, most=_DATASETS_KEPT)

    def record(self, dataset: DatasetId) -> DatasetRecord:
        """The dataset version with this id, without asking the database twice."""
        return self._record(dataset)

    def document(self, record: DatasetRecord) -> LineageDocument | None:
        """What is known of a dataset's lineage; None for one that was loaded or created."""
        return self._document(record.id)

    def sources(self, record: DatasetRecord) -> tuple[DatasetId, ...]:
        """The dataset behind each leaf of the plan, by source number."""
        document = self.document(record)
        return () if document is None else document.sources[: document.leaf_count]

    def block(self, record: DatasetRecord) -> Block:
        """The derivations of a dataset."""
        return self._block(record.id)

    def backward(self, record: DatasetRecord, source: int, ids: Ids) -> Ids:
        """The rows of one source behind these rows, sorted and unique."""
        return self.select(record, source, Selection.of(ids, record.rows), backward=True).ids

    def rows_read_by(self, record: DatasetRecord, source: int, ids: Ids) -> Ids:
        """Return the rows of one source that a column reads; rows that windows read for other columns are left out."""
        if not self.has_windows(record):
            return self.backward(record, source, ids)
        return self._reader(record.id, source).select(Selection.of(ids, record.rows)).ids

    def rows_read_by_each(self, record: DatasetRecord, source: int, rows: Ids) -> tuple[Ids, Ids]:
        """The same for each row: how many there are, and all of them, row by row."""
        if not self.has_windows(record):
            return self.lookup_each(record, source, rows, backward=True)
        lookup = self._reader(record.id, source)
        return lookup.lengths(rows), lookup.of(rows)

    def read_pairs(self, record: DatasetRecord, source: int) -> tuple[Ids, Ids]:
        """Every (row, source row), without what windows read for some of its columns."""
        every = np.arange(record.rows, dtype=np.int64)
        lengths, ids = self.rows_read_by_each(record, source, every)
        return np.repeat(every, lengths), ids

    def is_at_hand(self, record: DatasetRecord) -> bool:
        """Whether the rows behind each row can be told without running the query of the dataset again."""
        document = self.document(record)
        if document is None or document.deferred_keys is None or self._deferred is None:
            return True
        return self._deferred.is_made(record) or self._deferred.is_lost(record)

    def has_windows(self, record: DatasetRecord) -> bool:
        """Whether windows are part of the block: columns of one row may then read different rows."""
        return self._expect_document(record).has_maps

    def forward(self, record: DatasetRecord, source: int, ids: Ids) -> Ids:
        """The rows made from these rows of one source, sorted and unique."""
        rows = self.record(self._expect_document(record).sources[source]).rows
        return self.select(record, source, Selection.of(ids, rows), backward=False).ids

    def select(self, record: DatasetRecord, source: int, rows: Selection, *, backward: bool) -> Selection:
        """The rows on the other end of an edge."""
        found = self._select_few(record, source, rows) if backward else None
        return found if found is not None else self._ask(record, source, backward, lambda lookup: lookup.select(rows))

    def _select_few(self, record: DatasetRecord, source: int, rows: Selection) -> Selection | None:
        """The answer for a few rows whose block nobody has made yet."""
        document = self._expect_document(record)
        if (
            document.deferred_keys is None
            or self._deferred is None
            or source in document.pruned_sources
            or not rows.count
        ):
            return None
        try:
            block = (
                self._deferred.block_of_few(record, document, source, rows.ids) if rows.count < record.rows else None
            )
        except LineageLost:  # the index is asked next, and is coarse now
            return None
        if block is None:
            return None
        return build_lookup(*block.pairs(source), record.rows, self.record(document.sources[source]).rows).select(rows)

    def lookup_each(self, record: DatasetRecord, source: int, rows: Ids, *, backward: bool) -> tuple[Ids, Ids]:
        """How many rows on the other end each of these rows has, and all of them, row by row."""
        return self._ask(record, source, backward, lambda lookup: (lookup.lengths(rows), lookup.of(rows)))

    def lengths(self, record: DatasetRecord, source: int, rows: Ids, *, backward: bool) -> Ids:
        """How many rows on the other end each of these rows has."""
        return self._ask(record, source, backward, lambda lookup: lookup.lengths(rows))

    def pairs(self, record: DatasetRecord, source: int) -> tuple[Ids, Ids]:
        """Every (row, source row), each once."""
        every = np.arange(record.rows, dtype=np.int64)
        lengths, ids = self.lookup_each(record, source, every, backward=True)
        return np.repeat(every, lengths), ids

    def _ask(self, record: DatasetRecord, source: int, backward: bool, question: Callable[[Lookup], Answer]) -> Answer:
        try:
            return question(self._lookup(record.id, source, backward, self._epoch(record)))
        except DamagedFile:
            # Part of an index file changed on the disk. The block knows better, and has checks of its own.
            self._cache.drop(record, source, backward=backward)
            self._lookup.clear()
            return question(self._lookup(record.id, source, backward, self._epoch(record)))
        except LineageLost:  # its document is that of coarse lineage now
            return question(self._lookup(record.id, source, backward, self._epoch(record)))

    def _epoch(self, record: DatasetRecord) -> int:
        return self._declared.epoch if self._declared is not None and self._expect_document(record).is_declared else 0

    def _expect_document(self, record: DatasetRecord) -> LineageDocument:
        document = self.document(record)
        if document is None:
            raise DamagedFile(f"{record.label} has no lineage, although it was made from other datasets.")
        return document

    def _read_document(self, dataset: DatasetId) -> LineageDocument | None:
        record = self._record(dataset)
        content = self._store.document(record, NAME)
        document = None if content is None else LineageDocument.from_json(content)
        if document is None or document.deferred_keys is None or self._deferred is None:
            return document
        return document.without_derivations(FAILED) if self._deferred.is_lost(record) else document

    def _read_block(self, dataset: DatasetId) -> Block:
        record = self._record(dataset)
        document = self._expect_document(record)
        if document.deferred_keys is not None and self._deferred is not None:
            return self._deferred.block(record, document)
        if document.inline_sources:
            return read_inline_row_ids(self._store, record, document.inline_sources)
        files = [self._store.arrays(record, f"part{number}") for number in range(document.parts)]
        if any(file is None for file in files):
            raise DamagedFile(f"A lineage file of {record.label} is missing.", "Run `whence doctor`.")
        block = from_arrays(record.rows, [file for file in files if file is not None])
        return with_readings(block, self._store.arrays(record, READINGS) or {}) if document.has_maps else block

    def _make_lookup(self, dataset: DatasetId, source: int, backward: bool, _epoch: int) -> Lookup:
        record = self._record(dataset)
        document = self._expect_document(record)
        parent = self._record(document.sources[source])
        keys, values = (record.rows, parent.rows) if backward else (parent.rows, record.rows)
        if not document.is_exact or source in document.pruned_sources:
            return CoarseLookup(keys, values)
        if document.is_declared and self._declared is not None:
            return self._declared.lookup(record, source, backward=backward)
        own = self._own_lookups(dataset, source, parent.rows, backward) if document.has_maps else ()

        def pairs() -> tuple[Ids, Ids]:
            outs, ids = self._block_for(record, document, source).pairs(source)
            return (outs, ids) if backward else (ids, outs)

        listed = self._cache.lookup(record, source, pairs, keys, values, backward=backward)
        return UnionLookup((listed, *own)) if own else listed

    def _block_for(self, record: DatasetRecord, document: LineageDocument, source: int) -> Block:
        """The block, or what was kept of it for this source."""
        pruned = (
            self._deferred.pruned_block(record, source)
            if document.deferred_keys is not None and self._deferred is not None
            else None
        )
        return self._block(record.id) if pruned is None else pruned

    def _make_reader(self, dataset: DatasetId, source: int) -> Lookup:
        document, record = self._expect_document(self._record(dataset)), self._record(dataset)
        if not document.is_exact or document.is_declared or source in document.pruned_sources:
            return self._lookup(dataset, source, True, self._epoch(record))
        block, rows = self._block(dataset), self._record(document.sources[source]).rows
        listed = build_lookup(*block.pairs(source), record.rows, rows)
        own = lookups_under(block, source, rows, backward=True)
        return UnionLookup((listed, *own)) if own else listed

    def _own_lookups(self, dataset: DatasetId, source: int, rows: int, backward: bool) -> tuple[Lookup, ...]:
        block = self._block(dataset)
        parts = (part for part in (*block.parts, *block.readings) if isinstance(part, AnswersItself))
        found = (part.lookup(source, rows, backward=backward) for part in parts)
        return tuple(lookup for lookup in found if lookup is not None)
