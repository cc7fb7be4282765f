"""Which cells of an applied sheet were typed: they stand on nothing but what somebody wrote there.

A value counts as written, and a formula that reads no cell at all, such as `=6*7`. Where a formula reads cells whence
does not ask which of them were typed, and takes its value for data.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whence.lineage.block import Ids
from whence.notebook.sheet.content import Content, Formula, Value
from whence.notebook.sheet.formula.tree import Binary, Call, Logical, Number, Text, Unary, walk
from whence.notebook.sheet.state import SheetColumn, SheetState
from whence.plan.grounds_document import NAME, GroundsDocument
from whence.plan.written_cells import ARRAYS, ROWS, array_of
from whence.store.arrays import Array

Documents = dict[str, object]
Arrays = dict[str, Mapping[str, Array]]


def written_cells(state: SheetState) -> tuple[Documents, Arrays]:
    """Return the document and the arrays that say which cells of a sheet were typed; empty if none was."""
    columns = [state.columns[each] for each in state.shown]
    found = {array_of(place): _typed(state, column) for place, column in enumerate(columns)}
    found = {name: ids for name, ids in found.items() if len(ids)}
    rows = _typed_rows(state, columns)
    if len(rows):
        found[ROWS] = rows
    if not found:
        return {}, {}
    return {NAME: GroundsDocument(lists_cells=True).to_json()}, {ARRAYS: found}


def _typed(state: SheetState, column: SheetColumn) -> Ids:
    """Return the rows in which the cell of a column was typed."""
    if column.is_untouched:
        return np.zeros(0, dtype=np.int64)
    codes, contents = column.coded(state.order.rows)
    typed = [number for number, content in enumerate(contents, start=1) if _is_typed(content)]
    return np.flatnonzero(np.isin(codes, typed))


def _typed_rows(state: SheetState, columns: list[SheetColumn]) -> Ids:
    """Return the inserted rows in which no formula reads a cell."""
    inserted = state.order.rows >= state.source.rows
    for column in columns:
        if column.has_formulas and inserted.any():
            codes, contents = column.coded(state.order.rows)
            reading = [
                n for n, each in enumerate(contents, start=1) if isinstance(each, Formula) and not _is_typed(each)
            ]
            inserted = inserted & ~np.isin(codes, reading)
    return np.flatnonzero(inserted)


def _is_typed(content: Content) -> bool:
    if isinstance(content, Formula):
        # A function without arguments, such as one that tells the number of its row, is not what somebody wrote.
        return all(
            isinstance(node, Number | Text | Logical | Unary | Binary)
            or (isinstance(node, Call) and len(node.args) > 0)
            for node in walk(content.tree)
        )
    return isinstance(content, Value) and content.value is not None
