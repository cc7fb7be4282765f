"""Who is known: the token, the sessions opened with it, and how many wrong tries there were."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable

LONGEST_CREDENTIAL = 512
LIFETIME = 30 * 24 * 3600.0


class Sessions:
    """Exchanges one token for session ids; both are 256 random bits, and no answer's timing depends on them."""

    def __init__(
        self,
        token: str,
        *,
        lifetime: float = LIFETIME,
        tries_per_minute: int = 100,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token = token.encode()
        self._lifetime = lifetime
        self._tries_per_minute = tries_per_minute
        self._clock = clock
        self._expiry: dict[bytes, float] = {}
        self._wrong: deque[float] = deque(maxlen=tries_per_minute)

    def open(self) -> str:
        """A new session id."""
        now = self._clock()
        self._expiry = {known: expiry for known, expiry in self._expiry.items() if expiry > now}
        session = secrets.token_urlsafe(32)
        self._expiry[_digest(session.encode())] = now + self._lifetime
        return session

    def rotate(self, token: str) -> None:
        """Replace the token and end every session."""
        self._token = token.encode()
        self._expiry.clear()

    def is_token(self, given: bytes) -> bool:
        """Whether this is the token."""
        return _same(given, self._token)

    def knows_token(self, given: bytes) -> bool:
        """The same; a wrong one counts as a try."""
        return self._counted(self.is_token(given))

    def knows_session(self, given: bytes) -> bool:
        """Whether this session is open; a wrong one counts as a try."""
        now = self._clock()
        return self._counted(self._expiry.get(_digest(given), now) > now)

    @property
    def is_throttled(self) -> bool:
        """Too many wrong tries in the last minute. Right credentials still pass."""
        return len(self._wrong) == self._tries_per_minute and self._clock() - self._wrong[0] < 60

    def count_wrong(self) -> None:
        """Somebody tried something that was wrong."""
        self._wrong.append(self._clock())

    def _counted(self, right: bool) -> bool:
        if not right:
            self.count_wrong()
        return right


def _same(given: bytes, known: bytes) -> bool:
    return len(given) <= LONGEST_CREDENTIAL and hmac.compare_digest(given, known)


def _digest(session: bytes) -> bytes:
    """Sessions are looked up by hash: how long a look-up takes then says nothing about the ids that exist."""
    return hashlib.sha256(session[:LONGEST_CREDENTIAL]).digest()
