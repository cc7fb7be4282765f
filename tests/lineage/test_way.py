"""The way back from a cell, as a tree of cells with roles, values and doubts."""

from __future__ import annotations

import whence


def test_a_cell_on_the_way_is_in_doubt_until_its_caveat_is_acknowledged(ws: whence.Workspace) -> None:
    rows = [("a", 1), ("a", 2), ("b", 3)]
    ws.create("days", rows, "k string, x int", cell_caveats=[(1, "x", "odd")])
    sums = ws.sql("select k, sum(x) as s from days group by k order by k", name="sums")

    def doubts() -> dict[tuple[str, int, str], bool]:
        way = sums.lineage.way(0, "s")
        cells = [way, *(cell for step in way.inputs for cell in step.cells)]
        return {(cell.cell.dataset, cell.cell.row, cell.cell.column): cell.is_doubtful for cell in cells}

    certain = {("days", 0, "x"): False, ("days", 0, "k"): False, ("days", 1, "k"): False}
    assert doubts() == {**certain, ("sums", 0, "s"): True, ("days", 1, "x"): True}
    (group,) = ws["days"].caveats.list()
    ws.caveats.acknowledge(group)
    assert doubts() == {**certain, ("sums", 0, "s"): False, ("days", 1, "x"): False}
