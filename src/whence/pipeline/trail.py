"""Follows every record through the steps of a pipeline, from plans, row lineage and stored versions.

A record is a row through all segments. Rows of the pipeline's input have their row ids as record ids; rows made on the
way have the numbers after them, in the order in which they were made.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from whence.lineage.block import Ids
from whence.pipeline.row_crossings import RowCrossings
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID


class Trail(RowCrossings):
    """All that questions read. Records are here, rows and values in `TableStates`, steps in `RowCrossings`."""

    @cached_property
    def records(self) -> list[Ids]:
        """The record of each row, for each segment and for the result if a step closes the last one."""
        known = [np.arange(self.input.rows, dtype=np.int64)]
        total = self.input.rows
        for number, segment in enumerate(self.segments):
            if segment.closing is None:
                continue
            crossing = self.crossing(number)
            new = np.where(crossing.is_new, NO_ID, known[number][crossing.parent])
            count = int(crossing.is_new.sum())
            new[crossing.is_new] = np.arange(total, total + count)
            total += count
            known.append(new)
        return known

    @property
    def record_count(self) -> int:
        """The number of records that ever existed."""
        return 1 + max((int(each.max()) for each in self.records if len(each)), default=-1)

    @cached_property
    def deaths(self) -> Ids:
        """The index of the step that dropped each record, or NO_ID."""
        found = np.full(self.record_count, NO_ID, dtype=np.int64)
        for step in self.steps:
            gone = self._dropped(step)
            found[gone] = step.index
        return found

    @cached_property
    def births(self) -> Ids:
        """The index of the step that made each record, or NO_ID for those of the input."""
        found = np.full(self.record_count, NO_ID, dtype=np.int64)
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
        here[parent[parent != NO_ID]] = False
        return self.records[number][here]

    def row_of(self, record_id: int, state: int) -> int:
        """Return the row of a record in a state's segment, or NO_ID; a filter may have dropped the row."""
        number = self.home(state)
        known = self.records[number]
        if number == 0:
            # In the first segment record ids are row ids.
            return record_id if record_id < len(known) else NO_ID
        found = np.flatnonzero(known == record_id)
        return int(found[0]) if len(found) else NO_ID

    @cached_property
    def result_rows(self) -> Ids:
        """For each row of the result its row in the last segment."""
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
