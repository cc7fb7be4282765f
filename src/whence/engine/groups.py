"""Spark job groups: puts a thread's jobs into a group, cancels the group, counts its tasks."""

from __future__ import annotations

from pyspark import SparkStageInfo
from pyspark.sql import SparkSession


def join_group(session: SparkSession, group: str, description: str) -> None:
    """Put jobs that this thread starts from now on into the group. Cancelling it interrupts their tasks."""
    session.sparkContext.setJobGroup(group, description, interruptOnCancel=True)


def leave_group(session: SparkSession) -> None:
    """Let jobs that this thread starts from now on belong to no group."""
    session.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    session.sparkContext.setLocalProperty("spark.job.description", None)  # type: ignore[arg-type]
    session.sparkContext.setLocalProperty("spark.job.interruptOnCancel", None)  # type: ignore[arg-type]


def cancel_group(session: SparkSession, group: str) -> None:
    """Cancel every running job of the group. A job that starts afterwards needs another call."""
    session.sparkContext.cancelJobGroup(group)


def tasks_of(session: SparkSession, group: str) -> tuple[int, int]:
    """Return how many tasks of the group's stages are done, and how many Spark knows of so far."""
    stages = _stages_of(session, group)
    return sum(each.numCompletedTasks for each in stages), sum(each.numTasks for each in stages)


def active_tasks_of(session: SparkSession, name: str) -> int:
    """Count the tasks that run now for jobs of this group, or with this tag."""
    tagged = session.sparkContext._jsc.sc().statusTracker().getJobIdsForTag(name)
    return sum(each.numActiveTasks for each in _stages_of(session, name, *tagged))


def _stages_of(session: SparkSession, group: str, *others: int) -> list[SparkStageInfo]:
    tracker = session.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in (*tracker.getJobIdsForGroup(group), *others)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job is not None for stage in job.stageIds]
    return [stage for stage in stages if stage is not None]
