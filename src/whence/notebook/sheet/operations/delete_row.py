"""Delete rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.some_rows import some_rows
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class DeleteRow(SheetOperation):
    """Deletes rows, each named by its address."""

    kind = "delete_row"

    rows: tuple[str, ...]

    def describe(self, state: SheetState) -> str:
        if len(self.rows) > 1:
            return f"Deleted {len(self.rows):,} rows."
        number = state.row_number(self.rows[0])
        return "Deleted a row." if number is None else f"Deleted row {number:,}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        found, lost = some_rows(state, self.rows)
        state.order = state.order.without(np.unique(state.order.positions(found)))
        return lost
