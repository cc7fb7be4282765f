"""Routes that list the notebooks and the kinds of cells, and that create notebooks."""

from __future__ import annotations

from whence.server.access import access
from whence.server.notebooks import notebook_view
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books
from whence.server.shared import SharedOfRequest
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import KindView, NewNotebook, NotebookView
from whence.wire.parameter import ParameterView

router = new_router()


@router.get("/api/kinds")
@access("share")
def list_kinds() -> list[KindView]:
    """Return the kinds of cells, with their parameters."""
    from whence.notebook.cells.registry import CELL_KINDS  # the contract must not need Spark's libraries

    return [
        KindView(
            name=kind.name,
            title=kind.title,
            group=kind.group,
            summary=kind.summary,
            has_preview=kind.has_preview,
            parameters=[ParameterView.model_validate(vars(each)) for each in kind.parameters],
        )
        for kind in CELL_KINDS.values()
    ]


@router.get("/api/notebooks")
@access("share")
def list_notebooks(workspace: WholeWorkspace, shared: SharedOfRequest) -> list[str]:
    """Return the notebooks of the workspace, oldest first."""
    return workspace.notebooks() if shared is None else [shared.name]


@router.post("/api/notebooks")
@access("session")
def make_notebook(books: Books, asked: NewNotebook) -> NotebookView:
    """Return the notebook of this name, and create it if it is missing."""
    return notebook_view(books.open(asked.name))
