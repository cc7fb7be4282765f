"""Evaluates small expressions in plain Python with SQL's three values, independently of Spark and of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from whence.plan.expr import Expr

Value = bool | int | None


def evaluate(expr: Expr, row: Mapping[int, Value]) -> Value:  # noqa: C901 - one line per kind of expression
    """The value of an expression on a row given as column id -> value."""
    args = [evaluate(arg, row) for arg in expr.args]
    match expr.kind, expr.name:
        case "column", _:
            return row[expr.output.id]
        case "literal", _:
            assert isinstance(expr.value, bool | int | None)
            return expr.value
        case "and", _:
            return False if False in args else None if None in args else True
        case "or", _:
            return True if True in args else None if None in args else False
        case "not", _:
            return None if args[0] is None else not args[0]
        case (("if" | "case"), _):
            return _case(args)
        case "coalesce", _:
            return next((value for value in args if value is not None), None)
        case _, "isnull":
            return args[0] is None
        case _, "isnotnull":
            return args[0] is not None
        case _, "<=>":
            return args[0] is args[1]
        case _, "equalto":
            return None if None in args else args[0] == args[1]
    raise NotImplementedError(f"{expr.kind} {expr.name}")


def _case(args: list[Value]) -> Value:
    while len(args) > 1:
        condition, then, *args = args
        if condition is True:
            return then
    return args[0] if args else None
