"""Evaluates a condition over the rows of a sheet: where it holds, what it depended on, and where it is in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from whence.notebook.sheet.content import Copy
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import Area, At, Cell, Copied, RowOffset, Stored, Tree, walk
from whence.notebook.sheet.rowset import Mask, RowSet
from whence.notebook.sheet.state import SheetState, either


@dataclass(frozen=True)
class ConditionResult:
    """The result of a condition."""

    holds: Mask
    """Whether it holds, by position."""
    chosen: RowSet
    """The rows in which it holds, by number."""
    columns: Mapping[str, RowSet]
    """The columns of the data it depended on, each with the rows in which it did."""
    doubtful: RowSet | None
    """Rows in which it might have come out otherwise."""
    is_wide: bool
    """It read other rows, too."""


def evaluate_condition(state: SheetState, cells: Evaluator, where: Tree) -> ConditionResult:
    """Evaluate a condition on the sheet as it stands."""
    holds = cells.condition(where)
    rows = state.order.rows
    columns: dict[str, RowSet] = {}
    is_wide = _reach(state, cells, where, columns, set())
    doubtful = cells.doubts.of_tree(where, np.arange(len(rows), dtype=np.int64))
    return ConditionResult(
        holds,
        RowSet.of(rows[holds], state.rows),
        columns,
        RowSet.of(rows[doubtful], state.rows) if doubtful.any() else None,
        is_wide,
    )


def reached(state: SheetState, cells: Evaluator, tree: Tree) -> dict[str, RowSet]:
    """Return the columns of the data that a formula depends on, each with the rows in which it shows."""
    found: dict[str, RowSet] = {}
    _reach(state, cells, tree, found, set())
    return found


def _reach(state: SheetState, cells: Evaluator, tree: Tree, found: dict[str, RowSet], seen: set[str]) -> bool:
    """Add the columns of the data that a formula depends on to `found`; return whether it reads other rows, too."""
    is_wide = False
    for node in walk(tree):
        names = (node.column,) if isinstance(node, Cell | Stored) else node.columns if isinstance(node, Area) else ()
        if isinstance(node, Copied):
            one = RowSet.of(np.array([node.row]), state.rows)
            found[node.column] = either(found.get(node.column), one, state.rows)
        is_wide |= isinstance(node, Area | Copied) or (
            isinstance(node, Cell) and (isinstance(node.row, At) or node.row != RowOffset(0))
        )
        for name in names:
            column = state.columns.get(name)
            if column is None or name in seen:
                continue
            seen.add(name)
            if column.base is not None:
                rows = np.arange(state.source.rows, dtype=np.int64)
                codes, contents = column.coded(rows)
                is_wide |= any(isinstance(each, Copy) for each in contents)  # a copy shows the data of another row
                found[column.base] = either(found.get(column.base), RowSet.of(rows[codes == 0], state.rows), state.rows)
            for layer in column.layers:
                is_wide |= layer.is_wide
                for base, among in layer.decided.items():
                    found[base] = either(found.get(base), among, state.rows)
            for inner in cells.trees(column) if column.has_formulas else ():
                is_wide |= _reach(state, cells, inner, found, seen)
    if is_wide:  # which rows it reads depends on the order, and so on the doubtful values that made the order
        everywhere = RowSet.of(np.arange(state.source.rows, dtype=np.int64), state.rows)
        found.update(dict.fromkeys(state.order_doubt, everywhere))
    return is_wide


def marked_rows(state: SheetState, base: str, among: RowSet) -> RowSet | None:
    """Return those of these rows whose data in a column is in doubt; None if there are none."""
    mask = state.source.flag_masks.masks.get(base)
    if mask is None:
        return None
    rows = np.flatnonzero(mask)
    rows = rows[among.has(rows)]
    return RowSet.of(rows, state.rows) if len(rows) else None
