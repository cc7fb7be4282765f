"""A scalar subquery in the condition of a join: it decides which rows match, and gives nothing to them.

The oracle is plain Python: the join by nested loops, once in each world that the caveats allow.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.oracles.reading import marked, sources

if TYPE_CHECKING:
    from whence import Dataset, Workspace

T = [(0, 1, 10), (1, 1, 25), (2, 2, 30), (3, 3, 5)]
U = [(0, 1, 7), (1, 2, 8), (2, 4, 9)]
V = [(12,), (20,)]
Pair = tuple[int | None, int | None]

SQL = "select t.id as a, u.id as b from t {kind} join u on t.k = u.k and t.x > (select max(x) from v)"
EXISTS = (
    "select t.id as a from t where {negated} exists (select 1 from u where t.k = u.k and t.x > (select max(x) from v))"
)


def joined(kind: str, least: int) -> list[Pair]:
    """The join as SQL defines it, by ids, which are places here."""
    pairs: list[Pair] = [(t, u) for t, tk, x in T for u, uk, _ in U if tk == uk and x > least]
    if kind in ("left", "full"):
        pairs += [(t, None) for t, *_ in T if t not in {a for a, _ in pairs}]
    if kind in ("right", "full"):
        pairs += [(None, u) for u, *_ in U if u not in {b for _, b in pairs if b is not None}]
    return pairs


def create(ws: Workspace, doubted: bool = False) -> None:
    ws.create("t", T, schema="id int, k int, x int")
    ws.create("u", U, schema="id int, k int, y int")
    if doubted:
        ws.create("v", V[1:], schema="x int", cell_caveats=[(0, "x", "could be anything")])
    else:
        ws.create("v", V, schema="x int")


def behind(rows: list[Pair], side: int) -> list[tuple[Pair, list[int]]]:
    return sorted(((row, [each for each in (row[side],) if each is not None]) for row in rows), key=repr)


@pytest.mark.parametrize("kind", ["", "left", "right", "full"])
def test_rows_come_from_both_sides_and_the_subquery_influences(ws: Workspace, kind: str) -> None:
    create(ws)
    ds = ws.sql(SQL.format(kind=kind), name="out")
    assert ds.lineage.exact, ds.lineage.strategy
    rows = joined(kind, 20)
    assert sources(ds, "t") == behind(rows, 0)
    assert sources(ds, "u") == behind(rows, 1)
    assert [each for _, each in sources(ds, "v")] == [[]] * len(rows)
    assert [ds.lineage.backward([n], to="v", influence=True).ids.tolist() for n in range(ds.count)] == [[0, 1]] * len(
        rows
    )
    certain(ds)


@pytest.mark.parametrize("negated", ["", "not"])
def test_a_subquery_inside_exists_decides_too(ws: Workspace, negated: str) -> None:
    create(ws)
    ds = ws.sql(EXISTS.format(negated=negated), name="out")
    assert ds.lineage.exact, ds.lineage.strategy
    kept = {a for a, _ in joined("", 20)}
    expected = [t for t, *_ in T if (t in kept) != (negated == "not")]
    assert sources(ds, "t") == [((each,), [each]) for each in expected]
    assert ds.lineage.backward([0], to="v", influence=True).ids.tolist() == [0, 1]


def pairs_of(ds: Dataset) -> list[Pair]:
    return [(row["a"], row["b"]) for row in ds.to_arrow().to_pylist()]


def certain(ds: Dataset) -> None:
    assert not any(marked(ds).values())
    assert not ds.caveats.row_set


@pytest.mark.parametrize("kind", ["", "left", "right", "full"])
def test_what_another_value_of_the_subquery_changes_is_marked(ws: Workspace, kind: str) -> None:
    create(ws, doubted=True)
    ds = ws.sql(SQL.format(kind=kind), name="out")
    given = Counter(pairs_of(ds))
    assert given == Counter(joined(kind, 20))
    worlds = [Counter(joined(kind, other)) for other in range(40)]
    vanishing = {row for row in given if any(world[row] < given[row] for world in worlds)}
    assert vanishing  # else the test would show nothing
    marks = dict(zip(pairs_of(ds), marked(ds).values(), strict=True))
    assert {row for row in vanishing if "_row" not in marks[row]} == set()
    assert ds.caveats.row_set == any(world - given for world in worlds)
    assert {row for row, names in marks.items() if names} == vanishing
