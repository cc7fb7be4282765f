"""SQL functions, of values and of tables: lineage of the query in their bodies."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", [(1, 10), (2, 20)], schema="k int, x int")
    ws.create("u", [(1, 15), (1, 16), (2, 25)], schema="k int, y int").df.createOrReplaceTempView("u")
    return ws


def test_a_table_function_has_the_lineage_of_its_body(ws: "Workspace") -> None:
    ws.spark.sql("create temporary function near(n int) returns table(y int) return select y from u where k = n")
    called = ws.sql("select y from near(1)", name="called")
    assert called.lineage.exact
    assert sources(called, "u") == [((15,), [0]), ((16,), [1])]
    beside = ws.sql("select x, n.y from t, lateral near(t.k) n", name="beside")
    assert beside.lineage.exact
    assert sources(beside, "t") == [((10, 15), [0]), ((10, 16), [0]), ((20, 25), [1])]
    assert sources(beside, "u") == [((10, 15), [0]), ((10, 16), [1]), ((20, 25), [2])]


def test_a_function_of_values_that_looks_up_rows_shows_them(ws: "Workspace") -> None:
    ws.spark.sql("create temporary function top(n int) returns int return (select max(y) from u where k = n)")
    called = ws.sql("select x, top(k) as y from t", name="called")
    assert called.lineage.exact
    assert sources(called, "u") == [((10, 16), [0, 1]), ((20, 25), [2])]
