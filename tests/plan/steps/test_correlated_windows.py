"""Window functions in a correlated subquery: Spark computes them for all outer rows at once, in its own partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources, values

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    """Rows of the same `k` stand apart in `u`, and belong to two rows of `t`."""
    ws.create("t", [(1,), (2,), (1,)], schema="k int")
    ws.create("u", [(1, 5), (2, 7), (1, 3), (2, 2)], schema="k int, y int", cell_caveats=[(1, "y", "unsure")])
    return ws


def test_a_running_total_reads_the_rows_of_its_outer_row(ws: Workspace) -> None:
    ds = ws.sql("select t.k, l.y, l.s from t, lateral (select y, sum(y) over (order by y) s from u where u.k = t.k) l")
    assert ds.lineage.exact, ds.lineage.strategy
    assert sorted(values(ds)) == [(1, 3, 3), (1, 3, 3), (1, 5, 8), (1, 5, 8), (2, 2, 2), (2, 7, 9)]
    behind = {row: [ids for each, ids in sources(ds, "u") if each == row] for row in values(ds)}
    assert behind == {(1, 3, 3): [[2]] * 2, (1, 5, 8): [[0, 2]] * 2, (2, 2, 2): [[3]], (2, 7, 9): [[1, 3]]}


def test_a_total_without_order_reads_all_rows_of_its_outer_row(ws: Workspace) -> None:
    ds = ws.sql("select t.k, l.n from t, lateral (select count(*) over () n from u where u.k = t.k) l where t.k = 2")
    assert sources(ds, "u") == [((2, 2), [1, 3])] * 2


def test_numbers_of_rows_begin_anew_for_each_outer_row(ws: Workspace) -> None:
    text = "select k, (select y from (select y, row_number() over (order by y) n from u where u.k = t.k) where n = 1) m"
    ds = ws.sql(f"{text} from t")
    assert sources(ds, "u") == [((1, 3), [2]), ((1, 3), [2]), ((2, 2), [3])]


def test_doubt_stays_with_the_outer_row_whose_rows_are_in_doubt(ws: Workspace) -> None:
    total = "select t.k, l.s from t, lateral (select sum(y) over () s from u where u.k = t.k and u.y < 6) l"
    ds = ws.sql(f"select distinct k, s from ({total})")
    assert marked(ds)[(1, 8)] == set()
