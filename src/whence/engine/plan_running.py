"""Writes plans back as Spark frames and runs them: rows go to part files, pairs of ids to memory."""

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
from whence.engine.fit_ranges import fit_ranges
from whence.engine.outcome import Outcome
from whence.engine.query import Query
from whence.engine.run import run
from whence.engine.scan import ScanWriter, StoredFlags, only_rows, user_columns
from whence.engine.spark_access import SparkAccess
from whence.engine.window_tables import WindowTables
from whence.engine.worker.write_parts import OutputLayout
from whence.engine.write_plan import PlanWriter
from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema
from whence.plan.sql_text import quoted
from whence.plan.step import Step


class PlanRunning(SparkAccess):
    """The calls of `Engine` that make frames from plans and rows, and run them."""

    def write(self, query: Query, step: Step, flags: StoredFlags | None = None) -> DataFrame:
        """Return a frame that computes these steps. Operators that no rule changed are reused from the query's plan.

        Scans read `flags`, or the doubt flags of now.
        """
        return self.write_remembering(query, step, flags)[0]

    def write_remembering(
        self, query: Query, step: Step, flags: StoredFlags | None = None
    ) -> tuple[DataFrame, WindowTables]:
        """Return a frame that computes these steps, and the tables in which it keeps the rows of its windows.

        Lineage reads the window tables after the run.
        """
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
                    flags=flags or self.flags,
                    relations=self._relations,
                ),
            )
            return script.frame(writer.write(step)), writer.window_tables

    def rows_frame(self, record: DatasetRecord, rids: npt.NDArray[np.int64]) -> DataFrame:
        """Return a frame of only these rows. Its plan still scans the dataset, so their lineage is known."""
        rows = self._datasets.rows(record)
        return user_columns(only_rows(self.session, rows, rids))

    def apply_functions(
        self, frame: DataFrame, outputs: Mapping[str, Callable[..., object]], types: Mapping[str, str]
    ) -> DataFrame:
        """Return the frame with some columns replaced by a Python function of their value."""
        with translate_errors():
            made = {
                name: F.udf(each, types[name], useArrow=False)(F.col(quoted(name))) for name, each in outputs.items()
            }
            return frame.withColumns(made)

    def fit_ranges(self, frame: DataFrame, layout: OutputLayout, schema: Schema) -> DataFrame:
        """Return the frame with ends of ranges that have the types of their columns."""
        with translate_errors():
            return fit_ranges(frame, layout, schema)

    def with_every_flag(self, frame: DataFrame, layout: OutputLayout) -> DataFrame:
        """Return the frame with every flag of the layout set. Columns get numbers, as a query may repeat a name."""
        flags = len(layout.flag_positions) + layout.has_row_flags
        numbered = frame.toDF(*(f"c{number}" for number in range(len(layout.names))))
        return numbered.select("*", *(F.lit(True).alias(f"m{number}") for number in range(flags)))

    def run(
        self,
        frame: DataFrame,
        layout: OutputLayout,
        staging: Path,
        most_rows: int | None = None,
        *,
        is_small: bool = False,
    ) -> Outcome:
        """Evaluate a frame once and write its rows to part files. `most_rows` is an upper bound of their number.

        `is_small`: no step of the plan gives more than a few thousand rows.
        """
        with translate_errors(), self._foreground(), self.process.interruptible():
            chosen = self._runner.interpreted(frame) if is_small else frame
            return run(chosen, layout, staging, self._check_size, most_rows, collect=self._runner.collect)

    def _check_size(self, size: int) -> None:
        """Raise an error if a result may not take so many bytes."""
        self._store.room.for_a_dataset("The result, as far as it is written,", size)

    @contextmanager
    def _foreground(self) -> Iterator[None]:
        """Count a query that a user waits for, so that background work waits: see `is_busy`."""
        with self._counting:
            self._running += 1
        try:
            yield
        finally:
            with self._counting:
                self._running -= 1

    @property
    def is_busy(self) -> bool:
        """Whether a query that a user waits for is running."""
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
        """Return the first `ids` columns of a plan, and the row of the dataset whose keys equal the columns after.

        If `only` names some rows of the dataset, their key values become a filter in the plan.
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
