"""The tool that edits a notebook: the same edits as the page makes, with the version that the agent has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import NotebookName
from whence.mcp.context import ToolContext
from whence.mcp.tool import Arguments, Tool
from whence.mcp.tools.read_notebook import cell_line
from whence.model.errors import UserError
from whence.notebook.run_cell import find_kind
from whence.server.routes.notebooks import add_cell, change_cell, move_cell, remove_cell
from whence.wire.notebooks import ChangedCell, Edited, MovedCell, NewCell, RemovedCell

if TYPE_CHECKING:
    from whence.workspace.notebook import Notebook


class EditNotebook(Arguments):
    """One edit."""

    notebook: NotebookName
    action: Literal["create", "add", "change", "remove", "move"] = Field(
        description="create makes an empty notebook; the others edit one cell."
    )
    cell: str | None = Field(default=None, description="The id of the cell to change, remove or move.")
    kind: str | None = Field(
        default=None, description="The kind of the cell: sql, markdown, chart, a transformation, ..."
    )
    values: dict[str, object] = Field(
        default_factory=dict, description='What the cell says, such as {"source": "select ...", "name": "totals"}.'
    )
    position: int | None = Field(default=None, ge=0, le=2**31, description="Where to add or move it, counted from 0.")
    base_version: int | None = Field(
        default=None,
        ge=0,
        le=2**31,
        description="The version that you have read: of two edits of one cell the later is refused.",
    )


def edit_notebook(context: ToolContext, asked: EditNotebook) -> Answer:
    """Edit a notebook: create it, or add, change, remove or move one cell. Each edit makes a version, and cells that it
    makes stale run. Cells that load or write files or run Python code are for people to write."""
    if asked.action == "create":
        made = context.notebooks.open(asked.notebook)
        return Answer([f"Notebook {made.name}, version {made.version}."])
    notebook = context.notebooks.find(asked.notebook)
    edited = _edit(context, notebook, asked)
    head = f"Done: {notebook.name} is at version {edited.version}."
    return Answer([head], [] if edited.cell is None else [cell_line(notebook.cell(edited.cell.id))])


def _edit(context: ToolContext, notebook: Notebook, asked: EditNotebook) -> Edited:
    """Carry out the edit through the functions that answer the page, so that every open page is told."""
    books, name, base = context.notebooks, notebook.name, asked.base_version
    if asked.action == "add":
        kind = _allowed(asked.kind or "sql")
        made = NewCell(kind=kind, values=asked.values, position=asked.position, base_version=base, command_id=None)
        return add_cell(books, name, made)
    cell = _cell(asked)
    if asked.action == "remove":
        return remove_cell(books, name, cell, RemovedCell(base_version=base, command_id=None))
    if asked.action == "move":
        return move_cell(books, name, cell, MovedCell(position=asked.position or 0, base_version=base, command_id=None))
    kinds = {notebook.cell(cell).kind, asked.kind or notebook.cell(cell).kind}
    for each in kinds:
        _allowed(each)
    return change_cell(
        books, name, cell, ChangedCell(kind=asked.kind, values=asked.values, base_version=base, command_id=None)
    )


def _cell(asked: EditNotebook) -> str:
    if asked.cell is None:
        raise UserError(f"Say which cell to {asked.action}.", "read_notebook lists their ids.")
    return asked.cell


def _allowed(name: str) -> str:
    """Return the kind if an agent may write it: a cell must not reach further than the SQL guard lets a query reach."""
    kind = find_kind(name)
    if kind.group == "Load" or name == "python":
        raise UserError(
            f"An agent may not write {name} cells: they reach files or run code.", "Ask a person to write it."
        )
    return name


TOOL = Tool("edit_notebook", "Edit a notebook", EditNotebook, edit_notebook, changes=True)
