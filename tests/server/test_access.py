from __future__ import annotations

import pytest
from fastapi import APIRouter, FastAPI
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute

from tests.server.asgi import start
from tests.server.price_list import price_list
from tests.server.standin import served
from whence.server.access import Rule, SharePaths, UnclassifiedRoute, access, open_paths, read_rules
from whence.server.app import build_api, create_app


async def rogue(*_arguments: object) -> Response:
    return Response()


def test_only_health_and_the_two_kinds_of_links_are_open() -> None:
    assert open_paths(read_rules(build_api())) == {"/health", "/login", "/shared"}


def test_what_a_share_link_reads_is_this_and_nothing_else() -> None:
    found = {(rule.path, *rule.methods) for rule in read_rules(build_api()) if rule.access == "share"}
    assert found == {
        ("/", "GET"),
        ("/assets", "GET"),
        ("/api/about", "GET"),
        ("/api/datasets", "GET"),
        ("/api/datasets/{name:path}/page", "GET"),
        ("/api/kinds", "GET"),
        ("/api/notebooks", "GET"),
        ("/api/notebooks/{name}", "GET"),
        ("/api/notebooks/{name}/cells/{cell}/frame", "GET"),
    }


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
    assert (path in SharePaths(read_rules(build_api()))) is opens


def test_a_path_that_any_rule_closes_is_closed_to_share_links() -> None:
    paths = SharePaths([Rule("/a/{name:path}", "share"), Rule("/a/secret", "session")])
    assert "/a/open" in paths
    assert "/a/secret" not in paths


def test_a_rule_for_writing_does_not_close_a_path_to_readers() -> None:
    written = Rule("/a", "session", frozenset({"POST"}))
    assert "/a" in SharePaths([Rule("/a", "share"), written])
    assert "/a" not in SharePaths([written])


def test_the_app_starts() -> None:
    sent = start(create_app(served(price_list()), "token"))
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
        read_rules(api)
    with pytest.raises(UnclassifiedRoute, match="rogue"):
        start(api)


def test_a_route_that_hides_what_it_serves_keeps_the_server_from_starting() -> None:
    api, router = FastAPI(openapi_url=None), APIRouter()

    @router.get("/hidden")
    @access("session")
    async def hidden() -> None:
        return None

    api.include_router(router)
    with pytest.raises(UnclassifiedRoute, match="hides what it serves"):
        read_rules(api)
