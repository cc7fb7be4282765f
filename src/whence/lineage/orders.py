"""Numbers the rows of each window through all its partitions, so that what a frame reads is one stretch of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Block, Ids
from whence.lineage.stretches import Stretches
from whence.plan.step import CarriedIds, Rid, Span

Decode = Callable[[tuple[CarriedIds, ...], pa.Table, "Orders"], Block]


@dataclass(frozen=True)
class OrderedRows:
    """The rows of one window: partition, place in it from 1, and a column for each thing carried."""

    carried_ids: tuple[CarriedIds, ...]
    table: pa.Table


@dataclass(frozen=True)
class _Order:
    """Partitions end to end: partition `numbers[i]` starts at `starts[i]`; `places` says what each place has."""

    carried_ids: tuple[CarriedIds, ...]
    numbers: Ids
    starts: Ids
    places: Block


class Orders:
    """The orders of the windows of one plan, each put together when a span first leads there."""

    def __init__(self, rows: Mapping[int, OrderedRows], real: Mapping[int, int]) -> None:
        self._rows = rows
        self._real = real
        self._known: dict[int, _Order] = {}

    def stretches(self, span: Span, array: pa.Array, out: Ids | None, rows: int, decode: Decode) -> Stretches:
        """What each row of a span column read."""
        order = self._order(span.window, decode)
        if array.null_count:  # rows of another branch, padded rows, rows that a clause left out
            kept = np.flatnonzero(pc.is_valid(array).to_numpy(zero_copy_only=False))
            out = kept if out is None else out[kept]
            array = array.take(kept)
        partition, first, last = (pc.struct_field(array, name) for name in ("partition", "first", "last"))
        place = np.searchsorted(order.numbers, _fill_null(partition, 0))
        start, end = order.starts[place], order.starts[place + 1]
        # Nothing read: a first place after the last.
        begins = start + np.maximum(_fill_null(first, 1), 1) - 1
        ends = np.minimum(start + np.maximum(_fill_null(last, 0), 0), end)
        begins = np.minimum(begins, end)
        sources = _numbers(span.members, order.carried_ids)
        real = {number: self._real.get(number, number) for number in sources}
        return Stretches(
            rows=rows,
            out=out,
            first=begins,
            end=np.maximum(begins, ends),
            sources=sources,
            origin_of=real,
            places=order.places,
        )

    def _order(self, window: int, decode: Decode) -> _Order:
        if window not in self._known:
            self._known[window] = self._sort_rows(self._rows[window], decode)
        return self._known[window]

    def _sort_rows(self, rows: OrderedRows, decode: Decode) -> _Order:
        partition, place = (_fill_null(rows.table.column(n).combine_chunks(), 0) for n in range(2))
        numbers, sizes = np.unique(partition, return_counts=True)
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        sorted_rows = rows.table.take(np.lexsort((place, partition))).select(range(2, rows.table.num_columns))
        return _Order(rows.carried_ids, numbers, starts, decode(rows.carried_ids, sorted_rows, self))


def _numbers(members: tuple[CarriedIds, ...], carried: tuple[CarriedIds, ...]) -> dict[int, int]:
    """From the source numbers of a span's members to those the same columns have in the order."""
    known = {each.column: each for each in carried}
    found: dict[int, int] = {}
    for member in members:
        base = known[member.column]
        if isinstance(member, Rid):
            assert isinstance(base, Rid)
            found[member.source] = base.source
        else:
            assert not isinstance(base, Rid)
            found |= _numbers(member.members, base.members)
    return found


def _fill_null(array: pa.Array, value: int) -> Ids:
    filled = array.fill_null(value) if array.null_count else array
    ids: Ids = filled.to_numpy(zero_copy_only=False).astype(np.int64)
    return ids
