"""Say for each row of the left side whether some row of the right matches it."""

from __future__ import annotations

from whence.plan.catalyst import Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import TRUE, Column, alias, constant, exists, holds, ref
from whence.plan.step import Operator, Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.outer_join import OuterJoin
from whence.plan.steps.project import Project
from whence.plan.steps.semi_join import number_rows


class ExistenceJoin(Operator):
    """IN and EXISTS inside a larger condition: read as a left join, gathered again by the left row."""

    lineage_rule = "the left row and every right row it matches; the condition's columns influence"
    caveat_rule = "the answer is in doubt unless a certain match settles it, or nothing might match"
    repeatable = "always"
    read_from = "Join"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        found = node.exprs.get("joinType.exists")
        if found is None:
            return None
        left, right = inputs
        number, tag = node.ids.column("number", "bigint"), node.ids.named_column("matched", "boolean")
        tagged = Project(right, (*map(ref, right.columns), alias(TRUE, tag)))
        pairs = OuterJoin(number_rows(left, number), tagged, node.optional("condition") or TRUE)
        kept = tuple(alias(constant(ref(each)), each) for each in left.columns)
        answer = alias(exists(holds(ref(tag))), _as_boolean(found[0].output))
        return Aggregate(pairs, (ref(number),), (*kept, answer))


def existence(rows: Step, ids: ColumnIdAllocator) -> Step:
    """One row that says whether there are rows: EXISTS without outer columns, which is the same for every row."""
    tag, answer = ids.named_column("row", "boolean"), ids.named_column("exists", "boolean")
    tagged = Project(rows, (alias(TRUE, tag),))
    return Aggregate(tagged, (), (alias(holds(exists(ref(tag))), answer),))


def _as_boolean(column: Column) -> Column:
    return Column(column.id, column.name, "boolean", nullable=False)
