"""Routes that rename and delete datasets."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books
from whence.server.wiring import WholeWorkspace
from whence.wire.datasets import NewDatasetName, RemovedDataset, RenamedDataset

router = new_router()


@router.post("/api/datasets/{name:path}/rename")
@access("session")
def rename_dataset(books: Books, workspace: WholeWorkspace, name: str, asked: NewDatasetName) -> RenamedDataset:
    """Rename a dataset that a notebook makes, in all cells that make or read it. Each notebook gets one new version."""
    found = workspace.rename_dataset(name, asked.name)
    for notebook in found.changed:
        books.changed(books.find(notebook))
    return RenamedDataset(name=found.name, changed=found.changed, unchanged=found.unchanged)


@router.post("/api/datasets/{name:path}/remove")
@access("session")
def remove_dataset(workspace: WholeWorkspace, name: str, asked: RemovedDataset) -> list[str]:
    """Delete all versions of a dataset that no notebook makes, for good. Return the labels of what was deleted."""
    maker = workspace.dataset_makers().get(name.strip().lower())
    if maker is not None:
        raise UserError(f"The notebook {maker} makes {name}.", "Delete the cell that makes it.")
    return workspace.forget(
        name, also_dependants=asked.dependants == "remove", keep_dependants=asked.dependants == "keep"
    )
