"""Hands out all rows of a dataset as a file."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from fastapi import Query
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from whence.notebook.export.export import export_dataset
from whence.server.access import access
from whence.server.file_names import file_name
from whence.server.routers import ERRORS_AS_JSON, new_router
from whence.server.wiring import WholeWorkspace, find

router = new_router()

SUFFIXES = {"csv": ".csv", "excel": ".xlsx", "parquet": ".parquet"}
ANY_FILE = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@router.get(
    "/api/datasets/{name:path}/download", response_class=FileResponse, responses={200: ANY_FILE, **ERRORS_AS_JSON}
)
@access("session")
def download_dataset(
    workspace: WholeWorkspace,
    name: str,
    format: Literal["csv", "excel", "parquet"] = "csv",
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> FileResponse:
    """Return all rows, in the order of the dataset, as a CSV, Excel or Parquet file. No Spark is needed."""
    dataset = find(workspace, name, version)
    store, suffix = dataset.context.store, SUFFIXES[format]
    # A file of its own for each request: two may ask for the same dataset, and this one goes when it has been sent.
    path = store.layout.temporary / f"download-{secrets.token_hex(8)}{suffix}"
    export_dataset(store, dataset.record, path, format)
    return FileResponse(
        path,
        media_type="application/octet-stream",
        filename=f"{file_name(dataset.name, 'dataset')}{suffix}",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )
