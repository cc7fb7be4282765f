"""Writes names and values into SQL text: quoted columns, literals, typed literals."""

from __future__ import annotations


def quoted(name: str) -> str:
    """A column by its name, whatever stands in it.

    >>> quoted("a `b`.c")
    '`a ``b``.c`'
    """
    return "`" + name.replace("`", "``") + "`"


def text(value: str) -> str:
    """A text as a literal.

    >>> text("it's a \\\\")
    "'it\\\\'s a \\\\\\\\'"
    """
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def typed(value: object, type_name: str) -> str:
    """A value as a literal of this type; Spark reads it from its text, because Python's types do not say how wide."""
    return f"cast(null as {type_name})" if value is None else f"cast({text(written(value))} as {type_name})"


def written(value: object) -> str:
    """A value in the words of SQL."""
    return str(value).lower() if isinstance(value, bool) else str(value)
