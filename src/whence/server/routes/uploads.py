"""Takes files in, however large, piece by piece."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from whence.server.wiring import OpenWorkspace
from whence.wire.notebooks import Upload


async def upload(request: Request, workspace: OpenWorkspace, name: Annotated[str, Query(max_length=1000)]) -> Upload:
    """Keep the body of the request as a file of the workspace; a load cell reads it by the path given back."""
    incoming = workspace.receive(name)
    try:
        async for piece in request.stream():
            incoming.write(piece)
        return Upload(path=incoming.finish(), bytes=incoming.size)
    except BaseException:
        incoming.drop()
        raise
