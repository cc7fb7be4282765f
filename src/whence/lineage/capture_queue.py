"""The queue of deferred lineage: a background thread works it out while Spark runs no query of the user."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.lost_lineage import LineageLost
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

_LOOK_AGAIN = 0.02
"""Seconds between two looks at whether Spark is idle."""


class CaptureQueue:
    """One background thread for a workspace; what still waits at closing is worked out by the first question later."""

    def __init__(self, store: Store, deferred: DeferredLineage, is_busy: Callable[[], bool]) -> None:
        self._store = store
        self._deferred = deferred
        self._is_busy = is_busy
        self._waiting: deque[DatasetRecord] = deque()
        self._changed = threading.Condition()
        self._is_paused = False
        self._most_seconds: float | None = None
        self._is_closing = False
        self._thread: threading.Thread | None = None

    @property
    def is_empty(self) -> bool:
        """No dataset waits for its lineage."""
        with self._changed:
            return not self._waiting

    def add(self, record: DatasetRecord) -> None:
        """Work out this dataset's block when there is time."""
        with self._changed:
            self._waiting.append(record)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="whence-captures", daemon=True)
                self._thread.start()

    def set(self, *, is_paused: bool, most_seconds: float | None) -> None:
        """Pause or resume the queue, and set the seconds after which a job is given up."""
        with self._changed:
            self._is_paused, self._most_seconds = is_paused, most_seconds
            self._changed.notify()

    def finish(self, record: DatasetRecord, most_seconds: float | None = None) -> None:
        """Return when the dataset's block is there; make it now if it is not."""
        document = self._document(record)
        if document is None or document.deferred_keys is None or self._deferred.is_made(record):
            return
        if not self._deferred.is_lost(record):
            with suppress(LineageLost):  # it is noted: whoever asks gets coarse lineage
                self._deferred.block(record, document, most_seconds)

    def close(self) -> None:
        """Stop; a job that runs is seen to its end."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while (record := self._next()) is not None:
            try:
                self.finish(record, self._most_seconds)
            except Exception:
                # Whoever asks about these rows has it done again and hears what is wrong; others wait behind it.
                continue

    def _next(self) -> DatasetRecord | None:
        with self._changed:
            while not self._is_closing:
                if not self._waiting or self._is_paused:
                    self._changed.wait()
                elif self._is_busy():
                    self._changed.wait(_LOOK_AGAIN)
                else:
                    return self._waiting.popleft()
        return None

    def _document(self, record: DatasetRecord) -> LineageDocument | None:
        content = self._store.document(record, NAME)
        return None if content is None else LineageDocument.from_json(content)
