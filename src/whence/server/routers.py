"""Makes the routers of the server, and describes in the contract what errors their routes return."""

from __future__ import annotations

from fastapi import APIRouter

from whence.wire.errors import ErrorBody

ERROR: dict[str, object] = {"model": ErrorBody, "description": "What went wrong and what to do."}
ERRORS_AS_JSON: dict[int | str, dict[str, object]] = {
    status: {
        "description": ERROR["description"],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
    }
    for status in ("4XX", 422)
}
"""Responses of a route that does not return JSON: FastAPI would otherwise describe its errors in that format, too."""


def new_router() -> APIRouter:
    """Return a router for the routes of one noun. The contract names each route after its function."""
    return APIRouter(
        responses={"4XX": ERROR, 422: ERROR},  # 422 would otherwise be described in FastAPI's own shape.
        generate_unique_id_function=lambda route: route.name,
    )
