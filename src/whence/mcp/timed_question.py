"""`TimedQuestion`: stops what a question runs in Spark when it takes too long, or when the agent gives up."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from whence.engine.interrupt import PATIENCE
from whence.engine.process import SparkProcess
from whence.model.errors import UserError, WhenceError
from whence.model.plural import counted

LIMIT = 120.0
"""Seconds after which a question stops. The start of Spark does not count."""
_PAUSE = 0.25


class TimedQuestion:
    """One question of an agent. Any thread may stop it."""

    def __init__(self, process: SparkProcess) -> None:
        self._process = process
        self._group = f"whence-agent-{uuid.uuid4().hex}"
        self._stopped = threading.Event()
        self._ended = threading.Event()

    def stop(self) -> None:
        """Let the question end as soon as it can."""
        self._stopped.set()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer the question in the block. Raise a user error if it was stopped."""
        threading.Thread(target=self._watch, args=(time.monotonic(), LIMIT), name="whence-agent", daemon=True).start()
        try:
            with self._process.in_group(self._group, "question of an agent"):
                yield
        except WhenceError as error:
            # Spark words the end of a cancelled job as an error of the query.
            if self._stopped.is_set():
                raise UserError(
                    f"The question took more than {counted(round(LIMIT), 'second')} and was stopped.",
                    "Ask for less at once.",
                ) from error
            raise
        finally:
            self._ended.set()

    def _watch(self, began: float, limit: float) -> None:
        """Stop what runs in Spark, again and again, once the question has taken too long or the agent gave up."""
        stopped_at = None
        while not self._ended.wait(_PAUSE):
            if time.monotonic() - began - self._process.seconds_waited(self._group) > limit:
                self._stopped.set()
            if self._stopped.is_set():
                stopped_at = stopped_at or time.monotonic()
                self._end_jobs(time.monotonic() - stopped_at)

    def _end_jobs(self, waited: float) -> None:
        """Cancel the jobs of the question. Restart Spark if it does not end and no one else uses Spark."""
        self._process.cancel_group(self._group)
        if waited > PATIENCE and self._process.waits_for_spark(self._group) and self._process.can_restart:
            self._process.restart()
