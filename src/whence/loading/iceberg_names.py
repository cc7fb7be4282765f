"""Numbers the columns of a file that has no numbers, as the name mapping of an Iceberg table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

Mapped = Sequence[Mapping[str, Any]]
"""For each column the names it may have in files, its number, and the same of the fields inside it."""


def with_mapped_ids(schema: pa.Schema, mapping: Mapped) -> pa.Schema:
    """Return the columns of a file with the numbers that their names stand for.

    >>> mapped = with_mapped_ids(pa.schema({"old": pa.int64()}), [{"field-id": 4, "names": ["old", "new"]}])
    >>> mapped.field(0).metadata
    {b'PARQUET:field_id': b'4'}
    """
    return pa.schema([_numbered(each, mapping, each.name) for each in schema])


def _numbered(column: pa.Field, mapping: Mapped, name: str) -> pa.Field:
    found = next((each for each in mapping if name in each.get("names", ())), None)
    if found is None:
        return column
    kind = _with_numbers_inside(column.type, found.get("fields", ()))
    number = found.get("field-id")
    metadata = None if number is None else {"PARQUET:field_id": str(number)}
    return pa.field(column.name, kind, column.nullable, metadata)


def _with_numbers_inside(kind: pa.DataType, mapping: Mapped) -> pa.DataType:
    if pa.types.is_struct(kind):
        return pa.struct([_numbered(each, mapping, each.name) for each in kind])
    if pa.types.is_list(kind):
        return pa.list_(_numbered(kind.value_field, mapping, "element"))
    if pa.types.is_map(kind):
        return pa.map_(_numbered(kind.key_field, mapping, "key"), _numbered(kind.item_field, mapping, "value"))
    return kind
