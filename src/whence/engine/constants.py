"""Evaluates constant expressions in Spark."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from py4j.protocol import Py4JJavaError

PLAIN_LITERALS = frozenset(("tinyint", "smallint", "int", "bigint", "boolean", "string"))
"""Types whose literals have their plain value in the plan's JSON, so that Spark need not be asked."""

_EPOCH = dt.date(1970, 1, 1).toordinal()


def constant_value(expr: Any) -> object:  # noqa: ANN401 - a JVM object
    """Return the value of a constant expression; None if it is NULL, of an unsupported type, or fails in Spark."""
    try:
        value, kind = expr.eval(None), str(expr.dataType().typeName())
    except Py4JJavaError:  # an expression that only the optimizer replaces, or one that fails in the query, too
        return None
    if value is None:
        return None
    if kind == "date":
        return dt.date.fromordinal(_EPOCH + value) if 0 < _EPOCH + value <= dt.date.max.toordinal() else None
    if kind == "string":
        return str(value.toString())
    if kind.startswith("decimal"):
        return Decimal(str(value.toString()))
    return value if isinstance(value, int) else None
