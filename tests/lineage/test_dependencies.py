"""Functional dependencies and keys, against plain Python."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whence
from whence.lineage.codes import encode
from whence.lineage.dependencies import Dependency
from whence.lineage.partitioned_lineage import PartitionedLineage

CELLS = st.sampled_from([None, "a", "b", "c"])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=12))
def test_violations_are_those_of_the_definition(rows: list[tuple[Any, Any, Any]]) -> None:
    columns = [encode(pa.array([row[n] for row in rows], pa.string())) for n in range(3)]
    found = Dependency("a, b -> c", {"a": columns[0], "b": columns[1]}, {"c": columns[2]}, len(rows))
    seen: dict[Any, dict[Any, None]] = {}
    for a, b, c in rows:
        seen.setdefault((a, b), {})[c] = None
    broken = {key for key, values in seen.items() if len(values) > 1}
    assert found.holds == (not broken)
    got = {found.broken(n).left: (set(found.broken(n).rights), found.rows(n).tolist()) for n in range(found.count)}
    want = {key: ({(c,) for c in seen[key]}, [n for n, row in enumerate(rows) if row[:2] == key]) for key in broken}
    assert got == want
    pairs = {(found.violation_of(n), n) for n, row in enumerate(rows) if row[:2] in broken}
    assert set(zip(*(side.tolist() for side in found.graph), strict=True)) == pairs
    assert all(found.violation_of(n) is None for n, row in enumerate(rows) if row[:2] not in broken)


def test_values_are_compared_as_group_by_does() -> None:
    assert encode(pa.array([0.0, -0.0, float("nan"), float("nan"), None])).numbers.tolist() == [0, 0, 1, 1, 2]


def test_keys_are_the_smallest_sets(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    with whence.open(tmp_path / "k.whence") as workspace:
        for number in range(10):
            rows = [tuple(int(x) for x in random.integers(0, 4, 4)) for _ in range(6)]
            ds = workspace.create(f"t{number}", rows, schema="a int, b int, c int, d int")
            want: list[tuple[str, ...]] = []
            for size in (1, 2, 3):
                for some in combinations("abcd", size):
                    values = {tuple(row["abcd".index(name)] for name in some) for row in rows}
                    if len(values) == len(rows) and not any(set(known) <= set(some) for known in want):
                        want.append(some)
            assert whence.key_candidates(ds, most=3) == want
        nulls = workspace.create("n", [(1,), (None,)], schema="a int")
        assert whence.key_candidates(nulls) == []
        with pytest.raises(whence.WhenceError, match="no functional dependency"):
            whence.check_fd(nulls, "a = b")
        with pytest.raises(whence.WhenceError, match="no column b"):
            whence.check_fd(nulls, "a -> b")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(0, 2), CELLS, st.booleans(), st.one_of(st.none(), st.integers(-5, 5))), max_size=15),
    st.lists(st.integers(0, 2), max_size=3),
    st.sampled_from([{}, {"m": "a"}, {"m": None}, {"m": "b", "f": True}, {"f": False}]),
    st.sampled_from([[], ["m"], ["f", "m"]]),
)
def test_prepared_lineage_filters_and_totals(
    rows: list[tuple[int, Any, bool, int | None]], asked: list[int], where: dict[str, Any], by: list[str]
) -> None:
    outs = np.array([row[0] for row in rows], dtype=np.int64)
    attributes = {
        "m": encode(pa.array([row[1] for row in rows], pa.string())),
        "f": encode(pa.array([row[2] for row in rows], pa.bool_())),
    }
    values = pa.chunked_array([pa.array([row[3] for row in rows], pa.int64())])
    parts = PartitionedLineage.of(outs, np.arange(len(rows)), attributes, {"x": values}, 3)
    place = {"m": 1, "f": 2}
    kept = [
        n
        for n, row in enumerate(rows)
        if row[0] in asked and all(row[place[name]] == value for name, value in where.items())
    ]
    keys = np.array(asked, dtype=np.int64)
    assert parts.rids(keys, where).tolist() == kept
    assert parts.count(keys, where) == len(kept)
    want: dict[tuple[Any, ...], list[int | None]] = {}
    for n in kept:
        want.setdefault(tuple(rows[n][place[name]] for name in by), []).append(rows[n][3])
    got = {tuple(row[name] for name in by): row for row in parts.totals(keys, by, where).to_pylist()}
    assert set(got) == set(want)
    for key, found in want.items():
        there = [value for value in found if value is not None]
        assert got[key]["count"] == len(found)
        assert got[key]["sum(x)"] == (sum(there) if there else None)
        assert got[key]["min(x)"] == min(there, default=None)
        assert got[key]["max(x)"] == max(there, default=None)
        assert got[key]["avg(x)"] == (pytest.approx(sum(there) / len(there)) if there else None)


def test_decimals_are_added_up_exactly() -> None:
    column = pa.chunked_array(
        [pa.array([Decimal("0.10"), Decimal("0.20"), None, Decimal("-3.05")], pa.decimal128(15, 2))]
    )
    outs = np.array([0, 0, 0, 1])
    parts = PartitionedLineage.of(outs, np.arange(4), {"k": encode(pa.array(["a", "a", "b", "b"]))}, {"x": column}, 2)
    first, second = parts.totals(np.array([0, 1]), ["k"], {}).to_pylist()
    assert (first["sum(x)"], first["max(x)"], first["count"]) == (Decimal("0.30"), Decimal("0.20"), 2)
    assert (second["sum(x)"], second["min(x)"], second["count"]) == (Decimal("-3.05"), Decimal("-3.05"), 2)
    assert second["avg(x)"] == pytest.approx(-3.05)


def test_prepared_lineage_of_a_query(ws: whence.Workspace) -> None:
    rows = [
        (k, m, day, n)
        for n, (k, m, day) in enumerate(
            (k, m, f"2024-0{1 + (i % 3)}-11") for i, (k, m) in enumerate((k, m) for k in "ab" for m in "xyz")
        )
    ]
    ws.create("sales", rows, schema="k string, m string, day string, n int")
    sums = ws.sql("select k, sum(n) s from sales where m <> 'z' group by k order by k", name="sums")
    ready = sums.lineage.prepare(to="sales", by=["m", "month(day)"], measures=["n"])
    assert ready.rows([0], m="x").ids.tolist() == [0]
    assert ready.totals([0, 1], by=["month(day)"]).select(["month(day)", "sum(n)"]).to_pylist() == [
        {"month(day)": 1, "sum(n)": 3},
        {"month(day)": 2, "sum(n)": 5},
    ]
    less = sums.lineage.prepare(to="sales", by=["m"], where="n > 2")
    assert less.rows([0, 1]).ids.tolist() == [3, 4]
    with pytest.raises(whence.WhenceError, match="not prepared by k"):
        ready.rows([0], k="a")
