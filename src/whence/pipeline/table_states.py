"""The table after each step of a pipeline: which rows it has, and what its columns hold.

Inside a segment a row is known by its rid in the segment's base. State i is the table after i steps; state 0 is the
input.
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
from whence.pipeline.compare import Mask
from whence.pipeline.missing_lineage import check_lineage
from whence.pipeline.recorder import Stage, record, stages
from whence.pipeline.segment import Segment
from whence.pipeline.step import PipelineStep
from whence.store.store import Store

NO_ID = -1
"""Stands for no row, no record or no step."""
_FEW = 1000
"""Fewer values than this are picked out of a file; for more the whole column is read."""


@dataclass(frozen=True)
class _Place:
    """The origin of a column's values: the segment's base (`step` None), or the step that wrote them."""

    segment: int
    step: int | None
    name: str


class TableStates:
    """Reads the states from stored versions, or from another run of steps whose values were not stored."""

    def __init__(self, store: Store, engine: Engine, edges: Edges, segments: Sequence[Segment]) -> None:
        check_lineage(edges, segments)
        self._store = store
        self._engine = engine
        self._edges = edges
        self.segments = list(segments)
        self.steps: list[PipelineStep] = [step for segment in segments for step in segment.every_step]
        self._stages: dict[int, list[Stage]] = {}
        self._columns: dict[_Place, pa.ChunkedArray] = {}
        self._alive: dict[tuple[int, int], Mask] = {}

    @property
    def input(self) -> DatasetRecord:
        """The version the pipeline starts from."""
        return self.segments[0].base

    @property
    def result(self) -> DatasetRecord:
        """The version the pipeline ends with."""
        last = self.segments[-1]
        return last.base if last.out is None else last.out

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
        """Return the number of the segment whose row ids name the rows of a state."""
        return self._homes[state]

    def base(self, number: int) -> DatasetRecord:
        """Return the version that a segment starts from; the number after the last gives the result."""
        return self.segments[number].base if number < len(self.segments) else self.result

    def schema(self, state: int) -> Schema:
        """Return the columns of a state."""
        return self.input.schema if state == 0 else self.steps[state - 1].after

    def alive(self, state: int) -> Mask:
        """Return a mask of the segment's rows that exist in a state."""
        # All states between two filters share one mask.
        number, row_filter = self.home(state), self._filter_before(state)
        if (number, row_filter) not in self._alive:
            rows = self.base(number).rows
            mask = np.ones(rows, dtype=bool) if row_filter == NO_ID else self._alive_after(number, row_filter)
            self._alive[number, row_filter] = mask
        return self._alive[number, row_filter]

    def rows(self, state: int) -> Ids:
        """Return the rows of a state as row ids of its segment, in order."""
        return np.flatnonzero(self.alive(state))

    def _filter_before(self, state: int) -> int:
        """Return the index of the last filter of the segment before a state, or NO_ID."""
        steps = self.steps[self._first_state(self.home(state)) : state]
        return next((step.index for step in reversed(steps) if step.plan.row_filter is not None), NO_ID)

    def _first_state(self, number: int) -> int:
        return self._homes.index(number)

    def _alive_after(self, number: int, row_filter: int) -> Mask:
        segment = self.segments[number]
        stage = next(each for each in self._recorded(number) if each.steps and each.steps[0].index == row_filter)
        # A stage that was not run again is the last one: the lineage of the stored result tells its rows.
        rids = stage.rids if stage.rids is not None else self._edges.pairs(self._stored(segment), 0)[1]
        mask = np.zeros(segment.base.rows, dtype=bool)
        mask[rids] = True
        return mask

    def _stored(self, segment: Segment) -> DatasetRecord:
        if segment.out is None:
            raise InternalError("A pipeline was asked about before it was run.")
        return segment.out

    def column(self, state: int, name: str) -> pa.ChunkedArray:
        """Return a column in a state, one value for each row of the segment.

        A row that a filter dropped before the values were written has none.
        """
        place = self._place(state, name)
        if place not in self._columns:
            self._columns[place] = self._read(place)
        return self._columns[place]

    def values(self, state: int, name: str, rows: Ids) -> list[object]:
        """Return the values of some rows; for few rows of a stored column only these are read."""
        place = self._place(state, name)
        if place.step is None and place not in self._columns and len(rows) < _FEW:
            taken = self._store.take(self.base(place.segment), rows, [place.name]).column(0)
        else:
            taken = self.column(state, name).take(pa.array(rows))
        values: list[object] = taken.to_pylist()
        return values

    def version(self, state: int, name: str) -> tuple[object, int]:
        """Return a key that is equal for states with the same values of a column in the same rows."""
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
        # Not recorded, so the stored result shows the values; its lineage tells which row of the base each belongs to.
        segment = self.segments[place.segment]
        out = self._stored(segment)
        values = self._store.read(out, 0, out.rows, [self._shown_as(segment, version)]).column(0)
        outs, sources = self._edges.pairs(out, 0)
        rids = np.empty(out.rows, dtype=np.int64)
        rids[outs] = sources
        return _spread_out(values, rids, base.rows)

    def _shown_as(self, segment: Segment, place: tuple[int, str]) -> str:
        """Return the name that a column written by a step has in the stored result."""
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

    def record(self, dataset: DatasetId) -> DatasetRecord:
        """Return a dataset version by its id."""
        return self._edges.record(dataset)

    def stored_values(self, record: DatasetRecord, column: str, rows: Ids) -> list[object]:
        """Return the values of some cells of a stored version."""
        values: list[object] = self._store.take(record, rows, [column]).column(0).to_pylist()
        return values


def _spread_out(values: pa.ChunkedArray, rids: Ids, rows: int) -> pa.ChunkedArray:
    """Return the values of some rows as a column of all rows, missing for the others."""
    if len(rids) == rows and bool((rids == np.arange(rows)).all()):
        return values
    places = np.full(rows, NO_ID, dtype=np.int64)
    places[rids] = np.arange(len(rids))
    return take_or_null(values, places)


def take_or_null(values: pa.ChunkedArray, places: Ids) -> pa.ChunkedArray:
    """Return the values at these places, missing where a place is NO_ID."""
    chosen = pa.array(places, mask=places == NO_ID)
    taken = pc.take(values, chosen)
    return taken if isinstance(taken, pa.ChunkedArray) else pa.chunked_array([taken])
