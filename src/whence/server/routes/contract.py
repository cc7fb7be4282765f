"""The route that returns the OpenAPI document of this server."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import JSONResponse

from whence.server.access import access
from whence.server.routers import new_router

router = new_router()


@router.get("/openapi.json", include_in_schema=False)
@access("session")
def read_contract(request: Request) -> JSONResponse:
    """The OpenAPI document. The framework's own route for it would declare no access."""
    return JSONResponse(request.app.openapi())
