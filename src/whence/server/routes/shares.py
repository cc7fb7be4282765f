"""Routes that make, list, revoke and open share links, through which others read one notebook version."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from whence.model.errors import UnknownShare
from whence.server.access import access
from whence.server.refusal import GONE_PAGE, PAGE_POLICY
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books, Name
from whence.wire.notebooks import NewShare, ShareView

if TYPE_CHECKING:
    from whence.workspace.share import Share

router = new_router()


@router.get("/api/notebooks/{name}/shares")
@access("session")
def list_shares(books: Books, name: Name) -> list[ShareView]:
    """Return the links to versions of a notebook that are still valid, oldest first."""
    return [_view(share) for share in books.find(name).shares()]


@router.post("/api/notebooks/{name}/shares")
@access("session")
def make_share(request: Request, books: Books, name: Name, asked: NewShare) -> ShareView:
    """Make a link to one version with its present results. Only this answer holds the link's secret."""
    share = books.find(name).share(asked.version, days=asked.days)
    return _view(share, f"{request.url.scheme}://{request.headers['host']}{share.path}")


@router.post("/api/notebooks/{name}/shares/{share}/revoke")
@access("session")
def revoke_share(books: Books, name: Name, share: str) -> list[ShareView]:
    """End a link. Return the links that are left."""
    notebook = books.find(name)
    found = next((each for each in notebook.shares() if each.id == share), None)
    if found is None:
        raise UnknownShare(f"There is no link {share}.", "It may have been revoked, or have expired.")
    found.revoke()
    return list_shares(books, name)


@access("open")
async def open_share(request: Request) -> Response:
    """Take the secret out of the address bar into a cookie, and lead to the notebook it opens."""
    given = parse_qs(request.url.query, encoding="latin-1").get("token", [])
    token = given[0] if len(given) == 1 and len(given[0]) <= 512 else ""
    shared = await run_in_threadpool(request.app.state.workspace.shared, token)
    if shared is None:
        headers = {"content-security-policy": PAGE_POLICY}
        return Response(GONE_PAGE, 404, headers, "text/html; charset=utf-8")
    response = RedirectResponse(f"/?notebook={quote(shared.name, safe='')}", 303)
    # Without an age: the cookie ends with the browser, the link when it expires or is revoked.
    response.set_cookie(request.app.state.share_cookie, token, httponly=True, samesite="strict", path="/")
    return response


router.add_route("/shared", open_share, include_in_schema=False)


def _view(share: Share, link: str | None = None) -> ShareView:
    return ShareView(id=share.id, version=share.version, created=share.created, expires=share.expires, link=link)
