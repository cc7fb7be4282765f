"""What a formula that is computed in bulk reads from its sheet: columns of numbers, or NotVector for anything else."""

from __future__ import annotations

import numpy as np

from whence.notebook.sheet.evaluation.areas import RUNNING, Areas
from whence.notebook.sheet.evaluation.column_evaluator import ColumnEvaluator
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.places import ReferencePositions
from whence.notebook.sheet.formula.aggregates import AGGREGATES
from whence.notebook.sheet.formula.tree import Area, At, Row
from whence.notebook.sheet.formula.vector import NotVector, Vector
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.running import Running, beyond, sliding
from whence.notebook.sheet.state import SheetState


class Vectors:
    """Reads numbers of a sheet for formulas that are computed at many positions at once."""

    def __init__(
        self, state: SheetState, types: ColumnTypes, places: ReferencePositions, areas: Areas, columns: ColumnEvaluator
    ) -> None:
        self._state = state
        self._types = types
        self._places = places
        self._areas = areas
        self._columns = columns

    def numbers(self, column: str, row: Row, positions: Rows) -> Vector:
        """Return the numbers of a column in the rows that formulas at these positions refer to."""
        if column not in self._state.shown:
            raise NotVector
        whole = self._columns.of(column)
        if isinstance(row, At):
            at = self._places.position(row, 0)
            if at is None:
                raise NotVector
            targets = np.full(len(positions), at, dtype=np.int64)
        else:
            targets = positions + row.by
        return Vector.of(whole.values, whole.errors, targets)

    def stored_numbers(self, column: str, positions: Rows) -> Vector:
        """Return the numbers of the data below a column, in the rows at these positions."""
        base, rows = self._state.columns[column].base, self._state.order.take(positions)
        if base is None or (rows >= self._state.source.rows).any():
            raise NotVector
        return Vector.of(self._state.source.column(base), {}, rows)

    def area_number(self, name: str, area: Area) -> object:
        """Return an aggregate over a whole column, which is the same wherever the formula stands."""
        if area.first is not None or len(area.columns) != 1 or name not in AGGREGATES:
            raise NotVector
        return self._areas.over_one(name, area, 0)

    def running(self, name: str, area: Area, positions: Rows) -> Vector:
        """Return an aggregate over a range of one column that is another one for each of these positions.

        The ranges must all begin in the same row, or all have the same length.
        """
        if len(area.columns) != 1 or area.first is None or area.last is None or name not in RUNNING:
            raise NotVector
        (column,) = area.columns
        if column not in self._state.shown or self._types.is_mixed(column):
            raise NotVector
        whole = self._columns.of(column)
        ends = [self._places.targets(row, positions) for row in (area.first, area.last)]
        inside = (ends[0] >= 0) & (ends[1] >= 0)
        first, last = np.minimum(*ends)[inside], np.maximum(*ends)[inside]
        if whole.errors or not len(first):  # a total has no place for errors of single cells
            raise NotVector
        if (first == first[0]).all():
            found = Running(whole.values, int(first[0])).vector(name, last)
        elif (last - first == last[0] - first[0]).all():
            found = sliding(name, whole.values, first, int(last[0] - first[0]) + 1)
        else:
            raise NotVector
        return found if inside.all() else beyond(found, inside)
