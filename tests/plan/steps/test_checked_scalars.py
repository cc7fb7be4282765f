"""Scalar subqueries whose one row only a run can make sure of: exact lineage, and Spark's error for several rows."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources
from whence.model.errors import BadQuery

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="k int, x int")
    ws.create("u", [(1, 15), (1, 15), (2, 25)], schema="k int, y int")
    return ws


def test_the_value_comes_from_the_rows_of_the_subquery(ws: "Workspace") -> None:
    ds = ws.sql("select x, (select distinct y from u where k = 1) as m from t", name="out")
    assert "exact" in ds.lineage.strategy
    assert sources(ds, "t") == [((10, 15), [0]), ((20, 15), [1]), ((30, 15), [2])]
    assert sources(ds, "u") == [((10, 15), [0, 1]), ((20, 15), [0, 1]), ((30, 15), [0, 1])]


def test_in_a_filter_the_subquery_only_influences(ws: "Workspace") -> None:
    ds = ws.sql("select x from t where x > (select distinct y from u where k = 1)", name="out")
    assert sources(ds, "t") == [((20,), [1]), ((30,), [2])]
    assert sources(ds, "u") == [((20,), []), ((30,), [])]


def test_a_subquery_without_rows_is_null(ws: "Workspace") -> None:
    ds = ws.sql("select x, (select y from u where k = 7) as m from t where k = 1", name="out")
    assert sources(ds, "u") == [((10, None), [])]


def test_several_rows_are_refused_in_words(ws: "Workspace") -> None:
    for query in ("select (select y from u) as m from t", "select x from t where x > (select distinct y from u)"):
        with pytest.raises(BadQuery, match="More than one row returned by a subquery"):
            ws.sql(query, name="out")


def test_a_doubtful_row_of_the_subquery_puts_the_value_in_doubt(ws: "Workspace") -> None:
    ws.sql("select k, y, caveat_if(y > 20, k = 2, 'unsure') as is_large from u", name="v")
    ds = ws.sql("select x, (select distinct y from v where not is_large) as m from t", name="out")
    assert marked(ds) == {(10, 15): {"m"}, (20, 15): {"m"}, (30, 15): {"m"}}


def test_several_rows_are_refused_where_others_are_in_doubt(ws: "Workspace") -> None:
    ws.sql("select k, y, caveat_if(y > 20, k = 2, 'unsure') as is_large from u", name="v")
    with pytest.raises(BadQuery, match="More than one row returned by a subquery"):
        ws.sql("select x, (select y from v where not is_large) as m from t", name="out")
