"""The other day that a date can be if its day and its month were read in the wrong order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64]


def exchange_days(values: pa.ChunkedArray) -> pa.Array:
    """Return each date, or time, with day and month exchanged; NULL where that gives the same or no date.

    >>> import datetime as dt
    >>> exchange_days(pa.chunked_array([[dt.date(2021, 3, 4), dt.date(2021, 3, 14), None]])).to_pylist()
    [datetime.date(2021, 4, 3), None, None]
    """
    whole = values.combine_chunks()
    day, month, year = (
        pc.fill_null(part(whole), 1).to_numpy(zero_copy_only=False).astype(np.int64)
        for part in (pc.day, pc.month, pc.year)
    )
    is_other = (day <= 12) & (day != month) & whole.is_valid().to_numpy(zero_copy_only=False)
    days = _day_number(year, day, month) - _day_number(year, month, day)
    unit = pa.duration("s") if pa.types.is_date(whole.type) else pa.duration(whole.type.unit)
    shift = pa.array(np.where(is_other, days, 0).astype("timedelta64[D]").astype("timedelta64[s]")).cast(unit)
    moved = pc.add(whole.cast(pa.timestamp("s")) if pa.types.is_date(whole.type) else whole, shift)
    return pc.if_else(pa.array(is_other), moved.cast(whole.type), pa.scalar(None, whole.type))


def _day_number(year: Numbers, month: Numbers, day: Numbers) -> Numbers:
    """Return the days since 1970; a day beyond the end of its month counts on into the next."""
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    number: Numbers = months.astype("datetime64[D]").astype(np.int64) + day - 1
    return number
