"""Finds the group of each input row after a group-by has run, by joining rows and groups on the keys."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.map_in_arrow import map_in_arrow
from whence.engine.worker.write_ids import write_ids
from whence.plan.sql_text import quoted

ROW = "__whence_row"

_FEW_GROUPS = 500_000
"""Up to so many groups are broadcast: every task can hold them in memory."""


MOST_COLLECTED = 20_000_000
"""Up to so many pairs, collecting is faster than letting tasks write files. Far more would exceed Spark's limit."""


def pair_members(members: DataFrame, ids: int, groups: DataFrame, keys: Sequence[str], count: int) -> DataFrame:
    """Return the ids of each member (input row) and the row of its group. Members without a group are left out.

    Keys are compared as GROUP BY compares them: NULL is equal to NULL, NaN to NaN, -0.0 to 0.0.
    """
    names = [f"i{number}" for number in range(ids)]
    named = members.toDF(*names, *(f"k{number}" for number in range(len(keys))))
    chosen = groups.select(*(F.col(quoted(key)).alias(f"g{n}") for n, key in enumerate(keys)), ROW)
    chosen = F.broadcast(chosen) if count <= _FEW_GROUPS else chosen
    if not keys:  # a global aggregate: all members belong to its one group
        return named.crossJoin(chosen).select(*names, F.col(ROW).cast("int"))
    same = [F.col(f"k{number}").eqNullSafe(F.col(f"g{number}")) for number in range(len(keys))]
    row = F.col(ROW).cast("int") if count < 2**31 else F.col(ROW)
    return named.join(chosen, same).select(*names, row.alias(ROW))


def members_showing(members: DataFrame, ids: int, values: pa.Table) -> DataFrame:
    """Return the members whose keys, the columns after the ids, each occur in `values`; perhaps a few more.

    Spark pushes a condition on one column down to the files, even past joins. There is none for floats, as files and
    comparisons differ about NaN and -0.0, nor for times, as a literal and a file may use different zones.
    """
    named = members.toDF(*(f"m{number}" for number in range(ids + values.num_columns)))
    places = [place for place, field in enumerate(values.schema) if _is_plain(field.type)]
    conditions = (_is_one_of(F.col(f"m{ids + place}"), values.column(place)) for place in places)
    return reduce(DataFrame.where, conditions, named)


def _is_one_of(column: Column, values: pa.ChunkedArray) -> Column:
    shown = values.unique().to_pylist()
    known = column.isin([value for value in shown if value is not None])
    return known | column.isNull() if None in shown else known


def _is_plain(kind: pa.DataType) -> bool:
    is_one = pa.types.is_integer, pa.types.is_string, pa.types.is_boolean, pa.types.is_date, pa.types.is_decimal
    return any(check(kind) for check in is_one)


def collect_in_tasks(frame: DataFrame, folder: Path) -> pa.Table:
    """Return all rows of a frame of numbers. Tasks write them to files, as they may exceed what Spark can collect."""
    scratch = folder / uuid.uuid4().hex
    scratch.mkdir(parents=True)
    try:
        answers = map_in_arrow(frame, write_ids(str(scratch))).collect()
        tables = [_read_stream(Path(row.answer)) for row in answers]
    finally:
        for path in scratch.iterdir():
            path.unlink()
        scratch.rmdir()
    if tables:
        return pa.concat_tables(tables)
    return pa.table({name: pa.array([], pa.int64()) for name in frame.columns})


def _read_stream(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_stream(file).read_all()
