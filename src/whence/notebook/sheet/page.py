"""A page of a sheet: values, addresses, doubt flags, edits and errors of some of its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from whence.model.schema import Field
from whence.notebook.sheet.caveats import converted_cells
from whence.notebook.sheet.content import Copy, Formula, Invalid, Value
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.render import SheetLayout
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.rowset import Rows


@dataclass(frozen=True)
class SheetPage:
    """Some rows of a sheet, column by column as lists of the same length."""

    start: int
    total: int
    """How many rows the whole sheet has."""
    columns: tuple[Field, ...]
    values: dict[str, list[object]]
    """By column name; None where a cell is empty or failed."""
    rows: list[int | None]
    """The rid of each row in the data; None for a row that was inserted."""
    addresses: list[str]
    marks: dict[str, list[bool]]
    row_marks: list[bool]
    edited: dict[str, list[bool]]
    errors: dict[tuple[int, str], FormulaError]
    """By position of the row in the sheet and column name."""
    formulas: dict[tuple[int, str], str]
    """What stands in the formula bar where it is not the value."""
    positions: list[int]
    """The position of each row in the sheet."""


def page(sheet: SheetLog, start: int, stop: int) -> SheetPage:
    """Return rows start..stop-1; a stop beyond the end is the end."""
    stop = max(start, min(stop, sheet.state.order.count))
    return page_of(sheet, np.arange(start, stop, dtype=np.int64), start)


def page_of(sheet: SheetLog, positions: Rows, start: int) -> SheetPage:
    """Return the rows at these positions; `start` is the place of the first among the rows that are looked at."""
    state, cells = sheet.state, sheet.cells
    rows, places = state.order.take(positions), positions.tolist()
    errors: dict[tuple[int, str], FormulaError] = {}
    formulas: dict[tuple[int, str], str] = {}
    values, marks, edited, fields = {}, {}, {}, []
    shown = SheetLayout(
        {column: place for place, column in enumerate(state.shown)}, _position(sheet), state.order.count
    )
    cells.look_ahead(positions)  # before the columns are read one by one
    for column in (state.columns[each] for each in state.shown):
        found = cells.shown(column.id, positions)
        errors |= {(places[n], column.name): each for n, each in enumerate(found) if isinstance(each, FormulaError)}
        values[column.name] = [None if isinstance(each, FormulaError) else each for each in found]
        failed = np.array([isinstance(each, FormulaError) for each in found], dtype=bool)
        doubtful = cells.doubts.at(column.id, positions) | converted_cells(sheet, column, positions)
        marks[column.name] = (doubtful | failed).tolist()
        codes, contents = column.coded(rows)
        edited[column.name] = (codes != 0).tolist()
        for place in np.flatnonzero(codes).tolist():
            match contents[codes[place] - 1]:
                case Formula(tree, _):
                    formulas[places[place], column.name] = shown.text(tree, places[place])
                case Invalid(text, _):
                    formulas[places[place], column.name] = text
                case Value() | Copy():
                    pass
        fields.append(Field(column.name, cells.types[column.id]))
    return SheetPage(
        start=start,
        total=state.order.count,
        columns=tuple(fields),
        values=values,
        rows=[row if row < state.source.rows else None for row in rows.tolist()],
        addresses=[state.address(row) for row in rows.tolist()],
        marks=marks,
        row_marks=cells.doubts.rows(positions).tolist(),
        edited=edited,
        errors=errors,
        formulas=formulas,
        positions=places,
    )


def _position(sheet: SheetLog) -> Callable[[str], int | None]:
    def position(address: str) -> int | None:
        row = sheet.state.number(address)
        return None if row is None else sheet.state.order.position(row)

    return position
