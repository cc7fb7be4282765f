"""Finds the columns of a table in one of its data files, although the file may know them by other names and types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Identity = str | int | None


def name_of(column: pa.Field) -> Identity:
    """Return the name of a column."""
    return str(column.name)


def parquet_id(column: pa.Field) -> Identity:
    """Return the number that a Parquet file gives to a column, or None if it gives none."""
    number = (column.metadata or {}).get(b"PARQUET:field_id")
    return None if number is None else int(number)


@dataclass(frozen=True)
class ColumnRule:
    """What tells a column of a table in its files: its name, another name, or a number that stays when it is renamed.

    The same rule holds for the fields inside structs.
    """

    in_table: Callable[[pa.Field], Identity] = name_of
    in_file: Callable[[pa.Field], Identity] = name_of
    defaults: Mapping[Identity, pa.Scalar] = field(default_factory=dict)
    """The values of columns in files that were written before the columns were added. Others are NULL there."""

    def places(self, wanted: Iterable[pa.Field], found: Sequence[pa.Field]) -> list[int | None]:
        """Return the positions of columns of the table among those of a file. None stands for one that is not there."""
        known = {self.in_file(each): place for place, each in reversed(list(enumerate(found)))}
        known.pop(None, None)
        return [known.get(self.in_table(each)) for each in wanted]

    def missing(self, wanted: pa.Field, rows: int) -> pa.Array:
        """Return the values of a column that a file does not have."""
        default = self.defaults.get(self.in_table(wanted))
        if default is None:
            return pa.nulls(rows, wanted.type)
        return as_type(pa.repeat(default, rows), wanted.type)


def columns_of_table(
    wanted: Sequence[pa.Field], found: Sequence[pa.Field], columns: Sequence[pa.Array], rows: int, rule: ColumnRule
) -> list[pa.Array]:
    """Return columns of the table from the columns of a file, under the types that the table gives to them."""
    return [
        rule.missing(each, rows) if place is None else _under(columns[place], found[place].type, each.type, rule)
        for each, place in zip(wanted, rule.places(wanted, found), strict=True)
    ]


def _under(values: pa.Array, found: pa.DataType, wanted: pa.DataType, rule: ColumnRule) -> pa.Array:
    """Return values under a type of the table. `found` is their type, with what tells the fields of structs."""
    if pa.types.is_struct(wanted) and pa.types.is_struct(found):
        inner = values.flatten()
        fields = columns_of_table(list(wanted), list(found), inner, len(values), rule)
        if not fields:
            return pa.nulls(len(values), wanted)
        return pa.StructArray.from_arrays(fields, fields=list(wanted), mask=values.is_null())
    if pa.types.is_list(wanted) and _is_list(found):
        elements = _under(values.flatten(), found.value_type, wanted.value_type, rule)
        return pa.ListArray.from_arrays(_offsets(values), elements, type=wanted, mask=values.is_null())
    if pa.types.is_map(wanted) and pa.types.is_map(found):
        values = _entries(values)
        keys, items = values.flatten().flatten()
        keys = _under(keys, found.key_type, wanted.key_type, rule)
        items = _under(items, found.item_type, wanted.item_type, rule)
        return pa.MapArray.from_arrays(_offsets(values), keys, items, type=wanted, mask=values.is_null())
    return as_type(values, wanted)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _entries(values: pa.MapArray) -> pa.ListArray:
    """Return maps as lists of their entries."""
    return values.cast(pa.list_(pa.struct([values.type.key_field, values.type.item_field])))


def _offsets(values: pa.Array) -> pa.Array:
    """Return where each list begins among the elements of all lists. A list that is NULL has none."""
    lengths = pc.fill_null(pc.list_value_length(values), 0).to_numpy(zero_copy_only=False)
    return pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())


def as_type(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return the values under another type. Raise an error if one of them does not fit."""
    if isinstance(kind, pa.BaseExtensionType) and values.type != kind:
        return pa.ExtensionArray.from_storage(kind, values.cast(kind.storage_type))
    return values.cast(kind)


def small_types(kind: pa.DataType) -> pa.DataType:
    """Return a type of Arrow with 32-bit lengths wherever it has 64-bit ones, which are for tables in memory.

    >>> small_types(pa.large_list(pa.large_string()))
    ListType(list<item: string>)
    """
    if kind in _SMALL:
        return _SMALL[kind]
    if pa.types.is_struct(kind):
        return pa.struct([_small_field(each) for each in kind])
    if _is_list(kind):
        return pa.list_(_small_field(kind.value_field))
    if pa.types.is_map(kind):
        return pa.map_(_small_field(kind.key_field).with_nullable(False), _small_field(kind.item_field))
    return kind


def _small_field(each: pa.Field) -> pa.Field:
    # A field that a table requires may be missing in an old file all the same.
    return each.with_type(small_types(each.type)).with_nullable(True)


def small_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema with 32-bit lengths, in which every value may be NULL."""
    return pa.schema([_small_field(each) for each in schema])


_SMALL = {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}
