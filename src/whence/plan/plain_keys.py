"""Finds group-bys by stored columns under plain conditions: whence can read their groups from the dataset's files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.model.ids import DatasetId
from whence.plan.expr import Column, Expr
from whence.plan.repeatable import repeats
from whence.plan.step import GroupBy, Step
from whence.plan.stored_rows import StoredRows

_PLAIN_TYPES = frozenset(("tinyint", "smallint", "int", "bigint", "string", "boolean", "date", "decimal"))
"""Types for which equal bytes in a file mean equal values in Spark; floats and times are not among them."""

Constant = Callable[[Expr], object]
"""The value of an expression that reads no column, as Spark finds it; None if it is NULL, or cannot be told."""

_MIRRORED = {
    "lessthan": "greaterthan",
    "lessthanorequal": "greaterthanorequal",
    "greaterthan": "lessthan",
    "greaterthanorequal": "lessthanorequal",
    "equalto": "equalto",
}


@dataclass(frozen=True)
class Condition:
    """A column compared with a value, by the name of Spark's comparison; `in` has several, `isnotnull` has none."""

    column: str
    comparison: str
    values: tuple[object, ...] = ()
    is_negated: bool = False


@dataclass(frozen=True)
class PlainKeys:
    """The columns of one source that groups are made by, and the conditions that its rows have to meet, all of them."""

    source: int
    dataset: DatasetId
    rows: int
    columns: tuple[str, ...]
    conditions: tuple[Condition, ...] = ()


def is_plain(type_name: str) -> bool:
    """Whether values of this type can be compared in files, without Spark."""
    return type_name.split("(")[0] in _PLAIN_TYPES


def plain_keys(aggregate: GroupBy, constant: Constant) -> PlainKeys | None:
    """The keys of a group-by over one dataset, if they are columns of it and nothing but plain conditions is between.

    A FILTER clause counts rows of its own, and what Spark computes is not worked out here a second time: then None.
    """
    if any(node.condition is not None for expr in (*aggregate.keys, *aggregate.outputs) for node in expr.walk()):
        return None
    keys, conditions = aggregate.keys, list[Expr]()
    step: Step = aggregate.child
    while (stored := step.stored_rows) is None:
        if not step.traits.lets_keys_through:
            return None
        keys = tuple(map(step.restate_below, keys))
        conditions = [
            *map(step.restate_below, conditions),
            *(each for own in step.conditions for each in _split_conjunction(own)),
        ]
        (step,) = step.inputs
    columns = [_stored_column(key, stored) for key in keys]
    met = [_condition(each, stored, constant) for each in conditions]
    if stored.chosen_rids is not None or None in columns or None in met:
        return None
    names = tuple(column.name for column in columns if column is not None)
    return PlainKeys(stored.source, stored.dataset, stored.rows, names, tuple(each for each in met if each is not None))


def _split_conjunction(condition: Expr) -> list[Expr]:
    condition = _without_between(condition)
    if condition.kind != "and":
        return [condition]
    return [each for arg in condition.args for each in _split_conjunction(arg)]


def _without_between(expr: Expr) -> Expr:
    """The two comparisons that BETWEEN stands for; Spark names what both of them read."""
    inside = expr.args[0] if _is_call(expr, "between") else expr
    if not (_is_call(inside, "with") and len(inside.args) == 2 and _is_call(inside.args[1], "commonexpressiondef")):
        return expr
    claim, named = inside.args
    return claim.replace(lambda node: named.args[0] if _is_call(node, "commonexpressionref") else None)


def _is_call(expr: Expr, name: str) -> bool:
    """A column may have the name of a function, so the kind decides, too."""
    return expr.kind == "call" and expr.name == name


def _stored_column(expr: Expr, scan: StoredRows) -> Column | None:
    """The column of the dataset that an expression is."""
    if _is_call(expr, "cast") and expr.type == expr.args[0].type:  # as Spark writes where types agree already
        expr = expr.args[0]
    is_here = expr.kind == "column" and expr.column in scan.user_columns and expr.name in scan.positions
    return expr.column if is_here and expr.column is not None and is_plain(expr.column.type) else None


def _condition(expr: Expr, scan: StoredRows, constant: Constant) -> Condition | None:
    if expr.kind == "not":
        inner = _condition(expr.args[0], scan, constant)
        return None if inner is None else replace(inner, is_negated=not inner.is_negated)
    if expr.kind != "call" or expr.name not in {*_MIRRORED, "in", "isnotnull", "isnull"}:
        return None
    name, (read, *others) = expr.name, expr.args
    if name in _MIRRORED and read.kind != "column":
        name, read, others = _MIRRORED[name], others[0], [read]
    column = _stored_column(read, scan)
    values = tuple(_value(each, constant) for each in others)
    if column is None or None in values:
        return None
    if name == "isnull":
        return Condition(column.name, "isnotnull", is_negated=True)
    return Condition(column.name, name, values)


def _value(expr: Expr, constant: Constant) -> object:
    return None if expr.columns or expr.is_opaque or not repeats(expr) else constant(expr)
