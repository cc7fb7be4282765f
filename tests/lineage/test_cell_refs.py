"""The cells behind a cell are a list that is written down only as far as it is read."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import whence
from whence.lineage import cell_refs
from whence.store.store import Store


@pytest.fixture
def summed(ws: whence.Workspace) -> whence.Dataset:
    ws.create("t", [("a", 1), ("b", 2), ("a", 3), ("a", None)], schema="k string, x int")
    return ws.sql("select k, sum(x) s from t group by k order by k", name="summed")


def test_the_cells_behind_a_cell_behave_as_a_list(summed: whence.Dataset) -> None:
    refs = summed.lineage.cell(0, "s")
    expected = [whence.CellRef("t", 1, row, "x", "aggregated", value) for row, value in ((0, 1), (2, 3), (3, None))]
    expected += [whence.CellRef("t", 1, row, "k", "grouped", "a") for row in (0, 2, 3)]
    assert refs == expected
    assert expected == refs
    assert refs == summed.lineage.cell(0, "s")
    assert refs != expected[1:]
    assert refs != expected[::-1]
    assert (list(refs), len(refs), bool(refs)) == (expected, 6, True)
    for place in range(-6, 6):
        assert refs[place] == expected[place]
    for part in (slice(2), slice(1, 5, 2), slice(None, None, -1), slice(4, 1, -1), slice(9, 12), slice(-2, None)):
        assert refs[part] == expected[part]
        assert refs[part][:2] == expected[part][:2]
    assert list(reversed(refs)) == expected[::-1]
    assert (refs.index(expected[4]), refs.count(expected[4]), expected[4] in refs) == (4, 1, True)
    assert refs + expected[:1] == [*expected, expected[0]]
    assert expected[:1] + refs == [expected[0], *expected]
    for place in (6, -7):
        with pytest.raises(IndexError):
            refs[place]
    with pytest.raises(TypeError):
        hash(refs)
    assert summed.lineage.cell(0, "s") == refs


def test_only_the_first_few_are_printed(ws: whence.Workspace, summed: whence.Dataset) -> None:
    assert repr(summed.lineage.cell(1, "s")) == repr(list(summed.lineage.cell(1, "s")))
    ws.create("many", [(n,) for n in range(100)], schema="x int")
    text = repr(ws.sql("select sum(x) s from many", name="all").lineage.cell(0, "s"))
    assert text.count("CellRef(") == 5
    assert text.endswith(", ... 95 more]")


def test_a_million_cells_are_counted_without_being_read(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 1_000_000
    ws.sql(f"select id, id % 7 as x from range({rows})", name="long")
    ws.sql("select sum(x) s from long", name="total").lineage.wait()
    taken: list[int] = []
    take = Store.take

    def counted(*given: Any) -> pa.Table:  # noqa: ANN401 - what `take` is given
        taken.append(len(given[2]))
        return take(*given)

    monkeypatch.setattr(Store, "take", counted)
    refs = ws["total"].lineage.cell(0, "s")
    assert len(refs) == rows
    assert sum(taken) == 0
    last = refs[-1]
    assert (last.row, last.value) == (rows - 1, (rows - 1) % 7)
    assert sum(taken) == 1
    walk = iter(refs)
    assert next(walk).row == 0
    assert sum(taken) == 1 + cell_refs.CHUNK
    assert sum(1 for _ in walk) == rows - 1
