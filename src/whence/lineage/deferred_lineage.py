"""Deferred lineage: finds the input rows of each group after the query, by the keys that its rows show."""

from __future__ import annotations

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.engine.run_in_arrays import find_groups_in_arrays
from whence.lineage import by_keys
from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.lineage.document import LineageDocument
from whence.lineage.lost_lineage import LostLineage
from whence.lineage.strategy import FEW_ROWS
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, NotSupported, UserError
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.plan.context import RewriteContext, all_but
from whence.plan.deferral import Deferral, Pairs, deferral
from whence.plan.grouped_query import grouped_query
from whence.plan.limits import Limits
from whence.plan.plain_keys import PlainKeys, plain_keys
from whence.plan.readings import shown_readings
from whence.plan.rewrite import column_map
from whence.plan.step import Step
from whence.store.arrays import Array
from whence.store.derived import remove
from whence.store.index_file import IndexFile, write_index
from whence.store.store import Store

FORM = 1
"""Goes into the name of every file: one of another form is never opened."""

_OUT = "out"

MOST_SINGLE_ANSWERS = 3
"""So many questions are answered one by one; the next one makes the whole block."""


class DeferredLineage:
    """Works out the blocks of queries that carried no ids, and stores them as files that can be made again."""

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._lost = LostLineage(store, engine)
        self.keeps_blocks = True
        """What a question had to have made is kept for the next one; under a budget only what a plan chooses is."""
        self._making: defaultdict[DatasetId, threading.Lock] = defaultdict(threading.Lock)
        self._asked: Counter[DatasetId] = Counter()

    def block(self, record: DatasetRecord, document: LineageDocument, most_seconds: float | None = None) -> Block:
        """The derivations of a dataset, made now if nobody has made them yet."""
        with self._making[record.id], self._lost.guard(record):
            self._take_over(record, document)
            return self._open_block(record) or self._make(record, document, most_seconds)

    def block_of_few(self, record: DatasetRecord, document: LineageDocument, source: int, rows: Ids) -> Block | None:
        """The derivations of a few rows, found by what they show; None where the block is there, or worth making."""
        self._take_over(record, document)
        if self.is_made(record) or self._making[record.id].locked() or len(rows) > FEW_ROWS:
            return None
        if self.pruned_block(record, source) is not None:
            return None
        self._asked[record.id] += 1
        with self._lost.guard(record):
            if (
                self._asked[record.id] > MOST_SINGLE_ANSWERS
                or self._keys_in_files(*self._plan_pairs(record, document)[:2]) is not None
            ):
                return None
            return _block(record.rows, self._find_arrays(record, document, None, rows))

    def is_lost(self, record: DatasetRecord) -> bool:
        """Whether an internal error ended the job that should have made the block."""
        return self._lost.has(record)

    def is_made(self, record: DatasetRecord) -> bool:
        """Whether the file of the whole block is there."""
        return self._path(record).exists()

    def pruned_block(self, record: DatasetRecord, source: int) -> Block | None:
        """Return the derivations that were kept for some sources only, if this source is among them; else None."""
        if self.is_made(record) or source not in self._pruned_sources(record):
            return None
        return self._open_file(record, self._pruned_path(record))

    def keep_whole(self, record: DatasetRecord, document: LineageDocument) -> None:
        """Keep all derivations."""
        if not self.is_made(record):
            self._write(self._path(record), self._find_arrays(record, document, None))
        self.drop_pruned(record)

    def keep_pruned(self, record: DatasetRecord, document: LineageDocument, sources: Collection[int]) -> None:
        """Keep the derivations for some sources alone, in place of the whole block."""
        if set(sources) == self._pruned_sources(record) and not self.is_made(record):
            return
        arrays = self._find_arrays(record, document, None)
        self._write(self._pruned_path(record), {name: each for name, each in arrays.items() if _is_of(name, sources)})
        remove(self._path(record))

    def make_arrays(self, record: DatasetRecord, document: LineageDocument) -> dict[str, Array]:
        """Return the arrays that the file would hold, without writing it."""
        with self._lost.guard(record):
            return self._find_arrays(record, document, None)

    def as_block(self, record: DatasetRecord, arrays: Mapping[str, Array]) -> Block:
        """Return arrays that `make_arrays` gave as a block."""
        return _block(record.rows, arrays)

    def make_some(self, record: DatasetRecord, document: LineageDocument, rows: Ids) -> Block:
        """The derivations of a few rows, whatever is kept."""
        return _block(record.rows, self._find_arrays(record, document, None, rows))

    def _take_over(self, record: DatasetRecord, document: LineageDocument) -> None:
        """Link the file of the version whose rows were reused, if it is there: its derivations are the same."""
        if document.reused_from is None or self.is_made(record):
            return
        source, target = self._store.derived.path("deferred", document.reused_from, [FORM]), self._path(record)
        with suppress(OSError):  # it is not there, or not any more: then this one is made like any other
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(source, target)

    def _open_block(self, record: DatasetRecord) -> Block | None:
        return self._open_file(record, self._path(record))

    def _open_file(self, record: DatasetRecord, path: Path) -> Block | None:
        try:
            arrays = {name: array.part(0, len(array)) for name, array in IndexFile(path).arrays.items()}
        except DamagedFile:
            remove(path)
            return None
        return _block(record.rows, arrays)

    def _make(self, record: DatasetRecord, document: LineageDocument, most_seconds: float | None) -> Block:
        arrays = self._find_arrays(record, document, most_seconds, self._rows_below_limit(record))
        if self.keeps_blocks:
            self._write(self._path(record), arrays)
        return _block(record.rows, arrays)

    def _write(self, path: Path, arrays: Mapping[str, Array]) -> None:
        forgets = self._store.forgets
        try:
            write_index(path, {name: _narrow(array) for name, array in arrays.items()}, {})
            if self._store.forgets != forgets:  # it may have been removed before it was there
                remove(path)
        except UserError:  # a full disk is no reason to leave a question unanswered
            pass

    def drop(self, record: DatasetRecord) -> None:
        """Remove the files; they are made again when somebody asks."""
        remove(self._path(record))
        self.drop_pruned(record)

    def drop_pruned(self, record: DatasetRecord) -> None:
        """Remove the file of some sources alone."""
        remove(self._pruned_path(record))

    def _find_arrays(
        self, record: DatasetRecord, document: LineageDocument, most_seconds: float | None, only: Ids | None = None
    ) -> dict[str, Array]:
        query, found, pairs = self._plan_pairs(record, document)
        keys = self._keys_in_files(query, found)
        if keys is not None:
            return _of_block(
                by_keys.find_groups_by_keys(self._store, keys, self._read_keys(record, document), record.rows), only
            )
        arrays = None if only is not None else self._find_in_arrays(record, document, query, pairs)
        if arrays is not None:
            return arrays
        with self._engine.process.at_most(most_seconds):
            table = self._engine.pairs(
                query, pairs.plan, len(pairs.sources), record=record, keys=document.deferred_keys or (), only=only
            )
        names = [*map(str, pairs.sources), _OUT]
        return {name: column.fill_null(NO_ROW).to_numpy() for name, column in zip(names, table.columns, strict=True)}

    def _find_in_arrays(
        self, record: DatasetRecord, document: LineageDocument, query: Query, pairs: Pairs
    ) -> dict[str, Array] | None:
        """Return the arrays of a group-by that needs no Spark; None of any other."""
        grouped = None if query.read.plan is None else grouped_query(query.read.plan)
        if grouped is None or pairs.sources != (grouped.source,):
            return None
        keys = document.deferred_keys or ()
        schema = Schema(tuple(field for key in keys for field in record.schema.fields if field.name == key))
        found = find_groups_in_arrays(self._store, grouped, self._read_keys(record, document), schema)
        return None if found is None else {str(grouped.source): found[1], _OUT: found[0]}

    def _rows_below_limit(self, record: DatasetRecord) -> Ids | None:
        """Return all result rows if a limit kept few of many groups: the job then reads the rows of these only."""
        query = self._engine.recall(record)
        found = None if query is None or query.read.plan is None else deferral(query.read.plan)
        is_cut = found is not None and found.most_groups is not None and 0 < record.rows <= FEW_ROWS
        return np.arange(record.rows, dtype=np.int64) if is_cut else None

    def _keys_in_files(self, query: Query, found: Deferral) -> PlainKeys | None:
        """Return the key columns if whence can find all groups in the source's files, as fast as Spark finds a few."""
        keys = plain_keys(found.aggregate, partial(self._engine.constant, query))
        return keys if keys is not None and keys.rows < by_keys.ROWS.stop else None

    def _read_keys(self, record: DatasetRecord, document: LineageDocument) -> pa.Table:
        return self._store.read(record, 0, record.rows, document.deferred_keys or ())

    def _plan_pairs(self, record: DatasetRecord, document: LineageDocument) -> tuple[Query, Deferral, Pairs]:
        query = self._engine.recall(record)
        plan = None if query is None else query.read.plan
        found = None if plan is None else deferral(plan)
        pairs = None if found is None or query is None or plan is None else found.pairs(_context(query, plan, document))
        if query is None or found is None or pairs is None or query.sources != document.sources[: len(query.sources)]:
            raise NotSupported(
                f"The lineage of {record.label} was left for later, and its query cannot be read any more.",
                "Make the dataset again.",
            )
        return query, found, pairs

    def _pruned_sources(self, record: DatasetRecord) -> set[int]:
        path = self._pruned_path(record)
        try:
            return {int(name) for name in IndexFile(path).arrays if name != _OUT} if path.exists() else set()
        except DamagedFile:
            remove(path)
            return set()

    def _path(self, record: DatasetRecord) -> Path:
        return self._store.derived.path("deferred", record.id, [FORM])

    def _pruned_path(self, record: DatasetRecord) -> Path:
        return self._store.derived.path("deferred", record.id, [FORM, "pruned"])


def _context(query: Query, plan: Step, document: LineageDocument) -> RewriteContext:
    count = len(query.sources)
    return RewriteContext(
        ids=query.read.ids,
        limits=Limits(count),
        traced_sources=all_but(count, document.pruned_sources),
        shown_readings=shown_readings(column_map(plan), query.columns),
        puts_groups_aside=False,
    )


def _narrow(array: Array) -> Array:
    """Ids in four bytes where that is enough."""
    is_small = array.dtype == np.int64 and (not len(array) or int(array.max()) < 2**31)
    return array.astype(np.int32) if is_small else array


def _of_block(block: Block, only: Ids | None) -> dict[str, Array]:
    """The arrays of a block of one part, perhaps of some rows alone."""
    (part,) = block.parts
    out = part.out_ids(block.rows)
    kept = np.isin(out, only) if only is not None else slice(None)
    return {**{str(source): ids[kept] for source, ids in part.sources.items()}, _OUT: out[kept]}


def _is_of(name: str, sources: Collection[int]) -> bool:
    return name == _OUT or int(name) in sources


def _block(rows: int, arrays: Mapping[str, Array]) -> Block:
    wide = {name: np.asarray(array).astype(np.int64, copy=False) for name, array in arrays.items()}
    sources = {int(name): ids for name, ids in wide.items() if name != _OUT}
    return Block(rows, (Part(wide[_OUT], sources),))
