"""Formulas set over the column they read, such as `=[@price]*1.1` over price: they mean what stood there before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from whence.notebook.sheet.content import Blank, Content, Copy, Formula, Invalid, Value
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.formula.tree import (
    Binary,
    Call,
    Cell,
    Copied,
    Missing,
    Number,
    RowOffset,
    Stored,
    Text,
    Tree,
    Unary,
    Wrong,
    walk,
)  # fmt: skip
from whence.notebook.sheet.rowset import RowSet
from whence.notebook.sheet.state import Layer, SheetColumn, SheetState, over_what_was


def layers_with_earlier_content(state: SheetState, cells: Evaluator, column: SheetColumn, layer: Layer) -> list[Layer]:
    """Return the layer, or, if its formula reads its own cells, one layer for each content that stood there before.

    In each of these the formula contains the earlier content, and depends on what decided on it.
    """
    if not isinstance(layer.content, Formula) or _own_cell(column) not in walk(layer.content.tree):
        return [layer]
    known = over_what_was(column, layer, state.rows)
    return [
        replace(known, rows=rows, content=content, hides_data=layer.hides_data and rows is layer.rows)
        for rows, content in _contents(state, cells, column, layer.rows, layer.content)
    ]


def _contents(
    state: SheetState, cells: Evaluator, column: SheetColumn, rows: RowSet, content: Formula
) -> Iterator[tuple[RowSet, Content]]:
    numbers, own = rows.rows, _own_cell(column)
    codes, contents = column.coded(numbers)
    is_data = (codes == 0) & (numbers < state.source.rows) & (column.base is not None)
    if is_data.all():
        yield rows, replace(content, tree=_put(content.tree, own, Stored(column.id)))
        return
    # A layer over all rows stays one, since it hides the data: the layers after it cover the rows that show no data.
    shown = rows if rows.is_everything else RowSet.of(numbers[is_data], state.rows)
    yield shown, replace(content, tree=_put(content.tree, own, Stored(column.id)))
    empty = ~is_data & (codes == 0)
    yield RowSet.of(numbers[empty], state.rows), replace(content, tree=_put(content.tree, own, Missing()))
    for number in np.unique(codes[codes > 0]).tolist():
        tree = _put(content.tree, own, _as_tree(state, cells, column, contents[number - 1]))
        yield RowSet.of(numbers[codes == number], state.rows), replace(content, tree=tree)


def _own_cell(column: SheetColumn) -> Cell:
    return Cell(column.id, RowOffset(0))


def _as_tree(state: SheetState, cells: Evaluator, column: SheetColumn, content: Content) -> Tree:
    match content:
        case Formula(tree, _):
            return tree  # references without $ count from the row they stand in, and the row is the same
        case Invalid(_, failure):
            return Wrong(failure.code, failure.why)
        case Blank():
            return Text("") if cells.is_text(column) else Missing()
        case Copy(row, base):
            return Copied(_constant(state.source.value(base, row)), row, base)
        case Value(value):
            return _constant(value)


def _constant(value: object) -> Tree:
    if value is None:
        return Missing()
    return Text(value) if isinstance(value, str) else Number(value)  # type: ignore[arg-type]


def _put(tree: Tree, old: Tree, new: Tree) -> Tree:
    if tree == old:
        return new
    if isinstance(tree, Call):
        return replace(tree, args=tuple(_put(each, old, new) for each in tree.args))
    if isinstance(tree, Unary):
        return replace(tree, of=_put(tree.of, old, new))
    if isinstance(tree, Binary):
        return replace(tree, left=_put(tree.left, old, new), right=_put(tree.right, old, new))
    return tree
