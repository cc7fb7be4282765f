"""Queries in pipe syntax have the lineage of the same query written as SELECT."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace

PAIRS = {
    "from t |> where x > 10 |> aggregate sum(x) as s group by k": (
        "select k, sum(x) as s from t where x > 10 group by k"
    ),
    "from t |> extend x + 1 as y |> set x = y * 2 |> drop y |> order by x |> limit 2": (
        "select k, (x + 1) * 2 as x from t order by x limit 2"
    ),
    "from t |> as a |> left join t as b on a.x = b.x + 10 |> select a.x, b.k": (
        "select a.x, b.k from t a left join t b on a.x = b.x + 10"
    ),
}


@pytest.mark.parametrize("pipe", PAIRS)
def test_a_pipe_has_the_lineage_of_its_select(ws: "Workspace", pipe: str) -> None:
    ws.create("t", [(1, 10), (1, 20), (2, 30)], schema="k int, x int")
    piped, selected = ws.sql(pipe, name="piped"), ws.sql(PAIRS[pipe], name="selected")
    assert "exact" in piped.lineage.strategy
    assert sources(piped, "t") == sources(selected, "t")
