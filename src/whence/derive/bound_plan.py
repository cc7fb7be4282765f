"""Adds the ranges of cells to the plan of a query, so that one run gives rows, doubt flags and bounds."""

from __future__ import annotations

from dataclasses import replace

from whence.caveats.stored_ranges import StoredRanges
from whence.derive.request import DeriveContext
from whence.engine.blame import is_own_error
from whence.engine.query import Query
from whence.engine.worker.write_parts import OutputLayout
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.plan.carry_bounds import with_bounds
from whence.plan.caveat_questions import asks_for_bounds
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Expr, alias, call, ref
from whence.plan.expressions import expressions
from whence.plan.rebuild import rebuild
from whence.plan.step import BoundedStep, RangedColumns, Step


def bound_plan(context: DeriveContext, plan: Step, ids: ColumnIdAllocator) -> BoundedStep | None:
    """Return the plan with doubt flags and ranges; None where no range is stated, or ranges change the flags.

    The stored flags must not depend on ranges: they stay when ranges go. Where a range settles which rows there are,
    the bounds come from a run of their own, once someone asks. If the query itself asks for bounds, such a range
    settles nothing, and the plan has no ranges to be stored: those would be too wide.
    """
    try:
        bounded = _add_ranges(context, plan, ids)
    except Exception as error:  # rows and flags do not need ranges
        is_own = is_own_error(error) and not context.engine.raises_internal_errors
        if isinstance(error, WhenceError) or is_own:
            return None
        raise
    return bounded


def _add_ranges(context: DeriveContext, plan: Step, ids: ColumnIdAllocator) -> BoundedStep | None:
    flags, store, asks = context.engine.flags, context.store, asks_for_bounds(plan)

    def ranged(dataset: DatasetId) -> RangedColumns:
        record = store.by_id(dataset)
        if asks:
            flags.compute_ranges(record)
        return flags.ranged_columns(record) if flags.doubt(record).columns else RangedColumns()

    ranged_plan = rebuild(plan, lambda step: step.with_ranges(ranged))
    is_stated = any(step.has_ranges or _states_range(step) for step in ranged_plan.walk())
    if not is_stated:
        return None
    bounded = with_bounds(ranged_plan, ids)
    if not bounded.has_fewer_doubts:
        return bounded
    return replace(with_bounds(ranged_plan, ids, settles_rows=False), ranges={}, settles_rows=False) if asks else None


def _states_range(step: Step) -> bool:
    return any(node.stated is not None for expr in expressions(step) for node in expr.caveats)


def ranged_positions(query: Query, bounded: BoundedStep) -> tuple[int, ...]:
    """The positions of the columns that have ranges."""
    known = bounded.ranges.keys() & bounded.flagged.cells.keys()
    return tuple(position for position, column in enumerate(query.columns) if column.id in known)


def stored_ranges(query: Query, schema: Schema, bounded: BoundedStep, states: list[str]) -> StoredRanges:
    """What is stored about the ranges of a plan, over inputs of which these caveats are acknowledged."""
    shown = zip(schema.names, query.columns, strict=True)
    reasons = {name: bounded.reasons[column.id] for name, column in shown if column.id in bounded.reasons}
    return StoredRanges(ranged_positions(query, bounded), reasons, states)


def range_outputs(query: Query, bounded: BoundedStep, layout: OutputLayout, ids: ColumnIdAllocator) -> list[Expr]:
    """The range columns of the layout; on cells without doubt they are NULL, which takes no room."""
    made: list[Expr] = []
    for position in layout.range_positions:
        column = query.columns[position].id
        flag, ends = ref(bounded.flagged.cells[column]), bounded.ranges[column].columns
        made += (alias(call("when", flag, ref(end)), ids.column("end", end.type, nullable=True)) for end in ends)
    return made
