"""Answers lineage questions about operators' datasets: from stored lineage, from maps, or by running them again."""

from __future__ import annotations

import time
from collections import defaultdict
from functools import partial
from threading import RLock

from whence.arrays import encodings
from whence.arrays.choosing import Choosing, Pace
from whence.arrays.document import FILE, NAME, OperatorDocument
from whence.arrays.lookups import Answering, Edge, MappedLookup
from whence.arrays.operator import Operator, Representation
from whence.arrays.operator_description import find
from whence.arrays.planned_lineage import PlannedLineage
from whence.arrays.shapes import Ids
from whence.arrays.strategy import Strategy, tracing_mode
from whence.arrays.tracing import pack, read_input, run_operator
from whence.lineage.index_cache import IndexCache
from whence.lineage.lookup import CoarseLookup, IdentityLookup, Lookup
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, NotSupported
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

_KEPT = 64
"""Lineage files that are held in memory."""
_SECONDS_PER_CELL = 2e-8
"""Estimated seconds for reading and listing a cell in a first rerun."""
_FLOOR = 0.005
"""Estimated seconds of a first rerun beyond its run and its cells."""
_TRACED_KEPT = 2
"""Recovered lineages that are held in memory: few, as each lists every cell."""


class OperatorAnswers:
    """Gives the lineage layer lookups for datasets that operators made, which have no derivation block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = IndexCache(store)
        self.planned = PlannedLineage(store)
        self._operators: dict[DatasetId, Operator] = {}
        self._arrays = MemoryCache(store, self._read_arrays, most=_KEPT)
        self._traced = MemoryCache(store, self._trace, most=_TRACED_KEPT)
        self._paces: defaultdict[tuple[DatasetId, int, bool], Pace] = defaultdict(Pace)
        self._reran: dict[DatasetId, float] = {}
        self._lock = RLock()

    @property
    def epoch(self) -> int:
        """A number that grows when the planner stores lineage in another form, and lookups must be asked for again."""
        return self.planned.epoch

    def remember(self, record: DatasetRecord, operator: Operator) -> None:
        """Remember the operator that made a dataset, so that this session need not find its class again."""
        self._operators[record.id] = operator

    def document(self, record: DatasetRecord) -> OperatorDocument:
        """Return the stored document about the run that made a dataset."""
        content = self._store.document(record, NAME)
        if content is None:
            raise DamagedFile(f"What made {record.label} is not written down.", "Make it again.")
        return OperatorDocument.from_json(content)

    def operator(self, record: DatasetRecord) -> Operator:
        """Return the operator that made a dataset; raise NotSupported if its class is not defined in this session."""
        found = self._operator_of(record)
        if found is None:
            name = self.document(record).operator["name"]
            raise NotSupported(
                f"The lineage of {record.label} is worked out by {name}, which is not defined in this session.",
                f"Define or import {name} as it was, or make {record.label} again.",
            )
        return found

    def is_known(self, record: DatasetRecord) -> bool:
        """Whether the class of the operator that made a dataset is defined in this session."""
        return self._operator_of(record) is not None

    def lookup(self, record: DatasetRecord, source: int, *, backward: bool) -> Lookup:
        """Return the lookup between a dataset and one of its inputs, in one direction."""
        document = self.document(record)
        planned = self.planned.strategy(record, backward=backward)
        # A plan that chose what the run stored anyway needs no file of its own.
        if planned is not None and planned != document.strategy:
            return self._planned(record, document, planned, source, backward=backward)
        chosen = document.strategy
        if chosen.representation == "full":  # needs no operator any more
            return self._full(record, document, source, backward=backward)
        edge = Edge(self.operator(record), document.shapes, source)
        if chosen.kind == "coarse":
            return CoarseLookup(*edge.ends(backward=backward))
        if edge.operator.is_same(edge.shapes, source):
            return IdentityLookup(edge.ends(backward=backward)[0])
        if chosen.kind == "black box":
            return self.traced(record, source, backward=backward)
        return self._worked_out(record, edge, chosen, backward=backward)

    def _planned(
        self, record: DatasetRecord, document: OperatorDocument, planned: Strategy, source: int, *, backward: bool
    ) -> Lookup:
        """Return a lookup over lineage that the planner stored after the run; run the operator if the file is gone."""
        edge = Edge(self.operator(record), document.shapes, source)
        arrays = self.planned.arrays(record, planned)
        if arrays is None:
            return self.traced(record, source, backward=backward)
        found = encodings.lookup_of(edge, _representation(planned), arrays, backward=backward)
        can_rerun = edge.operator.deterministic and "full" in edge.operator.representations
        if not (isinstance(found, Answering) and can_rerun):
            return found
        return self._choosing(record, found, source, backward=backward)

    def _choosing(self, record: DatasetRecord, stored: Answering, source: int, *, backward: bool) -> Lookup:
        pace = self._paces[record.id, source, backward]
        rerun = partial(self.traced, record, source, backward=backward)
        return Choosing(stored, rerun, partial(self._rerun_seconds, record), pace)

    def _rerun_seconds(self, record: DatasetRecord) -> float:
        """Return the seconds of the last rerun; before the first one, estimate them from the run and its cells."""
        if record.id in self._reran:
            return self._reran[record.id]
        document = self.document(record)
        cells = document.shapes.cells + sum(map(document.shapes.cells_of, range(len(document.shapes))))
        return document.seconds + cells * _SECONDS_PER_CELL + _FLOOR

    def _worked_out(self, record: DatasetRecord, edge: Edge, chosen: Strategy, *, backward: bool) -> Lookup:
        if chosen.kind == "map":
            stored: Answering = MappedLookup(edge, backward)
        else:
            arrays = self._arrays(record.id)
            found = encodings.lookup_of(edge, _representation(chosen), arrays, backward=backward)
            assert isinstance(found, Answering)
            stored = found
        if not (edge.operator.deterministic and "full" in edge.operator.representations):
            return stored
        return self._choosing(record, stored, edge.number, backward=backward)

    def traced(self, record: DatasetRecord, source: int, *, backward: bool) -> Lookup:
        """Return a lookup over lineage that another run recovers, or over the map if the operator has only that."""
        # One rerun at a time: a second thread waits, and then finds the lineage in the cache.
        with self._lock:
            operator, document = self.operator(record), self.document(record)
            # Such an operator records no pairs: a rerun would teach nothing that its map does not say.
            if "map" in operator.representations and "full" not in operator.representations:
                return MappedLookup(Edge(operator, document.shapes, source), backward)
            arrays, representation = self._traced(record.id)
        edge = Edge(operator, document.shapes, source)
        return encodings.lookup_of(edge, representation, arrays, backward=backward)

    def _trace(self, dataset: DatasetId) -> tuple[encodings.Arrays, Representation]:
        record = self._store.by_id(dataset)
        started = time.perf_counter()
        operator = self.operator(record)
        if not operator.deterministic:
            raise NotSupported(f"{operator.name} gives other values each time, so it cannot be asked again.")
        parents = [self._store.by_id(parent) for parent in self._sources(record)]
        if any(isinstance(parent, ForgottenRecord) for parent in parents):
            raise NotSupported(f"{record.label} cannot be worked out again: a dataset it was made from is gone.")
        mode = tracing_mode(operator)
        ran = run_operator(operator, [read_input(self._store, parent) for parent in parents], mode.wants)
        if ran.shapes != self.document(record).shapes:
            raise NotSupported(f"{operator.name} gave another shape when it was run again.")
        packed = pack(ran, mode)
        self._reran[dataset] = time.perf_counter() - started
        return packed, _representation(mode)

    def _sources(self, record: DatasetRecord) -> list[DatasetId]:
        content = self._store.document(record, "lineage") or {}
        return [DatasetId(each) for each in content["sources"]]  # type: ignore[attr-defined]

    def _full(self, record: DatasetRecord, document: OperatorDocument, source: int, *, backward: bool) -> Lookup:
        arrays = self._arrays(record.id)
        # Stored pairs need no method of the operator, whose class may not be defined in this session.
        edge = Edge(Operator(), document.shapes, source)
        if encodings.is_by_region(arrays):
            return encodings.lookup_of(edge, "full", arrays, backward=backward)

        def pairs() -> tuple[Ids, Ids]:
            outs, ins = encodings.pairs_of(arrays, source)
            return (outs, ins) if backward else (ins, outs)

        return self._cache.lookup(record, source, pairs, *edge.ends(backward=backward), backward=backward)

    def _read_arrays(self, dataset: DatasetId) -> encodings.Arrays:
        record = self._store.by_id(dataset)
        arrays = self._store.arrays(record, FILE)
        if arrays is None:
            raise DamagedFile(f"The lineage file of {record.label} is missing.", "Run `whence doctor`.")
        return dict(arrays)

    def _operator_of(self, record: DatasetRecord) -> Operator | None:
        if record.id not in self._operators:
            found = find(self.document(record).operator)
            if found is None:
                return None
            self._operators[record.id] = found
        return self._operators[record.id]


def _representation(chosen: Strategy) -> Representation:
    assert chosen.representation is not None
    return chosen.representation
