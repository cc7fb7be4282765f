"""What Spark writes about the columns of an ORC file beside their types, for types that ORC does not have."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from whence.loading.typed_file import NOTE

_KEY = b"spark.sql.catalyst.type"
_MONTHS = "holds intervals of Spark; they are whole numbers of months."
_INSTANTS = "holds times without a zone. Spark wrote them as instants, in a zone that the file does not name."


@dataclass(frozen=True)
class _Meaning:
    """A type with what is to be said about it."""

    type: pa.DataType
    note: str | None = None


def as_spark_meant(field: pa.Field) -> pa.Field:
    """Return a column with the type of its values for Spark: times without a zone are numbers in the file itself."""
    meaning = _meaning(field)
    note = None if meaning.note is None else {NOTE: meaning.note}
    return pa.field(field.name, meaning.type, metadata=note)


def _meaning(field: pa.Field) -> _Meaning:
    said = (field.metadata or {}).get(_KEY, b"").decode()
    if said == "timestamp_ntz" and field.type == pa.int64():
        return _Meaning(pa.timestamp("us"))
    if said == "timestamp" and pa.types.is_timestamp(field.type) and field.type.tz is None:
        return _Meaning(field.type, _INSTANTS)
    if said.startswith("interval") and field.type == pa.int64():
        return _Meaning(pa.duration("us"))
    if said.startswith("interval") and field.type == pa.int32():
        return _Meaning(field.type, _MONTHS)
    return _meaning_of_parts(field.type)


def _meaning_of_parts(kind: pa.DataType) -> _Meaning:
    if not (pa.types.is_list(kind) or pa.types.is_struct(kind) or pa.types.is_map(kind)):
        return _Meaning(kind)
    inner = (
        [kind.key_field, kind.item_field] if pa.types.is_map(kind) else [kind.field(n) for n in range(kind.num_fields)]
    )
    found = [_meaning(each) for each in inner]
    parts = [pa.field(each.name, meaning.type) for each, meaning in zip(inner, found, strict=True)]
    note = next((meaning.note for meaning in found if meaning.note is not None), None)
    if pa.types.is_struct(kind):
        return _Meaning(pa.struct(parts), note)
    if pa.types.is_map(kind):
        return _Meaning(pa.map_(parts[0].type, parts[1].type), note)
    return _Meaning(pa.list_(parts[0].type), note)
