"""Reports the progress of Spark jobs: a thread reads Spark's count of finished tasks five times a second."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession

Step = Callable[[int, int, str], object]

_PAUSE = 0.2
"""Seconds between two reports."""


@contextmanager
def report_progress(session: SparkSession, step: Step | None, phase: str) -> Iterator[None]:
    """Call `step` with the finished and all tasks of the jobs that this thread starts in the block, and the phase."""
    if step is None:
        yield
        return
    context, tag, is_over = session.sparkContext, f"whence-watched-{uuid.uuid4().hex}", threading.Event()
    tracker: Any = context._jsc.sc().statusTracker()

    def look() -> None:
        while not is_over.wait(_PAUSE):
            done, total = _count_tasks(tracker, tag)
            if total:  # Spark knows of no stage before the first job is planned
                step(done, total, phase)

    thread = threading.Thread(target=look, name="whence-watch", daemon=True)
    context.addJobTag(tag)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        context.removeJobTag(tag)


def _count_tasks(tracker: Any, tag: str) -> tuple[int, int]:  # noqa: ANN401 - a JVM object
    """Return the number of finished tasks and of all tasks, over every stage of the jobs with this tag."""
    jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForTag(tag))
    stages = {stage for job in jobs if job.isDefined() for stage in job.get().stageIds()}
    found = [info.get() for stage in stages if (info := tracker.getStageInfo(stage)).isDefined()]
    return sum(stage.numCompletedTasks() for stage in found), sum(stage.numTasks() for stage in found)
