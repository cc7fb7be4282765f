"""Python functions that make rows of groups: each row comes from its group, and results stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import DataFrame

import whence

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ws")]

T = [(1, "a", 5.0), (2, "b", 7.0), (3, "a", -1.0), (4, None, 2.0), (5, "b", None), (6, "c", 0.0)]
U = [("a", 10), ("c", 30), ("a", 20), ("d", 40)]
GROUPS = {"a": [0, 2], "b": [1, 4], None: [3], "c": [5]}
"""The rows of T by their key."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("groups") / "groups.whence") as ws:
        ws.create("t", T, schema="id int, k string, x double")
        ws.create("u", U, schema="k string, y int")
        yield ws


def turned(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in another order, the first one twice."""
    return pd.concat([frame[::-1], frame[:1]])


def with_key(key: tuple[Any, ...], frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"k": [key[0]], "x": [frame.x.sum()], "id": [len(frame)]})


def by_place(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(list(zip(frame.id, frame.k, frame.x, strict=True)))


def only_some(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame.x > 0] if (frame.x > 0).any() else pd.DataFrame()


def in_arrow(table: pa.Table) -> pa.Table:
    return table.filter(pc.is_valid(table.column("x")))


def in_arrow_with_key(key: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
    return pa.table(
        {"id": pa.array([table.num_rows], pa.int32()), "k": pa.array([key[0].as_py()], pa.string()), "x": [1.5]}
    )


def batches(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    for frame in frames:
        yield frame[:1]
        yield frame[1:]


def arrow_batches(made: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from made


SCHEMA = "id int, k string, x double"
FORMS: dict[str, Callable[[DataFrame], DataFrame]] = {
    "rows repeated and reordered": lambda t: t.groupBy("k").applyInPandas(turned, SCHEMA),
    "with the key": lambda t: t.groupBy("k").applyInPandas(with_key, SCHEMA),
    "columns without names": lambda t: t.groupBy("k").applyInPandas(by_place, SCHEMA),
    "nothing from some groups": lambda t: t.groupBy("k").applyInPandas(only_some, SCHEMA),
    "a key that is computed": lambda t: t.groupBy((t.id % 2).alias("odd"), "k").applyInPandas(turned, SCHEMA),
    "under a filter and a projection": lambda t: (
        t.where("id < 5").groupBy("k").applyInPandas(turned, SCHEMA).where("x > 0").selectExpr("id", "k", "x + 1 as x")
    ),
    "in Arrow": lambda t: t.groupBy("k").applyInArrow(in_arrow, SCHEMA),
    "in Arrow with the key": lambda t: t.groupBy("k").applyInArrow(in_arrow_with_key, SCHEMA),
    "batch by batch": lambda t: t.groupBy("k").applyInPandas(batches, SCHEMA),
    "batch by batch in Arrow": lambda t: t.groupBy("k").applyInArrow(arrow_batches, SCHEMA),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_row_comes_from_every_row_of_its_group(tables: whence.Workspace, form: str) -> None:
    frame = FORMS[form](tables["t"].df)
    plain = sorted(map(repr, frame.toArrow().to_pylist()))
    made = tables.dataset(frame, name="made")
    assert made.lineage.exact, made.lineage.strategy
    rows = made.to_arrow().to_pylist()
    assert sorted(map(repr, rows)) == plain
    assert rows
    for number, row in enumerate(rows):
        members = GROUPS[row["k"]]
        if "computed" in form:
            members = [each for each in members if (each + 1) % 2 == row["id"] % 2]
        if "filter" in form:
            members = [each for each in members if each + 1 < 5]
        assert made.lineage.backward([number], to="t").ids.tolist() == members
    forward = tables["t"].lineage.forward([0], to=made).ids.tolist()
    assert forward == [number for number, row in enumerate(rows) if 0 in made.lineage.backward([number], to="t").ids]


def test_one_group_of_all_rows(tables: whence.Workspace) -> None:
    made = tables.dataset(tables["t"].df.groupBy().applyInPandas(lambda all_rows: all_rows[:1], SCHEMA), name="one")
    assert made.lineage.backward([0], to="t").ids.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_cell_comes_from_the_columns_the_function_was_given(tables: whence.Workspace) -> None:
    given = tables["t"].df.select("k", "x").groupBy("k").applyInPandas(lambda rows: rows[["x"]][:1], "x double")
    made = tables.dataset(given, name="cells")
    where = made.to_arrow().to_pylist().index({"x": 5.0})
    cells = {(each.row, each.column, each.role) for each in made.lineage.cell(where, "x")}
    assert cells == {(row, column, "aggregated") for row in (0, 2) for column in "kx"}


def both(key: tuple[Any, ...], left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"k": [key[0]], "n": [len(left)], "s": [int(right.y.sum())]})


def both_in_arrow(left: pa.Table, right: pa.Table) -> pa.Table:
    key = (left if left.num_rows else right).column("k")[0]
    total = pc.sum(right.column("y")).as_py() or 0
    return pa.table({"k": pa.array([key.as_py()], pa.string()), "n": [left.num_rows], "s": [total]})


@pytest.mark.parametrize("form", ["pandas", "arrow"])
def test_a_row_of_two_groups_comes_from_both(tables: whence.Workspace, form: str) -> None:
    pair = tables["t"].df.groupBy("k").cogroup(tables["u"].df.groupBy("k"))
    schema = "k string, n bigint, s bigint"
    frame = pair.applyInPandas(both, schema) if form == "pandas" else pair.applyInArrow(both_in_arrow, schema)
    made = tables.dataset(frame, name="pairs")
    expected = {
        "a": (2, 30, [0, 2], [0, 2]),
        "b": (2, 0, [1, 4], []),
        None: (1, 0, [3], []),
        "c": (1, 30, [5], [1]),
        "d": (0, 40, [], [3]),
    }
    found = {
        row["k"]: (row["n"], row["s"], *(made.lineage.backward([n], to=name).ids.tolist() for name in ("t", "u")))
        for n, row in enumerate(made.to_arrow().to_pylist())
    }
    assert found == expected
    assert made.lineage.exact


def test_what_a_group_gives_is_in_doubt_if_something_in_it_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    with whence.open(tmp_path_factory.mktemp("groups") / "doubts.whence") as ws:
        ws.create("t", T, schema=SCHEMA, cell_caveats=[(2, "x", "smudged")])
        made = ws.dataset(ws["t"].df.groupBy("k").applyInPandas(turned, SCHEMA), name="made")
        keys = made.to_arrow().column("k").to_pylist()
        rows = zip(keys, made.caveats.marks().to_pylist(), strict=True)
        assert {(key, *mark.values()) for key, mark in rows} == {
            ("a", True, True, True, True),
            *((key, False, False, False, False) for key in ("b", "c", None)),
        }
        assert made.caveats.row_set
        assert [each.message for each in made.caveats.list(row=keys.index("a"))] == ["smudged"]
        assert made.caveats.list(row=keys.index("b")) == []
        kept = ws.dataset(ws["t"].df.where("x > 0").groupBy("k").applyInPandas(turned, SCHEMA), name="kept")
        doubted = {
            (key, mark["_row"])
            for key, mark in zip(kept.to_arrow().column("k").to_pylist(), kept.caveats.marks().to_pylist(), strict=True)
        }
        assert doubted == {("a", True), ("b", False), (None, False)}
        ws.create("v", T, schema=SCHEMA, cell_caveats=[(2, "k", "smudged")])
        moved = ws.dataset(ws["v"].df.groupBy("k").applyInPandas(turned, SCHEMA), name="moved")
        assert all(all(mark.values()) for mark in moved.caveats.marks().to_pylist())


def test_a_window_reads_the_rows_behind_what_the_function_made(tables: whence.Workspace) -> None:
    made = tables["t"].df.groupBy("k").applyInPandas(with_key, SCHEMA)
    total = tables.dataset(made.selectExpr("k", "sum(x) over () as total"), name="total")
    for row in range(total.count):
        behind = {ref.row for ref in total.lineage.cell(row, "total") if ref.column == "x"}
        assert behind == set(range(len(T)))
