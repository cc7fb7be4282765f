"""Relates the rows before a step to those after it: what it changed, what continues, and what was made from what.

The lineage of the version between two segments relates their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.engine.engine import Engine
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import InternalError
from whence.pipeline.compare import Mask, differ
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID, TableStates, take_or_null
from whence.store.store import Store
from whence.transformations.plan import NewRows
from whence.transformations.sql import NOTHING
from whence.transformations.template import Read


@dataclass(frozen=True)
class Crossing:
    """How the rows of one segment continue in the next."""

    parent: Ids
    """For each row of the next segment the row before that is the same record, or NO_ID."""
    is_new: Mask


class RowCrossings(TableStates):
    """Relates rows across one step at a time, from row lineage and the states around the step."""

    def __init__(self, store: Store, engine: Engine, edges: Edges, segments: Sequence[Segment]) -> None:
        super().__init__(store, engine, edges, segments)
        self._differences: dict[tuple[int, str], Mask] = {}
        self._crossings: dict[int, Crossing] = {}

    def changed(self, step: PipelineStep, name: str) -> Mask:
        """Return, for each row after a step, whether the step changed its value of this column; new cells count."""
        key = (step.index, name)
        if key not in self._differences:
            self._differences[key] = self._changed(step, name)
        return self._differences[key]

    def _changed(self, step: PipelineStep, name: str) -> Mask:
        after = self.alive(step.index + 1)
        if name in step.created or name not in step.plan.written:
            is_new = name in step.created
            return after if is_new else np.zeros(len(after), dtype=bool)
        if step.plan.new_rows is not None and step.plan.new_rows.adds:
            return self.crossing(self.home(step.index)).is_new
        before = self.column(step.index, step.old_name(name))
        if step.plan.new_rows is not None:
            crossing = self.crossing(self.home(step.index))
            own = differ(take_or_null(before, crossing.parent), self.column(step.index + 1, name))
            return (own & ~crossing.is_new) | crossing.is_new
        return differ(before, self.column(step.index + 1, name)) & after

    def crossing(self, number: int) -> Crossing:
        """Return how the rows of segment `number + 1` continue those of segment `number`."""
        if number not in self._crossings:
            self._crossings[number] = self._cross(number)
        return self._crossings[number]

    def _cross(self, number: int) -> Crossing:
        segment = self.segments[number]
        out = self.base(number + 1)
        parent = np.full(out.rows, NO_ID, dtype=np.int64)
        if segment.closing is None or segment.closing.plan.new_rows is None:
            raise InternalError("A segment that no step closes has no next one.")
        if segment.closing.plan.new_rows.continues:
            outs, sources = self._edges.read_pairs(out, segment.closing.plan.new_rows.leaves_of(0)[0])
            # Of several rows made from one row the first is the same record: what is put down last stays.
            first = np.full(segment.base.rows, NO_ID, dtype=np.int64)
            first[sources[::-1]] = outs[::-1]
            there = np.flatnonzero(first != NO_ID)
            parent[first[there]] = there
        return Crossing(parent, parent == NO_ID)

    def contributors(self, step: PipelineStep, read: Read, rows: Ids) -> Ids:
        """Return the rows of one input that a read gets for these rows after a step that makes new rows."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.rows_read_by(out, leaf, rows) for leaf in self._leaves(out, new_rows, read)]
        return np.unique(np.concatenate([rows[:0], *found]))

    def _leaves(self, out: DatasetRecord, new_rows: NewRows, read: Read) -> tuple[int, ...]:
        """Return the source numbers, in the lineage of a step's result, that hold the rows a read gets."""
        if read.around:
            document = self._edges.document(out)
            if document is None or document.leaf_count is None:
                return ()
            return tuple(
                sorted({use.source for use in document.values[read.around] if use.source >= document.leaf_count})
            )
        return new_rows.leaves_of(read.source) if read.leaf is None else (read.leaf,)

    def contributor_pairs(self, step: PipelineStep, read: Read, rows: Ids) -> tuple[Ids, Ids]:
        """Return rows after a step and, beside each, a row of one input that a read relates it to."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows, rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.rows_read_by_each(out, leaf, rows) for leaf in self._leaves(out, new_rows, read)]
        outs = np.concatenate([rows[:0], *(np.repeat(rows, lengths) for lengths, _ in found)])
        sources = np.concatenate([rows[:0], *(ids for _, ids in found)])
        if read.only is not None:
            column, value = read.only
            mask = reads_as(self.column(step.index, column).take(pa.array(sources)), str(value))
            outs, sources = outs[mask], sources[mask]
        return outs, sources

    def origins(self, step: PipelineStep, rows: Ids) -> Iterator[tuple[int, Ids, Ids]]:
        """Yield sources of a step, how many of their rows each of these rows after it was made from, and which."""
        new_rows, out = step.plan.new_rows or NewRows(), self.base(self.home(step.index + 1))
        for source in range(1 + len(new_rows.others)):
            for leaf in new_rows.leaves_of(source):
                yield source, *self._edges.rows_read_by_each(out, leaf, rows)

    def is_traced(self, out: DatasetRecord) -> bool:
        """Whether lineage tells the rows of every source behind each row of a stored version."""
        document = self._edges.document(out)
        return document is not None and document.is_exact and not document.pruned_sources

    def offspring(self, step: PipelineStep, rows: Ids) -> Ids:
        """Return the rows after a step that were made from these rows before it."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.forward(out, leaf, rows) for leaf in new_rows.leaves_of(0)]
        return np.unique(np.concatenate(found))

    def ancestor_rows(self, number: int) -> Ids:
        """Return, for each row of the next segment, the row it continues or the only row it was made from, or NO_ID."""
        parent = self.crossing(number).parent.copy()
        step = self.segments[number].closing
        out = self.base(number + 1)
        for leaf in step.plan.new_rows.leaves_of(0) if step is not None and step.plan.new_rows is not None else ():
            outs, sources = self._edges.read_pairs(out, leaf)
            single, firsts, counts = np.unique(outs, return_index=True, return_counts=True)
            alone = single[(counts == 1) & (parent[single] == NO_ID)]
            parent[alone] = sources[firsts[np.searchsorted(single, alone)]]
        return parent

    def other(self, step: PipelineStep, source: int) -> DatasetRecord:
        """Return one of the other datasets that a step read, such as the right side of a join."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            raise InternalError("Only steps that make rows read other datasets.")
        return new_rows.others[source - 1]


def reads_as(values: pa.ChunkedArray, word: str) -> Mask:
    """Return which values give a pivoted column this name; a missing value is named NOTHING."""
    return np.asarray(pc.equal(pc.fill_null(pc.cast(values, pa.string()), NOTHING), word), dtype=bool)
