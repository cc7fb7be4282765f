from __future__ import annotations

import pytest

from tests.server.conftest import HOST, TOKEN, Site


def test_the_link_opens_a_session_and_leads_to_an_address_without_the_token(site: Site) -> None:
    answer = site.raw("GET", f"/login?token={TOKEN}", [(b"host", HOST)])
    cookie = answer.header("set-cookie") or ""
    pair, *attributes = cookie.split("; ")
    assert (answer.status, answer.header("location")) == (303, "/")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(attributes)
    assert pair.startswith("whence_session_8321=")
    assert TOKEN not in cookie
    assert site.raw("GET", "/api/datasets", [(b"host", HOST), (b"cookie", pair.encode())]).status == 200


def test_each_use_of_the_link_opens_a_session_of_its_own(site: Site) -> None:
    cookies = {site.raw("GET", f"/login?token={TOKEN}", [(b"host", HOST)]).header("set-cookie") for _ in range(3)}
    assert len(cookies) == 3


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?token=",
        "?token=x",
        f"?token={TOKEN}x",
        f"?token={TOKEN}&token={TOKEN}",
        "?token=%00%ff",
        "?token=" + "é" * 99,
        f"?Token={TOKEN}",
    ],
)
def test_any_other_link_opens_nothing(site: Site, query: str) -> None:
    answer = site.raw("GET", f"/login{query}", [(b"host", HOST)])
    assert (answer.status, answer.header("set-cookie")) == (401, None)


def test_the_redirect_goes_nowhere_else(site: Site) -> None:
    answer = site.raw("GET", f"/login?token={TOKEN}&next=//evil.example&url=http://evil.example", [(b"host", HOST)])
    assert answer.header("location") == "/"
