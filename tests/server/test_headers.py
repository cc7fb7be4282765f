from __future__ import annotations

import pytest

from tests.server.conftest import HOST, TOKEN, Site, bearer

CASES = [
    ("GET", "/health", []),
    ("GET", "/", []),
    ("GET", "/", [(b"accept", b"text/html")]),
    ("GET", "/", [bearer(TOKEN)]),
    ("GET", "/api/datasets", [bearer(TOKEN)]),
    ("GET", "/api/datasets/nope/page", [bearer(TOKEN)]),
    ("GET", "/assets/nope.js", [bearer(TOKEN)]),
    ("GET", "/nope", [bearer(TOKEN)]),
    ("POST", "/api/datasets", [bearer(TOKEN)]),
    ("GET", "/openapi.json", [bearer(TOKEN)]),
    ("GET", f"/login?token={TOKEN}", []),
    ("GET", "/login", []),
]


@pytest.mark.parametrize(("method", "url", "headers"), CASES)
def test_every_response_carries_the_security_headers(
    site: Site, method: str, url: str, headers: list[tuple[bytes, bytes]]
) -> None:
    answer = site.raw(method, url, [(b"host", HOST), *headers])
    policy = answer.header("content-security-policy") or ""
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert answer.header("cross-origin-opener-policy") == "same-origin"
    assert answer.header("cache-control")
    assert answer.header("access-control-allow-origin") is None
