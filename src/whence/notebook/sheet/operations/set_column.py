"""Set every cell of a column to the same value or formula."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.before import over_before
from whence.notebook.sheet.content import Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.rowset import RowSet
from whence.notebook.sheet.state import Layer, SheetState


@dataclass(frozen=True)
class SetColumn(SheetOperation):
    """Sets a column to one value or formula, in all rows there are."""

    kind = "set_column"

    column: str
    content: Input

    def describe(self, state: SheetState) -> str:
        return f"Set every cell of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column = state.column(self.column)
        for layer in over_before(state, cells, column, Layer(RowSet(state.rows), self.content, hides_data=True)):
            state.add_layer(self.column, layer)
        return ""
