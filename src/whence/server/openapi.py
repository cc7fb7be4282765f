"""The contract with the page as one document, made without Spark or a workspace."""

from __future__ import annotations

from whence.server.app import build_api


def schema() -> dict[str, object]:
    """The OpenAPI document.

    >>> list(schema()["paths"])[:3]
    ['/health', '/api/about', '/api/datasets']
    """
    return dict(build_api().openapi())
