"""Move a column."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.names import place_after
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class MoveColumn(SheetOperation):
    """Moves a column to stand after another one, or first."""

    kind = "move_column"

    column: str
    after_column: str | None

    def describe(self, state: SheetState) -> str:
        return f"Moved the column {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)  # raises CannotApply if it is gone
        if self.after_column == self.column:
            return ""
        place = place_after(state, self.after_column)
        place -= state.shown.index(self.column) < place  # `rest` lacks the column itself
        rest = tuple(each for each in state.shown if each != self.column)
        state.shown = (*rest[:place], self.column, *rest[place:])
        return ""
