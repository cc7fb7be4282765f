"""Brings the ranges that a run gave to the stored rows and their types, never making one too small."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.query_rerun import Codes
from whence.model.schema import range_columns


def move_ranges(ends: Mapping[str, pa.ChunkedArray], codes: Codes, types: Mapping[int, pa.DataType]) -> pa.Table:
    """The range columns of new rows on the old ones; rows that nothing tells apart share the hull of theirs."""
    moved: dict[str, pa.Array] = {}
    for place, kind in types.items():
        low, high, missing = range_columns(place)
        moved[low] = _move(_fit(ends[low], kind, math.floor), codes, "min")
        moved[high] = _move(_fit(ends[high], kind, math.ceil), codes, "max")
        moved[missing] = _move(_missing(ends[missing], ends[low]), codes, "max")
    return pa.table(moved)


def _missing(flags: pa.ChunkedArray, low: pa.ChunkedArray) -> pa.ChunkedArray:
    """Whether cells may be NULL; of a column that is certain, which has no such flags, whether they are."""
    return pc.fill_null(flags, True) if pa.types.is_boolean(flags.type) else pc.is_null(low)


def _fit(ends: pa.ChunkedArray, kind: pa.DataType, away: Callable[[Decimal], int]) -> pa.ChunkedArray:
    """The ends as values of the column; what does not fit its type is not known."""
    if ends.type == kind:
        return ends
    if pa.types.is_integer(kind) and not pa.types.is_integer(ends.type):
        ends = pa.chunked_array([[_round_to_long(end, away) for end in ends.to_pylist()]], pa.int64())
    try:
        return ends.cast(kind)
    except pa.ArrowException:
        return pa.chunked_array([pa.nulls(len(ends), kind)])


def _round_to_long(end: Decimal | float | None, away: Callable[[Decimal], int]) -> int | None:
    if end is None or not math.isfinite(end) or not -(2**63) <= end < 2**63:
        return None
    return away(Decimal(end))


def _move(values: pa.ChunkedArray, codes: Codes, fold: str) -> pa.Array:
    """An end that is not known for one of several equal rows is known for none."""
    old, new = codes
    every = pc.ScalarAggregateOptions(skip_nulls=False)
    folded = pa.table({"code": new, "end": values}).group_by("code").aggregate([("end", fold, every)])
    place = np.zeros(int(new.max(initial=-1)) + 1, dtype=np.int64)
    place[folded["code"].to_numpy()] = np.arange(folded.num_rows)
    return folded[f"end_{fold}"].combine_chunks().take(pa.array(place[old]))
