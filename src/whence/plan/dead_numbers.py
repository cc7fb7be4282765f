"""Leaves out row numbers that no column of the result shows and no step reads.

pandas on Spark numbers all rows for each index, and again for each order, and drops most of the numbers later. A number
depends on every row before it, so that one which is carried along would make a filter or a group-by look as if it did.
"""

from __future__ import annotations

from whence.plan.expr import Expr
from whence.plan.step import Step

_NUMBER = "monotonicallyincreasingid"


def without_dead_numbers(plan: Step) -> Step:
    """The plan with the same columns, without row numbers that lead to none of them."""
    numbers = _find_numbers(plan)
    return _prune(plan, frozenset(column.id for column in plan.columns), numbers) if numbers else plan


def _find_numbers(plan: Step) -> frozenset[int]:
    """The ids of all columns that hold row numbers, or are computed from some."""
    found: set[int] = set()
    for step in reversed(list(plan.walk())):  # inputs first
        if step.row_number is not None:
            found.add(step.row_number.id)
        found.update(expr.output.id for expr in step.projection or () if _reads_number(expr, found))
    return frozenset(found)


def _reads_number(expr: Expr, numbers: set[int]) -> bool:
    return any(node.name == _NUMBER for node in expr.walk()) or any(each.id in numbers for each in expr.columns)


def _prune(step: Step, shown: frozenset[int], numbers: frozenset[int]) -> Step:
    if step.row_number is not None and step.row_number.id not in shown:
        return _prune(step.inputs[0], shown, numbers)
    step = step.without_columns(numbers - shown)
    needed = step.needed_columns(shown)
    inputs = (
        _prune(each, frozenset(column.id for column in each.columns) if needed is None else needed, numbers)
        for each in step.inputs
    )
    return step.with_inputs(*inputs) if step.inputs else step
