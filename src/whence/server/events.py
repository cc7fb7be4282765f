"""The event stream of a server: numbered events that every open tab follows at its own pace.

A tab has no queue, only the number of the last event it read. A tab that falls behind the events in memory is told to
reload everything. So a tab that never reads costs no memory.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

MOST_EVENTS = 4096
MOST_BYTES = 4_000_000
"""How much the stream keeps in memory for tabs that fall behind or reconnect."""


@dataclass(frozen=True)
class Event:
    """One event, as the JSON text that is sent."""

    sequence: int
    text: str
    key: str | None = None
    """A later event with the same key replaces this one, as with the progress of one job."""


class Events:
    """The stream of one server; events may come from any thread."""

    def __init__(self, *, most: int = MOST_EVENTS, most_bytes: int = MOST_BYTES) -> None:
        self.epoch = secrets.token_hex(8)
        """The id of this run of the server: event numbers of another run mean nothing here."""
        self._most = most
        self._most_bytes = most_bytes
        self._kept: deque[Event] = deque()
        self._bytes = 0
        self._last = 0
        self._forgotten = 0
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def last(self) -> int:
        """The number of the newest event."""
        return self._last

    def publish(self, kind: str, data: Mapping[str, object], key: str | None = None) -> int:
        """Add an event and wake every follower, without waiting for them. Return its number. Any thread may call it."""
        with self._lock:
            self._last += 1
            text = json.dumps({"sequence": self._last, "kind": kind, "data": dict(data)}, default=str)
            if key is not None:
                self._drop_older(key)
            self._kept.append(Event(self._last, text, key))
            self._bytes += len(text)
            # The newest event stays even if it alone is too large.
            while len(self._kept) > self._most or (self._bytes > self._most_bytes and len(self._kept) > 1):
                self._forget_oldest()
            waiting = tuple(self._waiting)
        for loop, bell in waiting:  # outside the lock, and only through the loop: asyncio events are not thread-safe
            if not loop.is_closed():
                loop.call_soon_threadsafe(bell.set)
        return self._last

    def since(self, sequence: int) -> list[Event] | None:
        """Return the events after this number; None if some of them are no longer in memory."""
        with self._lock:
            if not self._forgotten <= sequence <= self._last:
                return None
            return [event for event in self._kept if event.sequence > sequence]

    async def wait(self, sequence: int) -> None:
        """Wait until there is an event after this number."""
        bell = asyncio.Event()
        entry = (asyncio.get_running_loop(), bell)
        # Look and register under one lock: an event between the two would wake nobody.
        with self._lock:
            if self._last > sequence:
                return
            self._waiting.add(entry)
        try:
            await bell.wait()
        finally:
            with self._lock:
                self._waiting.discard(entry)

    def _drop_older(self, key: str) -> None:
        older = next((event for event in reversed(self._kept) if event.key == key), None)
        if older is not None:
            self._kept.remove(older)
            self._bytes -= len(older.text)

    def _forget_oldest(self) -> None:
        oldest = self._kept.popleft()
        self._bytes -= len(oldest.text)
        self._forgotten = oldest.sequence
