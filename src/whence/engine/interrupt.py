"""Handles Ctrl-C while Python waits for Spark: it cancels the query in Spark, too."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from whence.engine.planning import stop_planning

PATIENCE = 5.0
"""Seconds that Spark gets to end the tasks of a cancelled query before whence restarts it."""
SETTLE = 0.5
"""Seconds after which Spark's lists of jobs and stages show that a query was cancelled."""
_PAUSE = 0.1


class InterruptedSpark(Protocol):
    """The part of `SparkProcess` that stopping a query needs."""

    @property
    def session(self) -> SparkSession:
        """The session whose thread was interrupted."""

    def stop_work(self, name: str) -> None:
        """Note that work was told to stop."""

    def active_tasks_of(self, group: str) -> int:
        """Count the tasks of a query that still run, and those that nothing waits for any more."""

    @property
    def can_restart(self) -> bool:
        """Whether no user waits for a result that a restart would lose."""

    def restart(self) -> None:
        """End the Java process; it starts anew when it is needed next."""


@contextmanager
def ends_on_interrupt(spark: InterruptedSpark, tag: str) -> Iterator[None]:
    """Cancel the jobs that the block started if Ctrl-C ends it. Python raises Ctrl-C in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    session = spark.session
    context = session.sparkContext
    before = context.getLocalProperty("spark.job.interruptOnCancel")
    context.addJobTag(tag)
    # Cancelling then interrupts the threads of running tasks, and does not wait until they end by themselves.
    context.setInterruptOnCancel(True)
    try:
        yield
    except KeyboardInterrupt as interrupt:
        with suppress(Py4JError, OSError):
            context.cancelJobsWithTag(tag)
            stop_planning(session, tag)
        spark.stop_work(tag)
        if note := end_tasks(spark, tag):
            interrupt.add_note(note)
        raise
    finally:
        with suppress(Py4JError, OSError):
            context.removeJobTag(tag)
            context.setLocalProperty("spark.job.interruptOnCancel", before)  # type: ignore[arg-type]


def end_tasks(spark: InterruptedSpark, name: str) -> str:
    """Wait for the tasks of a query to end, and restart Spark if they do not. Return a note for the user."""
    time.sleep(SETTLE)
    end = time.monotonic() + PATIENCE
    while spark.active_tasks_of(name):
        if time.monotonic() < end:
            time.sleep(_PAUSE)
        elif spark.can_restart:
            spark.restart()
            return "Spark was restarted to stop this query."
        else:
            return "The query is still ending in Spark, which others use, too."
    return ""
