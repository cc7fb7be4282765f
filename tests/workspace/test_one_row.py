"""One row may be given as its number alone, wherever rows are given."""

from __future__ import annotations

import numpy as np
import pytest

import whence


@pytest.fixture
def totals(ws: whence.Workspace) -> whence.Dataset:
    ws.create("t", [("a", 1), ("b", 2), ("a", 3)], schema="k string, x int", cell_caveats=[(1, "x", "torn")])
    return ws.sql("select k, sum(x) s from t group by k order by k", name="totals")


@pytest.mark.parametrize("row", [0, np.int64(0)])
def test_a_number_is_as_good_as_a_list_of_one(ws: whence.Workspace, totals: whence.Dataset, row: int) -> None:
    back, source = totals.lineage, ws["t"]
    assert back.backward(row, to="t").ids.tolist() == back.backward([row], to="t").ids.tolist() == [0, 2]
    assert source.lineage.forward(row, to="totals").ids.tolist() == [0]
    assert [rows.ids.tolist() for rows in back.backward_each(row, to="t")] == [[0, 2]]
    assert [rows.ids.tolist() for rows in source.lineage.forward_each(row, to="totals")] == [[0]]
    assert back.refresh(row).to_pylist() == [{"k": "a", "s": 4}]
    assert back.without(row, of="t").after.to_pylist() == [{"k": "a", "s": 3}]
    assert source.take(row).to_pylist() == [{"k": "a", "x": 1}]
    assert source.caveats.marks_of(row).to_pylist() == [{"k": False, "x": False, "_row": False}]
    assert source.source_lines(row) == source.source_lines([row])
    assert source.caveat(row, "x", "smudged").caveats.marks()["x"].to_pylist() == [True, True, False]
    ready = back.prepare(to="t", by=["k"], measures=["x"])
    assert ready.rows(row, k="a").ids.tolist() == [0, 2]
    assert ready.totals(row)["sum(x)"].to_pylist() == [4]


def test_a_number_beyond_the_last_row_is_refused(totals: whence.Dataset) -> None:
    with pytest.raises(whence.WhenceError, match=r"totals@1 has no row 2\. Its rows are 0 to 1\."):
        totals.lineage.backward(2, to="t")
