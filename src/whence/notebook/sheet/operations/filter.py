"""Keep only the rows of a sheet that meet a condition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.condition_result import evaluate_condition
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Tree
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.state import AppliedFilter, SheetState


@dataclass(frozen=True)
class FilterRows(SheetOperation):
    """Keeps the rows in which a condition is true when the operation is applied."""

    kind = "filter"

    where: Tree

    def describe(self, state: SheetState) -> str:
        return "Kept the rows for which a condition holds."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        by = evaluate_condition(state, cells, self.where)
        rows = state.order.rows
        might_belong = by.doubtful is not None and bool((by.doubtful.has(rows) & ~by.holds).any())
        state.sifted = (*state.sifted, AppliedFilter(by.columns, by.doubtful, might_belong, by.is_wide))
        # Rows move up where others are dropped, so a filter in doubt leaves their places in doubt.
        state.order_doubt |= set(by.columns) if by.doubtful is not None else set()
        state.order = state.order.select(np.flatnonzero(by.holds))
        return ""
