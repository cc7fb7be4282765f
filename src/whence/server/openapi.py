"""Generates the OpenAPI document of the server, without Spark or a workspace."""

from __future__ import annotations

from whence.server.app import build_api


def schema() -> dict[str, object]:
    """Return the OpenAPI document.

    >>> list(schema()["paths"])[:3]
    ['/health', '/api/about', '/api/datasets']
    """
    return dict(build_api().openapi())
