"""Grouping sets over whatever may stand below them: rows as DuckDB gives them, lineage counted in plain Python."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace

T = [(1, 10), (1, 20), (2, 30), (None, 40), (3, 10)]
U = [(1, "a"), (1, "b"), (3, None), (None, "c"), (4, "d")]

Row = tuple[Any, ...]

BELOW: dict[str, tuple[str, list[tuple[Row, set[int]]]]] = {
    "union of one dataset": (
        "select k as a, x as b from t union all select k, x from t",
        [(row, {n}) for n, row in enumerate(T)] * 2,
    ),
    "union with rows of the query": (
        "select k as a, x as b from t union all select 1, 10",
        [*((row, {n}) for n, row in enumerate(T)), ((1, 10), set())],
    ),
    "join": (
        "select t.k as a, u.s as b from t join u on t.k = u.k",
        [((t[0], u[1]), {n}) for n, t in enumerate(T) for u in U if t[0] is not None and t[0] == u[0]],
    ),
    "windowed query": (
        "select k as a, row_number() over (partition by k order by x) as b from t",
        [((1, 1), {0}), ((1, 2), {0, 1}), ((2, 1), {2}), ((None, 1), {3}), ((3, 1), {4})],
    ),
}

SETS: dict[str, list[Callable[[Row], Row]]] = {
    "rollup(a, b)": [lambda row: row, lambda row: (row[0], None), lambda _: (None, None)],
    "cube(a, b)": [lambda row: row, lambda row: (row[0], None), lambda row: (None, row[1]), lambda _: (None, None)],
    "grouping sets ((a), (b))": [lambda row: (row[0], None), lambda row: (None, row[1])],
}


@pytest.fixture
def ws(ws: "Workspace") -> "Workspace":
    ws.create("t", T, schema="k int, x int")
    ws.create("u", U, schema="k int, s string")
    return ws


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("grouped", SETS)
def test_each_group_of_each_set_comes_from_its_rows(ws: "Workspace", below: str, grouped: str) -> None:
    inner, rows = BELOW[below]
    query = f"select a, b, count(*) as n from ({inner}) as r group by {grouped}"
    found = sources(ws.sql(query, name="out"), "t")
    assert [row for row, _ in found] == _in_duckdb(query)
    assert found == sorted(_by_hand(rows, SETS[grouped]), key=repr)


def test_grouping_sets_over_rows_of_the_query_need_no_dataset(ws: "Workspace") -> None:
    query = "select a, b, count(*) as n from (select 1 as a, 2 as b union all select 1, 3) as r group by rollup(a, b)"
    ds = ws.sql(query, name="out")
    assert sorted((tuple(row.values()) for row in ds.rows(0, ds.count).to_pylist()), key=repr) == _in_duckdb(query)


def _by_hand(rows: list[tuple[Row, set[int]]], versions: list[Callable[[Row], Row]]) -> list[tuple[Row, list[int]]]:
    """Each group with the rows of t behind it."""
    found = []
    for version in versions:
        groups: dict[Row, list[set[int]]] = {}
        for row, ids in rows:
            groups.setdefault(version(row), []).append(ids)
        found += [((*key, len(each)), sorted(set().union(*each))) for key, each in groups.items()]
    return found


def _in_duckdb(query: str) -> list[Row]:
    with duckdb.connect() as db:
        db.execute("create table t (k int, x int)")
        db.executemany("insert into t values (?, ?)", T)
        db.execute("create table u (k int, s varchar)")
        db.executemany("insert into u values (?, ?)", U)
        return sorted(db.sql(query).fetchall(), key=repr)
