"""Exchanges the token of the printed link for a session cookie, and takes the token out of the address bar."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from whence.server.refusal import PAGE, PAGE_POLICY
from whence.server.sessions import Sessions


async def login(request: Request) -> Response:
    """Open a session if the link carries the right token; where it redirects to is fixed, never asked for."""
    sessions: Sessions = request.app.state.sessions
    given = parse_qs(request.url.query, encoding="latin-1").get("token", [])
    if len(given) != 1 or not sessions.knows_token(given[0].encode("latin-1")):
        headers = {"content-security-policy": PAGE_POLICY, "www-authenticate": "Bearer"}
        return Response(PAGE, 429 if sessions.is_throttled else 401, headers, "text/html; charset=utf-8")
    response = RedirectResponse("/", 303)
    response.set_cookie(request.app.state.cookie, sessions.open(), httponly=True, samesite="strict", path="/")
    return response
