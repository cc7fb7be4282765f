"""Everything behind a cell, in all ancestors, as single questions would find it, and in one walk."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import whence
from whence.lineage.edges import Edges


@pytest.fixture
def end(ws: whence.Workspace) -> whence.Dataset:
    """Two ways lead from `end` to `t`, one of them over `right` alone."""
    ws.create("t", [(i, i % 3, 10 * i) for i in range(12)], schema="id int, k int, x int")
    ws.sql("select id, k, x + 1 as y from t where id > 1", name="left")
    ws.sql("select k, sum(x) as s from t group by k", name="right")
    ws.sql("select l.id, l.y, r.s from left l join right r using (k)", name="joined")
    return ws.sql("select max(y) as top, sum(s) as total from joined group by id % 2 order by top", name="end")


def test_one_walk_finds_what_a_question_about_each_ancestor_finds(ws: whence.Workspace, end: whence.Dataset) -> None:
    names = ["joined", "left", "right", "t"]
    for row in range(end.count):
        for column in end.columns:
            found = end.context.cell_traces.of(end.record, row, column)
            assert found.keys() == {ws[name].record.id for name in names}
            for name in names:
                behind = found[ws[name].record.id]
                assert behind.rows.ids.tolist() == end.lineage.backward([row], to=name).ids.tolist()
                assert behind.cells == end.lineage.cell(row, column, to=name)


def test_every_edge_is_followed_once(end: whence.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    followed: Counter[tuple[str, int]] = Counter()
    select = Edges.select

    def count(self: Edges, record: Any, source: int, *rest: Any, **options: Any) -> Any:  # noqa: ANN401
        followed[record.label, source] += 1
        return select(self, record, source, *rest, **options)

    monkeypatch.setattr(Edges, "select", count)
    end.context.cell_traces.rows(end.record, 0)
    edges = [("end@1", 0), ("joined@1", 0), ("joined@1", 1), ("left@1", 0), ("right@1", 0)]
    assert followed == Counter(edges)


def test_an_ancestor_that_was_forgotten_is_left_out(ws: whence.Workspace, end: whence.Dataset) -> None:
    ws.forget("t", keep_dependants=True)
    found = ws["end"].context.cell_traces.of(end.record, 0, "top")
    assert found.keys() == {ws[name].record.id for name in ("joined", "left", "right")}
    with pytest.raises(whence.WhenceError, match="has no row 2"):
        end.context.cell_traces.rows(end.record, 2)
