"""pandas functions over rows, and local operators tile by tile, in Spark's tasks: values, lineage and marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import whence
from whence.arrays import Batches, CoGrouped, Convolve, EachRow, Emit, Grouped, Operator
from whence.arrays.arrays import bands

ROWS = [(k, float(x)) for x, k in enumerate("abcabcabbbzz")]


def pairs(made: whence.Dataset, to: str) -> dict[tuple[Any, ...], list[int]]:
    """Each row as values, and the rows behind it."""
    each = made.lineage.backward_each(range(made.count), to=to)
    rows = made.to_arrow().to_pylist()
    return {tuple(row.values()): found.ids.tolist() for row, found in zip(rows, each, strict=True)}


def groups() -> dict[str, list[int]]:
    return {k: [n for n, row in enumerate(ROWS) if row[0] == k] for k, _ in ROWS}


@pytest.fixture
def t(ws: whence.Workspace) -> whence.Workspace:
    ws.create("t", ROWS, schema="k string, x double", cell_caveats=[(2, "x", "smudged")])
    return ws


def test_functions_over_rows_say_where_rows_come_from(t: whence.Workspace) -> None:
    def halves(rows: pd.DataFrame) -> pd.Series:
        return rows["x"] / 2

    def spread(rows: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"k": rows["k"].iloc[0], "q": [rows["x"].min(), rows["x"].max()]})

    def tops(rows: pd.DataFrame) -> pd.DataFrame:
        best = rows.nlargest(2, "x")
        return pd.DataFrame({"k": best["k"], "x": best["x"], "__from": [[rid] for rid in best["__rid"]]})

    def large(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            yield batch[batch.x > 6]

    def opaque(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            yield batch[["x"]]

    half = t.apply(EachRow(halves, "h double"), "t", name="half")
    assert half.to_pandas()["h"].tolist() == [x / 2 for _, x in ROWS]
    assert half.lineage.backward([3, 4], to="t").ids.tolist() == [3, 4]
    assert np.flatnonzero(half.caveats.marks().column("h").to_numpy()).tolist() == [2]
    assert [group.message for group in half.caveats.list(row=2)] == ["smudged"]

    made = t.apply(Grouped(spread, "k string, q double", keys=("k",)), "t", name="spread")
    want: dict[tuple[Any, ...], list[int]] = {}
    for k, rows in groups().items():
        values = [ROWS[n][1] for n in rows]
        want |= {(k, min(values)): rows, (k, max(values)): rows}
    assert pairs(made, "t") == want
    doubtful = {
        row["k"]
        for row, mark in zip(made.to_arrow().to_pylist(), made.caveats.marks()["q"], strict=True)
        if mark.as_py()
    }
    assert doubtful == {"c"}
    assert t["t"].lineage.forward([0], to="spread").count == 2
    assert "its group" in made.lineage.strategy

    best = t.apply(Grouped(tops, "k string, x double", keys=("k",)), "t", name="tops")
    assert pairs(best, "t") == {ROWS[n]: [n] for rows in groups().values() for n in rows[-2:]}

    kept = t.apply(Batches(large, "k string, x double"), "t", name="large")
    assert pairs(kept, "t") == {row: [n] for n, row in enumerate(ROWS) if row[1] > 6}

    coarse = t.apply(Batches(opaque, "x double"), "t", name="opaque")
    assert not coarse.lineage.exact
    assert coarse.lineage.backward([0], to="t").count == len(ROWS)
    assert {group.family for group in coarse.caveats.list()} >= {"lineage"}
    assert all(coarse.caveats.marks()["x"].to_pylist())
    after = t.sql("select k, sum(q) s from spread group by k", name="after")
    assert {
        row["k"]: after.lineage.backward([n], to="t").ids.tolist() for n, row in enumerate(after.to_arrow().to_pylist())
    } == groups()


def test_two_groups_of_one_key_are_told_apart(t: whence.Workspace) -> None:
    t.create("u", [("a", 10), ("z", 20), ("y", 30), ("a", 40)], schema="k string, n int")

    def sum_of_groups(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        k = (left if len(left) else right)["k"].iloc[0]
        return pd.DataFrame({"k": [k], "s": [left["x"].sum() + right["n"].sum()]})

    def first_of_left(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        found = left.head(1)
        return pd.DataFrame({"k": found["k"], "s": found["x"], "__from": found["__rid"]})

    made = t.apply(CoGrouped(sum_of_groups, "k string, s double", keys=("k",)), "t", "u", name="both")
    rows = {row["k"]: n for n, row in enumerate(made.to_arrow().to_pylist())}
    known = {**groups(), "y": []}
    right = {"a": [0, 3], "z": [1], "y": [2]}
    for k, n in rows.items():
        assert made.lineage.backward([n], to="t").ids.tolist() == known[k]
        assert made.lineage.backward([n], to="u").ids.tolist() == right.get(k, [])
    some = t.apply(CoGrouped(first_of_left, "k string, s double", keys=("k",)), "t", "u", name="first")
    assert pairs(some, "t") == {ROWS[rows[0]]: rows[:1] for rows in groups().values()}
    assert all(not found for found in pairs(some, "u").values())


def test_what_functions_do_wrong_is_one_sentence(t: whence.Workspace) -> None:
    def short(rows: pd.DataFrame) -> pd.DataFrame:
        return rows.head(1)

    with pytest.raises(whence.WhenceError, match="no column q"):
        t.apply(Grouped(short, "k string", keys=("q",)), "t")
    with pytest.raises(whence.WhenceError, match="takes 2 datasets"):
        t.apply(CoGrouped(short, "k string", keys=("k",)), "t")
    with pytest.raises(whence.WhenceError, match="Return one row for each row"):
        t.apply(EachRow(short, "k string"), "t")


def test_tiles_with_halos_give_what_the_whole_gives(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    class Median(Operator):
        """The median of three cells above each other, less an offset from a second input."""

        radius = (2, 0)

        def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
            image, offset = inputs
            padded = np.pad(image, ((2, 2), (0, 0)), mode="edge")
            found: np.ndarray = np.median([padded[k : k + len(image)] for k in range(5)], axis=0) - offset
            return found

    monkeypatch.setattr(bands, "__defaults__", (40,))
    image = np.random.default_rng(3).normal(size=(23, 9)).astype(np.float32)
    ws.array("image", image, cell_caveats=[((7, 4), "hot")])
    ws.array("offset", np.array(0.5))
    for number, (operator, inputs) in enumerate(
        ((Convolve(((1, 2, 1), (0, 3, 0), (1, 0, 2))), ["image"]), (Median(), ["image", "offset"]))
    ):
        whole = ws.apply(operator, *inputs, name=f"whole{number}", tiles=False)
        tiled = ws.apply(operator, *inputs, name=f"tiled{number}", tiles=True)
        assert isinstance(whole, whence.ArrayDataset)
        assert isinstance(tiled, whence.ArrayDataset)
        assert len(ws._context.store.manifest(tiled.record).parts) == 6
        np.testing.assert_array_equal(tiled.to_numpy(), whole.to_numpy())
        assert tiled.dtype == whole.dtype
        assert tiled.caveats.marks().equals(whole.caveats.marks())
        for cell in ((0, 0), (7, 3), (22, 8), (8, 4)):
            for to in inputs:
                assert tiled.lineage.backward([cell], to=to).cells == whole.lineage.backward([cell], to=to).cells
        assert ws["image"].lineage.forward([(7, 4)], to=tiled).ids.tolist() == (
            ws["image"].lineage.forward([(7, 4)], to=whole).ids.tolist()
        )
    with pytest.raises(whence.WhenceError, match="cannot be run tile by tile"):
        ws.apply(whence.arrays.Transpose(), "image", tiles=True)
