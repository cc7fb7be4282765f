"""A query that plain Spark answers is answered, whatever is in doubt: errors on rows it never reaches are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence

ROWS = [(1, 5, "1"), (2, 0, "2"), (3, 2, "x"), (4, None, "4")]
CELLS = [(1, "x", "a zero"), (2, "s", "no number"), (3, "x", "nothing")]


PROGRAMS: dict[str, Callable[[DataFrame], DataFrame]] = {
    "division": lambda t: t.where("x <> 0").selectExpr("id", "10 div x y"),
    "conjunction": lambda t: t.where("x <> 0 and 10 div x > 2").select("id"),
    "cast": lambda t: t.where("s rlike '^[0-9]+$'").selectExpr("id", "cast(s as int) y"),
    "groups": lambda t: t.where("x <> 0").groupBy(F.expr("10 div x")).agg(F.count("*")),
    "join": lambda t: (
        t.where("x <> 0").alias("a").join(t.alias("b"), F.expr("10 div a.x = b.id")).select("a.id", "b.x")
    ),
    "Python": lambda t: t.where("x <> 0").select("id", F.udf(lambda x: 10 // x, "int")("x")),
    "features": lambda t: VectorAssembler(inputCols=["x"], outputCol="f").transform(t.where("x > 1")).select("id", "f"),
}


@pytest.fixture
def t(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("t", ROWS, schema="id int, x int, s string", cell_caveats=CELLS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_errors_on_rows_that_a_filter_removed_do_not_count(
    ws: whence.Workspace, t: whence.Dataset, program: str
) -> None:
    frame = PROGRAMS[program](t.df)
    made = ws.dataset(frame, name="made")
    assert sorted(made.df.collect(), key=repr) == sorted(frame.collect(), key=repr)
    assert made.lineage.exact
    assert made.caveats.row_set


def test_an_error_on_a_row_of_the_query_is_told(ws: whence.Workspace, t: whence.Dataset) -> None:
    with pytest.raises(whence.WhenceError, match="Division by zero"):
        ws.sql("select 10 div x y from t", name="made")
