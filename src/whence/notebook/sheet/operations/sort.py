"""Put the rows of a sheet in the order of some columns."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import Operation
from whence.notebook.sheet.sorting import sorted_positions
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class Sort(Operation):
    """By what the columns show at that moment; equal rows stay as they are, empty cells come last."""

    kind = "sort"

    by: tuple[tuple[str, str], ...]
    """Columns, each with asc or desc."""

    @property
    def sentence(self) -> str:
        return f"Sorted by {', '.join(column.partition(':')[2] for column, _ in self.by)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        keys = [(state.column(column), direction == "desc") for column, direction in self.by]
        positions = sorted_positions(state, cells, keys)
        is_doubtful = any(cells.doubts.any_in(column.id) for column, _ in keys)
        state.order = state.order.chosen(positions)
        state.order_doubt = state.order_doubt or is_doubtful
        return ""
