"""EXISTS over a subquery without outer columns: its rows are behind every row, wherever it stands."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="k int, x int")
    ws.create("u", [(1, 15), (1, 16), (2, 25)], schema="k int, y int", cell_caveats=[(2, "k", "unsure")])
    return ws


@pytest.mark.parametrize(
    "condition",
    ["exists (select 1 from u where k = 1)", "x = 10 or exists (select 1 from u where k = 1) and k < 9"],
)
def test_a_filter_keeps_rows_with_all_that_is_there(ws: "Workspace", condition: str) -> None:
    ds = ws.sql(f"select x from t where {condition}", name="out")
    assert ds.lineage.exact
    assert sources(ds, "t") == [((10,), [0]), ((20,), [1]), ((30,), [2])]
    assert sources(ds, "u") == [((10,), [0, 1]), ((20,), [0, 1]), ((30,), [0, 1])]


def test_nothing_exists_in_an_empty_subquery(ws: "Workspace") -> None:
    ds = ws.sql("select x from t where x = 10 or exists (select 1 from u where k = 7)", name="out")
    assert sources(ds, "t") == [((10,), [0])]
    assert sources(ds, "u") == [((10,), [])]
    assert ws.sql("select x from t where not exists (select 1 from u where k = 7)", name="all").count == 3


def test_it_can_be_shown(ws: "Workspace") -> None:
    ds = ws.sql("select x, exists (select 1 from u where y > 20) as e from t where k = 1", name="out")
    assert sources(ds, "u") == [((10, True), [2])]


def test_a_certain_row_settles_it_and_a_doubtful_one_does_not(ws: "Workspace") -> None:
    certain = ws.sql("select x, exists (select 1 from u where k = 1) as e from t where k = 1", name="certain")
    assert marked(certain) == {(10, True): set()}
    doubtful = ws.sql("select x, exists (select 1 from u where k = 2) as e from t where k = 1", name="doubtful")
    assert marked(doubtful) == {(10, True): {"e"}}
    absent = ws.sql("select x, exists (select 1 from u where k = 3) as e from t where k = 1", name="absent")
    assert marked(absent) == {(10, False): {"e"}}
