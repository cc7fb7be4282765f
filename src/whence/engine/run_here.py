"""Runs a plan with few output rows: Spark collects them, and this process writes the part file.

For so few rows, Spark's writer and the Python processes of its tasks would cost more than all else. This halved the
time of small queries.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from whence.engine.collect_table import Collect, collect_by_pyspark, collect_table
from whence.engine.outcome import Outcome
from whence.engine.worker.write_parts import OutputLayout
from whence.store.parts import write_part

MOST_ROWS = 100_000
_MOST_CELLS = 2_000_000
_TOO_MUCH = "spark.driver.maxResultSize"


def can_run_here(frame: DataFrame, layout: OutputLayout, most_rows: int) -> bool:
    """Return whether the frame is small enough to collect. The other ways to run store structs and variants."""
    fields = frame.schema.fields
    if most_rows > MOST_ROWS or most_rows * len(fields) > _MOST_CELLS:
        return False
    types = [field.dataType.simpleString() for field in fields[: len(layout.written_names)]]
    return not any(word in each for each in types for word in ("struct", "variant"))


def run_here(
    frame: DataFrame, layout: OutputLayout, staging: Path, collect: Collect = collect_by_pyspark
) -> Outcome | None:
    """Evaluate the frame once and write one part file; None if the cells exceed Spark's limit on collected results."""
    try:
        collected = collect_table(frame, collect)
    except PySparkException as error:
        if _TOO_MUCH in str(error):
            return None
        raise
    table, ghosts = _without_ghosts(collected, layout)
    rows = table.select(range(len(layout.written_names))).rename_columns(layout.written_names)
    part = write_part(staging / "rows.parquet", rows.to_batches(), rows.schema)
    flagged = {place for place in layout.flag_places if pc.any(rows.column(place)).as_py()}
    if len(layout.written_names) > len(layout.stored_names):
        return Outcome.of((part,), layout, flagged, beside=layout.inline_sources or ())
    ids = table.select(range(table.num_columns - layout.id_columns, table.num_columns))
    return Outcome.of((part,), layout, flagged, ids=ids, ghosts=ghosts)


def _without_ghosts(table: pa.Table, layout: OutputLayout) -> tuple[pa.Table, int]:
    """Return the rows without ghost rows, and the number of ghost rows."""
    table = pa.Table.from_arrays(table.columns, schema=pa.schema([each.with_nullable(True) for each in table.schema]))
    if not layout.has_ghosts:
        return table, 0
    present = table.filter(table.column(len(layout.stored_names)))
    return present, table.num_rows - present.num_rows
