"""Finds tasks of cancelled queries that still run.

Spark interrupts the tasks of a cancelled query, but code that it generated looks for that only when it asks for the
next batch of input. In the middle of a large join that may be minutes later, and until then the task holds its core.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession


def leftover_tasks(session: SparkSession) -> int:
    """Count the running tasks of failed stages. Spark marks a cancelled stage as failed, too."""
    java: Any = session._jvm
    failed = java.java.util.List.of(java.org.apache.spark.status.api.v1.StageStatus.FAILED)
    nothing, no_shares = java.java.util.List.of(), session.sparkContext._gateway.new_array(java.double, 0)  # type: ignore[union-attr]
    stages = session.sparkContext._jsc.sc().statusStore().stageList(failed, False, False, no_shares, nothing)
    return sum(stages.apply(number).numActiveTasks() for number in range(stages.size()))
