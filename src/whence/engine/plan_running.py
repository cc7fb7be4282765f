"""Plans written back as frames of Spark, and run: rows go to part files, pairs of ids to memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine import pairing
from whence.engine.errors import translate_errors
from whence.engine.outcome import Outcome
from whence.engine.query import Query
from whence.engine.run import run
from whence.engine.scan import ScanWriter, only_rows, user_columns
from whence.engine.spark_access import SparkAccess
from whence.engine.window_tables import WindowTables
from whence.engine.worker.write_parts import OutputLayout
from whence.engine.write_plan import PlanWriter
from whence.model.dataset import DatasetRecord
from whence.plan.sql_text import quoted
from whence.plan.step import Step


class PlanRunning(SparkAccess):
    """The calls of `Engine` that make frames from plans and rows, and run them."""

    def write(self, query: Query, step: Step) -> DataFrame:
        """A frame that computes these steps, made from the plan that was read."""
        return self.write_remembering(query, step)[0]

    def write_remembering(self, query: Query, step: Step) -> tuple[DataFrame, WindowTables]:
        """A frame that computes these steps, and the rows of windows that it puts aside for questions after the run."""
        with translate_errors():
            script = self._runner.script()
            handles = query.handles.for_script(script.promise, script.opened)
            writer = PlanWriter(
                script,
                handles,
                ScanWriter(
                    session=self.session,
                    jvm=script,
                    store=self._store,
                    handles=handles,
                    flags=self.flags,
                    relations=self._relations,
                ),
            )
            return script.frame(writer.write(step)), writer.window_tables

    def rows_frame(self, record: DatasetRecord, rids: npt.NDArray[np.int64]) -> DataFrame:
        """Only these rows, still known as rows of their dataset."""
        rows = self._datasets.rows(record)
        return user_columns(only_rows(self.session, rows, rids))

    def apply_functions(
        self, frame: DataFrame, outputs: Mapping[str, Callable[..., object]], types: Mapping[str, str]
    ) -> DataFrame:
        """The frame with Python functions of a value put over some columns."""
        with translate_errors():
            made = {
                name: F.udf(each, types[name], useArrow=False)(F.col(quoted(name))) for name, each in outputs.items()
            }
            return frame.withColumns(made)

    def with_every_flag(self, frame: DataFrame, layout: OutputLayout) -> DataFrame:
        """The frame with columns numbered, as a query may repeat a name, and the flags of the layout all set."""
        flags = len(layout.flag_positions) + layout.has_row_flags
        numbered = frame.toDF(*(f"c{number}" for number in range(len(layout.names))))
        return numbered.select("*", *(F.lit(True).alias(f"m{number}") for number in range(flags)))

    def run(self, frame: DataFrame, layout: OutputLayout, staging: Path, most_rows: int | None = None) -> Outcome:
        """Evaluate a frame once and write what it gives, which is no more than so many rows."""
        with translate_errors(), self._foreground(), self.process.interruptible():
            return run(frame, layout, staging, most_rows)

    @contextmanager
    def _foreground(self) -> Iterator[None]:
        with self._counting:
            self._running += 1
        try:
            yield
        finally:
            with self._counting:
                self._running -= 1

    @property
    def is_busy(self) -> bool:
        """A query that somebody waits for is running."""
        return self._running > 0

    def pairs(
        self,
        query: Query,
        plan: Step,
        ids: int,
        record: DatasetRecord,
        keys: Sequence[str],
        only: npt.NDArray[np.int64] | None = None,
    ) -> pa.Table:
        """The id columns a plan begins with, and the row of a dataset that shows the same keys as the columns after.

        If only some rows of the dataset are asked about, what they show goes down the plan as a condition.
        """
        with translate_errors():
            members, groups, count = self.write(query, plan), self.frame_with_rids(record), record.rows
            if only is not None:
                members = pairing.members_showing(members, ids, self._store.take(record, only, keys))
                groups, count = groups.where(F.col(pairing.ROW).isin(only.tolist())), len(only)
            frame = pairing.pair_members(members, ids, groups, keys, count)
            if only is not None or plan.most_rows <= pairing.MOST_COLLECTED:
                return frame.toArrow()
            return pairing.collect_in_tasks(frame, self._store.layout.shared_temporary / "pairs")
