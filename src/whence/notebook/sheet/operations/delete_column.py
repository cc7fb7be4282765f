"""Delete a column."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import CannotApply, SheetState


@dataclass(frozen=True)
class DeleteColumn(SheetOperation):
    """Deletes a column; formulas that read it show #REF!."""

    kind = "delete_column"

    column: str

    def describe(self, state: SheetState) -> str:
        return f"Deleted the column {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)  # raises CannotApply if it is gone
        if len(state.shown) == 1:
            raise CannotApply("a sheet keeps at least one column")
        state.shown = tuple(each for each in state.shown if each != self.column)
        return ""
