"""Frames handed out and taken back: doubts and lineage survive, and what cannot be known is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import whence

ROWS = [("a", 3, 1.5), ("b", 1, 2.5), ("b", 2, None), ("c", 2, 4.0)]


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[whence.Workspace]:
    """A workspace that never starts Spark, with one doubtful cell."""
    with whence.open(tmp_path / "frames.whence") as workspace:
        workspace.create("t", ROWS, schema="k string, n int, x double", cell_caveats=[(1, "n", "smudged")])
        yield workspace
        assert not workspace.is_engine_running


def came_from(made: whence.Dataset) -> list[list[int]]:
    return [made.lineage.backward([row], to="t").ids.tolist() for row in range(made.count)]


def marks(made: whence.Dataset, column: str) -> list[bool]:
    found: list[bool] = made.caveats.marks().column(column).to_pylist()
    return found


@pytest.mark.parametrize("hand_out", [lambda ds: ds.to_pandas(), lambda ds: ds.to_arrow(), lambda ds: ds.head(4)])
def test_what_is_handed_out_and_taken_back_is_as_doubtful_as_before(
    quiet: whence.Workspace, hand_out: Callable[[whence.Dataset], Any]
) -> None:
    made = quiet.create("back", hand_out(quiet["t"]))
    assert made.to_arrow().to_pylist() == quiet["t"].to_arrow().to_pylist()
    assert [marks(made, name) for name in "knx"] == [[False] * 4, [False, True, False, False], [False] * 4]
    assert came_from(made) == [[0], [1], [2], [3]]
    assert [(ref.row, ref.column) for ref in made.lineage.cell(1, "n")] == [(1, "n")]
    assert any("inferred" in caveat.message for caveat in made.caveats.list())


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (lambda frame: frame[frame.n == 2], [[2], [3]]),
        (lambda frame: frame.sort_values(["n", "k"]), [[1], [2], [3], [0]]),
        (lambda frame: frame.assign(x=frame.x.fillna(0)), [[0], [1], [2], [3]]),
        (lambda frame: frame.drop(columns="x").iloc[::-1], [[3], [2], [1], [0]]),
    ],
)
def test_rows_are_known_by_labels_that_values_prove(
    quiet: whence.Workspace, change: Callable[[Any], Any], rows: list[list[int]]
) -> None:
    made = quiet.create("changed", change(quiet["t"].to_pandas()))
    assert came_from(made) == rows
    assert not made.caveats.doubt.is_certain


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.sort_values("n").reset_index(drop=True),
        lambda frame: frame[["k"]],  # b stands twice: its labels prove nothing
        lambda frame: frame.groupby("k", as_index=False).n.sum(),
        lambda frame: frame.pivot_table(index="k", values="n", aggfunc="max").reset_index(),
    ],
)
def test_what_values_do_not_prove_comes_from_anywhere(quiet: whence.Workspace, change: Callable[[Any], Any]) -> None:
    made = quiet.create("changed", change(quiet["t"].to_pandas()))
    assert not made.lineage.exact
    assert came_from(made) == [[0, 1, 2, 3]] * made.count
    assert all(marks(made, name) == [True] * made.count for name in made.schema.names)
    assert any("coarse" in caveat.message for caveat in made.caveats.list())


def test_caveats_stated_beside_are_kept_too(quiet: whence.Workspace) -> None:
    made = quiet.create("more", quiet["t"].to_pandas(), cell_caveats=[(3, "k", "torn")], row_caveats=[])
    assert marks(made, "k") == [False, False, False, True]
    assert "torn" in {caveat.message for caveat in made.caveats.list()}


def test_a_frame_of_another_workspace_says_so(quiet: whence.Workspace, tmp_path: Path) -> None:
    with whence.open(tmp_path / "other.whence") as other:
        (note,) = other.create("t", quiet["t"].to_pandas()).caveats.list()
    assert note.message == "Made from t@1 of another workspace; its doubts are not known here."


def test_a_spark_frame_of_datasets_is_no_new_source(ws: whence.Workspace) -> None:
    base = ws.create("frame_base", ROWS, schema="k string, n int, x double", cell_caveats=[(1, "n", "smudged")])
    made = ws.create("frame_made", base.df.where("n < 3"))
    assert [made.lineage.backward([row]).ids.tolist() for row in range(3)] == [[1], [2], [3]]
    assert marks(made, "n") == [True, False, False]


def test_columns_of_a_frame_remember_its_dataset(quiet: whence.Workspace) -> None:
    frame = quiet["t"].to_pandas()
    made = quiet.create("columns", {"k": frame.k, "n": frame.n, "double": [6, 2, 4, 4]})
    assert came_from(made) == [[0], [1], [2], [3]]
    assert marks(made, "n") == [False, True, False, False]
    quiet.create("u", frame.to_dict("list"))
    mixed = quiet.create("mixed", {"n": frame.n, "k": quiet["u"].to_pandas().k})
    assert mixed.record.parents == ()
