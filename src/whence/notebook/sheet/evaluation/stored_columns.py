"""Whole columns without their formulas, cached between edits, so that a keystroke replaces only a few values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from weakref import ref

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.convert import converted
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.evaluation.column_values import ColumnValues, cast
from whence.notebook.sheet.evaluation.leaves import Leaves
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.ladder import arrow_type
from whence.notebook.sheet.order import Order
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import Codes, SheetColumn, SheetState

_FEW = 256
"""Up to this many values are replaced by copying the stretches between them, without a mask over all rows."""


@dataclass(frozen=True)
class _CachedColumn:
    """The values of one version of a column, and what else they depend on."""

    column: SheetColumn
    around: tuple[ref[Order] | int, str]
    """By position, the order; by row number, how many rows there are. Then the column's type."""
    whole: ColumnValues
    stale: frozenset[int] = frozenset()
    """Rows that changed since and were not read again yet."""


class StoredColumns:
    """Two caches of columns without formulas: by position, and by row number, which another order leaves valid."""

    def __init__(self, state: SheetState, types: ColumnTypes, leaves: Leaves) -> None:
        self._state = state
        self._types = types
        self._leaves = leaves
        self._by_position: dict[str, _CachedColumn] = {}
        self._by_number: dict[str, _CachedColumn] = {}

    def of(self, column: SheetColumn) -> ColumnValues:
        """Return a column without its formulas. It changes only when the column, its type or the order does."""
        # A weak reference: undo frees an order, and Python gives the `id` of what is freed to another one.
        around = ref(self._state.order), self._types.all[column.id]
        known = self._by_position.get(column.id)
        if known is None or known.around != around or known.column.version != column.version:
            whole = None if known is None or known.around != around else self._patched(known, column)
            known = self._by_position[column.id] = _CachedColumn(column, around, whole or self._read_column(column))
            if self._state.order.is_plain and self._state.order.count == self._state.rows:
                # Positions are still row numbers, so the other cache gets the values, too: the first sort needs them.
                self._by_number[column.id] = _CachedColumn(column, (self._state.rows, around[1]), known.whole)
        return known.whole

    def _patched(self, known: _CachedColumn, column: SheetColumn) -> ColumnValues | None:
        """Return the cached column with the few cells replaced that an edit or its undo changed; None if more did."""
        rows = _between(known.column, column)
        if rows is None:
            return None
        self._note_stale(known, column, rows)
        positions = self._state.order.positions(np.array(rows, dtype=np.int64))
        positions = np.unique(positions[positions >= 0])
        return self._replaced(known.whole, column, self._state.order.take(positions), positions)

    def _note_stale(self, known: _CachedColumn, column: SheetColumn, rows: tuple[int, ...]) -> None:
        """Note changed rows for the cache by row number. Copying the column at each keystroke would take too long."""
        numbered = self._by_number.get(column.id)
        if numbered is not None and numbered.column.version == known.column.version:
            self._by_number[column.id] = replace(numbered, column=column, stale=numbered.stale | set(rows))

    def _replaced(
        self, whole: ColumnValues, column: SheetColumn, rows: Rows, places: Rows | None = None
    ) -> ColumnValues:
        """Return the column with the cells of these rows read again; they stand at `places`, else at their numbers."""
        at = rows if places is None else places
        if not len(at):
            return whole
        found = self._leaves.of_rows(column, rows)
        again = set(at.tolist())
        errors = {place: failure for place, failure in whole.errors.items() if place not in again}
        pairs = zip(at.tolist(), found, strict=True)
        errors |= {place: leaf for place, leaf in pairs if isinstance(leaf, FormulaError)}
        type_name = self._types.all[column.id]
        typed = [None if isinstance(leaf, FormulaError) else converted(leaf, type_name) for leaf in found]
        return ColumnValues(_put(whole.values, at, pa.array(typed, whole.values.type)), errors)

    def _read_column(self, column: SheetColumn) -> ColumnValues:
        order = self._state.order
        if order.is_plain and column.is_untouched:
            return self._of_rows(column)
        found = self._numbered(column)
        if order.is_plain:
            return found
        places = order.positions(np.fromiter(found.errors, dtype=np.int64, count=len(found.errors)))
        errors = {place: each for place, each in zip(places.tolist(), found.errors.values(), strict=True) if place >= 0}
        return ColumnValues(_arranged(found.values, order), errors)

    def _numbered(self, column: SheetColumn) -> ColumnValues:
        """Return a column by row number, so that another order does not read every edit again."""
        around = self._state.rows, self._types.all[column.id]
        known = self._by_number.get(column.id)
        if known is None or known.around != around or known.column.version != column.version or known.stale:
            whole = None if known is None or known.around[1] != around[1] else self._grown(known, column)
            known = self._by_number[column.id] = _CachedColumn(column, around, whole or self._of_rows(column))
        return known.whole

    def _grown(self, known: _CachedColumn, column: SheetColumn) -> ColumnValues | None:
        """Return the cached column with inserted rows added and changed cells replaced; None if that is not enough."""
        rows = () if known.column.version == column.version else _between(known.column, column)
        missing = self._state.rows - len(known.whole.values)
        if rows is None or missing < 0:  # below 0: an insertion was undone
            return None
        values = known.whole.values
        if missing:
            values = pa.concat_arrays([values, pa.nulls(missing, values.type)])
        again = np.array(sorted(row for row in {*rows, *known.stale} if row < self._state.rows), dtype=np.int64)
        return self._replaced(ColumnValues(values, known.whole.errors), column, again)

    def _of_rows(self, column: SheetColumn) -> ColumnValues:
        type_name = self._types.all[column.id]
        kind = arrow_type(type_name)
        values = self._data(column)
        values = values if kind is None else cast(values, kind)
        if column.is_untouched:
            return ColumnValues(values, {})
        # Each content is read and converted once, however many rows a layer puts it into.
        codes, contents = column.coded(np.arange(self._state.rows, dtype=np.int64))
        places = np.flatnonzero(codes)
        leaves = [self._leaves.leaf(column, content) for content in contents]
        failed = {number: leaf for number, leaf in enumerate(leaves, start=1) if isinstance(leaf, FormulaError)}
        errors = {place: failed[code] for place, code in _coded_as(codes, failed)}
        typed = [None if isinstance(leaf, FormulaError) else converted(leaf, type_name) for leaf in leaves]
        given = pa.array(typed, values.type).take(pa.array(codes[places] - 1))
        return ColumnValues(pc.replace_with_mask(values, codes != 0, given), errors)

    def _data(self, column: SheetColumn) -> pa.Array:
        """Return the data of a column by row number, null in inserted rows."""
        if column.base is None or column.hides_data:
            return pa.nulls(self._state.rows, arrow_type(self._types.all[column.id]))
        values = self._state.source.column(column.base)
        new = self._state.rows - len(values)
        return pa.concat_arrays([values, pa.nulls(new, values.type)]) if new else values


def _put(values: pa.Array, at: Rows, given: pa.Array) -> pa.Array:
    """Return the array with other values at these sorted places; for a few, the stretches between are copied whole."""
    if len(at) > _FEW:
        mask = np.zeros(len(values), dtype=bool)
        mask[at] = True
        return pc.replace_with_mask(values, mask, given)
    pieces, start = [], 0
    for number, place in enumerate(at.tolist()):
        pieces += [values.slice(start, place - start), given.slice(number, 1)]
        start = place + 1
    return pa.concat_arrays([*pieces, values.slice(start)])


def _arranged(values: pa.Array, order: Order) -> pa.Array:
    """Return values by row number in another order; rows that stayed together are copied as slices."""
    stretches = order.stretches
    if stretches is None:
        return values.take(pa.array(order.rows))
    pieces = [values.slice(start, stop - start) for start, stop in stretches]
    return pa.concat_arrays(pieces) if pieces else values.slice(0, 0)


def _coded_as(codes: Codes, wanted: Mapping[int, object]) -> Iterator[tuple[int, int]]:
    """Yield the places that have one of these codes, each with its code."""
    if wanted:
        for place in np.flatnonzero(np.isin(codes, list(wanted))).tolist():
            yield place, int(codes[place])


def _between(before: SheetColumn, after: SheetColumn) -> tuple[int, ...] | None:
    """Return the rows in which two versions of a column differ; None unless one directly follows the other."""
    if after.changed is not None and after.changed[0] == before.version:
        return after.changed[1]
    return before.changed[1] if before.changed is not None and before.changed[0] == after.version else None
