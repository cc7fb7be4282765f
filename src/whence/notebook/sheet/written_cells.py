"""Which cells of an applied sheet were written: they stand on nothing but what somebody typed there.

A value counts as written, and a formula that reads no cell at all, such as `=6*7`. So does a formula that reads typed
cells, directly or through other formulas, and neither a cell that shows data nor the place where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from whence.notebook.sheet.content import Content, Copy, Formula, Invalid, Value
from whence.notebook.sheet.formula.tree import Area, Binary, Call, Cell, Logical, Number, Text, Unary, walk
from whence.notebook.sheet.reads import ColumnReads, Stretch
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.state import SheetColumn, SheetState
from whence.plan.grounds_document import NAME, GroundsDocument
from whence.plan.written_cells import ARRAYS, ROWS, array_of
from whence.store.arrays import Array

Documents = dict[str, object]
Arrays = dict[str, Mapping[str, Array]]


def written_cells(state: SheetState, reads: Mapping[str, ColumnReads]) -> tuple[Documents, Arrays]:
    """Return the document and the arrays that say which cells of a sheet were written; empty if none was."""
    masks = _WrittenCells(state, reads).all()
    found = {array_of(place): np.flatnonzero(mask) for place, mask in enumerate(masks)}
    found = {name: ids for name, ids in found.items() if len(ids)}
    rows = np.flatnonzero(_written_rows(state, masks))
    if len(rows):
        found[ROWS] = rows
    if not found:
        return {}, {}
    return {NAME: GroundsDocument(lists_cells=True).to_json()}, {ARRAYS: found}


class _WrittenCells:
    """Finds the written cells of each column that is shown, as a mask over the rows of the sheet."""

    def __init__(self, state: SheetState, reads: Mapping[str, ColumnReads]) -> None:
        self._state = state
        self._reads = reads
        self._typed = {each: _cells_with(state, state.columns[each], _is_typed) for each in state.shown}
        self._other: dict[str, Mask] = {}

    def all(self) -> list[Mask]:
        """Return the masks in the order of the columns."""
        if not any(mask.any() for mask in self._typed.values()):
            return list(self._typed.values())
        return [self._typed[each] | self._written_formulas(each) for each in self._state.shown]

    def _written_formulas(self, column: str) -> Mask:
        """Return the formulas of a column that read something typed, and nothing else."""
        known = self._state.columns[column]
        found = np.zeros(self._state.order.count, dtype=bool)
        if not known.has_formulas:
            return found
        other = _cells_with(self._state, known, _is_formula) & self._others(column)
        for key, read in self._reads.get(column, {}).items():
            if key.is_data or key.via or key.dataset or key.column not in self._typed:
                other[read.out] = True
            else:
                found[_reading(read, self._typed[key.column])] = True
                other[_reading(read, self._others(key.column))] = True
        return found & ~other & _cells_with(self._state, known, _is_formula)

    def _others(self, column: str) -> Mask:
        """Return the cells of a column that somebody did not type: data, and formulas that ask for something else."""
        if column not in self._other:
            known = self._state.columns[column]
            rows, is_own = self._state.order.rows, _cells_with(self._state, known, lambda _: True)
            shows_data = ~is_own & (rows < self._state.source.rows) & (known.base is not None)
            self._other[column] = shows_data | _cells_with(self._state, known, _is_other)
        return self._other[column]


def _written_rows(state: SheetState, masks: list[Mask]) -> Mask:
    """Return the inserted rows in which every formula is written."""
    written = state.order.rows >= state.source.rows
    for column, mask in zip((state.columns[each] for each in state.shown), masks, strict=True):
        if column.has_formulas and written.any():
            written = written & (mask | ~_cells_with(state, column, _is_formula))
    return written


def _cells_with(state: SheetState, column: SheetColumn, holds: Callable[[Content], bool]) -> Mask:
    """Return the cells of a column that have a content of their own for which this holds."""
    if column.is_untouched:
        return np.zeros(state.order.count, dtype=bool)
    codes, contents = column.coded(state.order.rows)
    return np.isin(codes, [number for number, each in enumerate(contents, start=1) if holds(each)])


def _reading(read: Stretch, cells: Mask) -> Rows:
    """Return the formulas that read at least one of these cells."""
    before = np.concatenate(([0], np.cumsum(cells)))  # the number grows within a stretch that has one
    return read.out[before[read.end] > before[read.first]]


def _is_formula(content: Content) -> bool:
    return isinstance(content, Formula)


def _is_typed(content: Content) -> bool:
    if isinstance(content, Formula):
        return not _reads_cells(content) and not _is_other(content)
    return isinstance(content, Value) and content.value is not None


def _is_other(content: Content) -> bool:
    """Whether a content is neither typed, nor made of what was typed alone."""
    if isinstance(content, Formula):
        # A function without arguments, such as one that tells the number of its row, is not what somebody wrote.
        return not all(
            isinstance(node, Number | Text | Logical | Unary | Binary | Cell | Area)
            or (isinstance(node, Call) and len(node.args) > 0)
            for node in walk(content.tree)
        )
    return isinstance(content, Copy | Invalid)


def _reads_cells(content: Formula) -> bool:
    return any(isinstance(node, Cell | Area) for node in walk(content.tree))
