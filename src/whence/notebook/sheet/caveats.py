"""The caveats that a sheet states about its own cells: formulas that failed, and columns whose type had to change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from whence.model.caveat import Caveat
from whence.notebook.sheet.content import Formula, Invalid, Value
from whence.notebook.sheet.formula.render import SheetLayout
from whence.notebook.sheet.ladder import kind_of
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.rowset import Mask, Rows
from whence.notebook.sheet.state import SheetColumn
from whence.store.caveat_file import Caveats

FAILED, TYPE = "sheet error", "sheet type"
"""The families of these caveats."""


def sheet_caveats(sheet: SheetLog) -> Caveats:
    """Return the caveats that a sheet states about its own cells."""
    return Caveats.of([*_errors(sheet), *_types(sheet)])


def is_converted(sheet: SheetLog, column: SheetColumn) -> bool:
    """Return whether a column shows its data as another kind of value, because of what was entered beside it."""
    if column.base is None or column.is_untouched or column.hides_data or column.type is None:
        return False
    return kind_of(column.type) != kind_of(sheet.cells.types[column.id])


def converted_cells(sheet: SheetLog, column: SheetColumn, positions: Rows) -> Mask:
    """Return which of the cells at these positions show data as another kind of value."""
    rows = sheet.state.order.take(positions)
    if not is_converted(sheet, column):
        return np.zeros(len(rows), dtype=bool)
    codes, _ = column.coded(rows)
    shown: Mask = (codes == 0) & (rows < sheet.state.source.rows)
    return shown


def _errors(sheet: SheetLog) -> Iterator[Caveat]:
    """Yield a caveat for each cell that failed, with the text that was typed."""
    state, cells = sheet.state, sheet.cells
    # Formulas without a text come from replacing a text. They name no row by address, so no address is looked up.
    shown = SheetLayout({each: place for place, each in enumerate(state.shown)}, lambda _: None, state.order.count)
    for column in (state.columns[each] for each in state.shown):
        if column.is_untouched:
            continue
        for position, failure in sorted(cells.column_values(column.id).errors.items()):
            content = column.entry(state.order.row(position))
            text = content.text if isinstance(content, Invalid) else None
            if isinstance(content, Formula):
                text = content.text or shown.text(content.tree, position)
            yield Caveat(f"{failure.code} {failure.why}", FAILED, position, column.name, text=text)


def _types(sheet: SheetLog) -> Iterator[Caveat]:
    """Yield a caveat for each column whose kind of value had to change."""
    for column in (sheet.state.columns[each] for each in sheet.state.shown):
        if is_converted(sheet, column) and column.type is not None:
            after, why = sheet.cells.types[column.id], _reason(sheet, column, column.type)
            message = f"{column.name} held {column.type} and holds {after} now, because {why}."
            yield Caveat(message, TYPE, column=column.name)


def _reason(sheet: SheetLog, column: SheetColumn, before: str) -> str:
    """Return why the kind changed, in words that follow "because": the first value that did not fit."""
    contents = [*(entry.content for entry in column.cells.values()), *(layer.content for layer in column.layers)]
    for content in contents:
        type_name = sheet.cells.content_type(content)
        if isinstance(content, Value) and type_name is not None and kind_of(type_name) != kind_of(before):
            return f"{str(content.value)!r} was entered"
    return "of what its formulas give"
