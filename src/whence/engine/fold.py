"""Runs a Python function over the rows of a frame in Spark's tasks, and collects or combines their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.engine import Engine
from whence.engine.errors import translate_errors
from whence.engine.map_in_arrow import map_in_arrow
from whence.engine.masters import local_address
from whence.engine.type_names import type_name
from whence.model.dataset import DatasetRecord
from whence.plan.sql_text import quoted

Batches = Iterator[pa.RecordBatch]
Task = Callable[[Batches], Batches]


def run_tasks(frame: DataFrame, task: Task) -> list[bytes]:
    """Run the function in each task, and return what the tasks answer in the column `part`."""
    with translate_errors():
        return [bytes(row.part) for row in map_in_arrow(frame, task, "part binary").collect()]


def sum_by_key(frame: DataFrame, task: Task, sums: int) -> pa.Table:
    """Return the sums w0, w1, ... over all lines that tasks answer with the same `key`, sorted by key."""
    names = [f"w{number}" for number in range(sums)]
    schema = ", ".join(["key bigint", *(f"{name} double" for name in names)])
    with translate_errors():
        lines = map_in_arrow(frame, task, schema)
        return lines.groupBy("key").agg(*(F.sum(name).alias(name) for name in names)).toArrow().sort_by("key")


def by_group(
    frame: DataFrame, task: Task, kept: Sequence[str], added: str, of_group: Callable[[pa.Table], pa.Table], schema: str
) -> pa.Table:
    """Return the answers of `of_group` for each group of rows. `task` writes a row's group into the first added column.

    `added` declares the columns that the task adds, as DDL. `kept` names the columns of the frame that it passes on.
    """
    types = {field.name: type_name(field.dataType) for field in frame.schema.fields}
    whole = ", ".join([added, *(f"{quoted(name)} {types[name]}" for name in kept)])
    with translate_errors():
        marked = map_in_arrow(frame, task, whole)
        return marked.groupBy(marked.columns[0]).applyInArrow(of_group, schema).toArrow()


def scan_rows(engine: Engine, record: DatasetRecord, rid: str, columns: Mapping[str, str]) -> DataFrame:
    """Return the dataset's rows as row id and columns under new names. `columns` maps new names to old ones."""
    with translate_errors():
        rows = engine.with_row_numbers(record, rid)
        return rows.select(rid, *(F.col(quoted(column)).alias(name) for name, column in columns.items()))


def join_listed_rows(
    engine: Engine, listed: Path, places: Sequence[tuple[DatasetRecord, str, Mapping[str, str]]], target: Path
) -> DataFrame:
    """Join the rows of a Parquet file with the dataset rows whose ids it lists, and store the result in `target`."""
    with translate_errors():
        frame = engine.session.read.parquet(local_address(listed))
        for record, rid, columns in places:
            frame = frame.join(scan_rows(engine, record, rid, columns), rid, "left")
        # Stored, so that the joins run once, however often the frame is read.
        frame.write.mode("overwrite").parquet(local_address(target))
        return engine.session.read.parquet(local_address(target))
