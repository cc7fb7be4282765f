"""Finds, after a group-by has run, which group each row it read belongs to."""

from __future__ import annotations

import operator
import uuid
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.map_in_arrow import map_in_arrow
from whence.engine.scan import quoted
from whence.engine.worker.write_ids import write_ids

ROW = "__whence_row"

_FEW = 500_000
"""Groups that every task can hold in memory."""


COLLECTED = 20_000_000
"""Up to so many pairs Spark collects faster than its tasks write files; far more would break its limit on results."""


def paired(members: DataFrame, ids: int, groups: DataFrame, keys: Sequence[str], count: int) -> DataFrame:
    """The ids of each member and the row of its group; one that has none is left out.

    Keys are compared as GROUP BY compares them: NULL is equal to NULL, NaN to NaN, -0.0 to 0.0.
    """
    names = [f"i{number}" for number in range(ids)]
    named = members.toDF(*names, *(f"k{number}" for number in range(len(keys))))
    chosen = groups.select(*(F.col(quoted(key)).alias(f"g{n}") for n, key in enumerate(keys)), ROW)
    chosen = F.broadcast(chosen) if count <= _FEW else chosen
    if not keys:
        return named.crossJoin(chosen).select(*names, F.col(ROW).cast("int"))
    same = [F.col(f"k{number}").eqNullSafe(F.col(f"g{number}")) for number in range(len(keys))]
    row = F.col(ROW).cast("int") if count < 2**31 else F.col(ROW)
    return named.join(chosen, same).select(*names, row.alias(ROW))


def showing(members: DataFrame, ids: int, values: pa.Table) -> DataFrame:
    """The members whose keys, the columns after the ids, are among these; all if a key is hard to write down.

    Spark takes the condition down to the files. Floats are left out, for files and comparisons differ about NaN and
    -0.0, and so are times, which a literal says in one zone and a file in another.
    """
    if not values.num_columns or not all(_is_plain(field.type) for field in values.schema):
        return members
    named = members.toDF(*(f"m{number}" for number in range(ids + values.num_columns)))
    rows = set(zip(*(column.to_pylist() for column in values.columns), strict=True))
    return named.where(reduce(operator.or_, (_shows(row, ids) for row in rows)))


def _shows(row: Sequence[object], first: int) -> Column:
    same = (F.col(f"m{place}").eqNullSafe(F.lit(value)) for place, value in enumerate(row, first))
    return reduce(operator.and_, same)


def _is_plain(kind: pa.DataType) -> bool:
    is_one = pa.types.is_integer, pa.types.is_string, pa.types.is_boolean, pa.types.is_date, pa.types.is_decimal
    return any(check(kind) for check in is_one)


def collected(frame: DataFrame, folder: Path) -> pa.Table:
    """All rows of a frame of numbers; the tasks write them down, since they may be far more than Spark collects."""
    scratch = folder / uuid.uuid4().hex
    scratch.mkdir(parents=True)
    try:
        answers = map_in_arrow(frame, write_ids(str(scratch))).collect()
        tables = [_read(Path(row.answer)) for row in answers]
    finally:
        for path in scratch.iterdir():
            path.unlink()
        scratch.rmdir()
    if tables:
        return pa.concat_tables(tables)
    return pa.table({name: pa.array([], pa.int64()) for name in frame.columns})


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_stream(file).read_all()
