"""What a notebook cell that runs by itself sees: every current dataset of the workspace."""

from __future__ import annotations

from whence.notebook.cell import CellContext
from whence.notebook.scope import Names
from whence.workspace.context import Context


def single_cell_context(context: Context) -> CellContext:
    """The services and names for one cell outside a notebook."""
    return CellContext(
        context.store,
        context.engine,
        Names({record.name: record for record in context.store.datasets()}),
        workers=context.background.workers,
        services=context.services,
        capture=context.writers.capture,
    )
