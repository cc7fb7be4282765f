"""Works out expressions that read no column, by Spark itself."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from py4j.protocol import Py4JJavaError

PLAIN_LITERALS = frozenset(("tinyint", "smallint", "int", "bigint", "boolean", "string"))
"""Types of literals whose values stand in the plan's JSON as they are."""

_EPOCH = dt.date(1970, 1, 1).toordinal()


def constant_value(expr: Any) -> object:  # noqa: ANN401 - a JVM object
    """The value in Python's types; None if it is NULL, of another type than the plain ones, or Spark will not tell."""
    try:
        value, kind = expr.eval(None), str(expr.dataType().typeName())
    except Py4JJavaError:  # only the optimizer knows what stands for it, or it fails as the query would
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
