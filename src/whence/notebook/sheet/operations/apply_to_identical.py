"""Repeat the edit of one cell on all cells of its column that hold the same data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.condition_result import marked_rows
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.identical import identical_rows
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.rowset import RowSet
from whence.notebook.sheet.some_rows import content_of
from whence.notebook.sheet.state import CannotApply, Layer, SheetState, hanging, over_what_was


@dataclass(frozen=True)
class ApplyToIdentical(SheetOperation):
    """Puts what stands in an edited cell into all cells of the column that still show the data it showed before."""

    kind = "apply_to_identical"

    row: str
    column: str

    def describe(self, state: SheetState) -> str:
        return f"Did the same to all identical cells of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column, row = state.column(self.column), state.row(self.row)
        if column.base is None or row >= state.source.rows or column.entry(row) is None:
            raise CannotApply("the cell shows no data that was edited")
        found, untouched = identical_rows(state, column, row)
        from_data = RowSet.of(np.flatnonzero(untouched), state.rows)
        rows = RowSet.of(np.flatnonzero(found), state.rows)
        doubtful = marked_rows(state, column.base, from_data)
        decided, hangs, _ = hanging(column, np.array([row], dtype=np.int64), state.rows)
        if hangs is not None or state.source.flags(column.base, np.array([row]))[0]:
            doubtful = from_data  # the edited cell itself is in doubt: any other cell might be the identical one
        decided = {**decided, column.base: from_data}
        # Wide: whether a cell is identical also depends on the edited cell, in another row.
        layer = Layer(rows, content_of(state, column, row), decided, doubtful, is_wide=True)
        state.add_layer(self.column, over_what_was(column, layer, state.rows))
        return ""
