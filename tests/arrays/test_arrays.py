"""Arrays are datasets: stored in tiles, versioned, forgotten, checked, and read by SQL with lineage to their cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import whence
from whence.arrays import arrays
from whence.arrays.arrays import bands
from whence.store.doctor import doctor


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[whence.Workspace]:
    """A workspace that never needs Spark."""
    with whence.open(tmp_path / "quiet.whence") as workspace:
        yield workspace
        assert not workspace.is_engine_running


@pytest.mark.parametrize(
    "array",
    [
        np.arange(24.0).reshape(2, 3, 4),
        np.array(7.5, dtype=np.float32),
        np.array([], dtype=np.int16),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.array([[True, False]]),
        np.array([0, 255], dtype=np.uint8),
        np.array([1, 2**63 - 1], dtype=np.uint64),
        np.array([1.5, np.nan, np.inf], dtype=np.float16),
        np.array([1, -2], dtype=">i4"),
        np.array(["a", "ü", ""]),
        np.array(["2024-01-01", "2024-02-03"], dtype="datetime64[us]"),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.arange(10)[::2],
    ],
)
def test_what_is_kept_comes_back(quiet: whence.Workspace, array: np.ndarray) -> None:
    kept = quiet.array("a", array)
    assert kept.shape == array.shape
    assert kept.count == array.size
    again = quiet["a"]
    assert isinstance(again, whence.ArrayDataset)
    back = again.to_numpy()
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


def test_large_arrays_lie_in_tiles_and_are_read_in_slices(
    quiet: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays.bands, "__defaults__", (100,))
    array = np.random.default_rng(0).random((23, 17, 2))
    kept = quiet.array("a", array, axes=("t", "y", "x"))
    assert len(quiet._context.store.manifest(kept.record).parts) == len(bands(array.shape, 100)) == 12
    np.testing.assert_array_equal(kept.to_numpy(), array)
    np.testing.assert_array_equal(kept.to_numpy(5, 9), array[5:9])
    np.testing.assert_array_equal(kept.to_numpy(-2), array[-2:])
    assert kept.columns == ["t", "y", "x", "value"]
    row = kept.rows(41, 42).to_pylist()[0]
    assert array[row["t"], row["y"], row["x"]] == row["value"]


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.array([1 + 2j]), "complex128"),
        (np.array([object()]), "object"),
        (np.ma.masked_array([1, 2], [False, True]), "masked"),
        (np.array([2**64 - 1], dtype=np.uint64), "too large"),
    ],
)
def test_what_cannot_be_kept_is_refused(quiet: whence.Workspace, array: object, said: str) -> None:
    with pytest.raises(whence.WhenceError, match=said):
        quiet.array("a", array)
    assert quiet.datasets() == []


def test_axes_need_names_of_their_own(quiet: whence.Workspace) -> None:
    for axes in (("x",), ("x", "X"), ("value", "x")):
        with pytest.raises(whence.WhenceError, match="cannot have the axes"):
            quiet.array("a", np.zeros((2, 2)), axes=axes)


def test_versions_differ_by_coordinates(quiet: whence.Workspace) -> None:
    quiet.array("a", np.array([[1, 2], [3, 4]]))
    quiet.array("a", np.array([[1, 2], [3, 5]]))
    diff = quiet.diff("a@1", "a@2")
    assert (len(diff.added), len(diff.removed)) == (0, 0)
    assert [(cell.column, cell.before, cell.after) for cell in diff.changed] == [("value", 4, 5)]


def test_arrays_are_forgotten_and_collected(quiet: whence.Workspace) -> None:
    quiet.array("a", np.zeros(5))
    store = quiet._context.store
    assert [(each.label, each.data > 0) for each in store.usage().datasets] == [("a@1", True)]
    assert quiet.forget("a") == ["a@1"]
    assert quiet.datasets() == []
    assert list(store.layout.datasets.iterdir()) == []


def test_damage_is_found(tmp_path: Path) -> None:
    with whence.open(tmp_path / "d.whence") as workspace:
        kept = workspace.array("a", np.arange(1000.0))
        (part,) = (workspace._context.store.layout.dataset(kept.record.id) / "rows").rglob("*.parquet")
        data = bytearray(part.read_bytes())
        middle = 3 * len(data) // 4
        data[middle - 1000 : middle] = bytes(1000)
        part.write_bytes(data)
        assert list(doctor(workspace._context.store))
        again = workspace["a"]
        assert isinstance(again, whence.ArrayDataset)
        with pytest.raises(whence.WhenceError):
            again.to_numpy()


def test_wrong_coordinates_get_one_sentence(quiet: whence.Workspace) -> None:
    from whence.arrays import Transpose

    quiet.array("a", np.zeros((2, 3)))
    turned = quiet.apply(Transpose(), "a", name="t")
    for cells, said in (([(3, 0)], r"t@1 has no cell \(3, 0\)"), ([(1,)], "has 2 axes"), ([9], "has no cell 9")):
        with pytest.raises(whence.WhenceError, match=said):
            turned.lineage.backward(cells, to="a")


def test_rows_have_no_coordinates(ws: whence.Workspace) -> None:
    ws.create("r", [(1,)], schema="x int")
    made = ws.sql("select x from r", name="s")
    with pytest.raises(whence.WhenceError, match="holds rows"):
        assert made.lineage.backward([0], to="r").cells


def test_sql_over_an_array_leads_back_to_cells(ws: whence.Workspace) -> None:
    grid = np.array([[1, 9, 2], [8, 1, 7]])
    ws.array("grid", grid, axes=("y", "x"))
    large = ws.sql("select y, count(*) n from grid where value > 5 group by y order by y", name="large")
    assert large.to_arrow().to_pylist() == [{"y": 0, "n": 1}, {"y": 1, "n": 2}]
    assert large.lineage.backward([1], to="grid").cells == [(1, 0), (1, 2)]
    assert large.lineage.backward([1], to="grid").values.tolist() == [8, 7]
    assert ws["grid"].lineage.forward([(0, 1), (0, 0)], to="large").ids.tolist() == [0]
    assert [each.cells for each in large.lineage.backward_each([0, 1], to="grid")] == [[(0, 1)], [(1, 0), (1, 2)]]
