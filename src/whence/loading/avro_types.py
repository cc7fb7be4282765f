"""The Arrow type of each Avro type, and how values as they are written become values of it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import partial
from typing import cast
from uuid import UUID

import pyarrow as pa

from whence.loading.json_text import as_json_text
from whence.loading.typed_file import NOTE
from whence.model.errors import BadInput

Node = str | list["Node"] | dict[str, "Node"]
"""A schema, or a part of one, as its JSON document."""
Convert = Callable[[object], object]

_PLAIN = {
    "null": pa.null(),
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bytes": pa.binary(),
    "string": pa.string(),
    "enum": pa.string(),
}
_LOGICAL = {
    "date": pa.date32(),
    "time-millis": pa.time32("ms"),
    "time-micros": pa.time64("us"),
    "timestamp-millis": pa.timestamp("ms", "UTC"),
    "timestamp-micros": pa.timestamp("us", "UTC"),
    "timestamp-nanos": pa.timestamp("ns", "UTC"),
    "local-timestamp-millis": pa.timestamp("ms"),
    "local-timestamp-micros": pa.timestamp("us"),
    "local-timestamp-nanos": pa.timestamp("ns"),
}
_WIDER = ((frozenset({"int", "long"}), pa.int64()), (frozenset({"float", "double"}), pa.float64()))
"""Unions whose values all have a place in the wider of their types."""
_MOST_DIGITS = 76
_ALL_DIGITS = Context(prec=1_000)
_SEVERAL = "holds values of several types; they are JSON text, as the file has them."
_RECURSIVE = "holds records of their own type; they are JSON text, as the file has them."


@dataclass(frozen=True)
class AvroType:
    """An Arrow type, and the conversion of a value as it is written. None means that the value stays as it is."""

    arrow: pa.DataType
    convert: Convert | None = None
    note: str | None = None
    """What the type does not say about the values, if it is only text."""

    def __call__(self, value: object) -> object:
        return value if value is None or self.convert is None else self.convert(value)


@dataclass(frozen=True)
class AvroColumn:
    """One column of an Avro file."""

    name: str
    type: AvroType
    is_record_field: bool = True

    @property
    def field(self) -> pa.Field:
        """The column in a schema of Arrow."""
        note = self.type.note
        return pa.field(self.name, self.type.arrow, metadata=None if note is None else {NOTE: note})

    def array(self, records: Sequence[object]) -> pa.Array:
        """Return the column of these records."""
        values = [cast("dict[str, object]", each)[self.name] for each in records] if self.is_record_field else records
        if self.type.convert is not None:
            values = [self.type(value) for value in values]
        try:
            return pa.array(values, self.type.arrow)
        except UnicodeEncodeError as error:
            if self.type.arrow != pa.string():
                raise BadInput(f"Column {self.name} holds text that is not UTF-8 inside a nested value.") from error
            return _unchecked_texts(cast("Sequence[str | None]", values))


def columns_of(schema: Node) -> list[AvroColumn]:
    """Return the columns of a schema whose named types are written out. Values that are no records are one column."""
    if isinstance(schema, dict) and schema["type"] == "record":
        fields = cast("list[dict[str, Node]]", schema["fields"])
        return [AvroColumn(str(each["name"]), type_of(each["type"])) for each in fields]
    return [AvroColumn("value", type_of(schema), is_record_field=False)]


def without_logical_types(schema: Node) -> Node:
    """Return a schema under which values are read as they are written: a date as its number of days."""
    if isinstance(schema, dict):
        return {key: without_logical_types(each) for key, each in schema.items() if key != "logicalType"}
    return [without_logical_types(each) for each in schema] if isinstance(schema, list) else schema


def type_of(node: Node) -> AvroType:
    """Return the type of a part of a schema."""
    if isinstance(node, list):
        return _union(node)
    if isinstance(node, str):
        return AvroType(_PLAIN[node]) if node in _PLAIN else AvroType(pa.string(), as_json_text, _RECURSIVE)
    if isinstance(node["type"], dict | list):
        return type_of(node["type"])
    return _logical(node) or _complex(node)


def _union(branches: Sequence[Node]) -> AvroType:
    some = [each for each in branches if each not in ("null", {"type": "null"})]
    if len(some) <= 1:
        return type_of(some[0] if some else "null")
    names = frozenset(each for each in some if isinstance(each, str))
    wider = next((kind for kinds, kind in _WIDER if len(some) == len(names) and names <= kinds), None)
    return AvroType(pa.string(), as_json_text, _SEVERAL) if wider is None else AvroType(wider)


def _logical(node: Mapping[str, Node]) -> AvroType | None:
    """Return the type that a logical type stands for, or None if there is none: such types may be ignored."""
    logical, size = str(node.get("logicalType")), node.get("size")
    if logical in _LOGICAL and node["type"] in ("int", "long"):
        return AvroType(_LOGICAL[logical])
    if logical == "decimal" and node["type"] in ("bytes", "fixed"):
        return _decimal(cast(int, node["precision"]), cast(int, node.get("scale", 0)))
    if logical == "uuid" and node["type"] == "fixed" and cast(int, size) == 16:
        return AvroType(pa.string(), lambda value: str(UUID(bytes=cast(bytes, value))))
    if logical == "duration" and node["type"] == "fixed" and cast(int, size) == 12:
        return AvroType(pa.month_day_nano_interval(), _interval)
    return None


def _decimal(precision: int, scale: int) -> AvroType:
    if precision <= _MOST_DIGITS:
        kind = pa.decimal128 if precision <= 38 else pa.decimal256
        return AvroType(kind(precision, scale), partial(_decimal_value, scale))
    note = "holds numbers of more than 76 digits; they are text."
    return AvroType(pa.string(), lambda value: str(_decimal_value(scale, value)), note)


def _decimal_value(scale: int, value: object) -> Decimal:
    return Decimal(int.from_bytes(cast(bytes, value), "big", signed=True)).scaleb(-scale, _ALL_DIGITS)


def _interval(value: object) -> pa.MonthDayNano:
    months, days, milliseconds = struct.unpack("<III", cast(bytes, value))
    return pa.MonthDayNano([months, days, milliseconds * 1_000_000])


def _complex(node: Mapping[str, Node]) -> AvroType:
    if node["type"] == "fixed":
        return AvroType(pa.binary(cast(int, node["size"])))
    if node["type"] == "array":
        return _array(type_of(node["items"]))
    if node["type"] == "map":
        return _map(type_of(node["values"]))
    if node["type"] == "record":
        fields = cast("list[dict[str, Node]]", node["fields"])
        return _record({str(each["name"]): type_of(each["type"]) for each in fields})
    return type_of(node["type"])


def _array(item: AvroType) -> AvroType:
    kind = pa.list_(item.arrow)
    if item.convert is None:
        return AvroType(kind, note=item.note)
    return AvroType(kind, lambda value: [item(each) for each in cast("list[object]", value)], item.note)


def _map(item: AvroType) -> AvroType:
    def pairs(value: object) -> object:
        return [(key, item(each)) for key, each in cast("dict[str, object]", value).items()]

    return AvroType(pa.map_(pa.string(), item.arrow), pairs, item.note)


def _record(fields: Mapping[str, AvroType]) -> AvroType:
    kind = pa.struct([pa.field(name, each.arrow) for name, each in fields.items()])
    note = next((each.note for each in fields.values() if each.note is not None), None)
    if all(each.convert is None for each in fields.values()):
        return AvroType(kind, note=note)

    def values(value: object) -> object:
        return {name: fields[name](each) for name, each in cast("dict[str, object]", value).items()}

    return AvroType(kind, values, note)


def _unchecked_texts(values: Sequence[str | None]) -> pa.Array:
    """Return texts with the bytes that they have in the file, also where these are not UTF-8."""
    data = [None if value is None else value.encode("utf-8", "surrogateescape") for value in values]
    return pa.array(data, pa.binary()).cast(pa.string(), safe=False)
