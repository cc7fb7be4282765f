"""Writes out what Spark reads once and uses twice: the value of BETWEEN and of `nullif`."""

from __future__ import annotations

from whence.plan.expr import Expr, null

_SHORTHANDS = frozenset({"between", "nullif"})


def without_common_expression(expr: Expr) -> Expr:
    """Return `x >= 1 and x <= 2` for `x between 1 and 2`, `if(x = 1, null, x)` for `nullif(x, 1)`; else the expression.

    Spark names what both comparisons read.
    """
    if expr.kind != "call" or expr.name not in _SHORTHANDS or len(expr.args) != 1:
        return expr
    (inside,) = expr.args
    if not (_is_call(inside, "with") and len(inside.args) == 2 and _is_call(inside.args[1], "commonexpressiondef")):
        return _with_branches(inside)
    claim, named = inside.args
    return _with_branches(claim.replace(lambda node: named.args[0] if _is_call(node, "commonexpressionref") else None))


def _with_branches(expr: Expr) -> Expr:
    """What `nullif` stands for, as IF."""
    if not _is_call(expr, "nullifresult"):
        return expr
    condition, value = expr.args
    return Expr("if", (condition, null(value.type or "void"), value), name="if")


def _is_call(expr: Expr, name: str) -> bool:
    """A column may have the name of a function, so the kind decides, too."""
    return expr.kind == "call" and expr.name == name
