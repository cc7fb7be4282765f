"""Set one cell."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.content import Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class SetCell(SheetOperation):
    """Sets one cell to a value or a formula."""

    kind = "set_cell"

    row: str
    column: str
    content: Input

    def describe(self, state: SheetState) -> str:
        name, number = state.column_name(self.column), state.row_number(self.row)
        return f"Set a cell of {name}." if number is None else f"Set {name} in row {number:,}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)  # raises CannotApply if it is gone
        state.set_cell(self.column, state.row(self.row), self.content)
        return ""
