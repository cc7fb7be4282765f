"""Python functions over batches: exact where each row alone gives the same, coarse with a reason where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import DataFrame

import whence
from whence.model.errors import BadQuery

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ws")]

T = [(n, "abc"[n % 3], None if n == 2 else n * 1.0, None if n == 4 else n) for n in range(8)]
SCHEMA = "id int, k string, x double, y int"
Frames = Iterator[pd.DataFrame]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("batches") / "batches.whence") as ws:
        ws.create("t", T, schema=SCHEMA)
        ws.create("u", [("a", 1), ("b", 2)], schema="k string, w int")
        yield ws


def changed(frames: Frames) -> Frames:
    for frame in frames:
        frame["x"] = frame.x * 2
        yield frame[frame.id != 5][::-1]


def twice(frames: Frames) -> Frames:
    for frame in frames:
        yield frame[:1]
        yield pd.concat([frame[1:], frame])


def by_place(frames: Frames) -> Frames:
    for frame in frames:
        yield pd.DataFrame(list(zip(frame.id, frame.k, frame.x, [7] * len(frame), strict=True)))


def one_frame_again_and_again(frames: Frames) -> Frames:
    used = pd.DataFrame({"id": [0], "k": ["z"], "x": [0.0], "y": [0]})
    for frame in frames:
        for number in frame.id:
            used.loc[0, "id"] = number
            yield used


def in_arrow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield batch.filter(pc.greater(batch.column("id"), 2))


def with_more_columns(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield batch.append_column("unasked", pa.array(["z"] * batch.num_rows))


def same(batches: Iterator[Any]) -> Iterator[Any]:
    yield from batches


EXACT: dict[str, Callable[[DataFrame], DataFrame]] = {
    "changed, dropped and turned": lambda t: t.mapInPandas(changed, SCHEMA),
    "repeated": lambda t: t.mapInPandas(twice, SCHEMA),
    "columns without names": lambda t: t.mapInPandas(by_place, SCHEMA),
    "one frame that changes": lambda t: t.mapInPandas(one_frame_again_and_again, SCHEMA),
    "in Arrow": lambda t: t.mapInArrow(in_arrow, SCHEMA),
    "in Arrow, more columns than asked for": lambda t: t.mapInArrow(with_more_columns, SCHEMA),
    "in several tasks": lambda t: t.repartition(3).mapInPandas(changed, SCHEMA),
    "one after the other, under a filter": lambda t: (
        t.mapInArrow(same, SCHEMA).where("id > 1").mapInPandas(changed, SCHEMA).where("x is null or x > 4")
    ),
}


@pytest.mark.parametrize("form", EXACT)
def test_a_row_comes_from_the_row_that_makes_it_alone(tables: whence.Workspace, form: str) -> None:
    frame = EXACT[form](tables["t"].df)
    plain = sorted(map(repr, frame.toArrow().to_pylist()))
    made = tables.dataset(frame, name="made")
    assert made.lineage.exact, made.lineage.strategy
    assert "was observed" in made.lineage.strategy
    rows = made.to_arrow().to_pylist()
    assert sorted(map(repr, rows)) == plain
    assert [made.lineage.backward([n], to="t").ids.tolist() for n in range(len(rows))] == [[row["id"]] for row in rows]
    everything = made.lineage.backward([0], to="t", influence=True).ids.tolist()
    assert everything == list(range(len(T)))


def total(frames: Frames) -> Frames:
    yield pd.DataFrame({"id": [sum(int(frame.id.sum()) for frame in frames)], "k": "z", "x": 0.0, "y": 0})


def running_total(frames: Frames) -> Frames:
    before = 0
    for frame in frames:
        frame["x"] = frame.id.cumsum() + before * 1.0
        before += int(frame.id.sum())
        yield frame


def not_seen_before(frames: Frames) -> Frames:
    for frame in frames:
        yield frame.drop_duplicates("k")


def all_but_the_first(frames: Frames) -> Frames:
    for frame in frames:
        yield frame[1:]


def with_a_heading(frames: Frames) -> Frames:
    yield pd.DataFrame({"id": [-1], "k": ["heading"], "x": [0.0], "y": [0]})
    yield from frames


def as_others_make_it(frames: Frames) -> Frames:
    """A NULL in `y` makes all of it floating-point numbers, so 1 is shown as 1.0."""
    for frame in frames:
        frame["k"] = frame.y.map(str)
        yield frame


def never_one(frames: Frames) -> Frames:
    for frame in frames:
        if len(frame) == 1:
            raise ValueError("one row is too few")
        yield frame


COARSE: dict[Callable[[Frames], Frames], str] = {
    total: "makes other rows",
    running_total: "makes other rows",
    not_seen_before: "makes other rows",
    all_but_the_first: "makes other rows",
    with_a_heading: "makes other rows",
    as_others_make_it: "makes other rows",
    never_one: "fails on single rows",
}


@pytest.mark.parametrize("function", COARSE, ids=lambda function: function.__name__)
def test_what_rows_do_not_make_alone_is_coarse_and_says_so(
    tables: whence.Workspace, function: Callable[[Frames], Frames]
) -> None:
    frame = tables["t"].df.coalesce(1).mapInPandas(function, SCHEMA)
    made = tables.dataset(frame.where("id > -2"), name="made")
    assert sorted(map(repr, made.to_arrow().to_pylist())) == sorted(map(repr, frame.toArrow().to_pylist()))
    assert not made.lineage.exact
    assert f"a Python function over batches that {COARSE[function]}" in made.lineage.strategy
    assert made.lineage.backward([0], to="t").ids.tolist() == list(range(len(T)))


def test_many_rows_are_not_observed(tables: whence.Workspace) -> None:
    tables.sql("select id from range(2001)", name="many")
    made = tables.dataset(tables["many"].df.coalesce(1).mapInPandas(same, "id bigint"), name="mapped")
    assert (made.count, made.lineage.exact) == (2001, False)
    assert "of more than 2,000 rows in a task" in made.lineage.strategy
    pairs = tables["many"].df.alias("a").crossJoin(tables["many"].df.alias("b")).where("b.id < 1").selectExpr("a.id")
    wide = tables.dataset(pairs.mapInPandas(same, "id bigint"), name="wide")
    assert "of perhaps more than 100,000 rows" in wide.lineage.strategy


def test_what_is_made_without_rows_comes_from_none(tables: whence.Workspace) -> None:
    nothing = tables["t"].df.where("id > 100").coalesce(1)
    for frame in (nothing.mapInPandas(with_a_heading, SCHEMA), nothing.mapInPandas(total, SCHEMA)):
        plain = frame.toArrow().to_pylist()
        made = tables.dataset(frame, name="made")
        assert made.to_arrow().to_pylist() == plain
        assert all(not len(made.lineage.backward([n], to="t").ids) for n in range(made.count))


def test_groups_joins_and_windows_below_and_above_carry_on(tables: whence.Workspace) -> None:
    t, u = tables["t"].df, tables["u"].df
    counts = tables.dataset(t.groupBy("k").count().mapInPandas(same, "k string, count bigint"), name="counts")
    in_arrow = tables.dataset(t.groupBy("k").count().mapInArrow(same, "k string, count bigint"), name="in_arrow")
    above = tables.dataset(t.mapInPandas(same, SCHEMA).groupBy("k").count(), name="above")
    for made in (counts, in_arrow, above):
        groups = {
            row["k"]: made.lineage.backward([n], to="t").ids.tolist()
            for n, row in enumerate(made.to_arrow().to_pylist())
        }
        assert groups == {"a": [0, 3, 6], "b": [1, 4, 7], "c": [2, 5]}
    pairs = tables.dataset(t.join(u, "k", "left").select("id", "w").mapInPandas(same, "id int, w int"), name="pairs")
    for n, row in enumerate(pairs.to_arrow().to_pylist()):
        assert pairs.lineage.backward([n], to="t").ids.tolist() == [row["id"]]
        assert pairs.lineage.backward([n], to="u").ids.tolist() == ([] if row["w"] is None else [row["w"] - 1])
    sums = t.selectExpr("id", "sum(x) over (partition by k order by id) as s").mapInPandas(same, "id int, s double")
    windows = tables.dataset(sums, name="windows")
    for n, row in enumerate(windows.to_arrow().to_pylist()):
        behind = {ref.row for ref in windows.lineage.cell(n, "s") if ref.column == "x"}
        assert behind == {each for each in range(row["id"] + 1) if (row["id"] - each) % 3 == 0}


def test_everything_is_in_doubt_if_something_is(tables: whence.Workspace) -> None:
    tables.create("v", [(1, 5.0), (2, 7.0)], schema="id int, x double", cell_caveats=[(0, "x", "smudged")])
    made = tables.dataset(tables["v"].df.mapInPandas(same, "id int, x double"), name="doubted")
    assert made.lineage.exact
    assert made.caveats.row_set
    assert all(all(mark.values()) for mark in made.caveats.marks().to_pylist())
    assert [[each.message for each in made.caveats.list(row=n)] for n in (0, 1)] == [["smudged"], ["smudged"]]
    certain = tables.dataset(tables["u"].df.mapInPandas(same, "k string, w int"), name="certain")
    assert not certain.caveats.row_set


def test_capture_that_is_off_calls_the_function_as_spark_does(tables: whence.Workspace) -> None:
    tables.capture.off()
    made = tables.dataset(tables["t"].df.mapInPandas(never_one, SCHEMA), name="made")
    tables.capture.resume()
    assert made.count == len(T)
    assert "fails on single rows" not in made.lineage.strategy


def test_what_the_function_does_wrong_is_said_as_ever(tables: whence.Workspace) -> None:
    def fails(frames: Frames) -> Frames:
        raise ValueError("this is my mistake")
        yield from frames

    with pytest.raises(BadQuery, match="this is my mistake"):
        tables.dataset(tables["t"].df.mapInPandas(fails, SCHEMA), name="made")

    def returns_a_list(frames: Frames) -> list[pd.DataFrame]:
        return list(frames)

    listed = tables.dataset(tables["t"].df.mapInPandas(returns_a_list, SCHEMA), name="listed")  # type: ignore[arg-type]
    assert (listed.count, listed.lineage.exact) == (len(T), False)
    with pytest.raises(BadQuery, match="y"):
        tables.dataset(tables["t"].df.mapInPandas(lambda it: (f[["id", "k", "x"]] for f in it), SCHEMA), name="made")
