"""A LIMIT in a correlated subquery: Spark numbers the rows of each outer row, in an order or in none."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.mark.parametrize("order", ["order by u.y", "order by u.s, u.y", ""], ids=["shown", "hidden", "none"])
def test_a_lateral_limit_gives_the_row_it_takes(ws: "Workspace", order: str) -> None:
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="k int, x int")
    ws.create("u", [(1, 15, "a"), (2, 25, "a")], schema="k int, y int, s string")
    text = f"select x, l.y from t join lateral (select u.y from u where u.k = t.k {order} limit 1) l on true"
    ds = ws.sql(text, name="out")
    assert ds.lineage.exact
    assert sources(ds, "t") == [((10, 15), [0]), ((20, 25), [1])]
    assert sources(ds, "u") == [((10, 15), [0]), ((20, 25), [1])]


def test_a_scalar_subquery_may_be_limited_in_an_order_it_does_not_show(ws: "Workspace") -> None:
    ws.create("t", [(1, 10), (3, 30)], schema="k int, x int")
    ws.create("u", [(1, 15, "b"), (2, 25, "a")], schema="k int, y int, s string")
    text = "select x, (select u.y from u where u.k = t.k order by u.s limit 1) as y from t"
    ds = ws.sql(text, name="out")
    assert ds.lineage.exact
    assert sources(ds, "u") == [((10, 15), [0]), ((30, None), [])]
