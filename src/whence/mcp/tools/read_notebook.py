"""The tool that reads a notebook, or one of its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from whence.mcp.answer import Answer, clip
from whence.mcp.arguments import NotebookName
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.model.plural import counted

if TYPE_CHECKING:
    from whence.workspace.notebook_cell import Cell

_LONGEST_SOURCE = 160


class ReadNotebook(Pageable):
    """Which notebook, and which cell of it."""

    notebook: NotebookName
    cell: str | None = Field(default=None, description="One cell, by its id, to read it in full.")


def read_notebook(context: ToolContext, asked: ReadNotebook) -> Answer:
    """Read a notebook: its version, and for each cell the id, kind, status, datasets it made, text and error. With
    `cell`, the full text, values, output and error of one cell."""
    notebook = context.notebooks.find(asked.notebook)
    if asked.cell is not None:
        lines = _cell_in_full(notebook.cell(asked.cell))
        return Answer([cell_line(notebook.cell(asked.cell))], lines[asked.more :], asked.more)
    snapshot = notebook.snapshot()
    head = (
        f"Notebook {notebook.name}, branch {notebook.branch_name}: {counted(len(snapshot.cells), 'cell')}, "
        f"version {snapshot.version} (pass it to edit_notebook as base_version)."
    )
    return Answer([head], [cell_line(each) for each in snapshot.cells[asked.more :]], asked.more)


def cell_line(cell: Cell) -> str:
    """Return a cell as one line: id, kind, status and reason, what it made, the beginning of its text."""
    reason = f" ({cell.reason})" if cell.reason else ""
    made = ", ".join(each.record.label for each in cell.outputs.datasets.values())
    error = cell.error
    problem = f" Error: {error.message} {error.hint}".rstrip() if error is not None else ""
    text = clip(cell.source, _LONGEST_SOURCE)
    return f"{cell.id} {cell.kind} {cell.status}{reason}{f' -> {made}' if made else ''}: {text}{problem}"


def _cell_in_full(cell: Cell) -> list[str]:
    others = {name: value for name, value in cell.values.items() if name != "source"}
    printed = cell.outputs.text
    lines = [f"{name} = {value!r}" for name, value in others.items()]
    lines += ["Text:", *cell.source.splitlines()]
    return lines + (["Printed:", *printed.splitlines()] if printed else [])


TOOL = Tool("read_notebook", "Read a notebook", ReadNotebook, read_notebook)
