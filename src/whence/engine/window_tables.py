"""Keeps the rows of window functions: Spark computes them once, for the query and for lineage after the run."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.errors import translate_errors
from whence.engine.masters import is_local, master_of
from whence.engine.script import Script
from whence.plan.steps.window_rows import WindowRows


class WindowTables:
    """The rows of the windows of one plan.

    A second run could order tied rows differently, so the main query and lineage read the same rows: a local
    checkpoint, which Spark fills when the first of the two reads it.
    """

    def __init__(self, jvm: Script) -> None:
        self._jvm = jvm
        self._plans: dict[int, Any] = {}
        self._asked: dict[int, tuple[WindowRows, DataFrame]] = {}

    def keep(self, step: WindowRows, plan: Any, columns: list[Any]) -> Any:  # noqa: ANN401 - JVM objects
        """Return a plan that reads the kept rows. `columns` are partition, place and the ids that the rows carried."""
        if step.number not in self._plans:
            kept = _keep_rows(self._jvm.frame(plan))
            self._plans[step.number] = kept._jdf.queryExecution().analyzed()
            project = "org.apache.spark.sql.catalyst.plans.logical.Project"
            named = [self._jvm.alias(each, f"c{n}", self._jvm.new_expr_id()) for n, each in enumerate(columns)]
            asked = self._jvm.make(project, self._jvm.seq(named), self._plans[step.number])
            self._asked[step.number] = (step, self._jvm.frame(asked))
        return self._jvm.promise(self._plans[step.number])

    def tables(self) -> list[tuple[WindowRows, pa.Table]]:
        """Return the rows of each window: partition, place, and one column for each id that they carried."""
        with translate_errors():
            return [(step, _collect(frame)) for step, frame in self._asked.values()]

    def clear(self) -> None:
        """Free the memory that the rows take in Spark."""
        for plan in self._plans.values():
            plan.rdd().unpersist(False)  # False: without waiting for it


def _keep_rows(frame: DataFrame) -> DataFrame:
    """Return the frame as a local checkpoint; on a cluster with two copies, as one is lost with its executor."""
    is_here = is_local(master_of(frame.sparkSession))
    return frame.localCheckpoint(eager=False, storageLevel=None if is_here else StorageLevel.MEMORY_AND_DISK_2)


def _collect(frame: DataFrame) -> pa.Table:
    """Return the rows, in types whose inner fields are all nullable.

    A row that an outer join padded has NULL for what a window read below it, and Arrow refuses NULL for a struct with
    fields that are never NULL. The text of a type says nothing about NULL, so a cast to it allows NULL everywhere.
    """
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    return frame.select(*(F.col(name).cast(kind).alias(name) for name, kind in types.items())).toArrow()
