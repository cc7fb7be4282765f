"""Who may call what: each route declares it beside its path, the start-up walk and the guard read it there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute, compile_path

from whence.model.errors import InternalError

Access = Literal["open", "session", "share"]
"""Open to anyone who reaches the port; only with a session cookie or bearer token; or with a share link, to read it."""

_DECLARED = "whence_access"
Endpoint = TypeVar("Endpoint")


def access(who: Access) -> Callable[[Endpoint], Endpoint]:
    """Declare who may call a route, or may read what is mounted."""

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _DECLARED, who)
        return endpoint

    return declare


class UnclassifiedRoute(InternalError):
    """A route of which nobody has said who may call it."""


@dataclass(frozen=True)
class Rule:
    """One route: its path, who may call it, and what it answers to."""

    path: str
    access: Access
    methods: frozenset[str] = frozenset({"GET"})
    is_mount: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """What the paths that the route serves look like."""
        return re.compile(f"^{re.escape(self.path)}(/.*)?$") if self.is_mount else compile_path(self.path)[0]


def read_rules(app: Starlette) -> list[Rule]:
    """The rule of every route that can be reached; refuses an app with a route that declares none."""
    return list(_walk(app.routes))


def open_paths(rules: Iterable[Rule]) -> frozenset[str]:
    """The paths the guard lets through without a credential, matched as whole strings."""
    return frozenset(rule.path for rule in rules if rule.access == "open")


class SharePaths:
    """Whether a share link opens a path: every rule that fits it must say so, whichever route comes first."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        # A link only reads, so what other methods of a path do is none of its business.
        self._rules = [(rule.pattern, rule.access) for rule in rules if "GET" in rule.methods]

    def __contains__(self, path: object) -> bool:
        fitting = [who for pattern, who in self._rules if isinstance(path, str) and pattern.match(path)]
        return bool(fitting) and all(who == "share" for who in fitting)


def _walk(routes: list[BaseRoute], prefix: str = "") -> Iterator[Rule]:
    """Every route, mounts included.

    A kind of route this function cannot look into is refused: FastAPI's included routers, for one, keep their routes
    in private fields.
    """
    for route in routes:
        match route:
            case Route():
                path = prefix + route.path
                yield Rule(path, _declared(route.endpoint, path), frozenset(route.methods or {"GET"}))
            case WebSocketRoute():
                yield Rule(prefix + route.path, _declared(route.endpoint, prefix + route.path))
            case Mount() if route.routes:
                yield from _walk(route.routes, prefix + route.path)
            case Mount():
                path = prefix + route.path
                yield Rule(path, _declared(route.app, path), is_mount=True)
            case _:
                raise UnclassifiedRoute(f"The route {route!r} hides what it serves.", "Add routes one by one.")


def _declared(endpoint: object, path: str) -> Access:
    who: Access | None = getattr(endpoint, _DECLARED, None)
    if who is None:
        raise UnclassifiedRoute(f"No access rule for {path}.", "Put @access(...) above its function.")
    return who
