"""Access rules: each route declares who may call it, and the start-up check and the guard read the declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute, compile_path

from whence.model.errors import InternalError

Access = Literal["open", "session", "share"]
"""`open`: anyone who reaches the port. `session`: only a session cookie or the token. `share`: also a share link."""

_DECLARED = "whence_access"
Endpoint = TypeVar("Endpoint")


def access(who: Access) -> Callable[[Endpoint], Endpoint]:
    """Return a decorator that declares who may call a route, or read a mounted folder."""

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _DECLARED, who)
        return endpoint

    return declare


class UnclassifiedRoute(InternalError):
    """A route does not declare who may call it."""


@dataclass(frozen=True)
class Rule:
    """The access rule of one route: its path, who may call it, and its HTTP methods."""

    path: str
    access: Access
    methods: frozenset[str] = frozenset({"GET"})
    is_mount: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the paths that the route serves."""
        return re.compile(f"^{re.escape(self.path)}(/.*)?$") if self.is_mount else compile_path(self.path)[0]


def read_rules(app: Starlette) -> list[Rule]:
    """Return the rule of every reachable route. Raise if one declares none."""
    return list(_walk(app.routes))


def open_paths(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the paths that the guard lets through without a credential. It compares them as whole strings."""
    return frozenset(rule.path for rule in rules if rule.access == "open")


class SharePaths:
    """The set of paths that a share link opens.

    Every rule that matches a path must allow it, so that the order of routes does not matter.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        # A share link only reads: the guard refuses every other method before it asks here.
        self._rules = [(rule.pattern, rule.access) for rule in rules if "GET" in rule.methods]

    def __contains__(self, path: object) -> bool:
        fitting = [who for pattern, who in self._rules if isinstance(path, str) and pattern.match(path)]
        return bool(fitting) and all(who == "share" for who in fitting)


def _walk(routes: list[BaseRoute], prefix: str = "") -> Iterator[Rule]:
    """Yield the rule of every route, also of mounted ones.

    It raises on a kind of route it cannot look into, such as FastAPI's included routers, which keep their routes in
    private fields.
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
