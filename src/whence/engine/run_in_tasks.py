"""Runs a plan whose tasks write part files in Python, and report to the driver what they wrote.

It is the slowest way to run and the most general: any type, ids of any form, ghost rows.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema

from whence.engine.map_in_arrow import map_in_arrow
from whence.engine.outcome import Outcome
from whence.engine.worker.write_parts import OutputLayout, WrittenPart, write_parts
from whence.store.parts import PartFile, write_part


def run_in_tasks(frame: DataFrame, layout: OutputLayout, staging: Path) -> Outcome:
    """Evaluate the frame once and let Python tasks write the part files. `layout` describes its columns."""
    answers = map_in_arrow(frame, write_parts(str(staging), layout)).collect()
    written = sorted((WrittenPart(**json.loads(row.answer)) for row in answers), key=lambda each: each.partition)
    parts = tuple(PartFile(each.path, each.rows, each.size, each.sha256) for each in written)
    if not parts:
        parts = (_empty_part(frame, layout, staging),)
    flagged = {position for each in written for position in each.flagged_columns}
    ghosts = sum(each.ghosts for each in written)
    return Outcome.of(parts, layout, flagged, ids=_read_ids(written, frame, layout), ghosts=ghosts)


def _empty_part(frame: DataFrame, layout: OutputLayout, staging: Path) -> PartFile:
    fields = list(to_arrow_schema(frame.schema, timezone="UTC"))[: len(layout.stored_names)]
    schema = pa.schema([field.with_name(name) for field, name in zip(fields, layout.stored_names, strict=True)])
    return write_part(staging / "empty.parquet", [], schema)


def _read_ids(written: list[WrittenPart], frame: DataFrame, layout: OutputLayout) -> pa.Table:
    tables = []
    for each in written:
        with pa.memory_map(each.ids_path) as file:
            tables.append(pa.ipc.open_stream(file).read_all())
        Path(each.ids_path).unlink()
    if tables:
        return pa.concat_tables(tables)
    fields = list(to_arrow_schema(frame.schema, timezone="UTC"))
    return pa.schema(fields[len(fields) - layout.id_columns :]).empty_table()
