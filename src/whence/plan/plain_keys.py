"""Finds group-bys by stored columns under plain conditions: whence can read their groups from the dataset's files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from whence.model.ids import DatasetId
from whence.plan.common_expressions import without_common_expression
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
    found = plain_columns(aggregate.child, aggregate.keys, constant)
    if found is None or not all(is_plain(column.type) for column in found.columns):
        return None
    names = tuple(column.name for column in found.columns)
    return PlainKeys(found.stored.source, found.stored.dataset, found.stored.rows, names, found.conditions)


@dataclass(frozen=True)
class PlainColumns:
    """The columns of a dataset that some expressions are, and the conditions that its rows have to meet."""

    stored: StoredRows
    columns: tuple[Column, ...]
    conditions: tuple[Condition, ...]


def plain_columns(step: Step, exprs: Sequence[Expr], constant: Constant) -> PlainColumns | None:
    """Return which columns of the one dataset below a step these expressions are; None if one is computed.

    Any type will do for the columns, and plain ones for the conditions.
    """
    conditions = list[Expr]()
    while (stored := step.stored_rows) is None:
        if not step.traits.lets_keys_through:
            return None
        exprs = tuple(map(step.restate_below, exprs))
        conditions = [
            *map(step.restate_below, conditions),
            *(each for own in step.conditions for each in split_conjunction(own)),
        ]
        (step,) = step.inputs
    columns = [named_column(each, stored) for each in exprs]
    met = [_condition(each, stored, constant) for each in conditions]
    if stored.chosen_rids is not None or None in columns or None in met:
        return None
    return PlainColumns(
        stored,
        tuple(each for each in columns if each is not None),
        tuple(each for each in met if each is not None),
    )


def split_conjunction(condition: Expr) -> list[Expr]:
    """Return the conditions that a condition joins by AND, with BETWEEN as two of them."""
    condition = without_common_expression(condition)
    if condition.kind != "and":
        return [condition]
    return [each for arg in condition.args for each in split_conjunction(arg)]


def _is_call(expr: Expr, name: str) -> bool:
    """A column may have the name of a function, so the kind decides, too."""
    return expr.kind == "call" and expr.name == name


def _stored_column(expr: Expr, scan: StoredRows) -> Column | None:
    """The column of the dataset that an expression is, if its values can be compared in files."""
    column = named_column(expr, scan)
    return None if column is None or not is_plain(column.type) else column


def named_column(expr: Expr, scan: StoredRows) -> Column | None:
    """Return the column of the dataset that an expression is, of any type; None if it is computed."""
    if _is_call(expr, "cast") and expr.type == expr.args[0].type:  # as Spark writes where types agree already
        expr = expr.args[0]
    is_here = expr.kind == "column" and expr.column in scan.user_columns and expr.name in scan.positions
    return expr.column if is_here else None


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
