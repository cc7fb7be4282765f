"""Windows over rows that an outer join padded: no row of that side stands behind what they lack."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace

RUNNING = "(select k as uk, sum(y) over (order by y) as n from u)"
"""1 from row 0, 3 from rows 0 and 1, 6 from all rows of u."""


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="k int, x int")
    ws.create("u", [(1, 1), (3, 2), (4, 3)], schema="k int, y int")
    return ws


def test_a_window_takes_nothing_from_a_padded_side(ws: "Workspace") -> None:
    windowed = f"select k, sum(n) over (order by x) as f from t left join {RUNNING} on k = uk"
    ds = ws.sql(f"select k, sum(f) as g from ({windowed}) group by k", name="out")
    assert sources(ds, "t") == [((1, 1), [0]), ((2, 1), [0, 1]), ((3, 4), [0, 1, 2])]
    assert sources(ds, "u") == [((1, 1), [0]), ((2, 1), [0]), ((3, 4), [0, 1])]


def test_a_filter_above_leaves_the_padded_rows_a_window_read(ws: "Workspace") -> None:
    windowed = f"select k, uk, count(n) over (partition by k order by uk) as c from t full join {RUNNING} on k = uk"
    ds = ws.sql(f"select k, uk, c from ({windowed}) where coalesce(k, uk) > 1", name="out")
    assert sources(ds, "t") == [((2, None, 0), [1]), ((3, 3, 1), [2]), ((None, 4, 1), [])]
    assert sources(ds, "u") == [((2, None, 0), []), ((3, 3, 1), [0, 1]), ((None, 4, 1), [0, 1, 2])]
