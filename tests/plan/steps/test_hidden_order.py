"""LIMIT and OFFSET in an order whose keys the query does not show: a doubtful key puts the same rows in doubt."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    rows = [("a", 3), ("b", 1), ("c", 2)]
    ws.create("t", rows, schema="s string, x int", cell_caveats=[(0, "x", "unsure")])
    return ws


@pytest.mark.parametrize(
    "text",
    [
        "select s from t order by x limit 1",
        "select upper(s) as s from (select s from t order by x) limit 1",
        "select s from t order by x limit 1 offset 0",
        "from t |> order by x |> select s |> limit 1",
        "select s from (select s from t order by x) where s <> 'z' limit 1",
        "select upper(s) as s from (select lower(s) as s from t order by x) where s <> 'z' limit 1",
        "select s from (select s, k from (select s, x + 0 as k from t) order by k) where s <> 'z' limit 1",
        "from t |> order by x |> select s |> where s <> 'z' |> limit 1",
    ],
)
def test_a_row_that_another_might_push_out_is_in_doubt(ws: "Workspace", text: str) -> None:
    ds = ws.sql(text, name="out")
    ((row, names),) = marked(ds).items()
    assert (str(row[0]).lower(), names) == ("b", {"_row"})
    assert ds.caveats.row_set
    assert sources(ds, "t") == [(row, [1])]


def test_a_filter_keeps_the_order(ws: "Workspace") -> None:
    ds = ws.dataset(ws["t"].df.sort("x").where("s <> 'z'").limit(1).select("s"), name="out")
    assert marked(ds) == {("b",): {"_row"}}


def test_a_limit_that_keeps_all_rows_of_a_hidden_order_doubts_none(ws: "Workspace") -> None:
    ds = ws.sql("select s from (select s from t order by x) where s <> 'z' limit 3", name="out")
    assert marked(ds) == {("a",): set(), ("b",): set(), ("c",): set()}
    assert not ds.caveats.row_set


def test_rows_left_out_by_a_hidden_order_put_the_others_in_doubt(ws: "Workspace") -> None:
    for text in (
        "select s from t order by x offset 2",
        "select s from (select s from t order by x) where true offset 2",
    ):
        ds = ws.sql(text, name="out")
        assert marked(ds) == {("a",): {"_row"}}
        assert ds.caveats.row_set
