from __future__ import annotations

import pytest

from tests.server.asgi import Headers, connect
from tests.server.conftest import HOST, TOKEN, Site, bearer, session_cookie
from whence.server.access import read_rules
from whence.server.app import build_api

SOCKET = "/api/events"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"]
RULES = [rule for rule in read_rules(build_api()) if rule.access != "open"]
PATHS = sorted({rule.path.replace("{name:path}", "prices") for rule in RULES})
UNKNOWN = [
    "/nope",
    "/docs",
    "/redoc",
    "/api",
    "/assets/x.js",
    "/health/",
    "/health/../api/datasets",
    "//api/datasets",
    "",
]
WRONG: dict[str, Headers] = {
    "none": [],
    "wrong token": [bearer("x" * 43)],
    "empty token": [bearer("")],
    "token as basic": [(b"authorization", b"Basic " + TOKEN.encode())],
    "token with a tail": [bearer(TOKEN + "x")],
    "non-ASCII": [bearer(b"\xff\xfe\xc3\xa9")],
    "NUL": [bearer(TOKEN.encode() + b"\x00")],
    "1 MB": [bearer(b"t" * 1_000_000)],
    "wrong session": [session_cookie(b"x" * 43)],
    "empty session": [session_cookie(b"")],
    "non-ASCII session": [session_cookie(b"\xff\x00\xc3")],
    "1 MB session": [session_cookie(b"s" * 1_000_000)],
    "token as session": [session_cookie(TOKEN.encode())],
    "no scheme": [(b"authorization", TOKEN.encode())],
}


@pytest.mark.parametrize("credential", WRONG)
def test_every_route_and_method_refuses_a_wrong_credential(site: Site, credential: str) -> None:
    for path in PATHS + UNKNOWN:
        for method in METHODS:
            answer = site.raw(method, path, [(b"host", HOST), *WRONG[credential]])
            assert answer.status in (401, 429), (method, path, answer.status)


def test_an_expired_session_is_refused_everywhere(site: Site) -> None:
    cookie = site.cookie()
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), cookie]).status == 200
    site.clock.now += 31 * 24 * 3600
    for path in PATHS:
        site.clock.now += 1  # else there would be too many wrong tries in a minute
        assert site.raw("GET", path, [(b"host", HOST), cookie]).status == 401, path


def test_rotating_the_token_ends_old_tokens_and_sessions(site: Site) -> None:
    cookie = site.cookie()
    site.sessions.rotate("n" * 43)
    assert site.get("/api/datasets").status == 401
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), cookie]).status == 401
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), bearer("n" * 43)]).status == 200


def test_a_wrong_bearer_is_refused_even_beside_a_right_cookie(site: Site) -> None:
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), bearer("x"), site.cookie()]).status == 401


@pytest.mark.parametrize("name", [b"host", b"cookie", b"authorization", b"origin"])
def test_a_header_that_decides_may_come_only_once(site: Site, name: bytes) -> None:
    headers = [(b"host", HOST), bearer(TOKEN), site.cookie(), (b"origin", b"http://" + HOST)]
    doubled = [*headers, next(pair for pair in headers if pair[0] == name)]
    assert site.raw("GET", "/api/datasets", headers).status == 200
    assert site.raw("GET", "/api/datasets", doubled).status == 400


def test_a_session_cookie_given_twice_is_refused(site: Site) -> None:
    name, value = site.cookie()
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), (name, value + b"; " + value)]).status == 401


@pytest.mark.parametrize(
    "host",
    [b"evil.example", b"evil.example:8321", b"127.0.0.1", b"127.0.0.1:1", b"127.0.0.1:8321.evil.example", b"", None],
)
def test_a_foreign_host_is_refused_on_every_route(site: Site, host: bytes | None) -> None:
    given = [] if host is None else [(b"host", host)]
    for path in [*PATHS, *UNKNOWN, "/health", f"/login?token={TOKEN}"]:
        assert site.raw("GET", path, [*given, bearer(TOKEN)]).status == 400, path


@pytest.mark.parametrize("host", [b"127.0.0.1:8321", b"localhost:8321", b"[::1]:8321"])
def test_the_own_names_are_answered(site: Site, host: bytes) -> None:
    assert site.raw("GET", "/api/datasets", [(b"host", host), bearer(TOKEN)]).status == 200


OWN = b"http://" + HOST
FOREIGN = [
    None,
    b"null",
    b"http://evil.example",
    b"http://127.0.0.1:9999",
    b"https://127.0.0.1:8321",
    b"http://localhost:8321",
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_cookie_from_another_origin_changes_nothing(site: Site, origin: bytes | None) -> None:
    headers = [(b"host", HOST), site.cookie(), *([] if origin is None else [(b"origin", origin)])]
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"):
        assert site.raw(method, "/api/datasets", headers).status == 403, method


def test_no_route_does_what_another_origin_asks(site: Site) -> None:
    """A cookie that a browser adds to a request of another page opens no route, to read or to write."""
    headers = [(b"host", HOST), site.cookie(), (b"origin", b"http://evil.example")]
    for rule in RULES:
        for method in rule.methods:
            answer = site.raw(method, rule.path.replace("{name:path}", "prices"), headers)
            assert (answer.status, answer.json()["error"]["kind"]) == (403, "ForeignOrigin"), (method, rule.path)


def test_every_path_closes_a_socket_that_may_not_open(site: Site) -> None:
    refused: list[tuple[int, Headers]] = [
        (4400, [(b"host", b"evil.example"), bearer(TOKEN)]),
        (4401, [(b"host", HOST), (b"origin", b"http://" + HOST)]),
        (4403, [(b"host", HOST), site.cookie(), (b"origin", b"http://evil.example")]),
    ]
    for path in [*PATHS, "/health", "/login"]:
        for code, headers in refused:
            assert [message.get("code") for message in connect(site.app, path, headers)] == [code], path


@pytest.mark.parametrize(
    ("site_header", "passes"), [(b"same-origin", True), (b"none", True), (b"same-site", False), (b"cross-site", False)]
)
def test_sec_fetch_site_is_believed_beside_the_origin(site: Site, site_header: bytes, passes: bool) -> None:
    headers = [(b"host", HOST), site.cookie(), (b"origin", OWN), (b"sec-fetch-site", site_header)]
    assert (site.raw("POST", "/api/datasets", headers).status != 403) is passes
    assert (site.raw("GET", "/api/datasets", headers).status == 200) is passes


def test_a_bearer_without_cookie_needs_no_origin(site: Site) -> None:
    assert site.raw("POST", "/api/datasets", [(b"host", HOST), bearer(TOKEN)]).status == 405


@pytest.mark.parametrize("credential", WRONG)
def test_a_socket_without_a_credential_is_closed_before_it_opens(site: Site, credential: str) -> None:
    sent = connect(site.app, SOCKET, [(b"host", HOST), (b"origin", OWN), *WRONG[credential]])
    assert [(message["type"], message["code"]) for message in sent] == [("websocket.close", 4401)]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_socket_of_another_origin_is_closed_before_it_opens(site: Site, origin: bytes | None) -> None:
    headers = [(b"host", HOST), site.cookie(), *([] if origin is None else [(b"origin", origin)])]
    assert [m.get("code") for m in connect(site.app, SOCKET, headers)] == [4403]


def test_a_socket_of_a_foreign_host_is_closed_before_it_opens(site: Site) -> None:
    assert [m.get("code") for m in connect(site.app, SOCKET, [(b"host", b"evil.example"), bearer(TOKEN)])] == [4400]


@pytest.mark.parametrize("kind", ["GET", "POST", "socket"])
@pytest.mark.parametrize("credential", ["bearer", "cookie", "both", "none"])
@pytest.mark.parametrize("origin", [OWN, *FOREIGN])
@pytest.mark.parametrize("host", [HOST, b"evil.example:8321"])
def test_host_origin_credential_and_kind_of_request(
    site: Site, host: bytes, origin: bytes | None, credential: str, kind: str
) -> None:
    """Every combination of the four against the rules in three lines."""
    held = {"bearer": [bearer(TOKEN)], "cookie": [site.cookie()], "both": [bearer(TOKEN), site.cookie()], "none": []}
    headers = [(b"host", host), *held[credential], *([] if origin is None else [(b"origin", origin)])]
    has_cookie, is_own = credential in ("cookie", "both"), origin == OWN or (kind == "GET" and origin is None)
    refused = 400 if host != HOST else 401 if credential == "none" else 403 if has_cookie and not is_own else None
    if kind == "socket":
        first = connect(site.app, SOCKET, headers)[0]
        found = None if first["type"] == "websocket.accept" else int(first["code"]) - 4000
    else:
        status = site.raw(kind, "/api/datasets", headers).status
        found = status if status in (400, 401, 403) else None
    assert found == refused


def test_many_wrong_tries_are_slowed_but_the_right_token_still_works(site: Site) -> None:
    statuses = [site.raw("GET", "/", [(b"host", HOST), bearer("x")]).status for _ in range(101)]
    assert (statuses[0], statuses[-1]) == (401, 429)
    assert site.get("/api/datasets").status == 200
    site.clock.now += 61
    assert site.raw("GET", "/", [(b"host", HOST), bearer("x")]).status == 401


def test_a_person_without_a_session_sees_a_page_and_a_program_sees_json(site: Site) -> None:
    page = site.raw("GET", "/", [(b"host", HOST), (b"accept", b"text/html,*/*")])
    assert (page.status, page.header("content-type")) == (401, "text/html; charset=utf-8")
    assert b"carries the token" in page.body
    assert site.raw("GET", "/", [(b"host", HOST)]).json()["error"] == {
        "kind": "NotSignedIn",
        "message": "This needs a session or token.",
        "hint": "Open the link that whence printed.",
    }


@pytest.mark.parametrize("path", ["/health", "/login", "/shared"])
def test_open_paths_are_open_for_reading_only(site: Site, path: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"):
        assert site.raw(method, path, [(b"host", HOST)]).status == 401, method


def test_health_is_open_and_says_nothing_else(site: Site) -> None:
    answer = site.raw("GET", "/health", [(b"host", HOST)])
    assert (answer.status, answer.json()) == (200, {"status": "ok"})
