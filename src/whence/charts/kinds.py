"""The kind of a column in a chart: a number, a time, or text that only distinguishes things."""

from __future__ import annotations

from typing import Literal

Kind = Literal["number", "time", "text"]

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")
_TIMES = ("date", "timestamp")


def kind_of(type_name: str) -> Kind:
    """Return the kind of a Spark type.

    >>> kind_of("decimal(10,2)"), kind_of("timestamp_ntz"), kind_of("boolean")
    ('number', 'time', 'text')
    """
    # The prefix "int" also matches Spark's interval types.
    if type_name.startswith(_NUMBERS) and not type_name.startswith("interval"):
        return "number"
    return "time" if type_name.startswith(_TIMES) else "text"
