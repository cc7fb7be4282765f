"""Finds the cells of a sheet that hold formulas."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import ref

import numpy as np

from whence.notebook.sheet.content import Formula
from whence.notebook.sheet.evaluation.places import Place
from whence.notebook.sheet.formula.tree import Tree
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetColumn, SheetState

FormulaCell = tuple[str, int, Tree]
"""The column's id, the position of the row, and the formula."""


class FormulaCells:
    """Finds the formula of one cell, or all formulas of a column. The latter are cached."""

    def __init__(self, state: SheetState) -> None:
        self._state = state
        self._found: dict[str, tuple[object, tuple[Rows, list[Tree]]]] = {}

    def at(self, place: Place) -> Tree | None:
        """Return the formula of a cell; None if it has none."""
        column = self._state.columns[place[0]]
        if not column.has_formulas:
            return None
        content = column.entry(self._state.order.row(place[1]))
        return content.tree if isinstance(content, Formula) else None

    def among(self, column: SheetColumn, positions: Rows) -> Iterator[int]:
        """Yield those of these positions at which a formula stands."""
        codes, contents = column.coded(self._state.order.take(positions))
        for position, code in zip(positions.tolist(), codes.tolist(), strict=True):
            if code and isinstance(contents[code - 1], Formula):
                yield position

    def of(self, column: str) -> tuple[Rows, list[Tree]]:
        """Return the positions of all formulas of a column, sorted, and the formula at each."""
        # A weak reference: undo frees an order, and Python gives the `id` of what is freed to another one.
        stamp = self._state.columns[column].version, ref(self._state.order)
        known = self._found.get(column)
        if known is None or known[0] != stamp:
            known = self._found[column] = stamp, self._find(self._state.columns[column])
        return known[1]

    def between(self, column: str, first: int, last: int) -> list[int]:
        """Return the positions of formulas between two positions of a column, both included."""
        positions, _ = self.of(column)
        low, high = np.searchsorted(positions, [first, last + 1])
        found: list[int] = positions[low:high].tolist()
        return found

    def _find(self, column: SheetColumn) -> tuple[Rows, list[Tree]]:
        order = self._state.order
        if any(isinstance(layer.content, Formula) for layer in column.layers):  # then one may stand in any row
            positions, rows = np.arange(order.count, dtype=np.int64), order.rows
        else:
            numbers = [row for row, entry in column.cells.items() if isinstance(entry.content, Formula)]
            positions = order.positions(np.array(numbers, dtype=np.int64))
            positions = np.sort(positions[positions >= 0])
            rows = order.take(positions)
        codes, contents = column.coded(rows)
        is_formula = np.array([False, *(isinstance(each, Formula) for each in contents)])[codes]
        chosen = codes[is_formula]
        trees = [content.tree for code in chosen.tolist() if isinstance(content := contents[code - 1], Formula)]
        return positions[is_formula], trees
