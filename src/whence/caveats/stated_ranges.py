"""The ranges that caveats state about the cells of a dataset that no query made."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.influence import Part
from whence.caveats.own_caveats import SUMMARIES, Mask
from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns


def stated_ranges(
    record: DatasetRecord, rows: pa.Table, caveats: pa.Table, flags: Mapping[Part, Mask], acknowledged: Mask | None
) -> pa.Table:
    """The range columns: for each doubtful cell the hull of all that is stated, if every caveat about it states any.

    The ends of a cell without doubt are NULL.
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
        if name in flags and about["row"].null_count == 0 and about.num_rows:
            made |= zip(range_columns(place), _of_column(about, rows[name], flags[name]), strict=True)
    return pa.table(made)


def _of_column(about: pa.Table, values: pa.ChunkedArray, flagged: Mask) -> tuple[pa.Array, pa.Array, pa.Array]:
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
    is_unknown = pc.and_(pa.array(flagged), pc.and_(pc.is_null(low), pc.is_null(high)))
    return low, high, pc.or_(pc.is_null(values).combine_chunks(), is_unknown)


def _where_stated(stated: pa.ChunkedArray, end: pa.ChunkedArray) -> pa.Array:
    return pc.if_else(pc.is_valid(stated), end, pa.scalar(None, end.type)).combine_chunks()
