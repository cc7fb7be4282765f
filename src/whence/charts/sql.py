"""Write the SQL of charts, with names and values quoted safely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime


def quoted(name: str) -> str:
    """Return a name in back-ticks.

    >>> quoted("a `b`")
    '`a ``b```'
    """
    return "`" + name.replace("`", "``") + "`"


def literal(value: object) -> str:
    """Return a value as a SQL literal.

    >>> literal("it's"), literal(2.5), literal(None)
    ("'it\\\\'s'", '2.5D', 'null')
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            return str(value) if abs(value) < 2**31 else f"{value}L"
        case float():
            # Without the D, Spark reads 2.5 as a decimal.
            return f"{value!r}D" if math.isfinite(value) else f"double('{value}')"
        case datetime():
            return f"timestamp '{value.isoformat(sep=' ')}'"
        case date():
            return f"date '{value.isoformat()}'"
    # Spark reads a backslash in a string literal as an escape.
    return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"


def select(
    items: Mapping[str, str],
    source: str,
    where: Sequence[str] = (),
    group_by: Sequence[str] = (),
) -> str:
    """Return a SELECT over a table or another query.

    >>> select({"x": "a"}, "t", ["a > 1"])
    'select a as x from t where a > 1'
    """
    listed = ", ".join(sql if sql == name else f"{sql} as {name}" for name, sql in items.items())
    text = f"select {listed} from {source}"
    if where:
        text += " where " + " and ".join(where)
    return f"{text} group by {', '.join(group_by)}" if group_by else text


def inner(sql: str) -> str:
    """Return a query in brackets, to be used as a table."""
    return f"({sql})"
