"""Sort the rows of a sheet by some columns."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.condition_result import reached
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Cell, RowOffset
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.sorting import sorted_positions
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class SortRows(SheetOperation):
    """Sorts rows by what columns show when it is applied. Equal rows keep their order; empty cells come last."""

    kind = "sort"

    by: tuple[tuple[str, str], ...]
    """Columns, each with asc or desc."""

    def describe(self, state: SheetState) -> str:
        return f"Sorted by {', '.join(state.column_name(column) for column, _ in self.by)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        keys = [(state.column(column), direction == "desc") for column, direction in self.by]
        positions = sorted_positions(state, cells, keys)
        # If a key is in doubt, so is which row stands where.
        doubtful = [Cell(column.id, RowOffset(0)) for column, _ in keys if cells.doubts.any_in(column.id)]
        state.order_doubt |= {base for cell in doubtful for base in reached(state, cells, cell)}
        state.order = state.order.select(positions)
        return ""
