"""Runs a notebook cell by itself, outside any notebook: it sees every current dataset of the workspace."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.notebook.cell import CellContext
from whence.notebook.run_cell import run_cell
from whence.notebook.scope import Names
from whence.workspace.context import Context


def run_single_cell(context: Context, kind: str, parameters: Mapping[str, object]) -> DatasetRecord:
    """Run one cell and return the first dataset it makes."""
    made = run_cell(single_cell_context(context), kind, parameters).datasets
    if not made:
        raise UserError(f"A {kind} cell makes no dataset.", "Put it in a notebook: ws.notebook(...).append(...).")
    return next(iter(made.values()))


def single_cell_context(context: Context) -> CellContext:
    """Return the context for one cell outside a notebook: the services, and every current dataset by name."""
    return CellContext(
        context.store,
        context.engine,
        Names({record.name: record for record in context.store.datasets()}),
        workers=context.background.workers,
        services=context.services,
        capture=context.writers.capture,
    )
