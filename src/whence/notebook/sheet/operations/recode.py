"""Put other values in the place of some, all over a column: as one step, however many they are."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.replace import ReplaceText
from whence.notebook.sheet.state import SheetState


@dataclass(frozen=True)
class Recode(SheetOperation):
    """Pairs of what stands there and what is to stand there instead; whole cells only, formulas are left alone."""

    kind = "recode"

    column: str
    pairs: tuple[tuple[str, str], ...]

    def describe(self, state: SheetState) -> str:
        return f"Merged {len(self.pairs)} values of {state.column_name(self.column)}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        state.column(self.column)
        for find, replacement in self.pairs:
            ReplaceText(self.id, find, replacement, (self.column,), whole_cell=True).apply(state, cells)
        return ""
