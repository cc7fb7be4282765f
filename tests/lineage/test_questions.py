"""Questions beyond backward and forward, on random tables, against DuckDB and plain definitions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

T, U = ("id", "k", "x", "y"), ("id", "k", "s")

QUERIES = {
    "sums": "select k, count(*) n, count(x) c, sum(x) s, avg(x) a from t group by k",
    "spreads": "select k, stddev(y) d, var_pop(y) v, sum(y) s from t where y is not null group by k",
    "total": "select count(*) n, sum(x) s, avg(y) a from t",
    "renamed": "select total, k as key from (select k, sum(x) total from t where x > 0 group by k) q",
    "joined": "select t.k, count(*) n, sum(t.x) s from t join u on t.k = u.k group by t.k",
    "extremes": "select k, min(x) lo, max(y) hi from t group by k",
    "having": "select k, sum(x) s from t group by k having count(*) > 1",
    "computed": "select k, sum(x * 2 + 1) s from t group by k",
    "filtered": "select id, x + 1 as more from t where x > 1",
    "distinct": "select distinct k, x from t",
    "rollup": "select k, count(*) n from t group by rollup(k)",
    "pairs": "select t.id, u.s from t join u on t.k = u.k",
    "semi": "select id from t where k in (select k from u)",
    "nested": "select n, count(*) m from (select k, count(*) n from t group by k) q group by n",
}
BEYOND = {
    "nested": QUERIES.pop("nested"),
    "having": QUERIES.pop("having"),
    "anti": "select id from u where not exists (select 1 from t where u.k = t.k)",
    "outer": "select u.id, t.x from u left join t on t.k = u.k",
    "except": "select k from u except select k from t",
    "top": "select id, x from t order by x desc nulls last, id limit 3",
    "scalar": "select id from u where k > (select avg(k) from t)",
    "window": "select id, sum(x) over (order by id rows between 3 preceding and 2 preceding) s from t",
    "except_all": "select k from t except all select k from u",
}
"""Where rows change that a deleted row is not behind."""
AGAIN = {
    "anti": "select id from t where not exists (select 1 from u where u.k = t.k)",
    "outer": "select t.id, u.s from t left join u on t.k = u.k",
    "except": "select k from t except select k from u",
    "top": "select id, x from t order by x desc, id limit 3 offset 2",
    "scalar": "select id from t where x > (select avg(k) from u)",
    "shown": "select id, (select max(k) from u) as m from t",
    "exploded": "select id, explode(array(x, x, y)) e from t",
    "rollup": "select k, count(*) n from t group by rollup(k)",
    "window": BEYOND["window"],
    "leads": "select id, lead(x, 2) over (partition by k order by id) l, rank() over (order by x) r from t",
    "except_all": BEYOND["except_all"],
    "correlated": "select id, (select max(y) from t where t.k = u.k) m from u",
}
HOW = dict.fromkeys(BEYOND, "all run again")
ARITHMETIC = {"sums", "spreads", "total", "renamed", "joined"}


def random_rows(rng: Random, columns: tuple[str, ...], count: int) -> list[tuple[object, ...]]:
    def value(name: str) -> object:
        if name == "s":
            return rng.choice(["a", "b", None])
        if rng.random() < 0.15:
            return None
        return rng.randint(0, 4) if name != "y" else rng.randint(0, 8) / 4

    return [(number, *(value(name) for name in columns[1:])) for number in range(count)]


def frame(rows: list[tuple[object, ...]], columns: tuple[str, ...]) -> pd.DataFrame:
    types = {"id": "Int64", "k": "Int64", "x": "Int64", "y": "Float64", "s": "string"}
    return pd.DataFrame(rows, columns=list(columns)).astype({name: types[name] for name in columns})


def by_duckdb(sql: str, t: list[tuple[object, ...]], u: list[tuple[object, ...]]) -> Counter[tuple[object, ...]]:
    with duckdb.connect() as connection:
        connection.register("t", frame(t, T))
        connection.register("u", frame(u, U))
        return Counter(map(rounded, connection.execute(sql).fetchall()))


def rounded(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(round(float(value), 9) if isinstance(value, int | float) else value for value in row)


def values(ds: Dataset) -> list[tuple[object, ...]]:
    return [rounded(tuple(row.values())) for row in ds.to_arrow().to_pylist()]


@pytest.fixture
def rng() -> Random:
    return Random(11)


@pytest.fixture
def tables(ws: Workspace, rng: Random) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    t, u = random_rows(rng, T, 14), random_rows(rng, U, 6)
    ws.create("t", t, schema="id int, k int, x int, y double")
    ws.create("u", u, schema="id int, k int, s string")
    return t, u


def test_leaving_rows_out_equals_running_without_them(
    ws: Workspace, rng: Random, tables: tuple[list[tuple[object, ...]], list[tuple[object, ...]]]
) -> None:
    t, u = tables
    for name, sql in {**QUERIES, **BEYOND}.items():
        ds = ws.sql(sql, name=f"out_{name}")
        assert Counter(values(ds)) == by_duckdb(sql, t, u), name
        for size in (4,):
            gone = sorted(rng.sample(range(len(t)), size))
            less = ds.lineage.without(gone, of="t")
            assert less.how == ("arithmetic" if name in ARITHMETIC else HOW.get(name, "run again")), name
            if less.how != "all run again":
                assert less.rows.tolist() == ws["t"].lineage.forward(gone, to=ds).ids.tolist()
            same = [row for number, row in enumerate(values(ds)) if number not in less.rows]
            after = [rounded(tuple(row.values())) for row in less.after.to_pylist()]
            expected = by_duckdb(sql, [row for row in t if row[0] not in gone], u)
            assert Counter(same + after) == expected, (name, gone)
            assert len(less.kept) == len(after)
            assert (set(less.kept) - {-1}) | set(less.gone) == set(less.rows)


def check_refresh(ws: Workspace, rng: Random, queries: dict[str, str]) -> None:
    for name, sql in queries.items():
        ds = ws.sql(sql, name=f"again_{name}")
        rows = sorted(rng.sample(range(ds.count), min(3, ds.count)))
        again = [rounded(tuple(row.values())) for row in ds.lineage.refresh(rows).to_pylist()]
        assert again == [values(ds)[row] for row in rows], name


def test_refreshing_any_row_gives_it_again(ws: Workspace, rng: Random, tables: object) -> None:
    assert tables
    check_refresh(ws, rng, AGAIN)


@pytest.mark.long
def test_refreshing_rows_of_plain_queries_gives_them_again(ws: Workspace, rng: Random, tables: object) -> None:
    assert tables
    check_refresh(ws, rng, QUERIES)


def test_several_questions_at_once_are_each_question_alone(ws: Workspace, tables: object) -> None:
    assert tables
    ws.sql(QUERIES["pairs"], name="pairs")
    ds = ws.sql("select s, count(*) n from pairs group by s", name="by_s")
    asked: list[int | list[int]] = [0, [0, 1], [], 1, 0]
    each = ds.lineage.backward_each(asked, to="t")
    alone = [ds.lineage.backward([one] if isinstance(one, int) else one, to="t").ids.tolist() for one in asked]
    assert [rows.ids.tolist() for rows in each] == alone
    assert each.counts.tolist() == [len(one) for one in alone]
    assert each[-1].to_arrow() == ds.lineage.backward([0], to="t").to_arrow()
    assert each.to_arrow().to_pydict() == {
        "question": [number for number, one in enumerate(alone) for _ in one],
        "row": [row for one in alone for row in one],
    }
    forward = ws["t"].lineage.forward_each([3, [3, 4, 5]], to="by_s")
    assert [rows.ids.tolist() for rows in forward] == [
        ws["t"].lineage.forward(rows, to="by_s").ids.tolist() for rows in ([3], [3, 4, 5])
    ]
    assert len(ds.lineage.backward_each([], to="t")) == 0


def test_why_lists_the_rows_that_were_joined_together(
    ws: Workspace, tables: tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]
) -> None:
    t, u = tables
    ds = ws.sql(QUERIES["joined"], name="joined")
    for row, (key, *_) in enumerate(values(ds)):
        found = [tuple((ref.dataset, ref.row) for ref in each) for each in ds.lineage.why(row)]
        expected = [(("t", left[0]), ("u", right[0])) for left in t for right in u if left[1] == right[1] == key]
        assert sorted(found) == sorted(expected)
        assert ds.lineage.count(row) == len(expected)
        assert {name: rows.ids.tolist() for name, rows in ds.lineage.which(row).items()} == {
            "t@1": sorted({left[1] for left, _ in expected}),
            "u@1": sorted({right[1] for _, right in expected}),
        }


def test_influence_adds_what_only_decided(ws: Workspace) -> None:
    ws.create("t", [(1, 10), (2, 20), (3, 30)], schema="k int, x int")
    ws.create("u", [(1,), (4,)], schema="k int")
    cases = {
        "select k from t where x > (select min(k) from u)": ([0, 1, 2], [[0, 1]] * 3),
        "select k from t left anti join u using (k)": ([1, 2], [[0, 1]] * 2),
        "select t.k, u.k as m from t left join u on t.k = u.k order by t.k": ([0, 1, 2], [[0], [0, 1], [0, 1]]),
        "select k from t except select k from u": ([1, 2], [[0, 1]] * 2),
        "select k from t where k in (select k from u)": ([0], [[0]]),
        "select k from t where x > 10 union all select k + 10 from u": (None, None),
    }
    for number, (sql, (left, right)) in enumerate(cases.items()):
        ds = ws.sql(sql, name=f"out{number}")
        if left is None or right is None:
            assert ds.lineage.backward([0], to="u", influence=True).ids.tolist() == []
            continue
        order = {key: row for row, key in enumerate(ds.to_arrow().column("k").to_pylist())}
        for row, expected in zip(left, right, strict=True):
            out = order[row + 1]
            assert ds.lineage.backward([out], to="t", influence=True).ids.tolist() == [row], sql
            assert ds.lineage.backward([out], to="u", influence=True).ids.tolist() == expected, sql
            for source in (0, 1):
                reached = ws["u"].lineage.forward([source], to=ds, influence=True).ids.tolist()
                assert (out in reached) == (source in expected), sql
    top = ws.sql("select k from t order by x desc limit 1", name="top")
    assert top.lineage.backward([0], to="t").ids.tolist() == [2]
    assert top.lineage.backward([0], to="t", influence=True).ids.tolist() == [0, 1, 2]
    far = ws.sql("select k + 1 as k from top", name="far")
    assert far.lineage.backward([0], to="t", influence=True).ids.tolist() == [0, 1, 2]
    assert ws["t"].lineage.forward([0], to="far", influence=True).ids.tolist() == [0]
    chosen = ws.dataset(ws["t"].df.selectExpr("k % 2 as odd", "x").dropDuplicates(["odd"]), name="chosen")
    assert chosen.lineage.backward([0], to="t").count == 1
    assert chosen.lineage.backward([0], to="t", influence=True).count == 3


def test_why_through_a_window_is_the_row_that_was_there_already(ws: Workspace) -> None:
    ws.create("t", [("a", 3), ("a", 1), ("b", 2), ("a", 2)], schema="k string, x int")
    ws.create("u", [("a", 7), ("a", 8)], schema="k string, y int")
    running = ws.sql("select k, x, sum(x) over (partition by k order by x) s from t", name="running")
    for row, shown in enumerate(running.to_arrow().to_pylist()):
        own = [("a", 3), ("a", 1), ("b", 2), ("a", 2)].index((shown["k"], shown["x"]))
        assert [[(ref.dataset, ref.row) for ref in each] for each in running.lineage.why(row)] == [[("t", own)]]
        assert running.lineage.count(row) == 1
    assert running.lineage.backward(range(4), to="t").count == 4
    joined = "select t.k, x, y, rank() over (order by x, y) r from t join u on t.k = u.k"
    best = ws.sql(f"select k, max(r) m from ({joined}) group by k", name="best")
    pairs = [[("t", row), ("u", other)] for row in (0, 1, 3) for other in (0, 1)]
    assert [[(ref.dataset, ref.row) for ref in each] for each in best.lineage.why(0)] == pairs
    assert best.lineage.count(0) == 6


def test_why_not_names_the_step_and_the_condition(ws: Workspace) -> None:
    ws.create("t", [(1, 10), (2, 20), (3, None), (4, 40), (1, 12)], schema="k int, x int")
    ws.create("u", [(1,), (2,), (4,)], schema="k int")
    ws.sql("select t.k, x from t join u on t.k = u.k where x > 10", name="some")
    ds = ws.sql("select k % 2 as odd, count(*) n from some where x < 40 group by k % 2", name="out")
    found = {row: ds.lineage.why_not("t", row) for row in range(5)}
    assert [found[row].is_there for row in range(5)] == [False, True, False, False, True]
    (first,) = found[0].losses
    assert (first.dataset, first.row, first.into, first.values) == ("t@1", 0, "some@1", {"x": 10})
    assert ("x > 10" in first.condition, first.step) == (True, "the condition does not hold")
    (second,) = found[2].losses
    assert (second.step, second.into, second.values) == ("no row of the other side matches", "some@1", {"k": 3})
    (third,) = found[3].losses
    assert (third.dataset, third.into, third.values) == ("some@1", "out@1", {"x": 40})
    assert "x < 40" in third.condition
    grouped = ws.sql("select k, count(*) n from t group by k having count(*) > 1", name="twice")
    there = grouped.lineage.why_not("t", 0)
    assert there.groups == {0: 2}
    assert str(there) == "Row 0 of t@1 is one of 2 rows behind row 0 of twice@1 (k = 1, n = 2)."
    (lost,) = grouped.lineage.why_not("t", 1).losses
    assert lost.condition == "(n > CAST(1 AS BIGINT))"
    cases = {
        "select k from t order by k desc limit 2": "it is not among the first rows",
        "select t.k from t left anti join u on t.k = u.k": "a row of the other side matches",
        "select k from t except select k from u": "the set operation keeps no row equal to it",
        "select k from t where k in (select k + 10 from u)": "no row of the other side matches",
    }
    for number, (sql, step) in enumerate(cases.items()):
        (loss,) = ws.sql(sql, name=f"w{number}").lineage.why_not("t", 0).losses
        assert loss.step == step
    (loss,) = ws["w1"].lineage.why_not("u", 0).losses
    assert "only decide" in loss.step


def test_questions_survive_closing_the_workspace(ws: Workspace) -> None:
    import whence

    ws.create("t", [(1, 10), (1, 20), (2, 30)], schema="k int, x int")
    ws.sql("select k, max(x) hi from t group by k order by k", name="highs")
    ws.dataset(ws["t"].df.where("x > 10"), name="large")
    path = ws.path
    ws.close()
    with whence.open(path) as again:
        again.create("t", [(9, 9)], schema="k int, x int")  # a newer version must not be read instead
        assert again["highs"].lineage.refresh([0]).to_pylist() == [{"k": 1, "hi": 20}]
        assert again["highs"].lineage.without([1], of="t@1").after.to_pylist() == [{"k": 1, "hi": 10}]
        assert again.sql("select count(*) n from t", name="n").to_arrow().to_pylist() == [{"n": 1}]
        with pytest.raises(whence.WhenceError, match="cannot be worked out again"):
            again["large"].lineage.refresh([0])
        assert "did not get into large@1" in str(again["large"].lineage.why_not("t@1", 0))


def test_chance_is_not_repeated(ws: Workspace) -> None:
    import whence

    ws.create("t", [(1,), (2,)], schema="x int")
    ds = ws.sql("select x, rand() r from t", name="lucky")
    with pytest.raises(whence.WhenceError, match="other values each time"):
        ds.lineage.refresh([0])
