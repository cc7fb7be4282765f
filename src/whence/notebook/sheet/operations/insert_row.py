"""Insert empty rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.addresses import new_row
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class InsertRow(SheetOperation):
    """Inserts rows after another one, or before the first."""

    kind = "insert_row"

    after: str | None
    count: int = 1

    def describe(self, state: SheetState) -> str:
        rows = "a row" if self.count == 1 else f"{self.count:,} rows"
        number = None if self.after is None else state.row_number(self.after)
        place = "above the first row" if self.after is None else "" if number is None else f"below row {number:,}"
        return f"Inserted {rows} {place}".rstrip() + "."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        position = 0 if self.after is None else (state.order.position(state.row(self.after)) or 0) + 1
        rows = [state.add_row(new_row(self.id, number)) for number in range(self.count)]
        state.order = state.order.with_rows(position, np.array(rows, dtype=np.int64))
        return ""
