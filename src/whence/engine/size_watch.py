"""Stops a query whose result grows beyond what a dataset may take, while Spark still writes it."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from whence.engine.leftovers import leftover_tasks
from whence.model.errors import UserError

CheckSize = Callable[[int], None]
"""Function that raises UserError if a dataset may not take so many bytes."""

_PAUSE = 1.0
"""Seconds between two looks at the files."""
_SHORT_PAUSE = 0.05
_PATIENCE = 5.0


@contextmanager
def watch_size(session: SparkSession, folder: Path, check: CheckSize) -> Iterator[None]:
    """Cancel the jobs that this thread starts in the block once their files are too large, and raise that error."""
    context, tag, is_over = session.sparkContext, f"whence-size-{uuid.uuid4().hex}", threading.Event()
    refused: list[UserError] = []

    def look() -> None:
        while not is_over.wait(_PAUSE):
            try:
                check(size_of(folder))
            except UserError as error:
                refused.append(error)
                with suppress(Py4JError, OSError):  # Spark may die at any moment
                    context.cancelJobsWithTag(tag)

    thread = threading.Thread(target=look, name="whence-size-watch", daemon=True)
    context.addJobTag(tag)
    thread.start()
    try:
        yield
    except Exception as error:
        if refused:
            _wait_for_tasks(session)  # one that still runs would write into the folder after it was removed
            raise refused[0] from error
        raise
    finally:
        is_over.set()
        thread.join()
        with suppress(Py4JError, OSError):
            context.removeJobTag(tag)


def _wait_for_tasks(session: SparkSession) -> None:
    """Wait until cancelled tasks have ended, but not for long: some never look whether they were cancelled."""
    end = time.monotonic() + _PATIENCE
    with suppress(Py4JError, OSError):
        while leftover_tasks(session) and time.monotonic() < end:
            time.sleep(_SHORT_PAUSE)


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder. Files come and go meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):  # `rglob` raises an error for a folder that goes while it looks
        for name in names:
            with suppress(OSError):
                total += os.stat(os.path.join(place, name)).st_size
    return total
