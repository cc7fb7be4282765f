"""Which columns a column was made of: by hand for each kind of query, and never less than its cells say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from whence.model.errors import UnknownColumn

if TYPE_CHECKING:
    from whence import Workspace

CASES: dict[str, tuple[str, str, set[tuple[str, str, str]]]] = {
    "copied": ("select x as y from t", "y", {("t", "x", "copied")}),
    "computed": ("select x + k as y from t", "y", {("t", "x", "computed"), ("t", "k", "computed")}),
    "filtered": ("select x from t where k > 0", "x", {("t", "x", "copied"), ("t", "k", "filtered")}),
    "constant": ("select 1 as one from t", "one", set()),
    "grouped": ("select k, sum(x) s from t group by k", "s", {("t", "x", "aggregated"), ("t", "k", "grouped")}),
    "counted": ("select k, count(*) n from t group by k", "n", {("t", "k", "grouped")}),
    "joined": (
        "select t.x, u.s from t join u on t.k = u.k",
        "s",
        {("u", "s", "copied"), ("t", "k", "joined"), ("u", "k", "joined")},
    ),
    "united": ("select x from t union all select k from u", "x", {("t", "x", "copied"), ("u", "k", "copied")}),
}


@pytest.fixture
def tables(ws: Workspace) -> Workspace:
    ws.create("t", [(1, 10), (1, 20), (2, 30)], schema="k int, x int")
    ws.create("u", [(1, "a"), (2, "b")], schema="k int, s string")
    return ws


def test_each_kind_of_query_hands_on_the_columns_it_reads(tables: Workspace) -> None:
    for name, (query, column, expected) in CASES.items():
        made = tables.sql(query, name=f"made_{name}")
        found = made.lineage.column(column)
        assert {(ref.dataset, ref.column, ref.role) for ref in found} == expected, name
        for row in range(made.count):
            cells = made.lineage.cell(row, column)
            assert {(ref.dataset, ref.column, ref.role) for ref in cells} <= expected, name


def test_columns_are_followed_to_the_sources_in_the_weaker_role(tables: Workspace) -> None:
    tables.sql("select k, sum(x) s from t group by k", name="sums")
    top = tables.sql("select max(s) m from sums where k > 1", name="top")
    assert [(ref.dataset, ref.version, ref.column, ref.role) for ref in top.lineage.column("m")] == [
        ("sums", 1, "s", "aggregated"),
        ("sums", 1, "k", "filtered"),
    ]
    found = {(ref.dataset, ref.column, ref.role) for ref in top.lineage.column("m", to="sources")}
    assert found == {("t", "x", "aggregated"), ("t", "k", "grouped"), ("t", "k", "filtered")}
    assert top.lineage.column("m", to="t") == top.lineage.column("m", to="sources")
    assert tables["t"].lineage.column("x") == []
    with pytest.raises(UnknownColumn):
        top.lineage.column("nope")
