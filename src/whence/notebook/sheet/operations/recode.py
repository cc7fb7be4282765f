"""Replace values of a column by others, as one operation for any number of values."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.replace import ReplaceText, add
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class Recode(SheetOperation):
    """Replaces, for each pair, cells that hold the first value by the second. Formulas stay as they are.

    All pairs apply at once, to what the cells held before: `a` to `b` and `b` to `a` swap the two.
    """

    kind = "recode"

    column: str
    pairs: tuple[tuple[str, str], ...]

    def describe(self, state: SheetState) -> str:
        return f"Merged {len(self.pairs)} values of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column = state.column(self.column)  # raises CannotApply if it is gone
        each_pair = (ReplaceText(self.id, *pair, (self.column,), whole_cell=True) for pair in self.pairs)
        # Every layer is found before the first is added, so that no pair sees what another one puts in.
        layers = [layer for pair in each_pair for layer in pair.layers(state, column)]
        # Two pairs may look for the same number, as 1 and 1.0 do. The first one counts, so it comes last, on top.
        for layer in reversed(layers):
            add(state, column, layer)
        return ""
