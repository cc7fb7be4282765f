"""Copy a cell into others of its column."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.some_rows import content_of, put_copies, some_rows
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class Fill(SheetOperation):
    """Copies the cell of one row into the same column of other rows. A formula reads the cells around each of them."""

    kind = "fill"

    row: str
    column: str
    rows: tuple[str, ...]

    def describe(self, state: SheetState) -> str:
        return f"Filled {len(self.rows):,} cells of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column = state.column(self.column)
        row = state.row(self.row)
        content = content_of(state, column, row)
        found, lost = some_rows(state, self.rows)
        put_copies(state, column, row, content, found)
        return lost
