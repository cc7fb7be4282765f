"""Turns the id columns that a query carried into a derivation block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.lineage.orders import Orders
from whence.lineage.stretches import Stretches
from whence.plan.step import CarriedIds, Group, Rid, Span

_NO_ORDERS = Orders({}, {})


def decode(carried: tuple[CarriedIds, ...], ids: pa.Table, orders: Orders = _NO_ORDERS) -> Block:
    """One table column for each thing carried, one table row for each output row; orders know what spans lead to."""
    columns = [(each, _flat(ids.column(number))) for number, each in enumerate(carried)]
    known = _parts(columns, None, orders, ids.num_rows)
    parts = tuple(part for part in known if isinstance(part, Part))
    return Block(ids.num_rows, parts, tuple(part for part in known if isinstance(part, Stretches)))


@dataclass(frozen=True)
class _GroupMembers:
    """The members of groups, one entry each, with the place of the group they belong to."""

    owners: Ids
    members: list[tuple[CarriedIds, pa.Array]]


def _parts(
    columns: list[tuple[CarriedIds, pa.Array]], out: Ids | None, orders: Orders, rows: int
) -> list[Part | Stretches]:
    """Ids that stand beside each other make one part; each group makes parts of its own, and so does each span."""
    spans = [(carried, array) for carried, array in columns if isinstance(carried, Span)]
    if spans:
        rest = [column for column in columns if not isinstance(column[0], Span)]
        read = (orders.stretches(span, array, out, rows, decode) for span, array in spans)
        return [*_parts(rest, out, orders, rows), *read]
    beside = {carried.source: _ids(array) for carried, array in columns if isinstance(carried, Rid)}
    groups = [_open(carried, array) for carried, array in columns if isinstance(carried, Group)]
    if len(groups) == 1 and beside and out is not None:
        # Rows joined with the rows of one inner group: repeat them, so that who was joined with whom is kept.
        group = _with_empty(groups[0], len(out))
        return _parts(_combine_ids(beside, group), out[group.owners], orders, rows)
    parts: list[Part | Stretches] = [Part(out, beside)] if beside else []
    for group in groups:
        owners = group.owners if out is None else out[group.owners]
        parts += _parts(group.members, owners, orders, rows)
    return parts


def _with_empty(group: _GroupMembers, count: int) -> _GroupMembers:
    """A place without members (the other branch of a union, a padded side) still stands for itself."""
    empty = np.setdiff1d(np.arange(count, dtype=np.int64), group.owners)
    members = [
        (carried, pa.concat_arrays([array, pa.nulls(len(empty), array.type)])) for carried, array in group.members
    ]
    return _GroupMembers(np.concatenate([group.owners, empty]), members)


def _combine_ids(beside: dict[int, Ids], group: _GroupMembers) -> list[tuple[CarriedIds, pa.Array]]:
    column = group.members[0][0].column
    repeated = [(Rid(source, column), pa.array(ids[group.owners])) for source, ids in beside.items()]
    return [*repeated, *group.members]


def _open(group: Group, array: pa.Array) -> _GroupMembers:
    # A NULL group (the padded side of an outer join) has no members; its offsets may still span garbage.
    present = pc.if_else(pc.is_valid(array), array, pa.scalar([], array.type)) if array.null_count else array
    owners = pc.list_parent_indices(present).to_numpy(zero_copy_only=False).astype(np.int64)
    values = pc.list_flatten(present)
    if group.is_bare:
        return _GroupMembers(owners, [(group.members[0], values)])
    fields = pc.struct_field
    return _GroupMembers(owners, [(member, fields(values, [n])) for n, member in enumerate(group.members)])


def _ids(array: pa.Array) -> Ids:
    filled = array.fill_null(NO_ROW) if array.null_count else array
    ids: Ids = filled.to_numpy(zero_copy_only=False)
    return ids


def _flat(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
