"""Reads a schema such as `id int, x double` without Spark, as long as its types are plain."""

from __future__ import annotations

import re

import pyarrow as pa

_PLAIN = {
    "tinyint": pa.int8(),
    "byte": pa.int8(),
    "smallint": pa.int16(),
    "short": pa.int16(),
    "int": pa.int32(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "long": pa.int64(),
    "float": pa.float32(),
    "real": pa.float32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
}

_COLUMN = re.compile(r"\s*(?:`((?:[^`]|``)+)`|(\w+))\s*:?\s+([a-zA-Z_]+)(\(\s*(\d+)\s*,\s*(\d+)\s*\))?\s*(?:,|$)")


def plain_schema(text: str) -> pa.Schema | None:
    """Return the Arrow schema, or None if a type is not plain and Spark has to read it.

    >>> plain_schema("id int, `a b` decimal(5,2)").names
    ['id', 'a b']
    """
    fields, place = [], 0
    while place < len(text):
        found = _COLUMN.match(text, place)
        if found is None:
            return None
        quoted, bare, type_name, _, precision, scale = found.groups()
        arrow = _type(type_name.lower(), precision, scale)
        if arrow is None:
            return None
        fields.append(pa.field((quoted or bare).replace("``", "`"), arrow))
        place = found.end()
    return pa.schema(fields) if fields else None


def _type(name: str, precision: str | None, scale: str | None) -> pa.DataType | None:
    if name in ("decimal", "numeric") and precision is not None and scale is not None:
        return pa.decimal128(int(precision), int(scale))
    return None if precision is not None else _PLAIN.get(name)
