"""The caveat rule of a correlated scalar subquery whose row might come, go or be another.

The row of the outer query stays itself whatever the subquery gives: doubt falls on the value alone. So all rows that it
might give are followed as in an outer join, and gathered again by the outer row.
"""

from __future__ import annotations

from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import FALSE, TRUE, Column, Expr, aggregate, alias, any_of, call, constant, holds, ref, some_row
from whence.plan.step import FlaggedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.outer_join import OuterJoin
from whence.plan.steps.project import Project


def join_scalar_value(join: OuterJoin, child: FlaggedStep, scalar: FlaggedStep, ids: ColumnIdAllocator) -> FlaggedStep:
    """The child with the subquery's value beside each row, in doubt where another row might be the one."""
    number = ids.column("number", "bigint")
    columns = tuple(map(ref, child.step.columns))
    numbered = Project(child.step, (*columns, alias(call("monotonically_increasing_id"), number)))
    # Every outer row counts as certain here: whether it is there has nothing to do with what it meets.
    pairs = join.with_flags((FlaggedStep(numbered, child.cells), scalar), ids)
    own = [column for column in child.step.columns if column not in child.cells.values()]
    outputs = [alias(constant(ref(column)), column) for column in own]
    cells: dict[int, Column] = {}
    for known, flag in child.cells.items():
        cells[known] = ids.flag("doubt")
        outputs.append(alias(constant(holds(ref(pairs.cells.get(known, flag)))), cells[known]))
    other = any_of(pairs.is_row_doubtful, pairs.is_ghost)
    for column in _data_columns(scalar):
        outputs.append(alias(_first_present(ref(column), pairs), column))
        claim = any_of(other, pairs.doubts.get(column.id, FALSE))
        if not column.is_internal and (claim != FALSE or pairs.is_loose):
            cells[column.id] = ids.flag("doubt")
            some = TRUE if pairs.is_loose else some_row(claim)
            outputs.append(alias(some, cells[column.id]))
    grouped = Aggregate(pairs.step, (ref(number),), tuple(outputs))
    return replace(child, step=grouped, cells=cells)


def _data_columns(scalar: FlaggedStep) -> list[Column]:
    return [column for column in scalar.step.columns if column not in scalar.flags]


def _first_present(value: Expr, pairs: FlaggedStep) -> Expr:
    return aggregate("first", value, only=None if pairs.present is None else pairs.is_present)
