"""Which aggregate of which source columns an output column is, as plain data that outlives the plan.

A formula is a tree of nodes: `column` (a column of a source of the plan), `literal`, `aggregate`, `call` and the like
with their arguments, or `unknown` with the reason why it cannot be told. A column that is read several times is one
node in all places that read it: over a chain of n queries that read each column twice, copies would be 2^n nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.plan.expr import Column, Expr
from whence.plan.step import Step

NAME = "formulas"

Formula = dict[str, object]

_Formulas = Mapping[int, Formula]
"""By the id of the column."""


def formulas(plan: Step, shown: Iterable[tuple[Column, str]]) -> dict[str, Formula]:
    """The formula of every output column, by the name it is shown under."""
    known: dict[int, _Formulas] = {}
    for step in reversed(list(plan.walk())):  # inputs first, so that no column is worked out twice
        known[id(step)] = _of_step(step, [known[id(each)] for each in step.inputs])
    return {name: _find(known[id(plan)], column.id) for column, name in shown}


def _of_step(step: Step, below: list[_Formulas]) -> _Formulas:
    if (stored := step.stored_rows) is not None:
        named = {each.id: _source(stored.source, each.name) for each in stored.user_columns}
        return {each.id: named.get(each.id, _unknown("an internal column")) for each in step.columns}
    exprs = step.projection if step.group_by is None else step.group_by.outputs
    if exprs is not None:
        return {each.output.id: _of_expr(_inside(each), below[0]) for each in exprs if each.column is not None}
    if step.traits.passes_formulas:
        return {column: formula for each in reversed(below) for column, formula in each.items()}
    return {each.id: _unknown(f"the step {type(step).__name__}") for each in step.columns}


def _inside(expr: Expr) -> Expr:
    return expr.args[0] if expr.kind == "alias" else expr


def _of_expr(expr: Expr, below: _Formulas) -> Formula:
    match expr.kind:
        case "column":
            return _find(below, expr.output.id)
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


def _find(known: _Formulas, column: int) -> Formula:
    return known.get(column) or _unknown("a column nobody makes")


def _source(source: int, column: str) -> Formula:
    return {"kind": "column", "source": source, "column": column}


def _unknown(why: str) -> Formula:
    return {"kind": "unknown", "why": why}


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
