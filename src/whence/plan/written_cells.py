"""The file that lists single cells of a dataset that were written by hand, as row ids by column."""

from __future__ import annotations

ARRAYS = "written"
"""The stem of the file of arrays."""
ROWS = "rows"
"""The array of rows that stand on no data at all."""


def array_of(place: int) -> str:
    """Return the name of the array with the rows whose cell in the column at this place was written."""
    return f"c{place}"
