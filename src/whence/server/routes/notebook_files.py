"""Routes that rename a notebook, copy it, and hand it out as a file."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Query
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from whence.model.errors import BadInput
from whence.model.lazy_module import LazyModule
from whence.server.access import access
from whence.server.file_names import file_name
from whence.server.notebooks import notebook_view
from whence.server.routers import ERRORS_AS_JSON, new_router
from whence.server.routes.download import ANY_FILE
from whence.server.routes.notebooks import Books, Name
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import HideableColumn, NewNotebook, NotebookView

# Loaded on first use: the contract of the API is made without Spark.
if TYPE_CHECKING:
    import whence.workspace.report.write as reports
    from whence.workspace.notebook import Notebook
else:
    reports = LazyModule("whence.workspace.report.write")

router = new_router()

NotebookFormat = Literal["report", "jupyter", "script", "text"]
SUFFIXES: dict[NotebookFormat, str] = {"report": ".html", "jupyter": ".ipynb", "script": ".py", "text": ".txt"}


@router.post("/api/notebooks/{name}/rename")
@access("session")
def rename_notebook(books: Books, name: Name, asked: NewNotebook) -> NotebookView:
    """Give a notebook another name. Its history and its share links stay."""
    return notebook_view(books.rename(name, asked.name))


@router.post("/api/notebooks/{name}/copy")
@access("session")
def copy_notebook(books: Books, workspace: WholeWorkspace, name: Name, asked: NewNotebook) -> NotebookView:
    """Copy the cells of a notebook to a new one, give their datasets other names, and run the copies."""
    made = books.open(workspace.copy_notebook(books.find(name).name, asked.name).name)
    return notebook_view(made.run())


@router.get("/api/notebooks/{name}/report/columns")
@access("session")
def list_report_columns(books: Books, workspace: WholeWorkspace, name: Name) -> list[HideableColumn]:
    """Return the columns that a report of a notebook may show, with those of the files behind its values."""
    found: dict[str, list[str]] = {}
    for dataset, column in reports.columns_to_hide(workspace.context, books.find(name).cells):
        found.setdefault(column, []).append(dataset)
    return [HideableColumn(name=column, datasets=list(dict.fromkeys(names))) for column, names in found.items()]


@router.get("/api/notebooks/{name}/download", response_class=FileResponse, responses={200: ANY_FILE, **ERRORS_AS_JSON})
@access("session")
def download_notebook(
    books: Books,
    name: Name,
    format: NotebookFormat = "jupyter",
    redact: Annotated[str | None, Query(max_length=100_000)] = None,
) -> FileResponse:
    """Return a notebook as a report, for Jupyter with outputs, as a script (a zip file if it needs data), or as text.

    A report hides the values of the columns in `redact`, a JSON list of names, each `column` or `dataset.column`.
    """
    hidden = _names(redact)
    if hidden and format != "report":
        raise BadInput("Only a report can hide columns.", "Ask for format=report, or leave redact out.")
    notebook = books.find(name)
    folder = Path(tempfile.mkdtemp(prefix="whence-download-"))
    try:
        file = _write(notebook, folder, format, hidden)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        file,
        media_type="application/octet-stream",
        filename=file.name,
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


def _write(notebook: Notebook, folder: Path, format: NotebookFormat, hidden: Sequence[str]) -> Path:
    """Write the notebook into a folder, and return the file to hand out."""
    inside = folder / file_name(notebook.name, "notebook")
    inside.mkdir()
    file = inside / f"{inside.name}{SUFFIXES[format]}"
    if format == "report":
        notebook.report(file, redact=hidden)
        return file
    notebook.export(file, outputs=True)
    if format != "script" or not any((inside / "data").iterdir()):
        return file
    # The script reads its data from the folder beside it, so both go into one file.
    return Path(shutil.make_archive(str(inside), "zip", folder, inside.name))


def _names(text: str | None) -> list[str]:
    """Return the columns to hide. A list that cannot be read must not pass for none: their values would be seen."""
    try:
        found = json.loads(text or "[]")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadInput("redact is no JSON list of columns.", 'For example ["name", "people.age"].')
    return found
