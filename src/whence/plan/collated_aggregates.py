"""Finds aggregates of texts under a collation, which Spark gets wrong where row ids are collected beside them.

Spark copies a text that it keeps while it reads on, but not one under a collation: `max(s collate utf8_lcase)` beside
`collect_list(id)` over a join gives what a later row has left in the same memory.
"""

from __future__ import annotations

from whence.plan.catalyst import Unreadable
from whence.plan.expr import Expr
from whence.plan.step import Step

_KEEP_A_VALUE = frozenset({"first", "last", "anyvalue", "max", "min", "maxby", "minby"})


def check_collated_aggregates(plan: Step) -> None:
    """Raise `Unreadable` if a group-by of a plan with collations keeps a value that may be such a text."""
    for step in plan.walk():
        outputs = () if step.group_by is None else step.group_by.outputs
        if any(_keeps_collated(node) for expr in outputs for node in expr.walk() if node.kind == "aggregate"):
            raise Unreadable("an aggregate of texts under a collation")


def _keeps_collated(function: Expr) -> bool:
    """An expression that Spark has not told the type of may be a text."""
    types = [node.type for arg in function.args for node in arg.walk()]
    return function.name in _KEEP_A_VALUE and any("collate" in each or not each for each in types)
