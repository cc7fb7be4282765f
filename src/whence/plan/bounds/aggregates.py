"""Finds the rule that bounds an aggregate of a group."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.groups import AGGREGATES
from whence.plan.bounds.interval import Interval, NoBounds
from whence.plan.bounds.spread import SPREADS
from whence.plan.bounds.terms import GroupRows, find_terms
from whence.plan.expr import Expr, all_of, literal

_OF_DISTINCT = ("min", "max", "count", "sum", "average", "first", "last", "anyvalue")
_COUNT_ROWS = Expr("aggregate", (literal(1, "int"),), name="count")


def bound_aggregate(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """The interval of an aggregate; raises NoBounds if it has none."""
    if function.name == "countif":
        (condition,) = function.args
        passes = condition if function.condition is None else all_of(function.condition, condition)
        return bound_aggregate(replace(_COUNT_ROWS, condition=passes), rows, doubt)
    if function.name in SPREADS:
        return SPREADS[function.name](function, rows, doubt)
    rule = AGGREGATES.get(function.name)
    if rule is None or not function.args or (function.name == "count" and len(function.args) > 1):
        raise NoBounds(f"No rule bounds the aggregate {function.name}.")
    if function.is_distinct and function.name not in _OF_DISTINCT:
        raise NoBounds(f"No rule bounds {function.name} of distinct values.")
    return rule(function, find_terms(function, rows), doubt)
