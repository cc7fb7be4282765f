"""Routes that exchange the token of the printed link for a session cookie, and that end sessions."""

from __future__ import annotations

from urllib.parse import parse_qs

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from whence.server.access import access
from whence.server.refusal import PAGE, PAGE_POLICY
from whence.server.routers import new_router
from whence.server.sessions import Sessions
from whence.wire.about import EndedSessions, EndSessions

router = new_router()


@access("open")
async def login(request: Request) -> Response:
    """Open a session if the link carries the right token; where it redirects to is fixed, never asked for."""
    sessions: Sessions = request.app.state.sessions
    given = parse_qs(request.url.query, encoding="latin-1").get("token", [])
    if len(given) != 1 or not sessions.knows_token(given[0].encode("latin-1")):
        headers = {"content-security-policy": PAGE_POLICY, "www-authenticate": "Bearer"}
        return Response(PAGE, 429 if sessions.is_throttled else 401, headers, "text/html; charset=utf-8")
    response = RedirectResponse("/", 303)
    session = await run_in_threadpool(sessions.open)  # it writes to the database, which would block the event loop
    response.set_cookie(
        request.app.state.cookie, session, int(sessions.lifetime), httponly=True, samesite="strict", path="/"
    )
    return response


router.add_route("/login", login, include_in_schema=False)


@router.post("/api/sessions/end")
@access("session")
def end_sessions(request: Request, response: Response, asked: EndSessions) -> EndedSessions:
    """Sign out the browser that asks, or every browser. Their open pages then get no more answers."""
    sessions: Sessions = request.app.state.sessions
    if asked.all:
        sessions.end_all()
    else:
        sessions.end(request.cookies.get(request.app.state.cookie, "").encode("latin-1", "replace"))
    request.app.state.events.publish("sessions.ended", {})  # wakes every stream, and each looks whether it may go on
    response.delete_cookie(request.app.state.cookie, httponly=True, samesite="strict", path="/")
    return EndedSessions(all=asked.all)
