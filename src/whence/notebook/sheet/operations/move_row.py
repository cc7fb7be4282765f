"""Move rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.some_rows import some_rows
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class MoveRow(SheetOperation):
    """Moves rows to stand after another one, or before the first, in the order they have."""

    kind = "move_row"

    rows: tuple[str, ...]
    after: str | None

    def describe(self, state: SheetState) -> str:
        return "Moved a row." if len(self.rows) == 1 else f"Moved {len(self.rows)} rows."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        target = 0 if self.after is None else (state.order.position(state.row(self.after)) or 0) + 1
        found, lost = some_rows(state, self.rows)
        state.order = state.order.moved(np.unique(state.order.positions(found)), target)
        return lost
