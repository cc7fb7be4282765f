"""One question asked in SQL, with DataFrames and with pandas on Spark; and Python functions inside queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pytest
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence

T = [(1, "a", 5), (2, "a", 6), (3, "b", 7), (4, "c", 6), (5, "b", None), (6, "a", 9)]
U = [("a", 1), ("b", 2), ("a", 3), ("d", 4)]

Found = list[tuple[tuple[object, ...], list[int]]]
Pandas = Callable[..., object]

QUESTIONS: dict[str, tuple[str, Callable[[DataFrame, DataFrame], DataFrame], Pandas]] = {
    "filter": (
        "select id, x from t where x > 5",
        lambda t, _: t.where("x > 5").select("id", "x"),
        lambda t, _: t[t.x > 5][["id", "x"]],
    ),
    "group": (
        "select k, sum(x) s from t group by k",
        lambda t, _: t.groupBy("k").agg(F.sum("x")),
        lambda t, _: t.groupby("k", as_index=False).agg({"x": "sum"}),
    ),
    "join": (
        "select t.k, id, y from t join u on t.k = u.k",
        lambda t, u: t.join(u, "k").select("k", "id", "y"),
        lambda t, u: t[["k", "id"]].merge(u, on="k"),
    ),
    "running total": (
        "select sum(id) over (order by id rows unbounded preceding) s from t",
        lambda t, _: t.select(F.sum("id").over(Window.orderBy("id").rowsBetween(Window.unboundedPreceding, 0))),
        lambda t, _: t[["id"]].cumsum(),
    ),
    "first rows": (
        "select id from t order by id desc limit 2",
        lambda t, _: t.orderBy(F.desc("id")).limit(2).select("id"),
        lambda t, _: t.sort_values("id", ascending=False)[["id"]].head(2),
    ),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("apis") / "apis.whence") as workspace:
        workspace.create("t", T, schema="id int, k string, x int")
        workspace.create("u", U, schema="k string, y int")
        yield workspace


def found(made: whence.Dataset) -> Found:
    assert made.lineage.exact, made.lineage.strategy
    rows = enumerate(made.to_arrow().to_pylist())
    return sorted(((tuple(row.values()), made.lineage.backward([n], to="t").ids.tolist()) for n, row in rows), key=repr)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_question_has_the_same_lineage_however_it_is_asked(tables: whence.Workspace, question: str) -> None:
    sql, with_frames, with_pandas = QUESTIONS[question]
    t, u = tables["t"].df, tables["u"].df
    by_sql = found(tables.sql(sql, name="by_sql"))
    assert found(tables.dataset(with_frames(t, u), name="by_frames")) == by_sql
    on_spark = with_pandas(t.pandas_api(), u.pandas_api())
    assert found(tables.dataset(on_spark.to_spark(), name="by_pandas")) == by_sql  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore")
def test_python_functions_of_rows_and_of_groups_are_exact(tables: whence.Workspace) -> None:
    @F.udf("int")
    def plus(x: int | None) -> int | None:
        return None if x is None else x + 1

    @F.pandas_udf("double")  # type: ignore[call-overload, untyped-decorator]  # its stub wants the kind of function
    def mean(x: pd.Series) -> float:
        return float(x.mean())

    t = tables["t"].df
    rows = tables.dataset(t.select("id", plus("x").alias("y")), name="rows")
    assert found(rows) == [((n + 1, None if x is None else x + 1), [n]) for n, (_, _, x) in enumerate(T)]
    groups = tables.dataset(t.groupBy("k").agg(mean("x").alias("m")), name="groups")
    assert found(groups) == [(("a", 20 / 3), [0, 1, 5]), (("b", 7.0), [2, 4]), (("c", 6.0), [3])]
    total = tables.dataset(t.where("x > 6").agg(mean("x").alias("m")), name="total")
    assert found(total) == [((8.0,), [2, 5])]
    near = Window.partitionBy("k").orderBy("id").rowsBetween(-1, 0)
    windows = tables.dataset(t.where("k = 'a'").select("id", mean("x").over(near).alias("m")), name="windows")
    assert found(windows) == [((1, 5.0), [0]), ((2, 5.5), [0, 1]), ((6, 7.5), [1, 5])]


@pytest.mark.usefixtures("ws")
@pytest.mark.filterwarnings("ignore")
def test_python_functions_of_groups_carry_doubt(tmp_path_factory: pytest.TempPathFactory) -> None:
    @F.pandas_udf("double")  # type: ignore[call-overload, untyped-decorator]  # its stub wants the kind of function
    def mean(x: pd.Series) -> float:
        return float(x.mean())

    with whence.open(tmp_path_factory.mktemp("apis") / "doubts.whence") as ws:
        ws.create("t", T, schema="id int, k string, x int", cell_caveats=[(1, "x", "smudged")])
        groups = ws.dataset(ws["t"].df.groupBy("k").agg(mean("x").alias("m")), name="groups")
        marks = groups.caveats.marks().to_pylist()
        assert all(mark == {"k": False, "m": True, "_row": False} for mark in marks)
        kept = ws.dataset(ws["t"].df.where("x > 5").groupBy("k").agg(mean("x").alias("m")), name="kept")
        assert all(mark["_row"] and mark["m"] for mark in kept.caveats.marks().to_pylist())
        assert kept.caveats.row_set
