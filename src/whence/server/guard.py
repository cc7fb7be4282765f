"""The guard: decides from the raw request, HTTP or WebSocket, whether the app behind it may see the request at all."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Literal

from starlette.types import ASGIApp, Receive, Scope, Send

from whence.server.headers import secured
from whence.server.refusal import Refusal
from whence.server.sessions import LONGEST_CREDENTIAL, Sessions

SAFE_METHODS = frozenset({"GET", "HEAD"})
SINGLE = frozenset({b"host", b"origin", b"cookie", b"authorization", b"sec-fetch-site", b"sec-fetch-mode"})
"""Headers that the guard decides by. A request that has one of them twice is refused as ambiguous."""
OWN_SITES = frozenset({b"same-origin", b"none"})

BAD_REQUEST = Refusal(400, "BadRequest", "The request's headers are malformed.")
BAD_HOST = Refusal(400, "BadHost", "This server does not answer to that host name.", "Use the printed address.")
NOT_SIGNED_IN = Refusal(401, "NotSignedIn", "This needs a session or token.", "Open the link that whence printed.")
TOO_MANY_TRIES = Refusal(429, "TooManyTries", "Too many wrong credentials.", "Wait a minute.")
FOREIGN_ORIGIN = Refusal(403, "ForeignOrigin", "The request comes from another site.")
ONLY_SHARED = Refusal(403, "OnlyShared", "The link you came by shows one version of one notebook and nothing else.")

SHARED = "whence.shared"
"""The key in the scope of a request under which the guard puts what the share link shows."""

Holder = Literal["owner"] | object
"""The owner, or what a share link shows."""
FindShared = Callable[[str], object | None]


class Guard:
    """The outermost ASGI layer: it checks host, credential and origin. A refused request never reaches FastAPI."""

    def __init__(
        self,
        app: ASGIApp,
        sessions: Sessions,
        *,
        hosts: Iterable[str],
        cookie: str,
        open_paths: Iterable[str],
        share_cookie: str = "",
        share_paths: Container[str] = frozenset(),
        find_shared: FindShared = lambda _: None,
    ) -> None:
        self._app = app
        self._sessions = sessions
        self._hosts = frozenset(host.encode() for host in hosts)
        self._cookie = cookie.encode()
        self._open_paths = frozenset(open_paths)
        self._share_cookie = share_cookie.encode()
        self._share_paths = share_paths
        self._find_shared = find_shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._judge(scope)
        if scope["type"] == "http":
            send = secured(send)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal.answer_http(send, wants_page=_wants_page(scope))
        else:
            await refusal.close_socket(receive, send)

    def _judge(self, scope: Scope) -> Refusal | None:
        """Return why the request is refused, or None. Put what a share link shows into the scope."""
        headers = _single_headers(scope)
        if headers is None:
            return BAD_REQUEST
        # The host comes first, also for open paths: it stops DNS rebinding, where a foreign name leads to this machine.
        if headers.get(b"host") not in self._hosts:
            return BAD_HOST
        if scope["type"] == "http" and scope["path"] in self._open_paths and scope["method"] in SAFE_METHODS:
            return None
        cookies = headers.get(b"cookie", b"")
        session, share = _cookie_value(cookies, self._cookie), _cookie_value(cookies, self._share_cookie)
        holder = self._holder(headers.get(b"authorization"), session, share)
        if holder is None:
            return TOO_MANY_TRIES if self._sessions.is_throttled else NOT_SIGNED_IN
        # Browsers add cookies, but no bearer token, to requests that other sites make.
        if (session is not None or share is not None) and not _is_own_origin(scope, headers):
            return FOREIGN_ORIGIN
        if holder == "owner":
            return None
        scope[SHARED] = holder
        is_reading = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        return None if is_reading and scope["path"] in self._share_paths else ONLY_SHARED

    def _holder(self, authorization: bytes | None, session: bytes | None, share: bytes | None) -> Holder | None:
        """Return who sent the request: the owner, what a share link shows, or None.

        A bearer token must be right, whatever the cookies say. The session cookie goes before the share cookie.
        """
        if authorization is not None:
            scheme, _, token = authorization.partition(b" ")
            if scheme.lower() != b"bearer":
                return None
            if self._sessions.is_token(token):
                return "owner"
            return self._shared(token)
        if session is not None and self._sessions.knows_session(session):
            return "owner"
        return None if share is None else self._shared(share)

    def _shared(self, token: bytes) -> object | None:
        # Headers are bytes. Latin-1 maps each byte to a character, so decoding never fails.
        found = None if len(token) > LONGEST_CREDENTIAL else self._find_shared(token.decode("latin-1"))
        if found is None:
            self._sessions.count_wrong()
        return found


def _single_headers(scope: Scope) -> dict[bytes, bytes] | None:
    """Return the headers that the guard decides by, or None if one of them comes twice."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        lowered = name.lower()
        if lowered in SINGLE:
            if lowered in found:
                return None
            found[lowered] = value
    return found


def _cookie_value(header: bytes, name: bytes) -> bytes | None:
    """Return the value of a cookie. One that comes twice counts as empty, and so as wrong."""
    pairs = (part.strip().partition(b"=") for part in header.split(b";"))
    values = [value for key, _, value in pairs if key == name]
    return values[0] if len(values) == 1 else (b"" if values else None)


def _is_own_origin(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Return whether a request with our cookie was made by our own page.

    Cookies ignore ports, so the browser also sends ours with requests of a page on another port of this machine. The
    headers Origin and Sec-Fetch-Site tell them apart.
    """
    is_same_origin = headers.get(b"origin") == b"http://" + headers[b"host"]
    is_own_site = headers.get(b"sec-fetch-site", b"none") in OWN_SITES
    if scope["type"] == "websocket":
        return is_same_origin
    if scope["method"] not in SAFE_METHODS:
        return is_same_origin and is_own_site
    if b"origin" in headers and not is_same_origin:
        return False
    return is_own_site or headers.get(b"sec-fetch-mode") == b"navigate"  # a link on another site may lead here


def _wants_page(scope: Scope) -> bool:
    """Return whether a browser asks for a page, so that a refusal is shown to a person."""
    accept = next((value for name, value in scope["headers"] if name.lower() == b"accept"), b"")
    return scope["method"] == "GET" and b"text/html" in accept
