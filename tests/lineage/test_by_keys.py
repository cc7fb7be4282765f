"""Groups found by the columns that rows and results show are the groups that DuckDB made."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import whence
from whence.lineage import by_keys

SCHEMA = pa.schema(
    [
        ("id", pa.int32()), ("k", pa.string()), ("n", pa.int64()), ("small", pa.int8()), ("yes", pa.bool_()),
        ("day", pa.date32()), ("price", pa.decimal128(7, 2)), ("a.b", pa.string()), ("x", pa.float64()),
    ]
)  # fmt: skip
VALUES: dict[str, list[Any]] = {
    "k": ["a", "b", "B", "ä", "", None],
    "n": [0, -1, 2**40, 7, None],
    "small": [1, -128, None],
    "yes": [True, False, None],
    "day": [dt.date(1969, 12, 31), dt.date(1998, 9, 2), dt.date(2024, 2, 29), None],
    "price": [Decimal("0.10"), Decimal("-5.00"), None],
    "a.b": ["x", "y", None],
    "x": [0.0, -0.0, float("nan"), 1.5, None],
}
CONDITIONS = (
    "n > 0", "0 >= n", "n = 7", "k <= 'b'", "'b' < k", "k = 'ä'", "day < date '2024-02-29' - interval '10' day",
    "day >= date '1969-12-31'", "price > 0.10", "small is not null", "yes = true",
    "n > 0 and k is not null and day is not null", "n between 0 and 7", "k in ('a', 'ä', '')", "k <> 'a'",
    "n not in (0, 7)", "day is null", "not (n > 0)", "day between date '1969-01-01' and date '2000-01-01' and n <= 7",
)  # fmt: skip
BY_KEYS = "found by the columns that both show"
TAILS = ("", "", "having count(*) > 2", "order by all limit 3")


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[whence.Workspace]:
    monkeypatch.setattr(by_keys, "ROWS", range(10**9))
    with whence.open(tmp_path / "keys.whence") as workspace:
        yield workspace


def random_rows(rng: Random, count: int) -> pa.Table:
    columns = {name: [rng.choice(values) for _ in range(count)] for name, values in VALUES.items()}
    return pa.table({"id": range(count), **columns}, schema=SCHEMA)


def random_query(rng: Random, number_of_keys: int) -> tuple[str, str]:
    """A query, and one that tells the ids behind each of its groups, in DuckDB's words."""
    keys = rng.sample([f'"{name}"' for name in VALUES if name != "x"], number_of_keys)
    where = rng.choice(("", *(f"where {each}" for each in CONDITIONS)))
    groups = f"from t {where} " + (f"group by {', '.join(keys)}" if keys else "")
    tail = rng.choice(TAILS) if keys else ""
    return f"select {', '.join([*keys, 'count(*) c'])} {groups} {tail}", f"select list(id order by id) {groups}"


def behind(dataset: whence.Dataset) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(dataset.count)]
    for row, rid in zip(*dataset.lineage.pairs(to="t"), strict=True):
        found[row].append(int(rid))
    return sorted(sorted(each) for each in found)


def test_groups_are_those_of_duckdb(ws: whence.Workspace) -> None:
    assert ways_of(ws, Random(7), {300: 16, 4: 8}) == {"by keys": 24}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_many_groups_are_those_of_duckdb(ws: whence.Workspace, seed: int) -> None:
    assert ways_of(ws, Random(seed), {300: 40, 1000: 10, 4: 10}) == {"by keys": 60}


def ways_of(ws: whence.Workspace, rng: Random, sizes: dict[int, int]) -> Counter[str]:
    """Compare so many random queries over tables of these sizes; the ways in which lineage was captured."""
    ways = Counter[str]()
    for count, queries in sizes.items():
        table = random_rows(rng, count)
        rows = ws.create("t", table).df
        for case in range(queries):
            query, ids = random_query(rng, case % 4)
            frame = ws.spark.sql(query.replace('"', "`").replace("from t", "from {t}"), t=rows)
            made = ws.dataset(frame, name="made")
            duck = duckdb.connect()
            duck.register("t", table)
            groups = sorted(each or [] for (each,) in duck.execute(ids).fetchall())
            if "having" in query:
                groups = [each for each in groups if len(each) > 2]
            found = behind(made)
            if "limit" in query:
                assert len(found) == min(3, len(groups))
                assert all(each in groups for each in found), query
            else:
                assert found == groups, query
            ways["by keys" if BY_KEYS in made.lineage.strategy else "carried"] += 1
    return ways


def test_later_is_the_same(ws: whence.Workspace) -> None:
    ws.create("t", random_rows(Random(1), 200))
    query = "select day, k, count(*) c from t where n >= 0 group by day, k"
    found = [behind(ws.sql(query, name=mode, lineage=mode)) for mode in ("inject", "defer", "lazy")]
    assert found[0] == found[1] == found[2]
    lazy = ws.sql(query, name="again", lineage="lazy")
    assert lazy.lineage.backward([3], to="t").ids.tolist() in found[0]


@pytest.mark.parametrize(
    "query",
    [
        "select x, count(*) c from t group by x",
        "select upper(k) u, count(*) c from t group by upper(k)",
        "select k, count(*) c from t where n % 2 = 0 group by k",
        "select k, count(*) c from t where n > 0 or k = 'a' group by k",
        "select k, count(*) c from t where not (n > 0 and k = 'a') group by k",
        "select k, count(*) c from t where n in (0, null) group by k",
        "select k, count(*) c from t where k like 'a%' group by k",
        "select k, count(*) c from t where k collate unicode_ci = 'A' group by k",
        "select k, count(*) c from t where n between x and 7 group by k",
        "select k, count(*) filter (where n > 0) c from t group by k",
        "select k, count(*) c from t where n > x group by k",
        "select k, count(*) c from (select distinct k, n from t) group by k",
        "select count(*) c from t group by k",
        "select k, count(*) c from t where price > 0.105 group by k",
    ],
)
def test_what_spark_computes_is_not_computed_twice(ws: whence.Workspace, query: str) -> None:
    ws.create("t", random_rows(Random(2), 50))
    made = ws.sql(query, name="made", lineage="inject")
    assert BY_KEYS not in made.lineage.strategy
    assert made.lineage.exact


def test_columns_of_projections_are_those_below(ws: whence.Workspace) -> None:
    rows = ws.create("t", random_rows(Random(3), 100))
    swapped = rows.df.selectExpr("k as n", "n as k").where("k > 0").selectExpr("n as word", "k as number")
    made = ws.dataset(swapped.repartition(3).groupBy("word").count(), name="made")
    plain = ws.sql("select k, count(*) c from t where n > 0 group by k", name="plain", lineage="inject")
    assert BY_KEYS in made.lineage.strategy
    assert behind(made) == behind(plain)


def test_marks_travel_all_the_same(ws: whence.Workspace) -> None:
    smudged = [(0, "k", "smudged"), (5, "n", "odd")]
    ws.create("t", random_rows(Random(4), 60), cell_caveats=smudged, row_caveats=[(9, "perhaps")])
    query = "select k, sum(n) s, count(*) c from t where n is not null group by k order by k nulls first"
    by_keys_made = ws.sql(query, name="made", lineage="inject")
    assert BY_KEYS in by_keys_made.lineage.strategy
    by_keys.ROWS = range(0)  # the fixture puts it back
    carried = ws.sql(query, name="carried", lineage="inject")
    assert BY_KEYS not in carried.lineage.strategy
    assert behind(by_keys_made) == behind(carried)
    assert by_keys_made.caveats.marks() == carried.caveats.marks()
    assert by_keys_made.caveats.marks().column("s").to_pylist().count(True) > 0


def test_columns_may_be_called_like_functions(ws: whence.Workspace) -> None:
    ws.create("t", pa.table({"cast": ["a", "b", "a", None], "between": [True, True, False, None], "in": [1, 2, 1, 1]}))
    made = ws.sql("select cast, `in`, count(*) c from t where between group by cast, `in`", name="made")
    assert behind(made) == [[0], [1]]
    grouped = ws.sql("select cast, count(*) c from t where `in` between 1 and 1 group by cast", name="grouped")
    assert BY_KEYS in grouped.lineage.strategy
    assert behind(grouped) == [[0, 2], [3]]
    backwards = ws.sql("select cast, count(*) c from t where 1 between `in` and 1 group by cast", name="backwards")
    assert behind(backwards) == [[0, 2], [3]]
