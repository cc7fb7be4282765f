"""Routes about the page of a notebook: arrange what stands on it, and set parameters by its inputs."""

from __future__ import annotations

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books, Name
from whence.wire.notebook_page import ArrangedPage, NewParameters
from whence.wire.notebooks import Edited

router = new_router()


@router.post("/api/notebooks/{name}/page")
@access("session")
def arrange_page(books: Books, name: Name, asked: ArrangedPage) -> Edited:
    """Arrange the page of a notebook. The status is 409 if an item was moved by someone else since the base version."""
    notebook = books.find(name)
    items = [each.item() for each in asked.items]
    notebook.page.arrange(items, base_version=asked.base_version, command_id=asked.command_id)
    books.changed(notebook)
    return Edited(version=notebook.version, cell=None)


@router.post("/api/notebooks/{name}/parameters")
@access("session")
def set_parameters(books: Books, name: Name, asked: NewParameters) -> Edited:
    """Change parameters, each in the last parameters cell that sets it. The cells that depend on them run."""
    notebook = books.find(name)
    notebook.set_parameters(asked.values)
    books.changed(notebook)
    return Edited(version=notebook.version, cell=None)
