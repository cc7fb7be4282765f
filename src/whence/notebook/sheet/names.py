"""Names and places of columns in a sheet."""

from __future__ import annotations

from whence.model.schema import unique_names
from whence.notebook.sheet.state import SheetState


def free_name(state: SheetState, name: str, but: str | None = None) -> str:
    """Return the name, with a number added if another shown column has it; `but` is the column to be named."""
    taken = [state.columns[each].name for each in state.shown if each != but]
    return unique_names([*taken, name])[-1]


def place_after(state: SheetState, column: str | None) -> int:
    """Return the index for a column that is to stand after this one; 0, the first, for None."""
    return 0 if column is None else state.shown.index(state.column(column).id) + 1
