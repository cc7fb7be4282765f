"""Runs one cell: finds its kind, checks its values, lets it make its dataset."""

from __future__ import annotations

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.registry import CELL_KINDS


def run_cell(context: CellContext, kind: str, values: Values) -> DatasetRecord:
    """Make the dataset of a cell of this kind."""
    if kind not in CELL_KINDS:
        raise UserError(f"There is no cell kind {kind}.", f"Kinds: {', '.join(sorted(CELL_KINDS))}.")
    cell = CELL_KINDS[kind]
    cell.check(values)
    return cell.run(context, values)
