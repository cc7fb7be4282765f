"""The Arrow types that can be stored, Spark's name for each, and conversions from other types."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from whence.model.errors import BadInput, NotSupported
from whence.model.schema import INTERNAL_PREFIX, Field, Schema, field_name

_NAMES: dict[pa.DataType, str] = {
    pa.int64(): "bigint",
    pa.int32(): "int",
    pa.int16(): "smallint",
    pa.int8(): "tinyint",
    pa.float64(): "double",
    pa.float32(): "float",
    pa.bool_(): "boolean",
    pa.string(): "string",
    pa.binary(): "binary",
    pa.date32(): "date",
    pa.timestamp("us", "UTC"): "timestamp",
    pa.timestamp("us"): "timestamp_ntz",
}

_WIDENED: dict[pa.DataType, pa.DataType] = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),  # 2**64 - 1 has 20 digits
    pa.float16(): pa.float32(),
    pa.date64(): pa.date32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
    pa.null(): pa.string(),
}


_TYPE_NAME = b"whence.type"
"""Metadata of a field: Spark's name of its type, where Arrow's type does not tell it."""

_VARIANT = pa.struct([pa.field("value", pa.binary()), pa.field("metadata", pa.binary(), metadata={"variant": "true"})])
"""The struct in which Spark hands out variants. Here its fields may be NULL, because a missing variant has none."""


def is_variant(arrow: pa.DataType) -> bool:
    """Whether a struct is a variant. Spark says so in the metadata of its `metadata` field."""
    if not pa.types.is_struct(arrow) or {field.name for field in arrow} != {"value", "metadata"}:
        return False
    return (arrow.field("metadata").metadata or {}).get(b"variant") == b"true"


def spark_type(arrow: pa.DataType) -> str:
    """Return Spark's name of a storable Arrow type.

    >>> spark_type(pa.list_(pa.decimal128(10, 2)))
    'array<decimal(10,2)>'
    """
    if arrow in _NAMES:
        return _NAMES[arrow]
    if pa.types.is_decimal128(arrow):
        return f"decimal({arrow.precision},{arrow.scale})"
    if pa.types.is_list(arrow):
        return f"array<{spark_type(arrow.value_type)}>"
    if is_variant(arrow):
        return "variant"
    if pa.types.is_struct(arrow):
        return f"struct<{','.join(f'{field_name(field.name)}:{spark_type(field.type)}' for field in arrow)}>"
    if pa.types.is_map(arrow):
        return f"map<{spark_type(arrow.key_type)},{spark_type(arrow.item_type)}>"
    raise _no_place_for(arrow)


def is_storable(arrow: pa.DataType) -> bool:
    """Whether a column of this type, which is not nested, is stored as it is.

    >>> is_storable(pa.decimal128(10, 2)), is_storable(pa.timestamp("ns"))
    (True, False)
    """
    return arrow in _NAMES or (pa.types.is_decimal128(arrow) and arrow.scale >= 0)


def storable_type(arrow: pa.DataType) -> pa.DataType:
    """Return the storable type that holds every value of the given type."""
    if arrow in _NAMES:
        return arrow
    if arrow in _WIDENED:
        return _WIDENED[arrow]
    if pa.types.is_dictionary(arrow) or pa.types.is_run_end_encoded(arrow):
        return storable_type(arrow.value_type)
    if pa.types.is_fixed_size_binary(arrow):
        return pa.binary()
    if pa.types.is_timestamp(arrow):
        # Spark reads microseconds. An instant is the same instant in every zone.
        return pa.timestamp("us", "UTC" if arrow.tz else None)
    if pa.types.is_decimal(arrow) and arrow.precision <= 38 and arrow.scale >= 0:
        return pa.decimal128(arrow.precision, arrow.scale)
    return _storable_nested(arrow)


def _storable_nested(arrow: pa.DataType) -> pa.DataType:
    if is_variant(arrow):
        return _VARIANT
    if pa.types.is_map(arrow):
        return pa.map_(storable_type(arrow.key_type), storable_type(arrow.item_type))
    if pa.types.is_struct(arrow):
        return pa.struct([pa.field(field.name, storable_type(field.type)) for field in arrow])
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow) or pa.types.is_fixed_size_list(arrow):
        return pa.list_(storable_type(arrow.value_type))
    raise _no_place_for(arrow)


def storable_schema(arrow: pa.Schema) -> pa.Schema:
    """Return the schema of a part file for batches of the given schema."""
    return pa.schema([_storable_field(field) for field in arrow])


def _storable_field(field: pa.Field) -> pa.Field:
    try:
        stated = (field.metadata or {}).get(_TYPE_NAME)
        metadata = None if stated is None else {_TYPE_NAME: stated}
        return pa.field(field.name, storable_type(field.type), metadata=metadata)
    except NotSupported as error:
        raise NotSupported(f"Column {field.name}: {error.message}", error.hint) from None


def storable(table: pa.Table) -> pa.Table:
    """Return the same values in storable types. Raise `BadInput` rather than change a value silently."""
    target = storable_schema(table.schema)
    if table.schema.equals(target, check_metadata=False):
        return table
    try:
        return table.cast(target)
    except pa.ArrowInvalid as error:
        raise BadInput(f"A value would change when stored: {error}.", "Round or cast the column first.") from error


def schema_of(arrow: pa.Schema) -> Schema:
    """Return the user's columns of a stored file, with Spark's type names."""
    fields = storable_schema(arrow)
    return Schema(tuple(Field(f.name, _type_name(f)) for f in fields if not f.name.startswith(INTERNAL_PREFIX)))


def with_collations(arrow: pa.Schema, types: Sequence[str]) -> pa.Schema:
    """Return a schema that names Spark's types where these have a collation, which Arrow's types do not say.

    >>> schema_of(with_collations(pa.schema({"s": pa.string()}), ["string collate UTF8_LCASE"])).fields[0].type
    'string collate UTF8_LCASE'
    """
    named = zip(arrow, types, strict=True)
    return pa.schema([f.with_metadata({_TYPE_NAME: name}) if " collate " in name else f for f, name in named])


def _type_name(field: pa.Field) -> str:
    stated = (field.metadata or {}).get(_TYPE_NAME)
    return spark_type(field.type) if stated is None else stated.decode()


def _no_place_for(arrow: pa.DataType) -> NotSupported:
    return NotSupported(f"Values of type {arrow} cannot be stored.", "Cast them to a number, a date, a time or text.")
