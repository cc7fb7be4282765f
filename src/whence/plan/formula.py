"""Which aggregate of which source columns an output column is, as plain data that outlives the plan.

A formula is a tree of nodes: `column` (a column of a source of the plan), `literal`, `aggregate`, `call` and the like
with their arguments, or `unknown` with the reason why it cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.expr import Column, Expr
from whence.plan.step import Step

NAME = "formulas"

Formula = dict[str, object]


def formulas(plan: Step, shown: Iterable[tuple[Column, str]]) -> dict[str, Formula]:
    """The formula of every output column, by the name it is shown under."""
    return {name: _of_column(plan, column.id) for column, name in shown}


def _of_column(step: Step, column: int) -> Formula:
    if (stored := step.stored_rows) is not None:
        found = next((each for each in stored.user_columns if each.id == column), None)
        return _unknown("an internal column") if found is None else _source(stored.source, found.name)
    exprs = step.projection if step.group_by is None else step.group_by.outputs
    if exprs is not None:
        expr = next((each for each in exprs if each.column is not None and each.output.id == column), None)
        return _unknown("a column nobody makes") if expr is None else _of_expr(_inside(expr), step.inputs[0])
    if step.traits.passes_formulas:
        below = next((each for each in step.inputs if any(one.id == column for one in each.columns)), None)
        return _unknown("a column nobody makes") if below is None else _of_column(below, column)
    return _unknown(f"the step {type(step).__name__}")


def _inside(expr: Expr) -> Expr:
    return expr.args[0] if expr.kind == "alias" else expr


def _of_expr(expr: Expr, below: Step) -> Formula:
    match expr.kind:
        case "column":
            return _of_column(below, expr.output.id)
        case "alias" | "caveat":
            return _of_expr(expr.args[0], below)
        case "literal":
            return {"kind": "literal", "value": _plain(expr.value), "type": expr.type}
        case "opaque" | "window":
            return _unknown(f"the expression {expr.name}")
    args = [_of_expr(arg, below) for arg in expr.args]
    node: Formula = {"kind": expr.kind, "name": expr.name, "args": args}
    if isinstance(expr.value, str):
        node["fields"] = expr.value
    if expr.kind == "aggregate":
        node["distinct"] = expr.is_distinct
        node["filter"] = None if expr.condition is None else _of_expr(expr.condition, below)
    return node


def _source(source: int, column: str) -> Formula:
    return {"kind": "column", "source": source, "column": column}


def _unknown(why: str) -> Formula:
    return {"kind": "unknown", "why": why}


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
