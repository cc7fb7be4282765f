"""Moving rows between partitions changes neither where they came from nor what is in doubt."""

from __future__ import annotations

import pytest

import whence


@pytest.mark.parametrize("way", ["repartition", "coalesce"])
def test_repartitioned_rows_keep_their_lineage_and_marks(ws: whence.Workspace, way: str) -> None:
    given = ws.create("t", [(1,), (2,), (3,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
    moved = ws.dataset(getattr(given.df, way)(2), name="moved")
    values = moved.to_arrow().column("x").to_pylist()
    assert sorted(values) == [1, 2, 3]
    assert moved.lineage.exact
    assert [moved.lineage.backward([row], to="t").ids.tolist() for row in range(3)] == [[x - 1] for x in values]
    assert moved.caveats.marks().column("x").to_pylist() == [x == 2 for x in values]
