"""Rename a column."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.names import free_name
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class RenameColumn(SheetOperation):
    """Renames a column. Formulas name columns by id, so they still read the same one."""

    kind = "rename_column"

    column: str
    name: str

    def describe(self, state: SheetState) -> str:
        return f"Renamed {state.column_name(self.column)} to {self.name}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)  # raises CannotApply if it is gone
        state.change(self.column, name=free_name(state, self.name, but=self.column))
        return ""
