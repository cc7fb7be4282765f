"""Set each cell of a block, as one operation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.content import Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import CannotApply, SheetState


@dataclass(frozen=True)
class SetCells(SheetOperation):
    """Sets each cell where these rows and columns meet to a value or a formula of its own, as pasting does."""

    kind = "set_cells"

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    contents: tuple[tuple[Input, ...], ...]
    """Row by row, from left to right."""

    def describe(self, state: SheetState) -> str:
        names = ", ".join(map(state.column_name, self.columns))
        return f"Set {len(self.rows) * len(self.columns)} cells of {names}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        numbers = np.array([-1 if (row := state.number(each)) is None else row for each in self.rows], dtype=np.int64)
        shown = (numbers >= 0) & (state.order.positions(np.maximum(numbers, 0)) >= 0)  # -1 is a row that is gone
        there = [(place, row) for place, row in enumerate(numbers.tolist()) if shown[place]]
        columns = [(place, each) for place, each in enumerate(self.columns) if each in state.shown]
        if not there or not columns:
            raise CannotApply("its rows are gone" if columns else "its columns are gone")
        for place, column in columns:
            state.set_cells(column, [(row, self.contents[at][place]) for at, row in there])
        return _missing_parts(rows=len(self.rows) - len(there), columns=len(self.columns) - len(columns))


def _missing_parts(**missing: int) -> str:
    said = [f"{count} of its {word}" for word, count in missing.items() if count]
    return f"{' and '.join(said)} are gone" if said else ""
