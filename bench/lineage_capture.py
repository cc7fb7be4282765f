"""What capturing lineage and marks costs a group-by, against the same query written by Spark as zstd Parquet."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
import pyarrow as pa

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context

ROWS = 1_000_000
GROUPS = 5_000
QUERY = "select k, count(*) n, sum(v) s, avg(v) a, min(v) lo, max(v) hi from zipf group by k"


def skewed(rows: int, groups: int, theta: float) -> pa.Table:
    """Keys drawn by a Zipf law over the groups, values uniform in 0..100, as in Smoke's micro-benchmarks."""
    random = np.random.default_rng(7)
    weights = 1.0 / np.arange(1, groups + 1) ** theta
    keys = random.choice(groups, size=rows, p=weights / weights.sum())
    return pa.table({"k": keys.astype(np.int32), "v": random.uniform(0, 100, rows)})


def _workspace(context: Context, name: str) -> whence.Workspace:
    workspace = context.closing.enter_context(whence.open(context.folder / f"{name}.whence"))
    workspace.create("zipf", skewed(ROWS, GROUPS, theta=1.0))
    return workspace


def _spark(context: Context) -> Action:
    workspace = _workspace(context, "spark")
    workspace["zipf"].df.createOrReplaceTempView("zipf")
    numbers = count()

    def action() -> object:
        folder = context.folder / f"plain-{next(numbers)}"
        workspace.spark.sql(QUERY).write.option("compression", "zstd").parquet(str(folder))
        return lambda: {row.k: row.n for row in workspace.spark.read.parquet(str(folder)).collect()}

    return action


def _whence(context: Context) -> Action:
    workspace = _workspace(context, "whence")
    return lambda: workspace.sql(QUERY, name="totals")


def _same_groups(answers: Answers) -> None:
    """Both made the same groups, and each row of the source is in the lineage of just one."""
    plain = answers["spark"]
    made = answers["whence"]
    assert isinstance(made, whence.Dataset)
    assert callable(plain)
    table = made.to_arrow()
    counts = dict(zip(table["k"].to_pylist(), table["n"].to_pylist(), strict=True))
    assert counts == plain()
    out, source = made.lineage.pairs(to="zipf")
    assert len(np.unique(source)) == ROWS
    assert np.array_equal(np.bincount(out), table["n"].to_numpy())


CONTENDERS: dict[str, Callable[[Context], Action]] = {"spark": _spark, "whence": _whence}

BENCHMARK = Benchmark(
    name="lineage-capture",
    question=f"A group-by over {ROWS:,} rows and {GROUPS:,} groups: with lineage and marks, how much longer?",
    baseline="spark",
    contenders=CONTENDERS,
    checks=(_same_groups,),
)
