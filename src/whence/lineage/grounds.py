"""Which cells of a dataset stand on data, and which on nothing but constants that are written in a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from whence.lineage.cell_grounds import GROUNDED, PARTLY, WRITTEN, CellGrounds, Flags, States
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.ground_travel import GroundTravel
from whence.lineage.written_values import WrittenValues
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.grounds import Ground
from whence.plan.grounds_document import NAME, GroundsDocument
from whence.plan.written_cells import ARRAYS, ROWS, array_of
from whence.store.forgotten import ForgottenRecord
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

_DATASETS_KEPT = 64
_DOCUMENTS_KEPT = 4096


class GroundsReader:
    """Works out what cells stand on, from the queries on the way and the lineage between them."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges
        self._document = MemoryCache(store, self._read_document, most=_DOCUMENTS_KEPT)
        self._own = MemoryCache(store, self._find_own, most=_DATASETS_KEPT)
        self._grounds = MemoryCache(store, self._work_out, most=_DATASETS_KEPT)

    def of(self, record: DatasetRecord) -> CellGrounds:
        """The grounds of every cell of a dataset."""
        return self._grounds(record.id)

    def is_at_hand(self, record: DatasetRecord) -> bool:
        """Whether the grounds can be told without running the query of the dataset, or of an input, again."""
        order = list(self._ancestors(record.id))
        if not any(map(self._has_constants, order)):
            return True
        known = [each for each in map(self._edges.record, order) if not isinstance(each, ForgottenRecord)]
        return all(map(self._edges.is_at_hand, known))

    def is_written_here(self, record: DatasetRecord, row: int, column: str) -> bool:
        """Whether the query of this dataset itself writes the cell; else it was written further back, or is data."""
        return self._own(record.id).state(row, column) == WRITTEN

    def _work_out(self, dataset: DatasetId) -> CellGrounds:
        order = list(reversed(list(self._ancestors(dataset))))
        if not any(map(self._has_constants, order)):
            return CellGrounds()
        known: dict[DatasetId, CellGrounds] = {}
        for each in order:  # inputs first, and no recursion: a chain of queries may be deeper than Python's stack
            known[each] = self._combine(each, known)
        return known[dataset]

    def _ancestors(self, dataset: DatasetId) -> Iterator[DatasetId]:
        """The dataset and all that it was made from, each after everything that was made from it."""
        makes: dict[DatasetId, int] = {dataset: 0}
        waiting = [dataset]
        while waiting:
            for parent in set(self._sources(waiting.pop())):
                if parent not in makes:
                    waiting.append(parent)
                makes[parent] = makes.get(parent, 0) + 1
        ready = [dataset]
        while ready:
            yield (each := ready.pop())
            for parent in set(self._sources(each)):
                makes[parent] -= 1
                ready += [parent] if makes[parent] == 0 else []

    def _sources(self, dataset: DatasetId) -> tuple[DatasetId, ...]:
        record = self._edges.record(dataset)
        return () if isinstance(record, ForgottenRecord) else self._edges.sources(record)

    def _combine(self, dataset: DatasetId, known: Mapping[DatasetId, CellGrounds]) -> CellGrounds:
        """What the query of a dataset writes itself, and what it reads of written values."""
        record, own = self._edges.record(dataset), self._own(dataset)
        inputs = {each: known[each] for each in self._sources(dataset)}
        if record.rows == 0 or all(each.is_grounded for each in inputs.values()):
            return own
        lineage = self._edges.document(record)
        if lineage is None or not lineage.is_exact:
            return _all_written(record) if all(each.is_all_written for each in inputs.values()) else own
        travel = GroundTravel(
            edges=self._edges,
            record=record,
            lineage=lineage,
            document=self._document(dataset),
            inputs=inputs,
            values=WrittenValues(self._store, record),
        )
        return travel.add_to(own)

    def _read_document(self, dataset: DatasetId) -> GroundsDocument:
        record = self._edges.record(dataset)
        # What was forgotten can no longer be asked: it counts as data, as no warning may be wrong.
        content = None if isinstance(record, ForgottenRecord) else self._store.document(record, NAME)
        return GroundsDocument() if content is None else GroundsDocument.from_json(content)

    def _find_own(self, dataset: DatasetId) -> CellGrounds:
        """The grounds as far as the query of this dataset itself writes values."""
        record, document = self._edges.record(dataset), self._document(dataset)
        if not document.has_constants or record.rows == 0:
            return CellGrounds()
        if document.lists_cells:
            return self._listed(record)
        lineage = self._edges.document(record)
        if lineage is None:
            return CellGrounds()
        rows, values = self._written_rows(record, lineage, document), WrittenValues(self._store, record)
        columns = {}
        for name in record.schema.names:
            states = np.zeros(record.rows, dtype=np.int8)
            if name in document.columns:
                values.mark(states, name, document.columns[name])
                states = np.maximum(states, self._taken_defaults(record, lineage, document.columns[name]))
            if rows is not None:
                states[rows] = np.where(values.are_present(name)[rows], WRITTEN, GROUNDED)
            if states.any():
                columns[name] = states
        return CellGrounds(columns, rows)

    def _taken_defaults(self, record: DatasetRecord, lineage: LineageDocument, ground: Ground) -> States:
        """The states of sums in which a constant stands for values that are NULL in the input."""
        states = np.zeros(record.rows, dtype=np.int8)
        is_known = ground.is_aggregated and lineage.is_exact and not lineage.pruned_sources
        for source, column in ground.defaults if is_known else ():
            known = self._edges.record(lineage.sources[source])
            if isinstance(known, ForgottenRecord) or known.schema.position(column) is None:
                continue
            rows, ids = self._edges.read_pairs(record, source)
            is_taken = ~WrittenValues(self._store, known).are_present(column)[ids]
            taken, every = (np.bincount(each, minlength=record.rows) for each in (rows[is_taken], rows))
            found = np.where(taken == 0, GROUNDED, np.where(taken == every, WRITTEN, PARTLY))
            states = np.maximum(states, found.astype(np.int8))
        return states

    def _listed(self, record: DatasetRecord) -> CellGrounds:
        """The grounds of a dataset whose written cells are listed one by one."""
        arrays, values = self._store.arrays(record, ARRAYS) or {}, WrittenValues(self._store, record)
        columns = {}
        for place, name in enumerate(record.schema.names):
            if array_of(place) in arrays:
                states = np.zeros(record.rows, dtype=np.int8)
                states[arrays[array_of(place)]] = WRITTEN
                states[~values.are_present(name)] = GROUNDED
                if states.any():
                    columns[name] = states
        rows = None
        if ROWS in arrays:
            rows = np.zeros(record.rows, dtype=np.bool_)
            rows[arrays[ROWS]] = True
        return CellGrounds(columns, rows)

    def writer(self, record: DatasetRecord) -> str:
        """Where values on the way to a dataset were written: in a query, on a sheet, or both."""
        writers = {self._document(each).lists_cells for each in self._ancestors(record.id) if self._has_constants(each)}
        if writers == {True}:
            return "on a sheet"
        return "in queries and on sheets" if True in writers else "in a query"

    def _has_constants(self, dataset: DatasetId) -> bool:
        return self._document(dataset).has_constants

    def _written_rows(self, record: DatasetRecord, lineage: LineageDocument, document: GroundsDocument) -> Flags | None:
        if not document.has_written_rows:
            return None
        if not document.has_data_rows:
            return np.ones(record.rows, dtype=np.bool_)
        if not lineage.is_exact or lineage.pruned_sources:
            return None  # which rows came from an input is not known
        every = np.arange(record.rows, dtype=np.int64)
        counts = [self._edges.lengths(record, each, every, backward=True) for each in range(len(lineage.sources))]
        rows: Flags = np.sum(counts, axis=0) == 0
        return rows if rows.any() else None


def _all_written(record: DatasetRecord) -> CellGrounds:
    every = np.full(record.rows, WRITTEN, dtype=np.int8)
    return CellGrounds(dict.fromkeys(record.schema.names, every), np.ones(record.rows, dtype=np.bool_))
