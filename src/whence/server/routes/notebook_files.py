"""Routes that rename a notebook, copy it, and hand it out as a file."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from whence.server.access import access
from whence.server.file_names import file_name
from whence.server.notebooks import notebook_view
from whence.server.routers import ERRORS_AS_JSON, new_router
from whence.server.routes.download import ANY_FILE
from whence.server.routes.notebooks import Books, Name
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import NewNotebook, NotebookView

if TYPE_CHECKING:
    from whence.workspace.notebook import Notebook

router = new_router()

NotebookFormat = Literal["report", "jupyter", "script", "text"]
SUFFIXES: dict[NotebookFormat, str] = {"report": ".html", "jupyter": ".ipynb", "script": ".py", "text": ".txt"}


@router.post("/api/notebooks/{name}/rename")
@access("session")
def rename_notebook(books: Books, name: Name, asked: NewNotebook) -> NotebookView:
    """Give a notebook another name; its history and its share links stay."""
    return notebook_view(books.rename(name, asked.name))


@router.post("/api/notebooks/{name}/copy")
@access("session")
def copy_notebook(books: Books, workspace: WholeWorkspace, name: Name, asked: NewNotebook) -> NotebookView:
    """Copy the cells of a notebook to a new one, with other names for the datasets they make, and run them."""
    made = books.open(workspace.copy_notebook(books.known(name).name, asked.name).name)
    return notebook_view(made.run())


@router.get("/api/notebooks/{name}/download", response_class=FileResponse, responses={200: ANY_FILE, **ERRORS_AS_JSON})
@access("session")
def download_notebook(books: Books, name: Name, format: NotebookFormat = "jupyter") -> FileResponse:
    """A notebook as a report, a Jupyter notebook with its outputs, a script (packed, if it needs data), or text."""
    notebook = books.known(name)
    folder = Path(tempfile.mkdtemp(prefix="whence-download-"))
    try:
        file = _write(notebook, folder, format)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        file,
        media_type="application/octet-stream",
        filename=file.name,
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


def _write(notebook: Notebook, folder: Path, format: NotebookFormat) -> Path:
    """Write the notebook into a folder, and return the file to hand out."""
    inside = folder / file_name(notebook.name, "notebook")
    inside.mkdir()
    file = inside / f"{inside.name}{SUFFIXES[format]}"
    if format == "report":
        notebook.report(file)
        return file
    notebook.export(file, outputs=True)
    if format != "script" or not any((inside / "data").iterdir()):
        return file
    # The script reads its data from the folder beside it, so both go into one file.
    return Path(shutil.make_archive(str(inside), "zip", folder, inside.name))
