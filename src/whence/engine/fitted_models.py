"""Finds fitted Spark ML models in a query: they hold values learned from rows that the plan does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from whence.engine.handles import ExprHandle
from whence.engine.query import Query
from whence.plan.expr import Expr
from whence.plan.expressions import expressions

_MODEL = re.compile(r"org\.apache\.spark\.ml\.(?:\w+\.)*?(\w+Model)\b")
_IMPUTER = "ImputerModel"


def fitted_models(query: Query) -> tuple[str, ...]:
    """Return the class names of the fitted models in a query's expressions, such as `StringIndexerModel`."""
    if query.read.plan is None:
        return ()
    exprs = (expr for step in query.read.plan.walk() for expr in expressions(step))
    return tuple(sorted({model for expr in exprs for node in expr.walk() for model in _models(query, node)}))


def _models(query: Query, node: Expr) -> Iterator[str]:
    if node.name == "scalaudf" and node.handle is not None:
        function = query.handles.expr(cast(ExprHandle, node.handle)).function()
        yield from _MODEL.findall(str(function.getClass().getName()))
    elif _is_imputed(node):
        yield _IMPUTER


def _is_imputed(node: Expr) -> bool:
    """Return whether an expression is what Spark's Imputer writes: one literal for NULL and for NaN, else the value.

    The literal is the mean or median that the Imputer learned.
    """
    if node.kind != "case" or len(node.args) != 5:
        return False
    is_null, first, is_missing, second, value = node.args
    return (
        first.kind == second.kind == "literal"
        and first.value == second.value
        and (is_null.name, is_null.args) == ("isnull", (value,))
        and (is_missing.name, is_missing.args[:1]) == ("equalto", (value,))
        and is_missing.args[1].value == "NaN"
    )
