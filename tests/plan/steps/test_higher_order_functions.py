"""Functions of functions (`transform(tags, e -> e + k)`): a doubtful column inside puts the value in doubt."""

from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create(
        "t",
        [(0, 1, [1, 2]), (1, 2, [2, None])],
        schema="id int, k int, tags array<int>",
        cell_caveats=[(1, "k", "unsure")],
    )
    return ws


@pytest.mark.parametrize(
    "value",
    [
        "size(transform(tags, e -> e + k))",
        "aggregate(tags, 0, (s, e) -> s + coalesce(e, 0) * k)",
        "exists(tags, e -> e = k and e > 0)",
        "size(filter(tags, (e, i) -> case when e > k then i > 0 else true end))",
    ],
)
def test_a_doubtful_column_in_a_lambda_is_seen(ws: "Workspace", value: str) -> None:
    ds = ws.sql(f"select id, {value} as v from t", name="out")
    assert ds.lineage.exact
    assert {row[0]: names for row, names in marked(ds).items()} == {0: set(), 1: {"v"}}


def test_a_filter_by_a_lambda_follows_rows_it_removes(ws: "Workspace") -> None:
    ds = ws.sql("select id from t where exists(tags, e -> e > k)", name="out")
    assert sources(ds, "t") == [((0,), [0])]
    assert marked(ds) == {(0,): set()}
    assert ds.caveats.row_set
