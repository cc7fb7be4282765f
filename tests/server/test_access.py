from __future__ import annotations

import pytest
from fastapi import APIRouter, FastAPI
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute

from tests.server.asgi import start
from tests.server.price_list import price_list
from whence.server.access import ACCESS, Access, SharePaths, UnclassifiedRoute, check_routes, open_paths
from whence.server.app import build_api, create_app


async def rogue(*_arguments: object) -> Response:
    return Response()


def test_only_health_and_the_two_kinds_of_links_are_open() -> None:
    assert open_paths(ACCESS) == {"/health", "/login", "/shared"}


@pytest.mark.parametrize(
    ("path", "opens"),
    [
        ("/api/datasets/a/b/page", True),
        ("/assets/x/y.js", True),
        ("/assetsx", False),
        ("/api/datasets/prices/page/cell", False),
        ("/api/notebooks/tour/", False),
        ("/api/sheets/0/page", False),
        ("/", True),
        ("", False),
    ],
)
def test_which_paths_a_share_link_opens(path: str, opens: bool) -> None:
    assert (path in SharePaths(ACCESS)) is opens


def test_a_path_that_any_rule_closes_is_closed_to_share_links() -> None:
    rules: dict[str, Access] = {"/a/{name:path}": "share", "/a/secret": "session"}
    assert "/a/open" in SharePaths(rules)
    assert "/a/secret" not in SharePaths(rules)


def test_the_app_starts() -> None:
    sent = start(create_app(price_list(), "token"))
    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.parametrize(
    "route",
    [
        Route("/rogue", rogue),
        Route("/rogue", rogue, include_in_schema=False),
        WebSocketRoute("/rogue", rogue),
        Mount("/rogue", Starlette()),
        Mount("/assets", routes=[Route("/rogue", rogue)]),
    ],
)
def test_a_route_nobody_classified_keeps_the_server_from_starting(route: Route) -> None:
    api = build_api()
    api.router.routes.append(route)
    with pytest.raises(UnclassifiedRoute, match="rogue"):
        check_routes(api, ACCESS)
    with pytest.raises(UnclassifiedRoute, match="rogue"):
        start(api)


def test_a_route_that_hides_what_it_serves_keeps_the_server_from_starting() -> None:
    api, router = FastAPI(), APIRouter()
    router.add_api_route("/rogue", rogue)
    api.include_router(router)
    with pytest.raises(UnclassifiedRoute):
        check_routes(api, dict.fromkeys(["/openapi.json", "/docs", "/docs/oauth2-redirect", "/redoc"], "session"))


def test_a_rule_for_a_route_that_is_gone_keeps_the_server_from_starting() -> None:
    with pytest.raises(UnclassifiedRoute, match="/gone"):
        check_routes(build_api(), {**ACCESS, "/gone": "session"})
