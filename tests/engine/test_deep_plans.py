"""Plans of hundreds of operators over each other: chains of UNIONs and SELECTs are exact, others say why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.functions import col

from whence.engine.plan_reading import MOST_LEVELS

if TYPE_CHECKING:
    import whence


def test_a_chain_of_hundreds_of_unions_is_exact(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int")
    branches = [f"select x + {number} as x from t" if number % 100 == 0 else "select 0" for number in range(400)]
    ds = ws.sql(" union all ".join(branches), name="many")
    assert ds.count == 404
    assert ds.lineage.exact, ds.lineage.strategy
    rows = [row["x"] for row in ds.to_arrow().to_pylist()]
    assert ds.lineage.backward([rows.index(302)], to="t").ids.tolist() == [1]
    assert ds.lineage.backward([rows.index(0)], to="t").ids.tolist() == []


def test_columns_that_a_loop_adds_one_by_one_are_exact(ws: whence.Workspace) -> None:
    ws.create("t", [(1, 10), (2, 20)], schema="x int, y int", cell_caveats=[(1, "y", "unsure")])
    wide = ws["t"].df
    for number in range(250):
        wide = wide.withColumn(f"c{number}", col("y" if number % 2 else "x") + number)
    ds = ws.dataset(wide, name="wide")
    assert ds.lineage.exact, ds.lineage.strategy
    assert ds.lineage.backward([1], to="t").ids.tolist() == [1]
    marks = ds.caveats.marks().to_pylist()
    assert [name for name, is_doubtful in marks[1].items() if is_doubtful] == [
        "y",
        *(f"c{n}" for n in range(1, 250, 2)),
    ]


def test_a_chain_of_filters_is_coarse_beyond_the_limit_and_says_why(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "unsure")])
    few = deep = ws["t"].df
    for number in range(MOST_LEVELS + 50):
        deep = deep.filter(col("x") > -number)
        few = deep if number < MOST_LEVELS - 10 else few
    assert ws.dataset(few, name="few").lineage.exact
    made = ws.dataset(deep, name="deep")
    assert made.to_arrow().to_pylist() == [{"x": 1}, {"x": 2}]
    assert not made.lineage.exact
    assert f"more than {MOST_LEVELS} operators over each other" in made.lineage.strategy
    assert made.caveats.row_set
