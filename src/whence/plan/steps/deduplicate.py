"""Keep one row of each set of rows that agree on some columns."""

from __future__ import annotations

from whence.plan.catalyst import Node, Unreadable
from whence.plan.expr import aggregate, alias, ref
from whence.plan.step import Operator, Step
from whence.plan.steps.chosen_rows import ChosenRows
from whence.plan.steps.distinct import Distinct
from whence.plan.steps.session_aggregate import session_columns


class Deduplicate(Operator):
    """`df.dropDuplicates(columns)`: which row of the set is kept, Spark chooses."""

    lineage_rule = "the row that was chosen; the others of its set influence"
    caveat_rule = "as a group-by on the columns that must agree"
    repeatable = "never"
    read_from = "Deduplicate"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        (child,) = inputs
        keys = node.exprs["keys"]
        agreed = {key.output for key in keys}
        if agreed.issuperset(child.columns):
            return Distinct.read(
                node, inputs
            )  # `df.distinct()`: rows that agree on everything are one row, nobody chooses
        if session_columns(node, child) & agreed:
            raise Unreadable("dropDuplicates over sessions and other columns")
        outputs = tuple(
            ref(each) if each in agreed else alias(aggregate("first", ref(each)), each) for each in child.columns
        )
        return ChosenRows(child, keys, outputs)
