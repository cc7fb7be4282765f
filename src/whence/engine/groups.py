"""Jobs that belong together: the group a thread's jobs run in, cancelling them all, and how far they are."""

from __future__ import annotations

from pyspark.sql import SparkSession


def join_group(session: SparkSession, group: str, description: str) -> None:
    """Jobs this thread starts from now on belong to the group; their tasks are interrupted when it is cancelled."""
    session.sparkContext.setJobGroup(group, description, interruptOnCancel=True)


def leave_group(session: SparkSession) -> None:
    """Jobs this thread starts from now on belong to no group."""
    session.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    session.sparkContext.setLocalProperty("spark.job.description", None)  # type: ignore[arg-type]
    session.sparkContext.setLocalProperty("spark.job.interruptOnCancel", None)  # type: ignore[arg-type]


def cancel_group(session: SparkSession, group: str) -> None:
    """Tell every job of the group to stop; one that starts afterwards must be told again."""
    session.sparkContext.cancelJobGroup(group)


def tasks_of(session: SparkSession, group: str) -> tuple[int, int]:
    """How many tasks of the group's stages are done, and how many there are as far as Spark knows yet."""
    tracker = session.sparkContext.statusTracker()
    done = total = 0
    for job in tracker.getJobIdsForGroup(group):
        info = tracker.getJobInfo(job)
        for stage in info.stageIds if info is not None else ():
            found = tracker.getStageInfo(stage)
            if found is not None:
                done, total = done + found.numCompletedTasks, total + found.numTasks
    return done, total
