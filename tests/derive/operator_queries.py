"""A small query for each registered operator, over the tables `t` and `u`."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import GroupedData, Row
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows
from pyspark.sql.types import DoubleType
from pyspark.sql.udtf import UserDefinedTableFunction

import whence
from whence.engine.frames import Frame

T = [("a", 1), ("a", 2), ("b", 3), ("c", None)]
U = [("a", 10), ("b", 20), ("d", 40)]

Query = str | Callable[[whence.Workspace], Frame]


def make_tables(ws: whence.Workspace) -> None:
    """What the queries read."""
    ws.create("t", T, schema="k string, v int")
    ws.create("u", U, schema="k string, w int")


def frame_of(ws: whence.Workspace, query: Query) -> Frame:
    """The query as Spark knows it."""
    return ws._context.engine.sql(query) if isinstance(query, str) else query(ws)


def _same_frame(frame: pd.DataFrame) -> pd.DataFrame:
    return frame


def _same_table(table: pa.Table) -> pa.Table:
    return table


def _left_frame(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    return left


def _left_table(left: pa.Table, right: pa.Table) -> pa.Table:
    return left


def _same_batches(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches


def _rows_of_a_table(ws: whence.Workspace) -> Frame:
    class Same:
        def eval(self, row: Row) -> Iterator[tuple[str, int]]:
            yield row["k"], row["v"]

    same = F.udtf(Same, returnType="k string, v int")
    assert isinstance(same, UserDefinedTableFunction)
    ws.spark.udtf.register("same_rows", same)
    return frame_of(ws, "select * from same_rows(table(t) partition by k)")


def _means(ws: whence.Workspace) -> Frame:
    def mean(values: pd.Series) -> float:
        return float(values.mean())

    mean_of = F.pandas_udf(mean, DoubleType())  # type: ignore[call-overload]  # its stub wants the kind of function
    return _groups(ws, "t").agg(mean_of("v").alias("m"))


def _groups(ws: whence.Workspace, name: str) -> GroupedData:
    return ws[name].df.groupBy("k")


QUERIES: dict[str, Query] = {
    "Project": "select v + 1 as w from t",
    "Filter": "select * from t where v > 1",
    "InnerJoin": "select t.k, w from t join u on t.k = u.k",
    "OuterJoin": "select t.k, w from t left join u on t.k = u.k",
    "SemiJoin": "select * from t left semi join u on t.k = u.k",
    "AntiJoin": "select * from t left anti join u on t.k = u.k",
    "ExistenceJoin": "select * from t where v > 2 or exists (select 1 from u where u.k = t.k)",
    "PythonAggregate": _means,
    "SessionAggregate": "select count(*) c from t group by session_window(timestamp_seconds(v), '2 seconds')",
    "Aggregate": "select k, sum(v) as s from t group by k",
    "GroupedMap": lambda ws: _groups(ws, "u").applyInPandas(_same_frame, "k string, w int"),
    "GroupedMapInArrow": lambda ws: _groups(ws, "t").applyInArrow(_same_table, "k string, v int"),
    "CogroupedMap": lambda ws: _groups(ws, "u").cogroup(_groups(ws, "t")).applyInPandas(_left_frame, "k string, w int"),
    "CogroupedMapInArrow": lambda ws: (
        _groups(ws, "t").cogroup(_groups(ws, "u")).applyInArrow(_left_table, "k string, v int")
    ),
    "BatchMap": lambda ws: ws["u"].df.mapInPandas(_same_batches, "k string, w int"),
    "BatchMapInArrow": lambda ws: ws["t"].df.mapInArrow(_same_batches, "k string, v int"),
    "Expand": "select k, sum(v) as s from t group by rollup(k)",
    "UnionAll": "select k from t union all select k from u",
    "Recursion": (
        "with recursive r(k, n) as (select k, v from t "
        "union all select r.k, n + 1 from r join u on r.k = u.k where n < 3) select * from r"
    ),
    "RecursionInput": (
        "with recursive r(n) as (select v from t union all select n + 1 from r where n < 3) select * from r"
    ),
    "Distinct": "select distinct k from t",
    "Deduplicate": lambda ws: ws["u"].df.dropDuplicates(["k"]),
    "Intersect": "select k from t intersect select k from u",
    "Except": "select k from t except select k from u",
    "Sort": "select * from t order by v, k",
    "Limit": "select * from u order by w limit 2",
    "Offset": "select * from u order by w offset 1",
    "Window": "select k, sum(v) over (partition by k order by v) as s from t",
    "Sample": lambda ws: ws["t"].df.sample(fraction=1.0, seed=1),
    "TableFunction": _rows_of_a_table,
    "Generate": "select k, each from t lateral view explode(array(v, v)) as each",
    "Repartition": lambda ws: ws["t"].df.repartition(2),
    "Redistribute": lambda ws: ws["t"].df.repartition("k"),
    "Rebalance": "select /*+ rebalance */ * from t",
    "Observe": lambda ws: ws["t"].df.observe("seen", F.count("*")),
    "NumberedRows": lambda ws: ws["t"].df.pandas_api().to_spark(index_col="number"),
    "OneRow": "select 1 as x",
    "LiteralRows": "select * from values (1, 'a'), (2, 'b') as given(x, y)",
    "NumberRange": "select id + 1 as x from range(3)",
}
