"""Queries in the lineage plan: the strategies for their lineage, what each costs, and storing the chosen ones.

Row ids that travelled with a query (inject) were written as it ran and stay. A query whose lineage was left for later
has a file of all ids (defer), of those of some inputs (prune), or none (lazy). For filters and totals by attributes ids
are sorted by these (partition) and measures added up (cube).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from whence.arrays.measure import ASKED, WAYS, size_of
from whence.arrays.optimise import Option
from whence.lineage.block import Block, Ids
from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.index import build_lookup
from whence.lineage.lost_lineage import LineageLost
from whence.lineage.partitioned_lineage import PartitionedLineage
from whence.lineage.preparation import LineagePreparation
from whence.lineage.prepared_files import ExpectedQuestion, arrays_of
from whence.lineage.selection import Selection
from whence.lineage.strategy import FEW_ROWS
from whence.model.dataset import DatasetRecord
from whence.model.errors import InternalError
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.index_file import BLOCK
from whence.store.store import Store

KINDS = ("inject", "defer", "lazy", "prune", "partition", "cube")
NOTHING = "nothing"
"""The option to prepare no lineage for a question."""

Answer = TypeVar("Answer")

_ROOM = 1024
"""Upper bound of the bytes of a file's heading."""


class Queries:
    """Gives the planner options for datasets that queries made, and stores what it chooses."""

    def __init__(self, store: Store, edges: Edges, deferred: DeferredLineage, preparing: LineagePreparation) -> None:
        self._store = store
        self._edges = edges
        self._deferred = deferred
        self._preparing = preparing
        self._known: dict[tuple[DatasetId, object], list[Option]] = {}
        """Measured options. A dataset version never changes, so they hold for the whole session."""

    def planned(self, is_planned: bool) -> None:
        """Switch to storing only the deferred lineage that a plan chooses, or back to storing all of it."""
        self._deferred.keeps_blocks = not is_planned

    def is_planned(self, record: DatasetRecord) -> bool:
        """Whether the planner decides about a dataset: its lineage is exact and its sources still exist."""
        document = self._edges.document(record)
        if document is None or not document.is_exact or document.is_declared:
            return False
        return not any(isinstance(self._store.by_id(each), ForgottenRecord) for each in document.sources)

    def is_late(self, record: DatasetRecord) -> bool:
        """Whether its lineage was deferred, so that a later job can recover it."""
        return self._document(record).deferred_keys is not None

    def options(self, record: DatasetRecord, asked: Collection[int]) -> list[Option]:
        """Return the options for its lineage; `asked` are the sources that questions go through."""
        key = (record.id, frozenset(asked))
        if key not in self._known:
            self._known[key] = self._options(record, asked)
        return self._known[key]

    def _options(self, record: DatasetRecord, asked: Collection[int]) -> list[Option]:
        if not self.is_late(record):
            return [self._stored(record, asked)]
        try:
            return self._late_options(record, asked)
        except LineageLost:  # coarse lineage takes no room
            return [Option(record.label, "lazy", 0, 0.0, {})]

    def keep(self, record: DatasetRecord, chosen: Iterable[Option], asked: Collection[int]) -> None:
        """Write or drop the lineage file of a dataset, as the chosen options say."""
        kinds, document = {each.kind for each in chosen}, self._document(record)
        if "defer" in kinds:
            self._deferred.keep_whole(record, document)
        elif "prune" in kinds:
            self._deferred.keep_pruned(record, document, asked)
        elif "lazy" in kinds:
            self._deferred.drop(record)

    def prepared_options(self, record: DatasetRecord, expected: ExpectedQuestion) -> list[Option]:
        """Return the options to prepare lineage for filters and totals by attributes."""
        key = (record.id, expected)
        if key not in self._known:
            self._known[key] = self._measure_prepared(record, expected)
        return self._known[key]

    def keep_prepared(self, record: DatasetRecord, chosen: Mapping[ExpectedQuestion, Collection[str]]) -> None:
        """Write the prepared lineage that was chosen for a dataset, and drop all other."""
        files = self._preparing.files
        wanted = {
            expected if kind == "cube" else replace(expected, measures=())
            for expected, kinds in chosen.items()
            for kind in kinds
            if kind != NOTHING
        }
        for expected in [each for each in files.questions_of(record) if each not in wanted]:
            files.drop(record, expected)
        for expected in wanted:
            if not files.bytes(record, expected):
                files.write(record, expected, self._preparing.make(record, expected))

    def _document(self, record: DatasetRecord) -> LineageDocument:
        document = self._edges.document(record)
        if document is None:
            raise InternalError(f"{record.label} was planned, and has no lineage.")
        return document

    def _stored(self, record: DatasetRecord, asked: Collection[int]) -> Option:
        files = self._store.manifest(record).lineage.values()
        asking = self._time_first_questions(record, lambda: self._edges.block(record), asked)
        return Option(record.label, "inject", sum(file.size for file in files), 0.0, asking)

    def _late_options(self, record: DatasetRecord, asked: Collection[int]) -> list[Option]:
        """Return the options for deferred lineage; without questions only `lazy`, and no job runs to measure others."""
        if not asked:
            return [Option(record.label, "lazy", 0, 0.0, {})]
        document = self._document(record)
        made, all_seconds = _timed(lambda: self._deferred.make_arrays(record, document))
        # Fewer rows than there are: the question about all of them has just been timed.
        few, few_seconds = _some(record.rows, min(FEW_ROWS, record.rows - 1)), all_seconds
        if len(few):
            _, few_seconds = _timed(lambda: self._deferred.make_some(record, document, few))
        size = {name: size_of({name: array}) for name, array in made.items()}
        block, pruned = self._deferred.as_block(record, made), [str(each) for each in asked]
        asking = self._time_first_questions(record, lambda: block, asked)
        found = [
            Option(record.label, "lazy", 0, 0.0, {"backward": min(few_seconds, all_seconds), "forward": all_seconds}),
            Option(record.label, "defer", _ROOM + sum(size.values()), 0.0, asking),
        ]
        # Arrays of ids are named by the number of their source: pruning is an option only if it leaves some out.
        if set(pruned) < {name for name in size if name.isdigit()}:
            kept = sum(each for name, each in size.items() if name in pruned or not name.isdigit())
            found.append(Option(record.label, "prune", _ROOM + kept, 0.0, asking))
        return found

    def _time_first_questions(
        self, record: DatasetRecord, block: Callable[[], Block], asked: Collection[int]
    ) -> dict[str, float]:
        """Return the mean seconds, over the sources, of a first question each way, with the time to build its index."""
        document, taken = self._document(record), dict.fromkeys(WAYS, 0.0)
        for source in asked:
            parent = self._edges.record(document.sources[source])
            for way in WAYS:
                ends = (record.rows, parent.rows) if way == "backward" else (parent.rows, record.rows)
                _, seconds = _timed(partial(_select, block, source, ends, way))
                taken[way] += seconds / len(asked)
        return taken if asked else {}

    def _measure_prepared(self, record: DatasetRecord, expected: ExpectedQuestion) -> list[Option]:
        cube = self._preparing.make(record, expected)
        rows, where = _sample(cube)
        behind, filtering = _timed(lambda: self._preparing.filter_rows(record, expected, rows, where))
        _, adding = _timed(lambda: self._preparing.add_up(expected, behind))
        item = item_of(record, expected)
        found = [Option(item, NOTHING, 0, 0.0, {"filter": filtering, "totals": filtering + adding})]
        if not self._preparing.can_be_kept(expected):
            return found
        _, looking = _timed(lambda: cube.rids(rows, where))
        _, reading = _timed(lambda: cube.totals(rows, expected.by, where))
        values = {name: each.values for name, each in cube.attributes.items()}
        size = _size(expected, PartitionedLineage(values, cube.coordinates, cube.index, {}))
        found.append(Option(item, "partition", size, 0.0, {"filter": looking, "totals": looking + adding}))
        if expected.measures:
            asking = {"filter": looking, "totals": reading}
            found.append(Option(item, "cube", _size(expected, cube), 0.0, asking))
        return found


def item_of(record: DatasetRecord, expected: ExpectedQuestion) -> str:
    """Return the plan's name for prepared questions, such as `sums@1 by month of sales (n)`."""
    limited = "" if expected.where is None else f" where {expected.where}"
    return f"{record.label} by {', '.join(expected.by)} of {expected.target}{limited} ({', '.join(expected.measures)})"


def _size(expected: ExpectedQuestion, parts: PartitionedLineage) -> int:
    """Return an upper bound of the bytes of the file."""
    arrays = arrays_of(parts)
    held = sum(array.nbytes + 256 + 2 * len(name) + len(array) // BLOCK * 16 for name, array in arrays.items())
    return held + _ROOM + 2 * len(repr(expected))


def _select(block: Callable[[], Block], source: int, ends: tuple[int, int], way: str) -> Selection:
    outs, ids = block().pairs(source)
    pairs = (outs, ids) if way == "backward" else (ids, outs)
    return build_lookup(*pairs, *ends).select(Selection.of(_some(ends[0], ASKED), ends[0]))


def _some(count: int, most: int) -> Ids:
    """Return up to so many places of a range, the same in each session."""
    return np.unique(np.random.default_rng(0).integers(0, max(count, 1), max(min(most, count), 0)))


def _sample(parts: PartitionedLineage) -> tuple[Ids, dict[str, object]]:
    """Return a typical question: the output row of the middle part, and its value of the first attribute."""
    middle = parts.coordinates.shape[1] // 2
    if not parts.coordinates.shape[1]:
        return np.empty(0, dtype=np.int64), {}
    row = parts.coordinates[0][middle : middle + 1]
    name, codes = next(iter(parts.attributes.items()))
    return row, {name: codes.values[int(parts.coordinates[1][middle])].as_py()}


def _timed(ask: Callable[[], Answer]) -> tuple[Answer, float]:
    started = time.perf_counter()
    answer = ask()
    return answer, time.perf_counter() - started
