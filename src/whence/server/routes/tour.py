"""The route that adds the tour to the workspace."""

from __future__ import annotations

from whence.server.access import access
from whence.server.notebooks import notebook_view
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import NotebookView
from whence.workspace.tour.tour import NAME, add_tour

router = new_router()


@router.post("/api/tour")
@access("session")
def make_tour(books: Books, workspace: WholeWorkspace) -> NotebookView:
    """Return the notebook of the tour. If it is missing, make it with its sample files, and run its cells."""
    add_tour(workspace)
    notebook = books.open(NAME)
    books.changed(notebook)
    return notebook_view(notebook.run())
