"""Set every cell of a column to the same value or formula."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.content import Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.own_cell_formulas import layers_with_earlier_content
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
        over_all = Layer(RowSet(state.rows), self.content, hides_data=True)
        for layer in layers_with_earlier_content(state, cells, column, over_all):
            state.add_layer(self.column, layer)
        return ""
