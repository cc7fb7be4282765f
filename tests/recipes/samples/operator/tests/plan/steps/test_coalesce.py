"""Fewer partitions change neither where rows came from nor what is in doubt."""

from __future__ import annotations

import whence
from whence.plan.catalyst import Build, Node
from whence.plan.step import Step
from whence.plan.steps.coalesce import Coalesce
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.registry import OPERATORS

BELOW = OneRow()


def read(*, shuffle: bool) -> Step | None:
    """The step that the first operator of the registry reads from Spark's node."""
    node = Node("Repartition", values={"numPartitions": 2, "shuffle": shuffle})
    steps = (kind.read(node, (BELOW,)) for kind in OPERATORS if kind.read_from == node.name)
    return next((step for step in steps if step is not None), None)


def test_only_what_does_not_shuffle_is_a_coalesce() -> None:
    step = read(shuffle=False)
    assert step == Coalesce(BELOW, 2)
    assert step is not None
    assert step.to_catalyst() == Build("Repartition", (2, False, BELOW))
    assert not isinstance(read(shuffle=True), Coalesce)


def test_rows_in_fewer_partitions_keep_their_lineage_and_marks(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1,), (2,), (3,)], schema="x int", cell_caveats=[(1, "x", "smudged")])
    made = ws.dataset(given.df.coalesce(1), name="made")
    values = made.to_arrow().column("x").to_pylist()
    assert sorted(values) == [1, 2, 3]
    assert made.lineage.exact
    assert [made.lineage.backward([row], to="t").ids.tolist() for row in range(3)] == [[x - 1] for x in values]
    assert made.caveats.marks().column("x").to_pylist() == [x == 2 for x in values]
