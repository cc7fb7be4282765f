"""Finds, after a group-by has run, which group each row it read belongs to."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame
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


def collected(frame: DataFrame, folder: Path) -> pa.Table:
    """All rows of a frame of numbers; the tasks write them down, since they may be far more than Spark collects."""
    scratch = folder / uuid.uuid4().hex
    scratch.mkdir(parents=True)
    try:
        answers = map_in_arrow(frame, write_ids(str(scratch)), "answer string").collect()
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
