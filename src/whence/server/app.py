"""Puts the server together: routes, error shape, start-up walk, and the guard around all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp

from whence.server.access import ACCESS, SharePaths, check_routes, open_paths
from whence.server.charts import Charts
from whence.server.errors import add_error_handlers
from whence.server.events import Events
from whence.server.guard import Guard
from whence.server.handles import WorkspaceHandle
from whence.server.notebooks import Notebooks
from whence.server.overview import CaveatCounts
from whence.server.questions import Questions
from whence.server.routes.about import read_about, read_health
from whence.server.routes.caveats import (
    acknowledge_caveats,
    count_caveats,
    list_all_caveats,
    list_caveats,
    read_density,
    read_impact,
    revoke_caveats,
)
from whence.server.routes.cell import read_cell
from whence.server.routes.chart_grammar import read_chart_grammar
from whence.server.routes.charts import (
    brush_chart,
    clear_brush,
    draw_chart,
    keep_rows,
    link_charts,
    prepare_brush,
    read_chart,
    suggest_charts,
    weigh_chart,
)
from whence.server.routes.column_lineage import read_column_lineage
from whence.server.routes.datasets import list_datasets
from whence.server.routes.events import follow_events
from whence.server.routes.frame import read_frame
from whence.server.routes.lineage import read_graph, trace_rows
from whence.server.routes.login import end_sessions, login
from whence.server.routes.next_doubt import find_doubt
from whence.server.routes.notebooks import (
    add_cell,
    cancel_cells,
    change_cell,
    check_out,
    compare_versions,
    find_upstream,
    freeze_cell,
    list_kinds,
    list_notebooks,
    make_branch,
    make_notebook,
    make_workflow,
    move_cell,
    read_history,
    read_notebook,
    read_session,
    read_version,
    remove_cell,
    remove_notebook,
    restart_session,
    restore_version,
    run_cells,
    set_mode,
    thaw_cell,
)
from whence.server.routes.page import read_page
from whence.server.routes.profile import read_profile
from whence.server.routes.questions import (
    ask_question,
    compare_answers,
    preview_answer,
    read_question,
    search_answers,
    stop_search,
)
from whence.server.routes.shares import list_shares, make_share, open_share, revoke_share
from whence.server.routes.sheet_looks import (
    count_identical,
    find_clusters,
    find_sheet_doubt,
    find_sheet_text,
    read_sheet_density,
    read_sheet_history,
    read_sheet_values,
    sum_up,
)
from whence.server.routes.sheets import (
    apply_sheet,
    discard_sheet,
    do_operation,
    find_home,
    list_sheets,
    make_sheet,
    read_sheet,
    read_sheet_page,
)
from whence.server.routes.site import Assets, read_index
from whence.server.routes.tour import make_tour
from whence.server.routes.uploads import upload
from whence.server.routes.way import read_reached, read_way
from whence.server.routes.why_not import ask_why_not
from whence.server.sessions import Sessions
from whence.server.sheets import Sheets
from whence.wire.errors import ErrorBody

if TYPE_CHECKING:
    from whence.workspace.workspace import Workspace

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ANY_FILE: dict[str, object] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""The body is read as it streams, so the framework does not know that there is one."""
ERROR: dict[str, object] = {"model": ErrorBody, "description": "What went wrong and what to do."}
ERRORS_AS_JSON: dict[int | str, dict[str, object]] = {
    status: {
        "description": ERROR["description"],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
    }
    for status in ("4XX", 422)
}
"""For a route that answers something else than JSON: the framework would say that of its errors, too."""


def create_app(
    workspace: WorkspaceHandle,
    token: str,
    *,
    port: int = 8321,
    names: tuple[str, ...] = LOOPBACK_NAMES,
    sessions: Sessions | None = None,
    events: Events | None = None,
) -> ASGIApp:
    """The whole server for one workspace, reachable only under these host names at this port, only with the token."""
    api = build_api()
    api.state.workspace = workspace
    api.state.events = events or Events()
    api.state.sockets = Counter()
    api.state.caveat_counts = CaveatCounts()
    api.state.sheets = Sheets(cast("Workspace", workspace))
    api.state.charts = Charts(cast("Workspace", workspace))
    api.state.questions = Questions(api.state.charts)
    api.state.notebooks = Notebooks(cast("Workspace", workspace), api.state.events)
    api.state.sessions = sessions or Sessions(token)
    api.state.cookie = cookie_name(port)
    api.state.share_cookie = share_cookie_name(port)
    check_routes(api, ACCESS)
    return Guard(
        api,
        api.state.sessions,
        hosts=[f"{name}:{port}" for name in names] + ([*names] if port == 80 else []),
        cookie=api.state.cookie,
        open_paths=open_paths(ACCESS),
        share_cookie=api.state.share_cookie,
        share_paths=SharePaths(ACCESS),
        find_shared=lambda given: workspace.shared(given),
    )


def cookie_name(port: int) -> str:
    """Named per port, because browsers share cookies between the ports of a host."""
    return f"whence_session_{port}"


def share_cookie_name(port: int) -> str:
    """Beside the owner's cookie, so that following a link to one's own notebook signs nobody out."""
    return f"whence_share_{port}"


def build_api() -> FastAPI:
    """The routes without a workspace behind them."""
    api = FastAPI(
        title="whence",
        docs_url=None,
        redoc_url=None,
        lifespan=_checked,
        responses={"4XX": ERROR, 422: ERROR},  # 422 would otherwise be described in FastAPI's own shape.
        generate_unique_id_function=lambda route: route.name,
    )
    api.add_api_route("/health", read_health)
    api.add_api_route("/api/about", read_about)
    api.add_api_route("/api/datasets", list_datasets)
    api.add_api_route("/api/datasets/{name:path}/page", read_page)
    api.add_api_route("/api/datasets/{name:path}/cell", read_cell)
    api.add_api_route("/api/datasets/{name:path}/next-doubt", find_doubt)
    api.add_api_route("/api/datasets/{name:path}/profile", read_profile)
    api.add_api_route("/api/datasets/{name:path}/caveats", list_caveats)
    api.add_api_route("/api/datasets/{name:path}/caveats/acknowledge", acknowledge_caveats, methods=["POST"])
    api.add_api_route("/api/datasets/{name:path}/caveats/revoke", revoke_caveats, methods=["POST"])
    api.add_api_route("/api/datasets/{name:path}/caveats/impact", read_impact)
    api.add_api_route("/api/caveats", list_all_caveats)
    api.add_api_route("/api/caveats/count", count_caveats)
    api.add_api_route("/api/datasets/{name:path}/caveat-density", read_density)
    api.add_api_route("/api/datasets/{name:path}/trace", trace_rows, methods=["POST"])
    api.add_api_route("/api/datasets/{name:path}/way", read_way)
    api.add_api_route("/api/datasets/{name:path}/reached", read_reached)
    api.add_api_route("/api/datasets/{name:path}/column-lineage", read_column_lineage)
    api.add_api_route("/api/datasets/{name:path}/why-not", ask_why_not, methods=["POST"])
    api.add_api_route("/api/graph", read_graph)
    api.add_api_route("/api/uploads", upload, methods=["POST"], openapi_extra=ANY_FILE)
    api.add_api_route("/api/sessions/end", end_sessions, methods=["POST"])
    api.add_api_route("/api/tour", make_tour, methods=["POST"])
    api.add_api_route("/api/kinds", list_kinds)
    api.add_api_route("/api/notebooks", list_notebooks)
    api.add_api_route("/api/notebooks", make_notebook, methods=["POST"])
    api.add_api_route("/api/sheets", list_sheets)
    api.add_api_route("/api/sheets", make_sheet, methods=["POST"])
    api.add_api_route("/api/sheets/{sheet}", read_sheet)
    api.add_api_route("/api/sheets/{sheet}/page", read_sheet_page)
    api.add_api_route("/api/sheets/{sheet}/operations", do_operation, methods=["POST"])
    api.add_api_route("/api/sheets/{sheet}/discard", discard_sheet, methods=["POST"])
    api.add_api_route("/api/sheets/{sheet}/apply", apply_sheet, methods=["POST"])
    api.add_api_route("/api/sheets/{sheet}/home", find_home)
    for path, route, method in _CHARTS:
        api.add_api_route(f"/api{path}", route, methods=[method])
    for path, look in _SHEET_LOOKS:
        api.add_api_route(f"/api/sheets/{{sheet}}{path}", look)
    for path, route, method in _NOTEBOOK:
        api.add_api_route(f"/api/notebooks/{{name}}{path}", route, methods=[method])
    api.add_api_route(
        "/api/notebooks/{name}/cells/{cell}/frame", read_frame, response_class=HTMLResponse, responses=ERRORS_AS_JSON
    )
    api.add_api_websocket_route("/api/events", follow_events)
    api.add_route("/login", login, include_in_schema=False)
    api.add_route("/shared", open_share, include_in_schema=False)
    api.add_api_route("/", read_index, include_in_schema=False)
    api.mount("/assets", Assets())
    add_error_handlers(api)
    return api


_CHARTS: tuple[tuple[str, Callable[..., object], str], ...] = (
    ("/chart-grammar", read_chart_grammar, "GET"),
    ("/datasets/{name:path}/charts", suggest_charts, "GET"),
    ("/datasets/{name:path}/charts", draw_chart, "POST"),
    ("/datasets/{name:path}/charts/cost", weigh_chart, "POST"),
    ("/charts/{chart:path}/picture", read_chart, "GET"),
    ("/charts/{chart:path}/rows", keep_rows, "POST"),
    ("/links", link_charts, "POST"),
    ("/links/{link}/prepare", prepare_brush, "POST"),
    ("/links/{link}/brush", brush_chart, "POST"),
    ("/links/{link}/clear", clear_brush, "POST"),
    ("/questions", ask_question, "POST"),
    ("/questions/{question}", read_question, "GET"),
    ("/questions/{question}/search", search_answers, "POST"),
    ("/questions/{question}/stop", stop_search, "POST"),
    ("/questions/{question}/preview", preview_answer, "POST"),
    ("/questions/{question}/compare", compare_answers, "POST"),
)

_SHEET_LOOKS: tuple[tuple[str, Callable[..., object]], ...] = (
    ("/density", read_sheet_density),
    ("/next-doubt", find_sheet_doubt),
    ("/find", find_sheet_text),
    ("/summary", sum_up),
    ("/history", read_sheet_history),
    ("/identical", count_identical),
    ("/values", read_sheet_values),
    ("/clusters", find_clusters),
)

_NOTEBOOK: tuple[tuple[str, Callable[..., object], str], ...] = (
    ("", read_notebook, "GET"),
    ("/remove", remove_notebook, "POST"),
    ("/cells", add_cell, "POST"),
    ("/cells/{cell}/change", change_cell, "POST"),
    ("/cells/{cell}/remove", remove_cell, "POST"),
    ("/cells/{cell}/move", move_cell, "POST"),
    ("/cells/{cell}/freeze", freeze_cell, "POST"),
    ("/cells/{cell}/thaw", thaw_cell, "POST"),
    ("/run", run_cells, "POST"),
    ("/cancel", cancel_cells, "POST"),
    ("/mode", set_mode, "POST"),
    ("/session", read_session, "GET"),
    ("/session/restart", restart_session, "POST"),
    ("/session/upstream", find_upstream, "POST"),
    ("/session/workflow", make_workflow, "POST"),
    ("/history", read_history, "GET"),
    ("/versions/{version}", read_version, "GET"),
    ("/compare", compare_versions, "GET"),
    ("/branches", make_branch, "POST"),
    ("/checkout", check_out, "POST"),
    ("/restore", restore_version, "POST"),
    ("/shares", list_shares, "GET"),
    ("/shares", make_share, "POST"),
    ("/shares/{share}/revoke", revoke_share, "POST"),
)


@asynccontextmanager
async def _checked(api: FastAPI) -> AsyncIterator[None]:
    """Walk the routes once more when the server starts, so that one added since `create_app` is met too."""
    check_routes(api, ACCESS)
    yield
