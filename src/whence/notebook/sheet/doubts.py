"""Which cells of a sheet are in doubt: those that show data in doubt, and formulas that refer to such cells.

A formula that reads other rows by their place is also in doubt if the data may lack rows or have some too many, or if
values in doubt decided the order: another row might stand there. The cells of a cycle fail whatever the data says, so
they are in doubt only if one of them might not stand there, or might not read the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from whence.caveats.influence import ROW
from whence.notebook.sheet.content import Copy
from whence.notebook.sheet.evaluation.outside_lookups import NOT_SEARCHED
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Area, Cell, Copied, Row, RowOffset, Stored, Tree, outside_lookup, walk
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import SheetColumn, SheetState


class Formulas(Protocol):
    """What `Doubts` asks about the formulas of the sheet. The evaluator answers."""

    def formulas(self, column: str) -> tuple[Rows, list[Tree]]: ...

    def is_circular(self, column: str) -> bool: ...

    def circle(self, column: str) -> list[str]: ...

    def ordered(self, columns: Iterable[str]) -> Iterator[tuple[list[tuple[str, int, Tree]], bool]]: ...

    def targets(self, row: Row, positions: Rows) -> Rows: ...

    def matched_rows(self, lookup: Tree, positions: Rows) -> Rows: ...

    def outside_sources(self) -> dict[str, Source]: ...


class Doubts:
    """Computes the doubt flags of one sheet and caches them until it changes."""

    def __init__(self, state: SheetState, cells: Formulas) -> None:
        self._state = state
        self._cells = cells
        self._version = -1
        self._known: dict[str, Mask] = {}

    @property
    def is_certain(self) -> bool:
        """Whether nothing in the data and the datasets it looks into is in doubt: then no cell of the sheet is."""
        return self._state.source.is_certain and all(each.is_certain for each in self._cells.outside_sources().values())

    def any_in(self, column: str) -> bool:
        """Return whether a cell of the column is in doubt."""
        return not self.is_certain and bool(self.of_column(column).any())

    def at(self, column: str, positions: Rows) -> Mask:
        """Return which cells at these positions are in doubt. Only a column with formulas is computed as a whole."""
        if self.is_certain:
            return np.zeros(len(positions), dtype=bool)
        known = self._state.columns[column]
        return self.of_column(column)[positions] if known.has_formulas else self._leaves(known, positions)

    def rows(self, positions: Rows) -> Mask:
        """Return which rows at these positions might not belong to the sheet."""
        found = np.zeros(len(positions), dtype=bool)
        if self.is_certain:
            return found
        rows = self._state.order.take(positions)
        inside = rows < self._state.source.rows
        found[inside] = self._state.source.flags(ROW, rows[inside])
        for each in self._state.sifted:
            found |= each.doubtful.has(rows) if each.doubtful is not None else False
        return found

    def of_column(self, column: str) -> Mask:
        """Return which cells of a column are in doubt, by position."""
        if self._version != self._state.version:
            self._version, self._known = self._state.version, {}
        if column not in self._known:
            self._find(column)
        return self._known[column]

    def of_tree(self, tree: Tree, positions: Rows) -> Mask:
        """Return at which of these positions a formula is in doubt."""
        found = np.zeros(len(positions), dtype=bool)
        if self.is_certain:
            return found
        for node in walk(tree):
            if isinstance(node, Cell) and node.column in self._state.shown:
                found |= self._of_cell(node, positions)
            elif isinstance(node, Area):
                found |= self._of_area(node, positions)
            elif isinstance(node, Stored):
                found |= self._of_data(self._state.columns[node.column].base, positions)
            elif isinstance(node, Copied):
                found |= self._state.source.flags(node.column, np.array([node.row]))
            elif outside_lookup(node) is not None:
                found |= self._of_lookup(node, positions)
        return found

    def _of_lookup(self, lookup: Tree, positions: Rows) -> Mask:
        """Return at which positions a lookup in another dataset might find another row, or a value in doubt.

        A key in doubt matters if it comes before the row that is found, or if none is found: it might match.
        """
        parts = outside_lookup(lookup)
        assert parts is not None
        keys, values = (self._state.outside.column(each) for each in parts[1:])
        if isinstance(keys, FormulaError) or isinstance(values, FormulaError) or keys[0].is_certain:
            return np.zeros(len(positions), dtype=bool)
        rows, source = self._cells.matched_rows(lookup, positions), keys[0]
        every = np.arange(source.rows, dtype=np.int64)
        unsure_keys = np.flatnonzero(source.flags(keys[1], every))
        first = int(unsure_keys[0]) if len(unsure_keys) else source.rows
        hit = rows >= 0
        found: Mask = (rows != NOT_SEARCHED) & (
            source.flag_masks.row_set | np.where(hit, first <= rows, first < source.rows)
        )
        found[hit] |= source.flags(values[1], rows[hit]) | source.flags(ROW, rows[hit])
        return found

    def _may_vary(self, tree: Tree, positions: Rows) -> Mask:
        """Return at which of these positions it is in doubt which cells a formula reads, whatever they hold."""
        found = np.zeros(len(positions), dtype=bool)
        for node in walk(tree):
            if isinstance(node, Cell) and node.column in self._state.shown:
                found |= self._of_row(node.row, positions)
            elif isinstance(node, Area) and all(column in self._state.shown for column in node.columns):
                found |= self._places_vary
        return found

    def _find(self, column: str) -> None:
        every = np.arange(self._state.order.count, dtype=np.int64)
        if not self._cells.is_circular(column):
            mask = self._leaves(self._state.columns[column], every)
            if self._state.columns[column].has_formulas:
                for tree, positions in self._by_tree(column):
                    mask[positions] |= self.of_tree(tree, positions)
            self._known[column] = mask
            return
        # All columns of a circle together, cell by cell: each needs the flags of the cells it reads in the others.
        circle = self._cells.circle(column)
        for each in circle:
            self._known[each] = self._leaves(self._state.columns[each], every)
        for cells, is_cycle in self._cells.ordered(circle):
            # A cycle fails whatever its cells hold: it is in doubt only where it may not be one.
            marks = self._may_vary if is_cycle else self.of_tree
            is_marked = any(self._known[each][at] or marks(tree, np.array([at]))[0] for each, at, tree in cells)
            for each, position, _ in cells:
                self._known[each][position] = is_marked

    def _by_tree(self, column: str) -> Iterator[tuple[Tree, Rows]]:
        positions, trees = self._cells.formulas(column)
        groups: dict[int, list[int]] = {}
        for place, tree in enumerate(trees):
            groups.setdefault(id(tree), []).append(place)  # cells that were filled together share one tree
        for places in groups.values():
            yield trees[places[0]], positions[places]

    def _leaves(self, column: SheetColumn, positions: Rows) -> Mask:
        """Return which cells are in doubt by what they hold without formulas: data, copies, decisions in doubt."""
        rows = self._state.order.take(positions)
        source = self._state.source
        codes, contents = column.coded(rows)
        found = column.doubtful(rows)
        if column.base is not None:
            shown = (codes == 0) & (rows < source.rows)
            found[shown] |= source.flags(column.base, rows[shown])
        for number, content in enumerate(contents, start=1):
            if isinstance(content, Copy) and source.flags(content.column, np.array([content.row]))[0]:
                found[codes == number] = True
        return found

    def _of_cell(self, cell: Cell, positions: Rows) -> Mask:
        targets = self._cells.targets(cell.row, positions)
        inside = targets >= 0
        found = self._of_row(cell.row, positions)
        found[inside] |= self._cell_marks(cell.column, targets[inside])
        return found

    def _of_row(self, row: Row, positions: Rows) -> Mask:
        """Return at which of these positions another row, or none, might stand where the reference points."""
        found = np.zeros(len(positions), dtype=bool)
        if row != RowOffset(0):
            targets = self._cells.targets(row, positions)
            inside = targets >= 0
            found[inside] = self.rows(targets[inside])
            if isinstance(row, RowOffset):  # a row by address stays the same row, wherever it stands
                found |= self._places_vary
        return found

    def _cell_marks(self, column: str, positions: Rows) -> Mask:
        known = self._state.columns[column]
        return self.of_column(column)[positions] if known.has_formulas else self._leaves(known, positions)

    def _of_area(self, area: Area, positions: Rows) -> Mask:
        if any(column not in self._state.shown for column in area.columns):
            return np.zeros(len(positions), dtype=bool)  # #REF!, whatever the data says
        if self._places_vary:
            return np.ones(len(positions), dtype=bool)
        count = self._state.order.count
        if area.first is None or area.last is None:
            first, last = np.zeros(len(positions), dtype=np.int64), np.full(len(positions), count - 1)
        else:
            ends = [self._cells.targets(row, positions) for row in (area.first, area.last)]
            first, last = np.minimum(*ends), np.maximum(*ends)
        found = np.zeros(len(positions), dtype=bool)
        inside = first >= 0
        for column in area.columns:
            # How many cells in doubt come before each position: between two of them the difference tells.
            before = np.concatenate([[0], np.cumsum(self.of_column(column))])
            found[inside] |= before[last[inside] + 1] > before[first[inside]]
        return found

    def _of_data(self, base: str | None, positions: Rows) -> Mask:
        rows = self._state.order.take(positions)
        found = np.zeros(len(positions), dtype=bool)
        if base is not None:
            inside = rows < self._state.source.rows
            found[inside] = self._state.source.flags(base, rows[inside])
        return found

    @property
    def _places_vary(self) -> bool:
        """Whether it is in doubt which row stands where."""
        sifted = any(each.doubtful is not None for each in self._state.sifted)
        return bool(self._state.order_doubt) or self._state.source.rows_vary or sifted
