"""EXISTS and IN inside others: rows come from the chain of rows that matched, as in the joins they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    """Row 0 of `t` reaches `v` by both of its rows in `u`, row 1 by none, row 2 has none in `u`."""
    ws.create("t", [(1,), (2,), (3,)], schema="k int")
    ws.create("u", [(1, 10), (1, 11), (2, 20)], schema="k int, m int")
    ws.create("v", [(10,), (11,), (30,)], schema="m int")
    return ws


IN_A_CHAIN = (
    "exists (select 1 from u where u.k = t.k and exists (select 1 from v where v.m = u.m))",
    "exists (select 1 from u where u.k = t.k and u.m in (select m from v))",
    "k in (select k from u where exists (select 1 from v where v.m = u.m))",
    "k in (select k from u where exists (select 1 from v where v.m = u.m and u.k = 1)) and k < 9",
)


@pytest.mark.parametrize("condition", IN_A_CHAIN)
def test_a_row_comes_from_the_rows_of_each_level_that_it_matches(ws: Workspace, condition: str) -> None:
    ds = ws.sql(f"select k from t where {condition}", name="out")
    assert ds.lineage.exact, ds.lineage.strategy
    assert sources(ds, "t") == [((1,), [0])]
    assert sources(ds, "u") == [((1,), [0, 1])]
    assert sources(ds, "v") == [((1,), [0, 1])]


def test_no_row_exists_for_which_none_exists(ws: Workspace) -> None:
    """Division: the rows of `t` all of whose rows in `u` have one in `v`."""
    division = "not exists (select 1 from u where u.k = t.k and not exists (select 1 from v where v.m = u.m))"
    ds = ws.sql(f"select k from t where {division}", name="out")
    assert ds.lineage.exact, ds.lineage.strategy
    assert sources(ds, "t") == [((1,), [0]), ((3,), [2])]


def test_three_levels(ws: Workspace) -> None:
    ds = ws.sql(
        "select k from t where exists (select 1 from u where u.k = t.k and exists "
        "(select 1 from v where v.m = u.m and exists (select 1 from t w where w.k * 10 = v.m)))",
        name="out",
    )
    assert ds.lineage.exact, ds.lineage.strategy
    assert (sources(ds, "u"), sources(ds, "v")) == ([((1,), [0])], [((1,), [0])])


def test_doubt_of_the_innermost_row_reaches_the_outer_row(ws: Workspace) -> None:
    ws.create("w", [(20,), (10,), (11,)], schema="m int", cell_caveats=[(0, "m", "unsure")])
    nested = "exists (select 1 from u where u.k = t.k and exists (select 1 from w where w.m = u.m))"
    ds = ws.sql(f"select k from t where {nested}", name="out")
    assert marked(ds) == {(1,): set(), (2,): {"_row"}}
