"""Runs pandas functions of users over datasets in Spark's tasks, and records which input rows each row came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.engine import Engine
from whence.engine.errors import translate_errors
from whence.engine.outcome import Outcome
from whence.engine.pairing import ROW
from whence.engine.type_names import type_name
from whence.engine.worker.row_functions import NOTE_COLUMNS, RID, TracedFunction
from whence.engine.worker.write_parts import OutputLayout
from whence.model.dataset import DatasetRecord
from whence.plan.sql_text import quoted

Form = Literal["rows", "batches", "group", "both"]

_TYPES = ("bigint", "array<bigint>", "array<bigint>", "boolean")


@dataclass(frozen=True)
class Call:
    """How a function is called, and what it promises to return."""

    form: Form
    by: tuple[str, ...]
    schema: str
    """The columns it returns, as Spark DDL."""


def column_names(engine: Engine, schema: str) -> tuple[str, ...]:
    """Return the column names of a schema in Spark's DDL."""
    return tuple(engine.arrow_schema(schema).names)


def run_rows(
    engine: Engine, inputs: list[DatasetRecord], call: Call, around: TracedFunction, staging: Path, *, is_doubtful: bool
) -> Outcome:
    """Run the function once over the inputs. The id columns of the outcome are region, left rows and right rows."""
    beside = ", ".join(f"`{name}` {kind}" for name, kind in zip(NOTE_COLUMNS, _TYPES, strict=True))
    with translate_errors():
        made = _call_frame(engine, inputs, call, around, f"{_ddl(engine, call.schema)}, {beside}")
        flagged = tuple(range(len(around.columns))) if is_doubtful else ()
        has_rows = around.is_all_doubtful
        flags = [F.col(NOTE_COLUMNS[3]).alias(f"__flag{number}") for number in range(len(flagged) + has_rows)]
        values = [quoted(name) for name in around.columns]
        frame = made.select(*values, *flags, *(F.col(name) for name in NOTE_COLUMNS[:3]))
    layout = OutputLayout(around.columns, flagged, has_row_flags=has_rows, has_ghosts=False, id_columns=3)
    return engine.run(frame, layout, staging)


def _ddl(engine: Engine, schema: str) -> str:
    fields = engine.session.createDataFrame([], schema).schema.fields
    return ", ".join(f"`{field.name.replace('`', '``')}` {type_name(field.dataType)}" for field in fields)


def _call_frame(
    engine: Engine, inputs: list[DatasetRecord], call: Call, around: TracedFunction, schema: str
) -> DataFrame:
    frames = [engine.frame_with_rids(each).withColumnRenamed(ROW, RID) for each in inputs]
    keys = [quoted(name) for name in call.by]
    if call.form == "both":
        left, right = (frame.groupBy(*keys) for frame in frames)
        # Spark counts the arguments of a bound method one too many, and would pass the key as well.
        return left.cogroup(right).applyInPandas(lambda one, other: around.group_pair(one, other), schema)
    if call.form == "group":
        return frames[0].groupBy(*keys).applyInPandas(lambda rows: around.group(rows), schema)
    return frames[0].mapInPandas(around.rows if call.form == "rows" else around.batches, schema)
