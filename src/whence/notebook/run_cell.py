"""Runs one cell: finds its kind, checks its values, lets it do what it says."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellKind, CellResult, Values
from whence.notebook.cells.registry import CELL_KINDS


def run_cell(context: CellContext, kind: str, values: Values) -> CellResult:
    """What a cell of this kind makes."""
    cell = find_kind(kind)
    cell.check(values)
    return cell.run(context, values)


def find_kind(name: str) -> CellKind:
    """The cell kind of this name."""
    if name not in CELL_KINDS:
        raise UserError(f"There is no cell kind {name}.", f"Kinds: {', '.join(sorted(CELL_KINDS))}.")
    return CELL_KINDS[name]
