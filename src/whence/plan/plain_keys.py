"""A group-by whose groups a dataset's own files tell: by columns as they stand there, perhaps of some rows only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.model.ids import DatasetId
from whence.plan.expr import Column, Expr
from whence.plan.expressions import expressions
from whence.plan.repeatable import repeats
from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.scan import Scan

_PLAIN_TYPES = frozenset(("tinyint", "smallint", "int", "bigint", "string", "boolean", "date", "decimal"))
"""Types whose values are equal where their bytes are, in files as in Spark; of floats and times that is not so."""

Constant = Callable[[Expr], object]
"""The value of an expression that reads no column, as Spark finds it; None if it is NULL, or cannot be told."""

_FLIPPED = {
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
    """Values of this type can be compared in files."""
    return type_name.split("(")[0] in _PLAIN_TYPES


def plain_keys(aggregate: Aggregate, constant: Constant) -> PlainKeys | None:
    """The keys of a group-by over one dataset, if they are columns of it and nothing but plain conditions is between.

    A FILTER clause counts rows of its own, and what Spark computes is not worked out here a second time: then None.
    """
    if any(node.condition is not None for expr in expressions(aggregate) for node in expr.walk()):
        return None
    keys, conditions = aggregate.keys, list[Expr]()
    step: Step = aggregate.child
    while not isinstance(step, Scan):
        match step:
            case Project() if type(step) is Project:
                keys = tuple(_before(step, key) for key in keys)
                conditions = [_before(step, each) for each in conditions]
            case Filter() if type(step) is Filter:
                conditions += _all_of(step.condition)
            case Repartition():
                pass
            case _:
                return None
        (step,) = step.inputs
    columns = [_stored(key, step) for key in keys]
    met = [_condition(each, step, constant) for each in conditions]
    if step.only is not None or None in columns or None in met:
        return None
    names = tuple(column.name for column in columns if column is not None)
    return PlainKeys(step.source, step.dataset, step.rows, names, tuple(each for each in met if each is not None))


def _before(project: Project, expr: Expr) -> Expr:
    """What an expression over a projection reads below it."""
    made = {each.output.id: each.args[0] for each in project.exprs if each.kind == "alias"}
    return expr.replace(lambda node: made.get(node.output.id) if node.kind == "column" else None)


def _all_of(condition: Expr) -> list[Expr]:
    condition = _without_between(condition)
    if condition.kind != "and":
        return [condition]
    return [each for arg in condition.args for each in _all_of(arg)]


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


def _stored(expr: Expr, scan: Scan) -> Column | None:
    """The column of the dataset that an expression is."""
    if _is_call(expr, "cast") and expr.type == expr.args[0].type:  # as Spark writes where types agree already
        expr = expr.args[0]
    is_here = expr.kind == "column" and expr.column in scan.shown and expr.name in scan.positions
    return expr.column if is_here and expr.column is not None and is_plain(expr.column.type) else None


def _condition(expr: Expr, scan: Scan, constant: Constant) -> Condition | None:
    if expr.kind == "not":
        inner = _condition(expr.args[0], scan, constant)
        return None if inner is None else replace(inner, is_negated=not inner.is_negated)
    if expr.kind != "call" or expr.name not in {*_FLIPPED, "in", "isnotnull", "isnull"}:
        return None
    name, (read, *others) = expr.name, expr.args
    if name in _FLIPPED and read.kind != "column":
        name, read, others = _FLIPPED[name], others[0], [read]
    column = _stored(read, scan)
    values = tuple(_value(each, constant) for each in others)
    if column is None or None in values:
        return None
    if name == "isnull":
        return Condition(column.name, "isnotnull", is_negated=True)
    return Condition(column.name, name, values)


def _value(expr: Expr, constant: Constant) -> object:
    return None if expr.columns or expr.is_opaque or not repeats(expr) else constant(expr)
