"""Routes that serve the built web page and its scripts and styles."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from whence.server.access import access
from whence.server.errors import answer
from whence.server.events import Events
from whence.server.routers import new_router

router = new_router()

STATIC = Path(__file__).parent.parent / "static"


@router.get("/", include_in_schema=False)
@access("share")
def read_index(request: Request) -> Response:
    """The page itself; its state lives in the query string, so one address serves all of it.

    It carries where the event stream stands: whatever happens between its first question and its event stream's
    first word is then not lost on it.
    """
    index = STATIC / "index.html"
    if not index.is_file():
        return answer(503, "PageNotBuilt", "The page has not been built.", "Run ./dev web, then reload.")
    events: Events = request.app.state.events
    place = f'<meta name="whence-events" content="{events.epoch}:{events.last}" />'
    return HTMLResponse(index.read_text("utf-8").replace("</head>", f"{place}</head>", 1))


@access("share")
class Assets(StaticFiles):
    """Scripts and styles; their names carry a hash of their content, so browsers may keep them for ever."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC / "assets", check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file with a header that lets browsers cache it for a year."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "private, max-age=31536000, immutable"
        return response
