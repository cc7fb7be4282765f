"""Which output columns are plain aggregates of source columns: leaving rows out is then arithmetic and needs no run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.plan.expr import Column, Expr
from whence.plan.step import GroupBy, Step

KEY = "key"

FUNCTIONS = frozenset({"count", "sum", "average", "variancesamp", "variancepop", "stddevsamp", "stddevpop"})
"""Aggregates that follow from a count, a sum and a sum of squares."""

_NUMBERS = frozenset({"tinyint", "smallint", "int", "bigint", "float", "double"})


@dataclass(frozen=True)
class Measure:
    """One output column: a function of one source column over the rows of a group, or a key of the group.

    Without a column the function is of no value at all: count(*).
    """

    function: str
    source: int = -1
    column: str = ""


Measures = Mapping[int, Measure]
"""By the id of the output column."""


def measures(plan: Step) -> Measures | None:
    """What each output column measures; None if some column, or which groups there are, needs more than arithmetic."""
    shown = {column.id: column.id for column in plan.columns}
    while (groups := plan.group_by) is None:
        if plan.projection is not None and all(map(_names_column, plan.projection)):
            inner = {expr.output.id: expr.columns[0].id for expr in plan.projection}
            shown = {out: inner[column] for out, column in shown.items()}
        elif not plan.traits.passes_through:
            return None
        (plan,) = plan.inputs
    if not plan.traits.computes_measures or not all(step.traits.is_conjunctive for step in groups.child.walk()):
        return None
    made = {expr.output.id: _measure(expr, groups) for expr in groups.outputs}
    found = {out: made.get(column) for out, column in shown.items()}
    known = {out: measure for out, measure in found.items() if measure is not None}
    return known if len(known) == len(found) else None


def is_global(plan: Step) -> bool:
    """Whether the groups are one that is there even without rows."""
    while (groups := plan.group_by) is None and len(plan.inputs) == 1:
        (plan,) = plan.inputs
    return groups is not None and not groups.keys


def _measure(expr: Expr, groups: GroupBy) -> Measure | None:
    keys = {key.column.id for key in groups.keys if key.column is not None}
    inner = expr.args[0] if expr.kind == "alias" else expr
    if inner in groups.keys or (inner.kind == "column" and inner.output.id in keys):
        return Measure(KEY)
    if inner.kind != "aggregate" or inner.name not in FUNCTIONS or inner.condition is not None or inner.is_distinct:
        return None
    arguments = tuple(map(_without_cast, inner.args))
    if inner.name == "count" and all(each.kind == "literal" and each.value is not None for each in arguments):
        return Measure("count")
    if len(arguments) != 1 or arguments[0].kind != "column":
        return None
    return _of_source(inner.name, arguments[0].output, groups.child)


def _of_source(function: str, column: Column, step: Step) -> Measure | None:
    """Follow a column down to the scan that reads it."""
    while (stored := step.stored_rows) is None:
        if step.projection is not None:
            expr = next(expr for expr in step.projection if expr.output == column)
            if not _names_column(expr):
                return None
            column = expr.columns[0]
        step = next(each for each in step.inputs if column in each.columns)
    fits = function == "count" or column.type in _NUMBERS
    return Measure(function, stored.source, column.name) if fits else None


def _names_column(expr: Expr) -> bool:
    inner = expr.args[0] if expr.kind == "alias" else expr
    return inner.kind == "column"


def _without_cast(expr: Expr) -> Expr:
    """Spark casts to double before it computes a variance."""
    is_cast = expr.kind == "call" and expr.name == "cast" and '"dataType": "double"' in str(expr.value)
    return expr.args[0] if is_cast else expr
