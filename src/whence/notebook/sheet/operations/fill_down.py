"""Copy a cell down its column, over any number of rows, as one operation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from whence.notebook.sheet.condition_result import ConditionResult, evaluate_condition
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Tree
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.rowset import Rows, RowSet
from whence.notebook.sheet.some_rows import content_of
from whence.notebook.sheet.state import CannotApply, Layer, SheetColumn, SheetState, either, hanging


@dataclass(frozen=True)
class FillDown(SheetOperation):
    """Copies a cell into the rows below it, down to a given row or the last one. A condition may choose among them.

    The operation names two rows, not each of ten million: it fills the rows between them when it is applied.
    """

    kind = "fill_down"

    row: str
    column: str
    last: str | None
    where: Tree | None = None

    def describe(self, state: SheetState) -> str:
        first, last = state.row_number(self.row), None if self.last is None else state.row_number(self.last)
        start = "" if first is None else f" from row {first:,}"
        end = "the last row" if self.last is None else "a row that is gone" if last is None else f"row {last:,}"
        some = "" if self.where is None else " where a condition holds"
        return f"Filled {state.column_name(self.column)}{start} down to {end}{some}."

    def apply(self, state: SheetState, cells: Evaluator) -> str:
        column, row = state.column(self.column), state.row(self.row)
        below = self._below(state, row)
        by = None if self.where is None else evaluate_condition(state, cells, self.where)
        chosen = below if by is None else below[by.chosen.has(below)]
        layer = Layer(RowSet.of(chosen, state.rows), content_of(state, column, row))
        hangs = (_on_cell(state, column, row, layer.rows), _on_order(state), _on_condition(state, by, below))
        state.add_layer(column.id, _hanging_on(layer, hangs, state.rows))
        return ""

    def _below(self, state: SheetState, row: int) -> Rows:
        """Return the rows below the first one, down to the last one, which is included."""
        first = state.order.position(row)
        last = state.order.count - 1 if self.last is None else state.order.position(state.row(self.last))
        assert first is not None
        assert last is not None
        if last <= first:
            raise CannotApply("there is no row below to fill")
        return state.order.take(np.arange(first + 1, last + 1, dtype=np.int64))


Hangs = tuple[dict[str, RowSet], RowSet | None, bool]
"""What a decision depended on: `decided`, `doubtful` and `is_wide` of a layer."""


def _on_cell(state: SheetState, column: SheetColumn, row: int, copies: RowSet) -> Hangs:
    """Return what decided on the copied cell: it decides on the copies, too."""
    columns, doubtful, _ = hanging(column, np.array([row], dtype=np.int64), state.rows)
    # Wide if anything decided: the copied cell is in another row than its copies.
    return columns, None if doubtful is None else copies, bool(columns) or doubtful is not None


def _on_order(state: SheetState) -> Hangs:
    """Return what decided on the order of rows: if it is in doubt, other rows might lie between the two."""
    if not state.order_doubt:
        return {}, None, False
    everywhere = RowSet.of(np.arange(state.source.rows, dtype=np.int64), state.rows)
    return dict.fromkeys(state.order_doubt, everywhere), RowSet.of(state.order.rows, state.rows), True


def _on_condition(state: SheetState, by: ConditionResult | None, below: Rows) -> Hangs:
    """Return what the condition depended on, in the rows between the two only: elsewhere it decides nothing."""
    if by is None:
        return {}, None, False
    columns = {base: RowSet.of(below[among.has(below)], state.rows) for base, among in by.columns.items()}
    unsure = below[:0] if by.doubtful is None else below[by.doubtful.has(below)]
    return columns, RowSet.of(unsure, state.rows) if len(unsure) else None, by.is_wide


def _hanging_on(layer: Layer, hangs: tuple[Hangs, ...], size: int) -> Layer:
    """Return the layer with all of these dependencies."""
    columns: dict[str, RowSet] = {}
    for base, among in (pair for each, _, _ in hangs for pair in each.items()):
        columns[base] = either(columns.get(base), among, size)
    unsure = [each for _, each, _ in hangs if each is not None]
    doubtful = RowSet.of(np.unique(np.concatenate([each.rows for each in unsure])), size) if unsure else None
    return replace(layer, decided=columns, doubtful=doubtful, is_wide=any(is_wide for _, _, is_wide in hangs))
