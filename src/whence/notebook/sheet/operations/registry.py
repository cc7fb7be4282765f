"""The registry of sheet operations, and the reader of their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whence.model.errors import BadInput
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
from whence.notebook.sheet.operations.rename_column import RenameColumn
from whence.notebook.sheet.operations.replace import ReplaceText
from whence.notebook.sheet.operations.set_cell import SetCell
from whence.notebook.sheet.operations.set_cells import SetCells
from whence.notebook.sheet.operations.set_column import SetColumn
from whence.notebook.sheet.operations.set_where import SetWhere
from whence.notebook.sheet.operations.sort import SortRows

OPERATIONS: dict[str, type[SheetOperation]] = {
    each.kind: each
    for each in (
        SetCell,
        SetCells,
        SetColumn,
        SetWhere,
        InsertRow,
        DeleteRow,
        MoveRow,
        InsertColumn,
        DeleteColumn,
        MoveColumn,
        RenameColumn,
        SortRows,
        FilterRows,
        Fill,
        FillDown,
        ReplaceText,
        Recode,
        ApplyToIdentical,
    )
}


def operation(content: Mapping[str, Any]) -> SheetOperation:
    """Return the operation that this JSON describes; raise BadInput if it describes none."""
    kind = OPERATIONS.get(str(content.get("kind")))
    if kind is None:
        raise BadInput(f"There is no sheet operation {content.get('kind')!r}.", f"There are {', '.join(OPERATIONS)}.")
    try:
        return kind.from_json(content)
    # JSON comes from callers: a field may be missing or hold anything, and the reader does not check each of them.
    except (KeyError, TypeError, ValueError, AssertionError, AttributeError) as error:
        raise BadInput(f"The sheet operation {kind.kind} cannot be read: {error}.") from error
