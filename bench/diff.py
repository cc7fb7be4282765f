"""What comparing two versions costs: `ws.diff` in a session of its own, against full outer joins in Spark and DuckDB.

Both versions are Parquet files of six columns. The later one has 1,000 changed rows, 500 fewer from the middle and 500
more at the end. Versions that were loaded with a key are compared by it, others by the content of their rows.
WHENCE_BENCH_ROWS sets the number of rows.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "5_000_000"))
CHANGED, MOVED = 1_000, 500
VALUES = ("shop", "price", "city", "day", "note")
Counts = tuple[int, int]
"""How many rows only the earlier version has, and how many only the later one; a changed row is one of both."""


def make_orders(random: np.random.Generator, first: int, rows: int) -> pa.Table:
    """Numbers, texts of few and of many values, and days."""
    return pa.table(
        {
            "id": np.arange(first, first + rows),
            "shop": random.integers(0, 1000, rows),
            "price": np.round(random.uniform(0, 1000, rows), 2),
            "city": pa.array(np.array(["Aarhus", "Berlin", "Chicago", "Delhi"])[random.integers(0, 4, rows)]),
            "day": pa.array(random.integers(18_000, 20_000, rows).astype(np.int32)).cast(pa.date32()),
            "note": pa.array(random.integers(0, 10**9, rows).astype(str)),
        }
    )


def edit(random: np.random.Generator, orders: pa.Table) -> pa.Table:
    """Change the price of some rows, leave some out of the middle, and append some."""
    price = orders["price"].to_numpy().copy()
    chosen = random.choice(orders.num_rows, CHANGED + MOVED, replace=False)
    price[chosen[:CHANGED]] += 1
    edited = orders.set_column(2, "price", pa.array(price))
    is_kept = np.ones(orders.num_rows, dtype=np.bool_)
    is_kept[chosen[CHANGED:]] = False
    return pa.concat_tables([edited.filter(pa.array(is_kept)), make_orders(random, orders.num_rows, MOVED)])


def _files(context: Context) -> tuple[Path, Path]:
    before, after = context.folder / "before.parquet", context.folder / "after.parquet"
    if not before.exists():
        random = np.random.default_rng(11)
        orders = make_orders(random, 0, ROWS)
        pq.write_table(orders, before, row_group_size=1 << 20)
        pq.write_table(edit(random, orders), after, row_group_size=1 << 20)
    return before, after


def _query(before: str, after: str) -> str:
    is_other = " or ".join(f"b.{name} is distinct from a.{name}" for name in VALUES)
    return (
        "select count(b.id) as earlier, count(a.id) as later "
        f"from {before} b full outer join {after} a on b.id = a.id where b.id is null or a.id is null or {is_other}"
    )


def _in_spark(context: Context) -> Action:
    workspace = context.closing.enter_context(whence.open(context.folder / "spark.whence"))
    assert workspace.spark is not None
    for name, file in zip(("before", "after"), _files(context), strict=True):
        workspace.spark.read.parquet(str(file)).createOrReplaceTempView(name)
    return lambda: tuple(workspace.spark.sql(_query("before", "after")).collect()[0])


def _in_duckdb(context: Context) -> Action:
    before, after = (f"read_parquet('{file}')" for file in _files(context))
    return lambda: duckdb.execute(_query(before, after)).fetchone()


def _in_whence(context: Context, key: str | None) -> Action:
    folder = context.folder / f"{key}.whence"
    with whence.open(folder) as workspace:
        for name, file in zip(("before", "after"), _files(context), strict=True):
            workspace.load(file, name=name, key=key)
    return partial(_compare, folder)


def _compare(folder: Path) -> Counts:
    """Compare in a session that knows nothing yet: a second comparison finds the keys of the first."""
    with whence.open(folder) as workspace:
        diff = workspace.diff("before", "after")
        changed = len({cell.row_before for cell in diff.changed})
        return diff.removed.count + changed, diff.added.count + changed


def _same_counts(answers: Answers) -> None:
    expected = (CHANGED + MOVED, CHANGED + MOVED)
    assert all(answer == expected for answer in answers.values()), answers


BENCHMARK = Benchmark(
    "diff",
    f"Which rows of two versions of {ROWS:,} rows differ: how long?",
    "plain Spark",
    {
        "plain Spark": _in_spark,
        "DuckDB": _in_duckdb,
        "whence, by a key": partial(_in_whence, key="id"),
        "whence, by content": partial(_in_whence, key=None),
    },
    (_same_counts,),
    warmups=1,
)
