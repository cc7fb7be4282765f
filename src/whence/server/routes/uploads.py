"""Takes files in, however large, piece by piece."""

from __future__ import annotations

import secrets
import unicodedata
from pathlib import PurePath
from typing import Annotated

from fastapi import Query, Request

from whence.model.errors import BadInput
from whence.server.notebook_models import Upload
from whence.server.wiring import OpenWorkspace

LONGEST_NAME = 200


async def upload(request: Request, workspace: OpenWorkspace, name: Annotated[str, Query(max_length=1000)]) -> Upload:
    """Keep the body of the request as a file of the workspace; a load cell reads it by the path given back."""
    chosen = _safe(name)
    folder = workspace.path / "uploads" / secrets.token_hex(8)
    folder.mkdir(parents=True)
    place, size = folder / chosen, 0
    try:
        with place.open("wb") as file:
            async for piece in request.stream():
                file.write(piece)
                size += len(piece)
    except BaseException:
        place.unlink(missing_ok=True)
        folder.rmdir()
        raise
    return Upload(path=place.relative_to(workspace.path).as_posix(), bytes=size)


def _safe(name: str) -> str:
    """The file's own name without folders and control characters."""
    last = PurePath(name.replace("\\", "/")).name
    kept = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C").strip(". ")
    if not kept or len(kept.encode()) > LONGEST_NAME:
        raise BadInput("The file has no name that can be kept.", f"Give one of 1 to {LONGEST_NAME} bytes.")
    return kept
