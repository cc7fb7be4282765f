"""Credentials of the server: its token, the browser sessions opened with it, and a count of wrong tries."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

LONGEST_CREDENTIAL = 512
"""Longer credentials are wrong without a look: ours have 43 characters."""
LIFETIME = 30 * 24 * 3600.0
"""Seconds that a session lasts: 30 days."""


class SessionStore(Protocol):
    """Storage in which sessions outlive the server: the expiry of each, in seconds since 1970, by its hash."""

    def load(self) -> dict[str, float]:
        """Return the expiry of every session by its hash."""

    def add(self, digest: str, expires: float, now: float) -> None:
        """Store a new session, and delete those that have expired."""

    def remove(self, digest: str) -> None:
        """Delete a session."""

    def clear(self) -> None:
        """Delete every session."""


class NoSessionStore:
    """A store that keeps nothing: sessions end with the server."""

    def load(self) -> dict[str, float]:
        """Return no sessions."""
        return {}

    def add(self, digest: str, expires: float, now: float) -> None:
        """Do nothing."""

    def remove(self, digest: str) -> None:
        """Do nothing."""

    def clear(self) -> None:
        """Do nothing."""


class Sessions:
    """Exchanges the token for session ids and checks both. Each is 256 random bits, compared in constant time.

    The token ends with the server. Sessions are stored by their hash, and end after their lifetime or on request.
    """

    def __init__(
        self,
        token: str,
        *,
        store: SessionStore | None = None,
        lifetime: float = LIFETIME,
        tries_per_minute: int = 100,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._token = token.encode()
        self._store = store or NoSessionStore()
        self.lifetime = lifetime
        self._tries_per_minute = tries_per_minute
        self._clock = clock
        self._expiry = self._store.load()
        # The times of the last wrong tries: if this is full and its oldest entry is recent, there were too many.
        self._wrong: deque[float] = deque(maxlen=tries_per_minute)

    def open(self) -> str:
        """Open a session and return its id."""
        now = self._clock()
        session = secrets.token_urlsafe(32)
        digest, expires = _digest(session.encode()), now + self.lifetime
        self._store.add(digest, expires, now)
        self._expiry = {known: end for known, end in self._expiry.items() if end > now} | {digest: expires}
        return session

    def end(self, session: bytes) -> None:
        """End one session; the others go on."""
        digest = _digest(session)
        self._store.remove(digest)
        self._expiry.pop(digest, None)

    def end_all(self) -> None:
        """End every session; the token still opens new ones."""
        self._store.clear()
        self._expiry = {}

    def rotate(self, token: str) -> None:
        """Replace the token and end every session."""
        self._token = token.encode()
        self.end_all()

    def is_token(self, given: bytes) -> bool:
        """Return whether this is the token. A wrong one does not count as a try."""
        return _same(given, self._token)

    def knows_token(self, given: bytes) -> bool:
        """Return whether this is the token. A wrong one counts as a try."""
        return self._counted(self.is_token(given))

    def knows_session(self, given: bytes) -> bool:
        """Return whether this session is open. A wrong one counts as a try."""
        return self._counted(self.is_open(given))

    def is_open(self, given: bytes) -> bool:
        """Return whether this session is open. A wrong one does not count as a try."""
        now = self._clock()
        return self._expiry.get(_digest(given), now) > now

    @property
    def is_throttled(self) -> bool:
        """Whether there were too many wrong tries in the last minute. Right credentials still pass."""
        return len(self._wrong) == self._tries_per_minute and self._clock() - self._wrong[0] < 60

    def count_wrong(self) -> None:
        """Count a wrong credential."""
        self._wrong.append(self._clock())

    def _counted(self, right: bool) -> bool:
        if not right:
            self.count_wrong()
        return right


def _same(given: bytes, known: bytes) -> bool:
    return len(given) <= LONGEST_CREDENTIAL and hmac.compare_digest(given, known)


def _digest(session: bytes) -> str:
    """Return the hash of a session id, by which it is looked up: then timing tells nothing about the ids that exist."""
    return hashlib.sha256(session[:LONGEST_CREDENTIAL]).hexdigest()
