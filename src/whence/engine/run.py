"""Runs a plan in the fastest of three ways that can store its output: here, in Spark's writer, or in Python tasks."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame

from whence.engine.collect_table import Collect, collect_by_pyspark
from whence.engine.outcome import Outcome
from whence.engine.run_here import can_run_here, run_here
from whence.engine.run_in_spark import can_run_in_spark, run_in_spark
from whence.engine.run_in_tasks import run_in_tasks
from whence.engine.size_watch import CheckSize, watch_size
from whence.engine.worker.write_parts import OutputLayout


def run(
    frame: DataFrame,
    layout: OutputLayout,
    staging: Path,
    check_size: CheckSize,
    most_rows: int | None = None,
    *,
    collect: Collect = collect_by_pyspark,
) -> Outcome:
    """Evaluate the frame once and write part files. `layout` describes its columns, `most_rows` bounds its rows.

    `collect` fetches the rows of a small frame. `check_size` raises an error once the files are too large.
    """
    staging.mkdir(parents=True, exist_ok=True)
    if most_rows is not None and can_run_here(frame, layout, most_rows):
        outcome = run_here(frame, layout, staging, collect)
        if outcome is not None:
            return outcome
    with watch_size(frame.sparkSession, staging, check_size):
        return _write_parts(frame, layout, staging)


def _write_parts(frame: DataFrame, layout: OutputLayout, staging: Path) -> Outcome:
    if can_run_in_spark(frame, layout):
        return run_in_spark(frame, layout, staging)
    return run_in_tasks(frame, layout, staging)
