"""What every step of a pipeline did to every row and column, worked out from plans, row lineage and stored versions.

Inside a segment a row is known by its rid in the segment's base; the rows of two segments are related by the lineage of
the version between them. A record is a row through all segments: the rows of the pipeline's input have their rids as
record ids, rows made on the way the numbers after them, in the order in which they were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.engine.engine import Engine
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import InternalError
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.pipeline.compare import Marks, differ
from whence.pipeline.missing_lineage import check_lineage
from whence.pipeline.operation import Counts
from whence.pipeline.recorder import Stage, record, stages
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.store.store import Store
from whence.transformations.plan import NewRows
from whence.transformations.sql import NOTHING
from whence.transformations.template import Read

NOBODY = -1
_FEW = 1000
"""So many values are picked out of a file; for more the column is read."""


@dataclass(frozen=True)
class _Place:
    """Where the values of a column lie: in the segment's base, or as a step of it wrote them."""

    segment: int
    step: int | None
    name: str


@dataclass(frozen=True)
class Crossing:
    """From the rows of one segment to those of the next."""

    parent: Ids
    """The row before that is the same record, or NOBODY."""
    is_new: Marks


class Trail:
    """Everything the questions read. `state` i is the table after i steps; state 0 is the input."""

    def __init__(self, store: Store, engine: Engine, edges: Edges, segments: Sequence[Segment]) -> None:
        check_lineage(edges, segments)
        self._store = store
        self._engine = engine
        self._edges = edges
        self.segments = list(segments)
        self.steps: list[PipelineStep] = [step for segment in segments for step in segment.every_step]
        self._stages: dict[int, list[Stage]] = {}
        self._columns: dict[_Place, pa.ChunkedArray] = {}
        self._alive: dict[tuple[int, int], Marks] = {}
        self._differences: dict[tuple[int, str], Marks] = {}
        self._crossings: dict[int, Crossing] = {}

    @property
    def input(self) -> DatasetRecord:
        """The version the pipeline starts from."""
        return self.segments[0].base

    @property
    def result(self) -> DatasetRecord:
        """The version it ends with."""
        last = self.segments[-1]
        return last.base if last.out is None else last.out

    # Where a state lies

    @cached_property
    def _homes(self) -> list[int]:
        """The segment of each state."""
        homes = [0]
        for number, segment in enumerate(self.segments):
            homes += [number] * len(segment.steps)
            if segment.closing is not None:
                homes.append(number + 1)
        return homes

    def home(self, state: int) -> int:
        """The segment in whose rids the rows of a state are counted."""
        return self._homes[state]

    def base(self, number: int) -> DatasetRecord:
        """The version whose rows a segment's rows are."""
        return self.segments[number].base if number < len(self.segments) else self.result

    def schema(self, state: int) -> Schema:
        """The columns of a state."""
        return self.input.schema if state == 0 else self.steps[state - 1].after

    def alive(self, state: int) -> Marks:
        """Which rows of the segment there are in a state."""
        number, row_filter = self.home(state), self._filter_before(state)
        if (number, row_filter) not in self._alive:
            rows = self.base(number).rows
            marks = np.ones(rows, dtype=bool) if row_filter == NOBODY else self._alive_after(number, row_filter)
            self._alive[number, row_filter] = marks
        return self._alive[number, row_filter]

    def rows(self, state: int) -> Ids:
        """The rows of a state, in the order of the segment's rids."""
        return np.flatnonzero(self.alive(state))

    def _filter_before(self, state: int) -> int:
        """The last step of the segment before a state that dropped rows, or NOBODY."""
        steps = self.steps[self._first_state(self.home(state)) : state]
        return next((step.index for step in reversed(steps) if step.plan.row_filter is not None), NOBODY)

    def _first_state(self, number: int) -> int:
        return self._homes.index(number)

    def _alive_after(self, number: int, row_filter: int) -> Marks:
        segment = self.segments[number]
        stage = next(each for each in self._recorded(number) if each.steps and each.steps[0].index == row_filter)
        rids = stage.rids if stage.rids is not None else self._edges.pairs(self._stored(segment), 0)[1]
        marks = np.zeros(segment.base.rows, dtype=bool)
        marks[rids] = True
        return marks

    def _stored(self, segment: Segment) -> DatasetRecord:
        if segment.out is None:
            raise InternalError("A pipeline was asked about before it was run.")
        return segment.out

    # What a column holds

    def column(self, state: int, name: str) -> pa.ChunkedArray:
        """The values of a column in a state, one for each row of the segment; nothing for rows that are not there."""
        place = self._place(state, name)
        if place not in self._columns:
            self._columns[place] = self._read(place)
        return self._columns[place]

    def values(self, state: int, name: str, rows: Ids) -> list[object]:
        """The values of some rows; of few rows only what they need is read."""
        place = self._place(state, name)
        if place.step is None and place not in self._columns and len(rows) < _FEW:
            taken = self._store.take(self.base(place.segment), rows, [place.name]).column(0)
        else:
            taken = self.column(state, name).take(pa.array(rows))
        values: list[object] = taken.to_pylist()
        return values

    def version(self, state: int, name: str) -> tuple[object, int]:
        """What says that two states show the same values of a column in the same rows."""
        return self._place(state, name), self._filter_before(state)

    def _place(self, state: int, name: str) -> _Place:
        number = self.home(state)
        for step in reversed(self.steps[self._first_state(number) : state]):
            if name in step.plan.written:
                return _Place(number, step.index, name)
            name = step.old_name(name)
        return _Place(number, None, name)

    def _read(self, place: _Place) -> pa.ChunkedArray:
        base = self.base(place.segment)
        if place.step is None:
            return self._store.read(base, 0, base.rows, [place.name]).column(0)
        version = (place.step, place.name)
        for stage in self._recorded(place.segment):
            if stage.table is not None and stage.rids is not None and version in stage.columns:
                return _spread_out(stage.table.column(stage.columns[version]), stage.rids, base.rows)
        segment = self.segments[place.segment]
        out = self._stored(segment)
        values = self._store.read(out, 0, out.rows, [self._shown_as(segment, version)]).column(0)
        outs, sources = self._edges.pairs(out, 0)
        rids = np.empty(out.rows, dtype=np.int64)
        rids[outs] = sources
        return _spread_out(values, rids, base.rows)

    def _shown_as(self, segment: Segment, place: tuple[int, str]) -> str:
        """What the stored result calls a column that a step wrote."""
        index, name = place
        for step in segment.steps:
            if step.index > index:
                name = step.plan.renamed.get(name, name)
        return name

    def _recorded(self, number: int) -> list[Stage]:
        if number not in self._stages:
            every = stages(self.segments[number])
            if any(stage.needs_run for stage in every):
                record(self._engine, self.segments[number], every)
            self._stages[number] = every
        return self._stages[number]

    # What a step did

    def changed(self, step: PipelineStep, name: str) -> Marks:
        """For each row after the step whether it gave this column another value; where the column is new, it did."""
        key = (step.index, name)
        if key not in self._differences:
            self._differences[key] = self._changed(step, name)
        return self._differences[key]

    def _changed(self, step: PipelineStep, name: str) -> Marks:
        after = self.alive(step.index + 1)
        if name in step.created or name not in step.plan.written:
            is_new = name in step.created
            return after if is_new else np.zeros(len(after), dtype=bool)
        if step.plan.new_rows is not None and step.plan.new_rows.adds:
            return self.crossing(self.home(step.index)).is_new
        before = self.column(step.index, step.old_name(name))
        if step.plan.new_rows is not None:
            crossing = self.crossing(self.home(step.index))
            own = differ(_taken(before, crossing.parent), self.column(step.index + 1, name))
            return (own & ~crossing.is_new) | crossing.is_new
        return differ(before, self.column(step.index + 1, name)) & after

    def crossing(self, number: int) -> Crossing:
        """How the rows of segment `number + 1` continue those of segment `number`."""
        if number not in self._crossings:
            self._crossings[number] = self._cross(number)
        return self._crossings[number]

    def _cross(self, number: int) -> Crossing:
        segment = self.segments[number]
        out = self.base(number + 1)
        parent = np.full(out.rows, NOBODY, dtype=np.int64)
        if segment.closing is None or segment.closing.plan.new_rows is None:
            raise InternalError("A segment that no step closes has no next one.")
        if segment.closing.plan.new_rows.continues:
            outs, sources = self._edges.read_pairs(out, segment.closing.plan.new_rows.leaves_of(0)[0])
            # Of several rows made from one row the first is the same record: what is put down last stays.
            first = np.full(segment.base.rows, NOBODY, dtype=np.int64)
            first[sources[::-1]] = outs[::-1]
            there = np.flatnonzero(first != NOBODY)
            parent[first[there]] = there
        return Crossing(parent, parent == NOBODY)

    def contributors(self, step: PipelineStep, read: Read, rows: Ids) -> Ids:
        """The rows of one input of a step that makes new rows that a read gets for these rows."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.rows_read_by(out, leaf, rows) for leaf in self._leaves(out, new_rows, read)]
        return np.unique(np.concatenate([rows[:0], *found]))

    def _leaves(self, out: DatasetRecord, new_rows: NewRows, read: Read) -> tuple[int, ...]:
        """The numbers under which the lineage of what a step gave knows the rows that a read gets."""
        if read.around:
            document = self._edges.document(out)
            if document is None or document.leaf_count is None:
                return ()
            return tuple(
                sorted({use.source for use in document.values[read.around] if use.source >= document.leaf_count})
            )
        return new_rows.leaves_of(read.source) if read.leaf is None else (read.leaf,)

    def contributor_pairs(self, step: PipelineStep, read: Read, rows: Ids) -> tuple[Ids, Ids]:
        """(row after, row of one input) for each pair that a read relates."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows, rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.rows_read_by_each(out, leaf, rows) for leaf in self._leaves(out, new_rows, read)]
        outs = np.concatenate([rows[:0], *(np.repeat(rows, lengths) for lengths, _ in found)])
        sources = np.concatenate([rows[:0], *(ids for _, ids in found)])
        if read.only is not None:
            column, value = read.only
            marks = reads_as(self.column(step.index, column).take(pa.array(sources)), str(value))
            outs, sources = outs[marks], sources[marks]
        return outs, sources

    def offspring(self, step: PipelineStep, rows: Ids) -> Ids:
        """The rows after a step that makes new rows that were made from these rows before it."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            return rows
        out = self.base(self.home(step.index + 1))
        found = [self._edges.forward(out, leaf, rows) for leaf in new_rows.leaves_of(0)]
        return np.unique(np.concatenate(found))

    def ancestor_rows(self, number: int) -> Ids:
        """For each row of the next segment a row before it came from: itself, or the one row it was made from."""
        parent = self.crossing(number).parent.copy()
        step = self.segments[number].closing
        out = self.base(number + 1)
        for leaf in step.plan.new_rows.leaves_of(0) if step is not None and step.plan.new_rows is not None else ():
            outs, sources = self._edges.read_pairs(out, leaf)
            single, firsts, counts = np.unique(outs, return_index=True, return_counts=True)
            alone = single[(counts == 1) & (parent[single] == NOBODY)]
            parent[alone] = sources[firsts[np.searchsorted(single, alone)]]
        return parent

    def other(self, step: PipelineStep, source: int) -> DatasetRecord:
        """One of the other datasets a step that makes new rows read."""
        new_rows = step.plan.new_rows
        if new_rows is None:
            raise InternalError("Only steps that make rows read other datasets.")
        return new_rows.others[source - 1]

    def record(self, dataset: DatasetId) -> DatasetRecord:
        """A dataset version by its id."""
        return self._edges.record(dataset)

    def stored_values(self, record: DatasetRecord, column: str, rows: Ids) -> list[object]:
        """What some cells of a stored version hold."""
        values: list[object] = self._store.take(record, rows, [column]).column(0).to_pylist()
        return values

    # Records

    @cached_property
    def records(self) -> list[Ids]:
        """For each segment, and for what comes out at the end, the record of each row."""
        known = [np.arange(self.input.rows, dtype=np.int64)]
        total = self.input.rows
        for number, segment in enumerate(self.segments):
            if segment.closing is None:
                continue
            crossing = self.crossing(number)
            new = np.where(crossing.is_new, NOBODY, known[number][crossing.parent])
            count = int(crossing.is_new.sum())
            new[crossing.is_new] = np.arange(total, total + count)
            total += count
            known.append(new)
        return known

    @property
    def record_count(self) -> int:
        """How many records there ever were."""
        return 1 + max((int(each.max()) for each in self.records if len(each)), default=-1)

    @cached_property
    def deaths(self) -> Ids:
        """The step that dropped each record, or NOBODY."""
        found = np.full(self.record_count, NOBODY, dtype=np.int64)
        for step in self.steps:
            gone = self._dropped(step)
            found[gone] = step.index
        return found

    @cached_property
    def births(self) -> Ids:
        """The step that made each record, or NOBODY for those of the input."""
        found = np.full(self.record_count, NOBODY, dtype=np.int64)
        for step in self.steps:
            if step.makes_new_rows:
                number = self.home(step.index)
                found[self.records[number + 1][self.crossing(number).is_new]] = step.index
        return found

    def _dropped(self, step: PipelineStep) -> Ids:
        number = self.home(step.index)
        if step.plan.row_filter is not None:
            lost = self.alive(step.index) & ~self.alive(step.index + 1)
            return self.records[number][lost]
        if not step.makes_new_rows:
            return np.empty(0, dtype=np.int64)
        here = self.alive(step.index).copy()
        parent = self.crossing(number).parent
        here[parent[parent != NOBODY]] = False
        return self.records[number][here]

    def row_of(self, record_id: int, state: int) -> int:
        """Where a record stands in a state's segment, or NOBODY."""
        number = self.home(state)
        known = self.records[number]
        if number == 0:
            return record_id if record_id < len(known) else NOBODY
        found = np.flatnonzero(known == record_id)
        return int(found[0]) if len(found) else NOBODY

    @cached_property
    def result_rows(self) -> Ids:
        """For each row of the result its place in the last segment."""
        last = self.segments[-1]
        if last.closing is not None:
            return np.arange(self.result.rows, dtype=np.int64)
        found = np.empty(self.result.rows, dtype=np.int64)
        if not last.steps:
            return np.arange(self.result.rows, dtype=np.int64)
        outs, sources = self._edges.pairs(self.result, 0)
        found[outs] = sources
        return found

    @property
    def result_records(self) -> Ids:
        """For each row of the result its record."""
        return self.records[self.home(len(self.steps))][self.result_rows]

    def count(self, step: PipelineStep) -> Counts:
        """Rows before and after a step, and the cells it wrote."""
        before, after = int(self.alive(step.index).sum()), int(self.alive(step.index + 1).sum())
        written = step.plan.written
        if step.makes_new_rows:
            return self._count_whole(step, before, after)
        changed = sum(int(self.changed(step, name).sum()) for name in written)
        return Counts(before, after, changed, after * len(written))

    def _count_whole(self, step: PipelineStep, before: int, after: int) -> Counts:
        new = int(self.crossing(self.home(step.index)).is_new.sum())
        columns = len(step.after)
        new_rows = step.plan.new_rows
        if new_rows is None or new_rows.adds or not step.plan.written:
            return Counts(before, after, new * columns, new * columns)
        old = after - new
        touched = new * columns + old * len(step.plan.written)
        changed = new * columns
        for name in step.plan.written:
            marks = self.changed(step, name)
            changed += int((marks & ~self.crossing(self.home(step.index)).is_new).sum())
        return Counts(before, after, changed, touched)


def reads_as(values: pa.ChunkedArray, word: str) -> Marks:
    """Which values are written so in the name of a column; a missing one reads NOTHING."""
    return np.asarray(pc.equal(pc.fill_null(pc.cast(values, pa.string()), NOTHING), word), dtype=bool)


def _spread_out(values: pa.ChunkedArray, rids: Ids, rows: int) -> pa.ChunkedArray:
    """Values of some rows as values of all rows, missing where there are none."""
    if len(rids) == rows and bool((rids == np.arange(rows)).all()):
        return values
    places = np.full(rows, NOBODY, dtype=np.int64)
    places[rids] = np.arange(len(rids))
    return _taken(values, places)


def _taken(values: pa.ChunkedArray, places: Ids) -> pa.ChunkedArray:
    chosen = pa.array(places, mask=places == NOBODY)
    taken = pc.take(values, chosen)
    return taken if isinstance(taken, pa.ChunkedArray) else pa.chunked_array([taken])
