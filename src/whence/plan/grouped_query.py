"""Finds queries that are one group-by over one dataset, and states them over the columns that are stored."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.model.ids import DatasetId
from whence.plan.expr import Column, Expr, SortKey, ref
from whence.plan.plain_keys import split_conjunction
from whence.plan.step import GroupBy, Step
from whence.plan.stored_rows import StoredRows


@dataclass(frozen=True)
class GroupedQuery:
    """Groups of the rows of one dataset. All expressions read stored columns, and outputs hold aggregates of them."""

    source: int
    """The number of the dataset among the sources of the plan."""
    dataset: DatasetId
    rows: int
    columns: tuple[Column, ...]
    """The stored columns that it reads."""
    conditions: tuple[Expr, ...]
    """What a row has to meet, all of them."""
    keys: tuple[Expr, ...]
    outputs: tuple[Expr, ...]
    order: tuple[SortKey, ...]


def grouped_query(plan: Step) -> GroupedQuery | None:
    """Return what a plan groups and computes; None if it is more than one group-by over rows of one dataset."""
    outputs, order = tuple(map(ref, plan.columns)), tuple[SortKey, ...]()
    step = plan
    while step.traits.defers_below:
        if step.row_limit is not None or step.conditions:
            return None
        # A projection names the order of what it reads; the outermost order is the one that counts.
        if step.projection is None:
            order = order or step.row_order
        outputs = tuple(map(step.restate_below, outputs))
        order = tuple(replace(key, expr=step.restate_below(key.expr)) for key in order)
        (step,) = step.inputs
    aggregate = step.deferrable
    if aggregate is None:
        return None
    outputs = tuple(_over_rows(each, aggregate) for each in outputs)
    order = tuple(replace(key, expr=_over_rows(key.expr, aggregate)) for key in order)
    return _over_stored_rows(aggregate, outputs, order)


def _over_rows(expr: Expr, aggregate: GroupBy) -> Expr:
    """Return an expression over groups with the aggregates and keys that its columns are."""
    made = {each.output.id: each.args[0] for each in aggregate.outputs if each.kind == "alias"}
    return expr.replace(lambda node: made.get(node.output.id) if node.kind == "column" else None)


def _over_stored_rows(aggregate: GroupBy, outputs: tuple[Expr, ...], order: tuple[SortKey, ...]) -> GroupedQuery | None:
    keys, conditions, step = aggregate.keys, list[Expr](), aggregate.child
    while (stored := step.stored_rows) is None:
        if not step.traits.lets_keys_through:
            return None
        keys, outputs = (tuple(map(step.restate_below, each)) for each in (keys, outputs))
        order = tuple(replace(key, expr=step.restate_below(key.expr)) for key in order)
        own = [part for each in step.conditions for part in split_conjunction(each)]
        conditions = [*map(step.restate_below, conditions), *own]
        (step,) = step.inputs
    read = (*conditions, *keys, *outputs, *(key.expr for key in order))
    columns = tuple(dict.fromkeys(column for each in read for column in each.columns))
    if stored.chosen_rids is not None or not all(_is_stored(each, stored) for each in columns):
        return None
    return GroupedQuery(
        source=stored.source,
        dataset=stored.dataset,
        rows=stored.rows,
        columns=columns,
        conditions=tuple(conditions),
        keys=keys,
        outputs=outputs,
        order=order,
    )


def _is_stored(column: Column, stored: StoredRows) -> bool:
    return column in stored.user_columns and column.name in stored.positions
