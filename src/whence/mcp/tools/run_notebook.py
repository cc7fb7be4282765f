"""The tool that runs cells of a notebook and waits for them for a while."""

from __future__ import annotations

from contextlib import suppress

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import NotebookName
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.mcp.tools.read_notebook import cell_line
from whence.model.errors import UserError
from whence.server.routes.notebooks import run_cells
from whence.wire.notebooks import RunCells


class RunNotebook(Pageable):
    """Which cells, and how long to wait."""

    notebook: NotebookName
    cell: str | None = Field(
        default=None, description="One cell with what it waits for; by default all that are not ready."
    )
    again: bool = Field(default=False, description="Run them even if nothing changed.")
    seconds: float = Field(default=20, ge=0, le=50, description="How long to wait for them.")


def run_notebook(context: ToolContext, asked: RunNotebook) -> Answer:
    """Run a notebook, or one cell with what it needs, and wait for a while. The answer lists the cells with their
    status; read_notebook says later how those went on that still run."""
    notebook = context.notebooks.find(asked.notebook)
    if not asked.more:
        what = RunCells(cell=asked.cell, what="all" if asked.cell is None else "cell", again=asked.again)
        run_cells(context.notebooks, notebook.name, what)
        with suppress(UserError):  # it is still running, which the lines say
            notebook.wait(asked.seconds)
    statuses = [cell.status for cell in notebook.cells]
    busy = sum(status in ("waiting", "running") for status in statuses)
    failed = sum(status == "error" for status in statuses)
    head = f"{notebook.name}, version {notebook.version}: {busy} still running, {failed} failed."
    return Answer([head], [cell_line(each) for each in notebook.cells[asked.more :]], asked.more)


TOOL = Tool("run_notebook", "Run a notebook", RunNotebook, run_notebook, changes=True)
