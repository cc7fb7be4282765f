"""`Sheet`: a dataset edited as in a spreadsheet. The dataset itself does not change."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownColumn, UnknownRow, UserError
from whence.notebook.sheet.addresses import by_key
from whence.notebook.sheet.apply import apply_sheet
from whence.notebook.sheet.content import Input
from whence.notebook.sheet.formula.parse import BadFormula, parse
from whence.notebook.sheet.formula.references import Place
from whence.notebook.sheet.formula.tree import Outside, Tree, Wrong, walk
from whence.notebook.sheet.history import CellStep, cell_history
from whence.notebook.sheet.identical import identical_cells
from whence.notebook.sheet.ladder import arrow_type
from whence.notebook.sheet.log import LostEdit, SheetLog
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.operations.apply_to_identical import ApplyToIdentical
from whence.notebook.sheet.operations.delete_column import DeleteColumn
from whence.notebook.sheet.operations.delete_row import DeleteRow
from whence.notebook.sheet.operations.fill import Fill
from whence.notebook.sheet.operations.fill_down import FillDown
from whence.notebook.sheet.operations.filter import FilterRows
from whence.notebook.sheet.operations.insert_column import InsertColumn
from whence.notebook.sheet.operations.insert_row import InsertRow
from whence.notebook.sheet.operations.move_column import MoveColumn
from whence.notebook.sheet.operations.move_row import MoveRow
from whence.notebook.sheet.operations.recode import Recode
from whence.notebook.sheet.operations.registry import operation
from whence.notebook.sheet.operations.rename_column import RenameColumn
from whence.notebook.sheet.operations.replace import ReplaceText
from whence.notebook.sheet.operations.set_cell import SetCell
from whence.notebook.sheet.operations.set_cells import SetCells
from whence.notebook.sheet.operations.set_column import SetColumn
from whence.notebook.sheet.operations.set_where import SetWhere
from whence.notebook.sheet.operations.sort import SortRows
from whence.notebook.sheet.page import SheetPage, page
from whence.notebook.sheet.preview import SheetPreview, preview_edits
from whence.notebook.sheet.state import CannotApply
from whence.notebook.sheet.typed_input import read_input
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.sheet_look import SheetLook, SheetLooks

RowLike = int | str
"""A row by its position in the sheet, from 0, or by its key."""


class Sheet:
    """A spreadsheet over one dataset version. `apply` stores the result as a new version. Before, nothing is stored."""

    def __init__(self, context: Context, record: DatasetRecord, operations: Iterable[SheetOperation] = ()) -> None:
        self._context = context
        self._log = SheetLog(context.services, record, operations)
        self._looks = SheetLooks()

    @property
    def columns(self) -> list[str]:
        """The names of the columns, from left to right."""
        state = self._log.state
        return [state.columns[column].name for column in state.shown]

    @property
    def count(self) -> int:
        """How many rows."""
        return self._log.state.order.count

    @property
    def operations(self) -> list[dict[str, Any]]:
        """The operations as JSON, which can be stored and repeated over another version of the dataset."""
        return [each.to_json() for each in self._log.keyed_operations()]

    @property
    def operations_count(self) -> int:
        """The number of operations that are not undone."""
        return len(self._log.operations)

    @property
    def last_operation(self) -> dict[str, Any]:
        """The last operation as JSON. It names rows as in this version, so that no row key must be looked up."""
        return self._log.operations[-1].to_json()

    @property
    def undone_count(self) -> int:
        """The number of undone operations that `redo` could repeat."""
        return len(self._log.undone)

    @property
    def sentence(self) -> str | None:
        """A sentence for people about the last operation; None if there is none."""
        return self._log.sentences[-1] if self._log.sentences else None

    @property
    def bases(self) -> list[tuple[str | None, str | None]]:
        """For each column, the dataset column that it shows and the type of that; None for inserted columns."""
        state = self._log.state
        found = [state.columns[column].base for column in state.shown]
        return [(base, None if base is None else state.source.types[base]) for base in found]

    @property
    def lost(self) -> list[LostEdit]:
        """The edits whose row or column does not exist any more."""
        return list(self._log.lost)

    def set(self, row: RowLike, column: str, value: object) -> Sheet:
        """Put a value, or a formula that begins with `=`, into one cell."""
        position = self._position(row)
        content = self._content(value, column, position)
        return self._do(lambda id_: SetCell(id_, self._address(position), self._column(column), content))

    def set_cells(self, rows: Sequence[RowLike], columns: Sequence[str], values: Sequence[Sequence[object]]) -> Sheet:
        """Put values or formulas into a block of cells, row by row, as one operation."""
        if len(values) != len(rows) or any(len(line) != len(columns) for line in values):
            raise BadInput(f"The values are not {len(rows)} rows of {len(columns)} cells.", "Give a list for each row.")
        positions = [self._position(row) for row in rows]
        contents = tuple(
            tuple(self._content(value, column, position) for value, column in zip(line, columns, strict=True))
            for line, position in zip(values, positions, strict=True)
        )
        addresses, ids = tuple(map(self._address, positions)), tuple(map(self._column, columns))
        return self._do(lambda id_: SetCells(id_, addresses, ids, contents))

    def set_column(self, column: str, value: object) -> Sheet:
        """Put a value or a formula into every cell of a column. Write the formula as for the first row."""
        content = self._content(value, column, 0)
        return self._do(lambda id_: SetColumn(id_, self._column(column), content))

    def set_where(self, where: str, column: str, value: object) -> Sheet:
        """Put a value or a formula into a column of the rows for which `where` is true.

        Write both formulas as for the first row.
        """
        content = self._content(value, column, 0)
        return self._do(lambda id_: SetWhere(id_, self._condition(where), self._column(column), content))

    def insert_row(self, after: RowLike | None = None, count: int = 1) -> Sheet:
        """Insert empty rows after a row, or before the first row."""
        place = None if after is None else self._row(after)
        return self._do(lambda id_: InsertRow(id_, place, count))

    def delete_row(self, *rows: RowLike) -> Sheet:
        """Delete rows."""
        return self._do(lambda id_: DeleteRow(id_, tuple(self._row(row) for row in rows)))

    def move_row(self, *rows: RowLike, after: RowLike | None) -> Sheet:
        """Move rows after another row, or with None before the first."""
        place = None if after is None else self._row(after)
        return self._do(lambda id_: MoveRow(id_, tuple(self._row(row) for row in rows), place))

    def insert_column(
        self, name: str, after: str | None = None, type: str | None = None, value: object = None
    ) -> Sheet:
        """Insert a column after another one, or before the first. Without a type, its cells decide the type.

        With `value`, every cell holds this value or formula, which is written as for the first row.
        """
        if type is not None and arrow_type(type) is None:
            raise BadInput(f"A column of a sheet cannot hold {type}.", "For example: int, double, string, date.")
        place = None if after is None else self._column(after)
        content = None if value is None else read_input(value, type, self._place(0))
        return self._do(lambda id_: InsertColumn(id_, name, place, type, content))

    def delete_column(self, column: str) -> Sheet:
        """Delete a column."""
        return self._do(lambda id_: DeleteColumn(id_, self._column(column)))

    def move_column(self, column: str, after: str | None) -> Sheet:
        """Move a column after another one, or with None before the first."""
        place = None if after is None else self._column(after)
        return self._do(lambda id_: MoveColumn(id_, self._column(column), place))

    def rename_column(self, column: str, name: str) -> Sheet:
        """Rename a column."""
        return self._do(lambda id_: RenameColumn(id_, self._column(column), name))

    def sort(self, *by: str | tuple[str, Literal["asc", "desc"]]) -> Sheet:
        """Sort the rows by these columns."""
        keys = [(each, "asc") if isinstance(each, str) else each for each in by]
        return self._do(lambda id_: SortRows(id_, tuple((self._column(column), way) for column, way in keys)))

    def filter(self, where: str) -> Sheet:
        """Keep the rows for which a formula, written as for the first row, is true."""
        return self._do(lambda id_: FilterRows(id_, self._condition(where)))

    def fill(self, row: RowLike, column: str, to: Iterable[RowLike]) -> Sheet:
        """Copy a cell into other rows of its column."""
        rows = tuple(self._row(each) for each in to)
        return self._do(lambda id_: Fill(id_, self._row(row), self._column(column), rows))

    def fill_down(self, row: RowLike, column: str, to: RowLike | None = None, where: str | None = None) -> Sheet:
        """Copy a cell into the rows below it, down to a row or to the last.

        With `where`, only rows for which this formula is true change. Write it as for the first row. It is one
        operation, however many rows there are.
        """
        last = None if to is None else self._row(to)
        chosen = None if where is None else self._condition(where)
        return self._do(lambda id_: FillDown(id_, self._row(row), self._column(column), last, chosen))

    def replace(self, find: str, replacement: str, columns: Sequence[str] = (), *, whole_cell: bool = False) -> Sheet:
        """Replace a text by another one, in these columns or in all."""
        chosen = tuple(self._column(each) for each in columns or self.columns)
        return self._do(lambda id_: ReplaceText(id_, find, replacement, chosen, whole_cell))

    def recode(self, column: str, values: Mapping[str, str]) -> Sheet:
        """Replace values of a column by others, in cells that hold nothing else, as one operation."""
        if not values or not all(isinstance(part, str) for pair in values.items() for part in pair):
            raise BadInput("There are no values to put others in the place of.", 'For example: {"Acme Inc": "Acme"}.')
        return self._do(lambda id_: Recode(id_, self._column(column), tuple(values.items())))

    def apply_to_identical(self, row: RowLike, column: str) -> Sheet:
        """Put the new content of an edited cell into every other cell of the column that still has its old value."""
        return self._do(lambda id_: ApplyToIdentical(id_, self._row(row), self._column(column)))

    def preview(self, edits: Sequence[Callable[[], object]], count: int = 8) -> SheetPreview:
        """Return what some edits of this sheet would change in its first rows, and leave the sheet as it is."""
        return preview_edits(self._log, edits, count)

    def undo(self) -> Sheet:
        """Undo the last operation."""
        self._log.undo()
        return self

    def redo(self) -> Sheet:
        """Redo the operation that was undone last."""
        self._log.redo()
        return self

    def look(self, where: str | None = None) -> SheetLook:
        """Return a read-only view, to page through and search, of the rows for which a condition holds, or of all."""
        return self._looks.at(
            self._log, where, lambda text: np.flatnonzero(self._log.cells.condition(self._condition(text)))
        )

    def history(self, row: RowLike, column: str) -> list[CellStep]:
        """Return the history of one cell, operation by operation."""
        return cell_history(self._log, self._log.state.order.row(self._position(row)), self._column(column))

    def identical(self, row: RowLike, column: str) -> int:
        """Count the cells that `apply_to_identical` would change."""
        return identical_cells(self._log.state, self._log.state.order.row(self._position(row)), self._column(column))

    def page(self, start: int = 0, stop: int | None = None) -> SheetPage:
        """Return what rows start..stop-1 show. No Spark needed."""
        return page(self._log, start, self.count if stop is None else stop)

    def apply(self, name: str | None = None) -> Dataset:
        """Store what the sheet shows as a dataset, by default as the next version of the one it edits."""
        record = apply_sheet(self._log, name or self._log.record.name)
        return Dataset(self._context, record)

    def _do(self, make: Callable[[str], SheetOperation]) -> Sheet:
        try:
            self._log.add(make(secrets.token_hex(6)))
        except CannotApply as reason:
            raise UserError(f"This cannot be done, because {reason}.") from reason
        return self

    def _place(self, position: int) -> Place:
        state = self._log.state
        columns = [(column, state.columns[column].name) for column in state.shown]
        return Place(columns, position, max(1, self.count), self._address)

    def _content(self, value: object, column: str, position: int) -> Input:
        return read_input(value, self._log.state.columns[self._column(column)].type, self._place(position))

    def _condition(self, text: str) -> Tree:
        """Parse a condition, with or without a leading `=`, as written for the first row."""
        try:
            tree = parse(text if text.startswith("=") else f"={text}", self._place(0).refer)
        except BadFormula as failure:
            raise BadInput(f"{text} is not a condition: {failure}", "For example: [@price] > 10.") from failure
        wrong = next((node for node in walk(tree) if isinstance(node, Wrong)), None)
        if wrong is not None:
            raise BadInput(f"{text} is not a condition: {wrong.why}", f"The columns are {', '.join(self.columns)}.")
        if any(isinstance(node, Outside) for node in walk(tree)):
            raise BadInput(
                f"{text} reads another dataset, which a condition cannot.", "Look it up in a column of its own first."
            )
        return tree

    def _column(self, name: str) -> str:
        state = self._log.state
        found = [column for column in state.shown if state.columns[column].name.lower() == name.lower()]
        if not found:
            raise UnknownColumn(f"The sheet has no column {name}.", f"It has {', '.join(self.columns)}.")
        return found[0]

    def _row(self, row: RowLike) -> str:
        return self._address(self._position(row))

    def _address(self, position: int) -> str:
        state = self._log.state
        return state.address(state.order.row(position))

    def _position(self, row: RowLike) -> int:
        """Return the position of a row that is named by position, row key or address. Raise if the sheet lacks it."""
        state = self._log.state
        if isinstance(row, str):
            # An address begins with a letter and a colon ("k:" before a row key). A bare row key is 32 hex digits.
            number = state.number(row if row[1:2] == ":" else by_key(row))
            position = None if number is None else state.order.position(number)
            if position is None:
                raise UnknownRow(
                    "This row is not in the sheet any more.", "It was deleted or filtered out: undo, or reload."
                )
            return position
        if not 0 <= row < self.count:
            raise UnknownRow(f"The sheet has no row {row}.", f"Its rows are 0 to {self.count - 1}.")
        return int(row)

    def __repr__(self) -> str:
        return f"<sheet over {self._log.record.label}: {self.count} rows, {len(self._log.operations)} operations>"


def operations_in(given: Iterable[Mapping[str, Any]]) -> list[SheetOperation]:
    """Read operations from their JSON form, as `Sheet.operations` returns it."""
    return [operation(each) for each in given]
