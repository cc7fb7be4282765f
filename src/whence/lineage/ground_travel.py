"""Follows written values of the inputs of a dataset into its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from whence.lineage.cell_grounds import GROUNDED, PARTLY, WRITTEN, CellGrounds, States
from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.written_values import WrittenValues
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.columnmap import Use
from whence.plan.grounds import Alternative, Ground
from whence.plan.grounds_document import GroundsDocument

_ABSENT = -1


class GroundTravel:
    """The rows behind each row of one dataset, and what the cells of its inputs stand on."""

    def __init__(
        self,
        edges: Edges,
        record: DatasetRecord,
        lineage: LineageDocument,
        document: GroundsDocument,
        inputs: Mapping[DatasetId, CellGrounds],
        values: WrittenValues,
    ) -> None:
        self._edges = edges
        self._record = record
        self._lineage = lineage
        self._document = document
        self._inputs = inputs
        self._values = values
        self._pairs = {number: edges.read_pairs(record, number) for number in range(len(lineage.sources))}

    def add_to(self, own: CellGrounds) -> CellGrounds:
        """The grounds of the dataset: what its own query writes, and what it reads of written values."""
        of_rows = self._row_states()
        rows = of_rows == WRITTEN
        if own.written_rows is not None:
            rows |= own.written_rows
        columns = {}
        for name in self._record.schema.names:
            states = self._column_states(name, of_rows)
            if not self._values.is_number(name):
                states[:] = GROUNDED  # in a row with data, text and dates are labels, wherever they were written
            states[rows] = WRITTEN
            states[~self._values.are_present(name)] = GROUNDED
            if name in own.columns:
                states = np.maximum(states, own.columns[name])
            if states.any():
                columns[name] = states
        return CellGrounds(columns, rows if rows.any() else None)

    def _row_states(self) -> States:
        """For each row what the rows behind it are: written, or with data."""
        found = np.full(self._record.rows, _ABSENT, dtype=np.int8)
        for number in range(self._lineage.leaf_count or len(self._lineage.sources)):
            # A row of each of two sources may be joined: one with data is enough.
            found = _lowest(found, self._state_of(number, self._written_rows_of(number)))
        return found

    def _written_rows_of(self, source: int) -> States:
        dataset = self._lineage.sources[source]
        rows = self._inputs[dataset].written_rows
        if rows is None:
            return np.zeros(self._edges.record(dataset).rows, dtype=np.int8)
        return rows.astype(np.int8) * np.int8(WRITTEN)

    def _column_states(self, column: str, of_rows: States) -> States:
        uses = self._lineage.values.get(column, frozenset())
        ground = self._document.columns.get(column, _plain_ground(uses))
        states = [self._alternative_states(each, uses, of_rows) for each in ground.alternatives]
        found = np.full(self._record.rows, _ABSENT, dtype=np.int8)
        for each in states:
            differs = (found != _ABSENT) & (each != _ABSENT) & (found != each)
            found = np.where(found == _ABSENT, each, found).astype(np.int8)
            # Of two values in one sum both count; which of two values a CASE took is not known, and no reason to warn.
            found[differs] = PARTLY if ground.is_aggregated else GROUNDED
        found[found == _ABSENT] = GROUNDED
        return found

    def _alternative_states(self, reads: Alternative, uses: Iterable[Use], of_rows: States) -> States:
        """The states of a value that is computed from these columns together: one that is data is enough."""
        if not reads:
            return of_rows
        places = {(self._lineage.sources[source], column) for source, column in reads}
        found = np.full(self._record.rows, _ABSENT, dtype=np.int8)
        for use in uses:
            if (self._lineage.sources[use.source], use.column) in places:
                states = self._state_of(use.source, self._cells_of(use))
                found = _lowest(found, states)
        return found

    def _cells_of(self, use: Use) -> States:
        dataset = self._lineage.sources[use.source]
        states = self._inputs[dataset].columns.get(use.column)
        return np.zeros(self._edges.record(dataset).rows, dtype=np.int8) if states is None else states

    def _state_of(self, source: int, states: States) -> States:
        """What these values of one source come to, over all rows of it behind each row."""
        rows, ids = self._pairs[source]
        kinds = (GROUNDED, PARTLY, WRITTEN)
        counts = [np.bincount(rows[states[ids] == kind], minlength=self._record.rows) for kind in kinds]
        every = sum(counts)
        found = np.where(counts[GROUNDED] == every, GROUNDED, np.where(counts[WRITTEN] == every, WRITTEN, PARTLY))
        return np.where(every == 0, _ABSENT, found).astype(np.int8)


def _lowest(one: States, other: States) -> States:
    """A partly written value stays so; else one that is data makes the whole data."""
    found = np.where(one == _ABSENT, other, np.where(other == _ABSENT, one, np.minimum(one, other)))
    found[(one == PARTLY) | (other == PARTLY)] = PARTLY
    return found.astype(np.int8)


def _plain_ground(uses: Iterable[Use]) -> Ground:
    every = list(uses)
    reads = frozenset((use.source, use.column) for use in every)
    return Ground(frozenset({reads}), is_aggregated=any(use.role == "aggregated" for use in every))
