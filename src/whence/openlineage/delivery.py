"""Delivery of events: one background thread that sends what is pending, in order, until the receiver took it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from openlineage.client import OpenLineageClient
from openlineage.client import event_v2 as openlineage_events

from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.openlineage.compose_event import compose_event
from whence.openlineage.dataset_facets import DatasetFacets
from whence.store.forgotten import ForgottenRecord
from whence.store.run_events import RunEvent, RunEvents, RunFacts
from whence.store.store import Store

MOST_EVENTS = 10_000
"""More events are not kept for a receiver that does not answer: the oldest go first."""
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 60.0
_REFUSALS = (400, 413, 422)
"""Answers of a receiver that would refuse the same event each time."""
_LOOK_AGAIN = 1.0
"""Seconds between two looks at whether deferred lineage is there."""
GRACE = 5.0
"""Seconds for which closing a workspace waits for events to be taken."""


class Delivery:
    """Sends the events of one workspace. Runs never wait for it: they only leave rows in the database."""

    def __init__(
        self,
        store: Store,
        edges: Edges,
        client: OpenLineageClient,
        namespace: str,
        *,
        settings: Callable[[], Mapping[str, str]] = dict,
        most_events: int = MOST_EVENTS,
        first_pause: float = _FIRST_PAUSE,
    ) -> None:
        self.namespace = namespace
        self.last_error: str | None = None
        """Why the receiver did not take the last event that was sent; None if it did."""
        self.lost = 0
        """How many events were given up since the workspace was opened: refused, or too many."""
        self._store = store
        self._edges = edges
        self._events = RunEvents(store.database)
        self._datasets = DatasetFacets(store, edges, namespace)
        self._client = client
        self._settings = settings
        self._opened = datetime.now(UTC)
        self._most_events = most_events
        self._first_pause = first_pause
        self._changed = threading.Condition()
        self._is_due = False
        self._is_hurried = False
        self._is_closing = False
        # Whoever holds this may use the database. It is not held while an event is on its way.
        self._open = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="whence-openlineage", daemon=True)

    def start(self) -> None:
        """Hear of every run from now on, and send what an earlier opening left."""
        self._events.listen()
        self._store.database.on_commit = self._wake
        self._thread.start()

    @property
    def pending(self) -> int:
        """How many events the receiver has yet to take."""
        with self._open:
            return 0 if self._is_closed else self._events.count()

    def flush(self, seconds: float = GRACE) -> bool:
        """Wait until the receiver has taken every event, and return whether it has."""
        until = time.monotonic() + seconds
        while self.pending and (left := until - time.monotonic()) > 0:
            with self._changed:
                self._is_hurried = True
                self._changed.notify_all()
                self._changed.wait(min(left, 0.05))
        return self.pending == 0

    def close(self, seconds: float = GRACE) -> None:
        """End the runs of notebooks, and give the receiver some time. What it does not take waits for the next opening.

        An event that is on its way when the time is over is sent again then: receivers know it by its run.
        """
        with suppress(WhenceError), self._open:  # another process may have taken the workspace over
            self._events.end_notebook_runs()
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join(seconds)
        with self._open:
            self._is_closed = True
        self._store.database.on_commit = lambda: None
        if not self._thread.is_alive():
            self._client.close(0)

    def _wake(self) -> None:
        # The thread that commits must not wait: whoever holds this lock gives it back at once.
        with self._changed:
            self._is_due = True
            self._changed.notify_all()

    def _work(self) -> None:
        pause = 0.0
        while True:
            is_last = self._is_closing
            pause = 0.0 if self._send_pending() else min(max(2 * pause, self._first_pause), _LONGEST_PAUSE)
            if is_last:
                return
            self._await_turn(pause)

    def _await_turn(self, pause: float) -> None:
        """Wait until there may be something to send; after a failure, at least for the pause."""
        with self._changed:
            if pause:
                self._changed.wait_for(lambda: self._is_closing or self._is_hurried, pause)
            else:
                self._changed.wait_for(lambda: self._is_closing or self._is_due, _LOOK_AGAIN)
            self._is_due = self._is_hurried = False

    def _send_pending(self) -> bool:
        """Send what is pending, oldest first. Return False as soon as the receiver does not take an event."""
        try:
            while (found := self._next()) is not None:
                if not self._is_taken(found[1]):
                    return False
                self._take(found[0])
        except Exception as error:  # the disk is full, for example: tried again after a pause
            self.last_error = str(error) or type(error).__name__
            return False
        return True

    def _is_taken(self, event: openlineage_events.RunEvent) -> bool:
        """Send an event. One that the receiver refuses counts as taken: it would refuse it each time."""
        try:
            self._client.emit(event)
        except Exception as error:  # each transport has errors of its own
            self.last_error = str(error) or type(error).__name__
            if not _is_refusal(error):
                return False
            self.lost += 1
            return True
        self.last_error = None
        return True

    def _next(self) -> tuple[RunEvent, openlineage_events.RunEvent] | None:
        """Return the oldest pending event, composed. Events of forgotten runs are dropped."""
        with self._open:
            if self._is_closed:
                return None
            self._release_lineage()
            self.lost += self._events.trim(self._most_events)
            while (event := self._events.next()) is not None:
                run = self._events.facts(event)
                if run is not None:
                    return event, self._compose(event, run)
                self._events.drop_run(event)
            return None

    def _compose(self, event: RunEvent, run: RunFacts) -> openlineage_events.RunEvent:
        settings = self._settings_of(event)
        try:
            made = self._version_made_by(event, run)
            return compose_event(self._datasets, event, run, made, namespace=self.namespace, settings=settings)
        except WhenceError:  # files of the dataset are damaged or gone: that the run ended is still true
            return compose_event(self._datasets, event, run, None, namespace=self.namespace, settings=settings)

    def _settings_of(self, event: RunEvent) -> Mapping[str, str]:
        """Return the settings of Spark; none for a run of an earlier opening, which may have had others."""
        if datetime.fromisoformat(event.time) < self._opened:
            return {}
        try:
            return self._settings()
        except Exception:  # Spark has just ended, in any way: the event is true without its settings
            return {}

    def _take(self, event: RunEvent) -> None:
        with self._open:
            if not self._is_closed:
                self._events.take(event)
                made = self._version_made_by(event, self._events.facts(event)) if event.type == "COMPLETE" else None
                if made is not None and not self._edges.is_at_hand(made):
                    self._events.await_lineage(event)

    def _release_lineage(self) -> None:
        for event in self._events.awaiting_lineage():
            made = self._version_made_by(event, self._events.facts(event))
            if made is None:
                self._events.drop_run(event)
            elif self._edges.is_at_hand(made):
                self._events.release(event)

    def _version_made_by(self, event: RunEvent, run: RunFacts | None) -> DatasetRecord | None:
        """Return the version that a run has made; None before its end, or if it is forgotten."""
        if event.type not in ("COMPLETE", "OTHER") or run is None or run.dataset is None:
            return None
        record = self._store.by_id(run.dataset)
        return None if isinstance(record, ForgottenRecord) else record


def _is_refusal(error: Exception) -> bool:
    """Whether a receiver of HTTP said that the event itself is wrong."""
    response: object = getattr(error, "response", None)
    return getattr(response, "status_code", None) in _REFUSALS
