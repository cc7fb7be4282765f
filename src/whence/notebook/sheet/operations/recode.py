"""Replace values of a column by others, as one operation for any number of values."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.replace import ReplaceText
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class Recode(SheetOperation):
    """Replaces, for each pair, cells that hold the first value by the second. Formulas stay as they are."""

    kind = "recode"

    column: str
    pairs: tuple[tuple[str, str], ...]

    def describe(self, state: SheetState) -> str:
        return f"Merged {len(self.pairs)} values of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)  # raises Lost if it is gone
        for find, replacement in self.pairs:  # one after the other: a later pair also finds what an earlier one put in
            ReplaceText(self.id, find, replacement, (self.column,), whole_cell=True).apply(state, cells)
        return ""
