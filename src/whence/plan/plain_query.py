"""Finds queries that whence can answer from files without Spark: plain aggregates, and first rows in an order."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.expr import Expr, SortKey, ref
from whence.plan.plain_keys import Condition, Constant, PlainKeys, is_plain, plain_columns, plain_keys
from whence.plan.step import GroupBy, Step

_AGGREGATES = frozenset({"count", "sum", "average", "min", "max"})
_WHOLE_NUMBERS = frozenset({"tinyint", "smallint", "int", "bigint"})
"""Sums of these are the same in any order."""


@dataclass(frozen=True)
class PlainAggregate:
    """A column of the result: a key, or an aggregate of a column; `count` without a column counts rows."""

    function: str
    column: str = ""


@dataclass(frozen=True)
class PlainGroups:
    """Groups by columns of one dataset, and what comes out for each, in the order of the result."""

    keys: PlainKeys
    outputs: tuple[PlainAggregate, ...]


@dataclass(frozen=True)
class FirstRows:
    """The first rows of one dataset in an order: the columns that are shown, and those that decide."""

    columns: tuple[str, ...]
    order: tuple[tuple[str, SortKey], ...]
    conditions: tuple[Condition, ...]
    count: int


def plain_groups(plan: Step, constant: Constant) -> PlainGroups | None:
    """Return the groups that a plan makes, if all it computes are plain aggregates; else None."""
    shown = [column.id for column in plan.columns]
    while (groups := plan.group_by) is None:
        if plan.projection is None or not all(map(_names_column, plan.projection)):
            return None
        inner = {expr.output.id: expr.columns[0].id for expr in plan.projection}
        shown = [inner[each] for each in shown]
        (plan,) = plan.inputs
    keys = plain_keys(groups, constant) if plan.traits.computes_measures and groups.keys else None
    if keys is None:
        return None
    made = {expr.output.id: _aggregate(expr, groups, keys, constant) for expr in groups.outputs}
    outputs = tuple(found for each in shown if (found := made[each]) is not None)
    return PlainGroups(keys, outputs) if len(outputs) == len(shown) else None


def _aggregate(expr: Expr, groups: GroupBy, keys: PlainKeys, constant: Constant) -> PlainAggregate | None:
    inner = expr.args[0] if expr.kind == "alias" else expr
    if inner in groups.keys:
        return PlainAggregate("key", keys.columns[groups.keys.index(inner)])
    if inner.kind != "aggregate" or inner.name not in _AGGREGATES or inner.condition is not None or inner.is_distinct:
        return None
    if inner.name == "count" and all(each.kind == "literal" and each.value is not None for each in inner.args):
        return PlainAggregate("count")
    found = plain_columns(groups.child, inner.args, constant)
    if found is None or len(found.columns) != 1:
        return None
    (column,) = found.columns
    is_summed = inner.name in ("sum", "average")
    fits = column.type in _WHOLE_NUMBERS if is_summed else is_plain(column.type)
    return PlainAggregate(inner.name, column.name) if fits else None


def first_rows(plan: Step, constant: Constant) -> FirstRows | None:
    """Return what a plan with LIMIT over ORDER BY shows, if all it reads are columns of one dataset; else None."""
    exprs: tuple[Expr, ...] = tuple(map(ref, plan.columns))
    while plan.row_limit is None:
        if plan.projection is None:
            return None
        exprs = tuple(map(plan.restate_below, exprs))
        (plan,) = plan.inputs
    (rows,) = plan.inputs
    order = rows.row_order
    decisive = (*exprs, *(key.expr for key in order))
    while rows.row_order:
        if rows.projection is None and not rows.traits.passes_through:
            return None
        decisive = tuple(map(rows.restate_below, decisive))
        (rows,) = rows.inputs
    found = plain_columns(rows, decisive, constant) if order else None
    if found is None or not all(is_plain(column.type) for column in found.columns[len(exprs) :]):
        return None
    names = [column.name for column in found.columns]
    return FirstRows(
        columns=tuple(names[: len(exprs)]),
        order=tuple(zip(names[len(exprs) :], order, strict=True)),
        conditions=found.conditions,
        count=plan.row_limit,
    )


def _names_column(expr: Expr) -> bool:
    return (expr.args[0] if expr.kind == "alias" else expr).kind == "column"
