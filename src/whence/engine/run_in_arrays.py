"""Runs a query that is one group-by over one dataset without Spark, from columns of the dataset's files, and finds the
rows of its groups.

A job of Spark costs half a second, whatever it reads. Arrays give the same rows for the functions that they know; for
any other, `run_in_arrays` gives nothing, and the query is Spark's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.engine.array_aggregates import aggregated, measured_exprs
from whence.engine.array_expressions import ArrayExpressions, column_values, keep
from whence.engine.array_groups import GroupNumbers
from whence.engine.array_values import Array, ArrayValues, NotInArrays
from whence.model.schema import Schema
from whence.plan.expr import Column, Expr, SortKey, ref
from whence.plan.grouped_query import GroupedQuery
from whence.store.store import Store

ROWS = range(100_000, 20_000_000)
"""Sizes of datasets for which this pays: below, lineage travels with the rows; above, columns take too much memory."""

_TYPES = {
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "string": pa.string(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
}


def run_in_arrays(store: Store, query: GroupedQuery, schema: Schema) -> pa.Table | None:
    """Return the rows of a query with columns of this schema; None if arrays cannot compute them as Spark does."""
    if query.rows not in ROWS or any(field.type not in _TYPES for field in schema.fields):
        return None
    try:
        groups = _Groups(query)
        for _, table in store.scan(store.by_id(query.dataset), [column.name for column in query.columns]):
            groups.add_rows(table)
        return groups.table(schema)
    except NotInArrays:
        return None


def find_groups_in_arrays(
    store: Store, query: GroupedQuery, shown: pa.Table, schema: Schema
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]] | None:
    """Return the group and the row id of each row of a group; None if arrays cannot tell.

    `shown` are the keys of the groups, and their places in it are their numbers. Groups that it lacks, or has beside
    those of the query, say that arrays compute keys in another way than Spark, and are not believed.
    """
    if query.rows not in ROWS or not query.keys:
        return None
    try:
        numbers, members = GroupNumbers(query.keys), [np.empty(0, np.int64)]
        for first, table in store.scan(store.by_id(query.dataset), [column.name for column in query.columns]):
            values, rows = _rows_met(query, table)
            numbers.add_rows(values, len(rows))
            members.append(rows + first)
        named = [column_values(Column(0, each.name, each.type), shown.column(each.name)) for each in schema.fields]
        places = numbers.places(named)
        return None if places is None else (places[numbers.of_rows], np.concatenate(members))
    except NotInArrays:
        return None


class _Groups:
    """The groups of a query, as its rows come stretch by stretch."""

    def __init__(self, query: GroupedQuery) -> None:
        # Arrays would have to know what an aggregate over no rows is.
        if not query.keys or not query.columns:
            raise NotInArrays("no keys")
        self._query = query
        self._exprs = (*query.outputs, *(key.expr for key in query.order))
        self._measures: dict[Expr, list[ArrayValues]] = {each: [] for each in measured_exprs(self._exprs)}
        self._numbers = GroupNumbers(query.keys)

    def add_rows(self, stored: pa.Table) -> None:
        """Number the groups of the next rows, and keep what aggregates measure."""
        values, rows = _rows_met(self._query, stored)
        self._numbers.add_rows(values, len(rows))
        for expr, parts in self._measures.items():
            parts.append(_filled(values.evaluate(expr), len(rows)))

    def table(self, schema: Schema) -> pa.Table:
        """Return the rows of the query."""
        count = self._numbers.count
        measures = {expr: _joined(parts) for expr, parts in self._measures.items()}
        known = {
            key: self._numbers.key(place, kind)
            for place, (key, kind) in enumerate(zip(self._query.keys, self._numbers.kinds, strict=True))
        }
        values = ArrayExpressions(known | aggregated(self._exprs, measures, self._numbers.of_rows, count))
        found = [values.evaluate(each) for each in self._query.outputs]
        types = [_TYPES[field.type] for field in schema.fields]
        columns = [_arrow(_filled(each, count), made) for each, made in zip(found, types, strict=True)]
        order = [_places(_filled(values.evaluate(key.expr), count), key) for key in self._query.order]
        table = pa.table(columns, names=schema.names)
        # The last key of lexsort counts first.
        return table.take(np.lexsort([part for parts in reversed(order) for part in parts])) if order else table


def _rows_met(query: GroupedQuery, stored: pa.Table) -> tuple[ArrayExpressions, npt.NDArray[np.int64]]:
    """Return the values of the rows that meet the conditions, and the places of these rows."""
    columns = {ref(each): column_values(each, stored.column(place)) for place, each in enumerate(query.columns)}
    values, mask = ArrayExpressions(columns), np.ones(len(stored), dtype=bool)
    for each in query.conditions:
        mask &= values.evaluate(each).is_true
    if mask.all():
        return values, np.arange(len(stored))
    return ArrayExpressions({expr: keep(each, mask) for expr, each in columns.items()}), np.flatnonzero(mask)


def _filled(values: ArrayValues, rows: int) -> ArrayValues:
    """Return one value for each row, also of a constant."""
    if isinstance(values.data, pa.ChunkedArray):
        return values
    valid = None if values.valid is None else np.broadcast_to(values.valid, (rows,))
    return ArrayValues(np.broadcast_to(values.data, (rows,)), values.kind, valid)


def _joined(parts: Sequence[ArrayValues]) -> ArrayValues:
    valid = None
    if any(each.valid is not None for each in parts):
        valid = np.concatenate([each.is_valid for each in parts])
    return ArrayValues(np.concatenate([each.numbers for each in parts]), parts[0].kind, valid)


def _arrow(values: ArrayValues, type_of: pa.DataType) -> pa.ChunkedArray | pa.Array:
    if isinstance(values.data, pa.ChunkedArray):
        return values.data.cast(type_of)
    made = pa.array(values.data, mask=None if values.valid is None else ~values.valid)
    # Arrow makes no date of 64 bits.
    return (made.cast(pa.int32()) if pa.types.is_date32(type_of) else made).cast(type_of)


def _places(values: ArrayValues, key: SortKey) -> tuple[Array, Array]:
    """Return the place of each row in the order of a key, and what puts NULLs first or last, which counts more."""
    if isinstance(values.data, pa.ChunkedArray):
        # Spark compares the bytes of texts.
        texts = np.array([(each or "").encode() for each in values.data.to_pylist()], dtype=object)
        _, places = np.unique(texts, return_inverse=True)
    else:
        _, places = np.unique(values.numbers, return_inverse=True)
    missing = ~values.is_valid
    places = np.where(missing, 0, -places if key.is_descending else places)
    return places, ~missing if key.has_nulls_first else missing
