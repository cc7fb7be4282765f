"""Insert a column, empty or with the same formula in every row."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.addresses import new_column
from whence.notebook.sheet.content import Formula, Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.names import free_name, place_after
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.rowset import RowSet
from whence.notebook.sheet.state import Layer, SheetColumn, SheetState


@dataclass(frozen=True)
class InsertColumn(SheetOperation):
    """Inserts a column after another one, or as the first. Without a type it takes the type of what is put into it."""

    kind = "insert_column"

    name: str
    after_column: str | None
    type: str | None = None
    content: Input | None = None
    """What every cell of it holds: mostly a formula, written as for the first row."""

    def describe(self, state: SheetState) -> str:
        formula = f" with {self.content.text}" if isinstance(self.content, Formula) else ""
        return f"Inserted the column {self.name}{formula}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column = new_column(self.id)
        place = place_after(state, self.after_column)
        state.columns[column] = SheetColumn(column, free_name(state, self.name), None, self.type)
        state.shown = (*state.shown[:place], column, *state.shown[place:])
        if self.content is not None:
            state.add_layer(column, Layer(RowSet(state.rows), self.content, hides_data=True))
        return ""
