"""Serves the built page."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from whence.server.errors import answer

STATIC = Path(__file__).parent.parent / "static"


def read_index() -> Response:
    """The page itself; its state lives in the query string, so one address serves all of it."""
    index = STATIC / "index.html"
    if not index.is_file():
        return answer(503, "PageNotBuilt", "The page has not been built.", "Run ./dev web, then reload.")
    return FileResponse(index)


class Assets(StaticFiles):
    """Scripts and styles; their names carry a hash of their content, so browsers may keep them for ever."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC / "assets", check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file with a long life in the browser's cache."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "private, max-age=31536000, immutable"
        return response
