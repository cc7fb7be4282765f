"""Runs one cell outside the scheduler: finds its kind, checks its values and runs it."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values
from whence.notebook.cells.registry import CELL_KINDS


def run_cell(context: CellContext, kind: str, values: Values) -> CellResult:
    """Check the values, run a cell of this kind, and return what it makes."""
    cell = find_kind(kind)
    cell.check(values)
    return cell.run(context, values)


def find_kind(name: str) -> CellKind:
    """Return the cell kind of this name."""
    if name not in CELL_KINDS:
        raise UserError(f"There is no cell kind {name}.", f"Kinds: {', '.join(sorted(CELL_KINDS))}.")
    return CELL_KINDS[name]
