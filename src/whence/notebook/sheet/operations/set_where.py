"""Set the cells of a column to the same value or formula in all rows that meet a condition."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.condition_result import evaluate_condition
from whence.notebook.sheet.content import Input
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Tree
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.own_cell_formulas import layers_with_earlier_content
from whence.notebook.sheet.state import Layer, SheetState


@dataclass(frozen=True)
class SetWhere(SheetOperation):
    """Sets a column to one value or formula in the rows in which a condition is true when the operation is applied."""

    kind = "set_where"

    where: Tree
    column: str
    content: Input

    def describe(self, state: SheetState) -> str:
        return f"Set {state.column_name(self.column)} where a condition holds."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column = state.column(self.column)
        by = evaluate_condition(state, cells, self.where)
        # The rows are chosen once: a condition over the column itself does not see the values that are put in.
        layer = Layer(by.chosen, self.content, by.columns, by.doubtful, by.is_wide)
        for each in layers_with_earlier_content(state, cells, column, layer):
            state.add_layer(self.column, each)
        return ""
