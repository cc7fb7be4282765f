"""Finds the group of each input row without Spark: by the key columns in the dataset's files and in the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.plan.plain_keys import Condition, PlainKeys
from whence.store.store import Store

ROWS = range(100_000, 50_000_000)
"""Sizes of sources for which this pays: below, ids that travel cost as little; above, Spark reads columns faster."""

_COMPARISONS = {
    "lessthan": pc.less,
    "lessthanorequal": pc.less_equal,
    "greaterthan": pc.greater,
    "greaterthanorequal": pc.greater_equal,
    "equalto": pc.equal,
}


def find_groups_by_keys(store: Store, keys: PlainKeys, shown: pa.Table, rows: int) -> Block:
    """Return the derivations of a group-by from one source; `shown` holds the keys of its result rows.

    The source is read stretch by stretch, and ids are kept as narrow as they can be: there may be many.
    """
    groups = Groups.of(shown, rows)
    narrow = np.dtype(np.int32 if keys.rows < 2**31 else np.int64)
    members: list[npt.NDArray[Any]] = [np.empty(0, narrow)]
    out: list[npt.NDArray[Any]] = [np.empty(0, np.int32)]
    for first, count, table in _stretches(store, keys):
        places = groups.places([table.column(name) for name in keys.columns], count)
        for each in keys.conditions:
            places[~is_met(table.column(each.column), each)] = NO_ROW
        kept = np.flatnonzero(places != NO_ROW)
        members.append((kept + first).astype(narrow))
        out.append(places[kept])
    return Block(rows, (Part(np.concatenate(out), {keys.source: np.concatenate(members)}),))


def _stretches(store: Store, keys: PlainKeys) -> Iterator[tuple[int, int, pa.Table]]:
    """(The first row, how many rows, the columns that matter) of each stretch of the source."""
    read = list(dict.fromkeys((*keys.columns, *(each.column for each in keys.conditions))))
    if not read:  # one group of all rows
        yield 0, keys.rows, pa.table({})
        return
    for first, table in store.scan(store.by_id(keys.dataset), read):
        yield first, table.num_rows, table


Places = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Groups:
    """The groups of a result, found by the values they show; NULL is a value like others."""

    count: int
    among: tuple[pa.Array, ...]
    """The values that each column shows, each once."""
    known_values: tuple[pa.Array, ...]
    """For each column after the first, the pairs that groups show: what they had in common before, and its value."""
    rows: Places
    """The row of each group, by the number that its values come to."""

    @classmethod
    def of(cls, shown: pa.Table, rows: int) -> Groups:
        """No two rows may show the same.

        >>> groups = Groups.of(pa.table({"k": [None, "a", "b"], "n": [2, 2, 1]}), 3)
        >>> groups.places([pa.chunked_array([["a", "b", None, "a"]]), pa.chunked_array([[1, 1, 2, 2]])], 4).tolist()
        [-1, 2, 0, 1]
        """
        among = tuple(column.unique() for column in shown.columns)
        seen: list[pa.Array] = []
        numbers = np.zeros(rows, np.int32)
        for place, (column, values) in enumerate(zip(shown.columns, among, strict=True)):
            here = _places(column, values)
            if place:
                # Pairs are numbered anew after each column, so that the product of two numbers always fits 64 bits.
                pairs = _combine_places(numbers, here, values)
                seen.append(pa.array(np.unique(pairs)))
                here = _places(pa.array(pairs), seen[-1])
            numbers = here
        places = np.empty(rows, np.int32)
        places[numbers] = np.arange(rows)
        return cls(rows, among, tuple(seen), places)

    def places(self, columns: Sequence[pa.ChunkedArray], rows: int) -> Places:
        """For each row the group that shows its values, NO_ROW if none does."""
        if not self.count:
            return np.full(rows, NO_ROW, np.int32)
        numbers = np.zeros(rows, np.int32)
        for place, (column, values) in enumerate(zip(columns, self.among, strict=True)):
            here = _places(column, values.cast(column.type))
            numbers = (
                here
                if not place
                else _places(pa.array(_combine_places(numbers, here, values)), self.known_values[place - 1])
            )
        return np.where(numbers < 0, np.int32(NO_ROW), self.rows[numbers])


def _places(values: pa.ChunkedArray | pa.Array, among: pa.Array) -> Places:
    places: Places = pc.index_in(values, value_set=among).fill_null(NO_ROW).to_numpy()
    return places


def _combine_places(numbers: Places, more: Places, values: pa.Array) -> Ids:
    """One number for two, NO_ROW where either is."""
    return np.where((numbers < 0) | (more < 0), NO_ROW, numbers.astype(np.int64) * len(values) + more)


def is_met(column: pa.ChunkedArray, condition: Condition) -> npt.NDArray[np.bool_]:
    """Return whether a condition holds for each row; NULL does not hold, as in SQL."""
    claims = _claims(column, condition)
    claims = pc.invert(claims) if condition.is_negated else claims
    met: npt.NDArray[np.bool_] = claims.fill_null(fill_value=False).to_numpy()
    return met


def _claims(column: pa.ChunkedArray, condition: Condition) -> pa.ChunkedArray:
    """True, false, or NULL where it is unknown."""
    if condition.comparison == "isnotnull":
        return column.is_valid()
    values = pa.array(condition.values, column.type)
    if condition.comparison == "in":
        return pc.if_else(column.is_valid(), pc.is_in(column, value_set=values), None)
    return _COMPARISONS[condition.comparison](column, values[0])
