"""Answers small queries in this process, as Spark does: plain aggregates, and the first rows in an order.

A job of Spark takes a tenth of a second, however few rows it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.derive.derivation import Derivation, Execution, RewrittenPlan, stage_result
from whence.derive.request import DeriveContext
from whence.engine.outcome import Outcome
from whence.lineage.block import Ids
from whence.lineage.by_keys import is_met
from whence.model.dataset import DatasetRecord
from whence.plan.plain_keys import Condition
from whence.plan.plain_query import FirstRows, PlainAggregate, PlainGroups, first_rows, plain_groups
from whence.plan.step import Group, Rid
from whence.store.parts import write_part
from whence.store.store import Store

MOST_ROWS = 100_000
"""Rows of an input that are read into memory."""
_EXACT = 2**53
"""Spark adds whole numbers up as doubles for an average: exactly, up to this sum."""
_PLACE = "__whence_place"


def answer_here(context: DeriveContext, derivation: Derivation, types: pa.Schema) -> Derivation | None:
    """Return the derivation with the rows of a whole query; None if Spark has to run it.

    `types` are those of the columns in part files.
    """
    rewritten, store = stage_result(derivation.rewritten), context.store
    if len(derivation.query.sources) != 1 or rewritten.layout.stored_names != list(rewritten.layout.names):
        return None
    source = store.by_id(derivation.query.sources[0])
    constant = partial(context.engine.constant, derivation.query)
    if source.rows > MOST_ROWS:
        return None
    groups = plain_groups(rewritten.sites.original_plan, constant)
    if groups is not None:
        return _all_groups(context, derivation, source, groups, types)
    first = first_rows(rewritten.sites.original_plan, constant)
    return None if first is None else _first_rows(context, derivation, source, first, types)


def compute_groups(
    store: Store, source: DatasetRecord, groups: PlainGroups, rows: Ids, types: pa.Schema
) -> tuple[pa.Table, pa.ListArray] | None:
    """Return the groups of some rows of a dataset, and the rows of each; None if a sum is too large to be exact."""
    names = dict.fromkeys([*groups.keys.columns, *(each.column for each in groups.outputs if each.column)])
    table = store.take(source, rows, list(names))
    sums = {each.column for each in groups.outputs if each.function in ("sum", "average")}
    for name in sums:
        wide = table.column(name).cast(pa.int64())
        if _magnitude(wide) * max(len(wide), 1) >= _EXACT:
            return None
        table = table.set_column(table.schema.get_field_index(name), name, wide)
    asked: list[tuple[object, str]] = [(_PLACE, "list")]
    for each in groups.outputs:
        asked += _arrow_aggregates(each)
    table = table.append_column(_PLACE, pa.array(rows.astype(np.int64)))
    try:
        made = table.group_by(list(groups.keys.columns), use_threads=False).aggregate(list(dict.fromkeys(asked)))
    except pa.ArrowNotImplementedError:  # the least of some types
        return None
    columns = [_value(made, each).cast(kind) for each, kind in zip(groups.outputs, types.types, strict=True)]
    return pa.table(columns, schema=types), made.column(f"{_PLACE}_list").combine_chunks()


def _magnitude(values: pa.ChunkedArray) -> int:
    ends = pc.min_max(values).as_py()
    return max(abs(int(end or 0)) for end in ends.values())


def _arrow_aggregates(each: PlainAggregate) -> list[tuple[object, str]]:
    """Return the columns and functions from which Arrow makes a column of the result."""
    match each.function:
        case "key":
            return []
        case "count":
            return [(each.column or _PLACE, "count")]
        case "average":
            return [(each.column, "sum"), (each.column, "count")]
    return [(each.column, each.function)]


def _value(made: pa.Table, each: PlainAggregate) -> pa.ChunkedArray:
    match each.function:
        case "key":
            return made.column(each.column)
        case "count":
            return made.column(f"{each.column or _PLACE}_count")
        case "average":
            total, count = (made.column(f"{each.column}_{name}").cast(pa.float64()) for name in ("sum", "count"))
            return pc.divide(total, pc.if_else(pc.equal(count, 0.0), None, count))
    return made.column(f"{each.column}_{each.function}")


def _all_groups(
    context: DeriveContext, derivation: Derivation, source: DatasetRecord, groups: PlainGroups, types: pa.Schema
) -> Derivation | None:
    rewritten, store = stage_result(derivation.rewritten), context.store
    if rewritten.carried_ids and not _carries_members(rewritten):
        return None
    found = compute_groups(store, source, groups, _rows_meeting(store, source, groups.keys.conditions), types)
    if found is None:
        return None
    table, members = found
    ids = pa.table({"members": members}) if rewritten.carried_ids else pa.table({})
    return _with_rows(context, derivation, table, ids)


def _carries_members(rewritten: RewrittenPlan) -> bool:
    """Whether each row carries the ids of its group, and nothing else."""
    match rewritten.carried_ids:
        case (Group(is_bare=True, reading=None, members=(Rid(reading=None),)),):
            return rewritten.layout.id_columns == 1
    return False


def _first_rows(
    context: DeriveContext, derivation: Derivation, source: DatasetRecord, first: FirstRows, types: pa.Schema
) -> Derivation | None:
    layout, store = stage_result(derivation.rewritten).layout, context.store
    if layout.inline_sources is None or len(types) != len(layout.written_names):
        return None
    rows = _rows_meeting(store, source, first.conditions)
    by = {name: context.engine.sort_order(derivation.query, key) for name, key in reversed(first.order)}
    order = {name: by[name] for name in dict.fromkeys(name for name, _ in first.order)}
    table = store.take(source, rows, list(order))
    places = _first_places(table, order, first.count)
    if places is None:
        return None
    chosen = rows[places]
    shown = store.take(source, chosen, list(dict.fromkeys(first.columns)))
    columns = [shown.column(name) for name in first.columns]
    columns += [pa.chunked_array([pa.array(chosen)]) for _ in types.names[len(columns) :]]
    cast = [column.cast(kind) for column, kind in zip(columns, types.types, strict=True)]
    return _with_rows(context, derivation, pa.table(cast, schema=types), pa.table({}))


def _first_places(table: pa.Table, order: Mapping[str, tuple[bool, bool]], count: int) -> Ids | None:
    """Return the places of the first rows in an order; None if it does not tell which they are.

    >>> _first_places(pa.table({"n": [2, None, 3, 1]}), {"n": (True, False)}, 2).tolist()
    [2, 0]
    """
    keys: list[tuple[str, str]] = []
    columns = {}
    for number, (name, (is_descending, nulls_first)) in enumerate(order.items()):
        columns[f"null{number}"] = pc.cast(table.column(name).is_null(), pa.int8())
        columns[f"value{number}"] = table.column(name)
        keys += [(f"null{number}", "descending" if nulls_first else "ascending")]
        keys += [(f"value{number}", "descending" if is_descending else "ascending")]
    places: Ids = pc.sort_indices(pa.table(columns), sort_keys=keys).to_numpy().astype(np.int64)[: count + 1]
    looked_at = table.select(list(order)).take(places)
    if looked_at.group_by(list(order)).aggregate([]).num_rows < len(places):
        return None
    return places[:count]


def _rows_meeting(store: Store, source: DatasetRecord, conditions: Sequence[Condition]) -> Ids:
    """Return the rows of a dataset that meet all conditions."""
    met = np.ones(source.rows, dtype=bool)
    for start, table in store.scan(source, list(dict.fromkeys(each.column for each in conditions))):
        for each in conditions:
            met[start : start + table.num_rows] &= is_met(table.column(each.column), each)
    return np.flatnonzero(met)


def _with_rows(context: DeriveContext, derivation: Derivation, table: pa.Table, ids: pa.Table) -> Derivation:
    """Return the derivation with these rows in a part file."""
    layout = stage_result(derivation.rewritten).layout
    path, syncs = derivation.run.staging / "rows.parquet", context.store.late_syncs
    part = write_part(path, table.to_batches(), table.schema, syncs)
    is_beside = len(layout.written_names) > len(layout.stored_names)
    outcome = Outcome.of((part,), layout, set(), ids=ids, beside=(layout.inline_sources or ()) if is_beside else ())
    return replace(derivation, execution=Execution(outcome, None))
