"""The ranges that caveats state about the cells of a dataset that no query made."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.exchanged_days import exchange_days
from whence.caveats.influence import Part
from whence.caveats.own_caveats import SUMMARIES, Mask
from whence.model.caveat import EXCHANGED_DAY
from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns

LOAD = "load"
"""The family of caveats that a loader writes."""


def stated_ranges(
    record: DatasetRecord, rows: pa.Table, caveats: pa.Table, flags: Mapping[Part, Mask], acknowledged: Mask | None
) -> pa.Table:
    """The range columns: for each doubtful cell the hull of all that is stated, if every caveat about it states any.

    The ends of a cell without doubt are NULL. A loader also writes caveats about whole columns. These flag no cell that
    has a caveat of its own, so that cell keeps its range.
    """
    if acknowledged is not None:
        caveats = caveats.filter(pa.array(~acknowledged))
    is_stated = pc.or_(pc.is_valid(caveats["low"]), pc.is_valid(caveats["high"]))
    blind = pc.and_(pc.is_null(caveats["column"]), pc.is_in(caveats["family"], pa.array(sorted(SUMMARIES))))
    if not pc.any(is_stated).as_py() or pc.any(blind).as_py():
        return pa.table({})
    made: dict[str, pa.Array] = {}
    for place, name in enumerate(record.schema.names):
        about = caveats.filter(pc.equal(caveats["column"], name))
        of_cells, of_all = about.filter(pc.is_valid(about["row"])), about.filter(pc.is_null(about["row"]))
        if name in flags and about.num_rows and pc.all(pc.equal(of_all["family"], LOAD), min_count=0).as_py():
            is_exchanged = pc.any(pc.equal(of_all["low"], EXCHANGED_DAY)).as_py()
            ends = _of_column(of_cells, rows[name], flags[name], exchanged=bool(is_exchanged))
            made |= zip(range_columns(place), ends, strict=True)
    return pa.table(made)


def _of_column(
    about: pa.Table, values: pa.ChunkedArray, flagged: Mask, *, exchanged: bool
) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Ends and missing of one column; the value that stands in a cell is always among the possible."""
    table = pa.table(
        {"row": about["row"], "low": about["low"].cast(values.type), "high": about["high"].cast(values.type)}
    )
    every = pc.ScalarAggregateOptions(skip_nulls=False)
    stated = table.group_by("row").aggregate([("low", "min", every), ("high", "max", every)])
    rows = stated["row"].to_numpy()
    shown = values.take(stated["row"])
    low = _where_stated(stated["low_min"], pc.min_element_wise(stated["low_min"], shown))
    high = _where_stated(stated["high_max"], pc.max_element_wise(stated["high_max"], shown))
    place = np.full(len(flagged), -1)
    place[rows] = np.arange(len(rows))
    place[~flagged] = -1
    take = pa.array(place, mask=place < 0)
    low, high = low.take(take), high.take(take)
    if exchanged:
        other = exchange_days(values)
        alone = pa.array(flagged & (place < 0) & other.is_valid().to_numpy(zero_copy_only=False))
        low = pc.if_else(alone, pc.min_element_wise(other, values.combine_chunks()), low)
        high = pc.if_else(alone, pc.max_element_wise(other, values.combine_chunks()), high)
    is_unknown = pc.and_(pa.array(flagged), pc.and_(pc.is_null(low), pc.is_null(high)))
    return low, high, pc.or_(pc.is_null(values).combine_chunks(), is_unknown)


def _where_stated(stated: pa.ChunkedArray, end: pa.ChunkedArray) -> pa.Array:
    return pc.if_else(pc.is_valid(stated), end, pa.scalar(None, end.type)).combine_chunks()
