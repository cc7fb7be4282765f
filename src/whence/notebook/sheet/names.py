"""Names and places of columns in a sheet."""

from __future__ import annotations

from whence.model.schema import unique_names
from whence.notebook.sheet.state import SheetState


def free_name(state: SheetState, name: str, but: str | None = None) -> str:
    """The name, with a number if another column already has it."""
    taken = [state.columns[each].name for each in state.shown if each != but]
    return unique_names([*taken, name])[-1]


def place_after(state: SheetState, column: str | None) -> int:
    """Where a column stands that comes after this one, or first."""
    return 0 if column is None else state.shown.index(state.column(column).id) + 1
