"""Which types of SQL hold the values of a dtype of pandera."""

from __future__ import annotations

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_TYPES: dict[str, tuple[str, ...]] = {
    "int8": _WHOLE[:1],
    "int16": _WHOLE[:2],
    "int32": _WHOLE[:3],
    "int64": _WHOLE,
    "float32": ("float",),
    "float64": ("float", "double"),
    "bool": ("boolean",),
    "boolean": ("boolean",),
    "str": ("string",),
    "string": ("string",),
    "date": ("date",),
    "decimal": ("decimal",),
    "datetime64": ("timestamp", "timestamp_ntz"),
}


def sql_types(dtype: object, flavour: str) -> tuple[str, ...] | None:
    """Return the types that fit a dtype; none if pandera has to look at the values. Smaller numbers fit larger types.

    A column of PySpark has just the one type.
    """
    if flavour == "pyspark":
        kind = getattr(dtype, "type", None)
        return None if kind is None else (kind.simpleString(),)
    name = str(dtype).lower().partition("[")[0].partition("(")[0]
    return _TYPES.get(name)
