"""The route that receives a file, of any size, piece by piece."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace
from whence.wire.notebooks import Upload

router = new_router()

PATH = "/api/uploads"
"""The one path whose body may be of any size: it goes to the disk piece by piece."""

ANY_FILE: dict[str, object] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""The body as the contract describes it: the route streams it, so FastAPI does not know that there is one."""


@router.post(PATH, openapi_extra=ANY_FILE)
@access("session")
async def upload(request: Request, workspace: WholeWorkspace, name: Annotated[str, Query(max_length=1000)]) -> Upload:
    """Store the body of the request as a file of the workspace. A load cell reads it by the returned path."""
    # In threads: a slow disk must not keep all other requests waiting.
    incoming = await run_in_threadpool(workspace.receive, name)
    try:
        async for piece in request.stream():
            await run_in_threadpool(incoming.write, piece)
        return Upload(path=await run_in_threadpool(incoming.finish), bytes=incoming.size)
    except BaseException:  # also if the request is cancelled: half a file must not stay
        incoming.drop()
        raise
