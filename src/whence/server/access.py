"""Who may call what: the one table from which both the guard's open paths and the start-up walk are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute, compile_path

from whence.model.errors import InternalError

Access = Literal["open", "session", "share"]
"""Open to anyone who reaches the port; only with a session cookie or bearer token; or with a share link, to read it."""

ACCESS: Mapping[str, Access] = {
    "/health": "open",
    "/login": "open",
    "/shared": "open",
    "/": "share",
    "/assets": "share",
    "/openapi.json": "session",
    "/api/about": "share",
    "/api/datasets": "share",
    "/api/datasets/{name:path}/page": "share",
    "/api/datasets/{name:path}/cell": "session",
    "/api/datasets/{name:path}/next-doubt": "session",
    "/api/datasets/{name:path}/profile": "session",
    "/api/datasets/{name:path}/caveats": "session",
    "/api/datasets/{name:path}/caveats/acknowledge": "session",
    "/api/datasets/{name:path}/caveats/revoke": "session",
    "/api/datasets/{name:path}/caveats/impact": "session",
    "/api/caveats": "session",
    "/api/caveats/count": "session",
    "/api/datasets/{name:path}/caveat-density": "session",
    "/api/datasets/{name:path}/trace": "session",
    "/api/datasets/{name:path}/way": "session",
    "/api/datasets/{name:path}/reached": "session",
    "/api/chart-grammar": "session",
    "/api/datasets/{name:path}/charts": "session",
    "/api/datasets/{name:path}/charts/cost": "session",
    "/api/charts/{chart:path}/picture": "session",
    "/api/charts/{chart:path}/rows": "session",
    "/api/links": "session",
    "/api/links/{link}/prepare": "session",
    "/api/links/{link}/brush": "session",
    "/api/links/{link}/clear": "session",
    "/api/questions": "session",
    "/api/questions/{question}": "session",
    "/api/questions/{question}/search": "session",
    "/api/questions/{question}/stop": "session",
    "/api/questions/{question}/preview": "session",
    "/api/questions/{question}/compare": "session",
    "/api/datasets/{name:path}/column-lineage": "session",
    "/api/datasets/{name:path}/why-not": "session",
    "/api/graph": "session",
    "/api/uploads": "session",
    "/api/sessions/end": "session",
    "/api/tour": "session",
    "/api/kinds": "share",
    "/api/sheets": "session",
    "/api/sheets/{sheet}": "session",
    "/api/sheets/{sheet}/page": "session",
    "/api/sheets/{sheet}/density": "session",
    "/api/sheets/{sheet}/next-doubt": "session",
    "/api/sheets/{sheet}/find": "session",
    "/api/sheets/{sheet}/summary": "session",
    "/api/sheets/{sheet}/history": "session",
    "/api/sheets/{sheet}/identical": "session",
    "/api/sheets/{sheet}/values": "session",
    "/api/sheets/{sheet}/clusters": "session",
    "/api/sheets/{sheet}/operations": "session",
    "/api/sheets/{sheet}/discard": "session",
    "/api/sheets/{sheet}/apply": "session",
    "/api/sheets/{sheet}/home": "session",
    "/api/notebooks": "share",
    "/api/notebooks/{name}": "share",
    "/api/notebooks/{name}/remove": "session",
    "/api/notebooks/{name}/cells": "session",
    "/api/notebooks/{name}/cells/{cell}/change": "session",
    "/api/notebooks/{name}/cells/{cell}/remove": "session",
    "/api/notebooks/{name}/cells/{cell}/move": "session",
    "/api/notebooks/{name}/cells/{cell}/freeze": "session",
    "/api/notebooks/{name}/cells/{cell}/thaw": "session",
    "/api/notebooks/{name}/cells/{cell}/frame": "share",
    "/api/notebooks/{name}/run": "session",
    "/api/notebooks/{name}/cancel": "session",
    "/api/notebooks/{name}/mode": "session",
    "/api/notebooks/{name}/session": "session",
    "/api/notebooks/{name}/session/restart": "session",
    "/api/notebooks/{name}/session/upstream": "session",
    "/api/notebooks/{name}/session/workflow": "session",
    "/api/notebooks/{name}/history": "session",
    "/api/notebooks/{name}/versions/{version}": "session",
    "/api/notebooks/{name}/compare": "session",
    "/api/notebooks/{name}/branches": "session",
    "/api/notebooks/{name}/checkout": "session",
    "/api/notebooks/{name}/restore": "session",
    "/api/notebooks/{name}/shares": "session",
    "/api/notebooks/{name}/shares/{share}/revoke": "session",
    "/api/events": "session",
}


class UnclassifiedRoute(InternalError):
    """A route of which nobody has said who may call it."""


def open_paths(access: Mapping[str, Access]) -> frozenset[str]:
    """The paths the guard lets through without a credential, matched as whole strings."""
    return frozenset(path for path, who in access.items() if who == "open")


class SharePaths:
    """Whether a share link opens a path: every rule that fits it must say so, whichever route comes first."""

    def __init__(self, access: Mapping[str, Access]) -> None:
        self._rules = [(_pattern(path), who) for path, who in access.items()]

    def __contains__(self, path: object) -> bool:
        fitting = [who for pattern, who in self._rules if isinstance(path, str) and pattern.match(path)]
        return bool(fitting) and all(who == "share" for who in fitting)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(r"^/assets(/.*)?$") if path == "/assets" else compile_path(path)[0]


def check_routes(app: Starlette, access: Mapping[str, Access]) -> None:
    """Refuse an app with a route that is missing from the table, or a table that names a route the app lacks."""
    found = set(walk(app.routes))
    if unknown := sorted(found - access.keys()):
        raise UnclassifiedRoute(
            f"No access rule for {', '.join(unknown)}.", "Add a line to ACCESS in whence/server/access.py."
        )
    if missing := sorted(access.keys() - found):
        raise UnclassifiedRoute(f"An access rule names {', '.join(missing)}, which is no route.", "Remove the line.")


def walk(routes: list[BaseRoute], prefix: str = "") -> Iterator[str]:
    """Every path that can be reached, mounts included.

    A kind of route this function cannot look into is refused: FastAPI's included routers, for one, keep their routes
    in private fields.
    """
    for route in routes:
        match route:
            case Route() | WebSocketRoute():
                yield prefix + route.path
            case Mount():
                yield from walk(route.routes, prefix + route.path) if route.routes else [prefix + route.path]
            case _:
                raise UnclassifiedRoute(f"The route {route!r} hides what it serves.", "Add routes one by one.")
