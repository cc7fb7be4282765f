"""Builds the server: routers, error handlers, the check of access rules at start-up, and the guard around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp

from whence.server.access import SharePaths, open_paths, read_rules
from whence.server.body_limit import BodyLimit
from whence.server.charts import Charts
from whence.server.errors import add_error_handlers
from whence.server.events import Events
from whence.server.extension import Extension, MakeExtension
from whence.server.guard import Guard
from whence.server.notebooks import Notebooks
from whence.server.overview import CaveatCounts
from whence.server.questions import Questions
from whence.server.routes import site, uploads
from whence.server.routes.registry import ROUTERS
from whence.server.sessions import Sessions
from whence.server.sheets import Sheets
from whence.workspace.served import ServedWorkspace

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def create_app(
    workspace: ServedWorkspace,
    token: str,
    *,
    port: int = 8321,
    names: tuple[str, ...] = LOOPBACK_NAMES,
    sessions: Sessions | None = None,
    events: Events | None = None,
    extensions: Sequence[MakeExtension] = (),
) -> ASGIApp:
    """Return the ASGI app for one workspace, behind a guard.

    It answers only to these host names at this port. Everything but open paths needs the token, a session or a link.
    """
    api = build_api()
    api.state.workspace = workspace
    api.state.events = events or Events()
    api.state.sockets = Counter()
    api.state.caveat_counts = CaveatCounts()
    api.state.sheets = Sheets(workspace)
    api.state.charts = Charts(workspace)
    api.state.questions = Questions(api.state.charts)
    api.state.notebooks = Notebooks(workspace, api.state.events)
    api.state.sessions = sessions or Sessions(token)
    api.state.cookie = cookie_name(port)
    api.state.share_cookie = share_cookie_name(port)
    address = f"http://{names[0]}:{port}"
    _extend(api, [make(workspace, api.state.notebooks, address) for make in extensions])
    rules = read_rules(api)
    return Guard(
        BodyLimit(api, file_paths={uploads.PATH}),
        api.state.sessions,
        # Browsers leave the port out of the Host header if it is the default one.
        hosts=[f"{name}:{port}" for name in names] + ([*names] if port == 80 else []),
        cookie=api.state.cookie,
        open_paths=open_paths(rules),
        share_cookie=api.state.share_cookie,
        share_paths=SharePaths(rules),
        find_shared=lambda given: workspace.shared(given),
    )


def _extend(api: FastAPI, extensions: Sequence[Extension]) -> None:
    """Add the routes of extensions, and remember what has to run while the server runs."""
    api.state.extensions = extensions
    api.router.routes.extend(route for each in extensions for route in each.routes)


def cookie_name(port: int) -> str:
    """Return the name of the session cookie. It has the port, as browsers share cookies between ports of a host."""
    return f"whence_session_{port}"


def share_cookie_name(port: int) -> str:
    """Return the name of the share cookie. It is another one, so that owners who follow a share link stay signed in."""
    return f"whence_share_{port}"


def build_api() -> FastAPI:
    """Return the routes without a workspace behind them, as the contract needs them."""
    # The framework's own pages about the contract would be routes that declare no access.
    api = FastAPI(title="whence", openapi_url=None, docs_url=None, redoc_url=None, lifespan=_checked)
    for router in ROUTERS:
        # Not `include_router`, which hides the routes in private fields from the walk that reads their access.
        api.router.routes.extend(router.routes)
    api.mount("/assets", site.Assets())
    add_error_handlers(api)
    return api


@asynccontextmanager
async def _checked(api: FastAPI) -> AsyncIterator[None]:
    """Check the access rules again when the server starts: a route may have been added since `create_app`."""
    read_rules(api)
    async with AsyncExitStack() as running:
        for each in getattr(api.state, "extensions", ()):
            await running.enter_async_context(each.running())
        yield
