"""Recognises pandas frames whose index says which rows of a dataset they hold, so that a page can show their doubt."""

from __future__ import annotations

import math
from typing import Any

ROWS = "application/vnd.whence.rows+json"
INDEX = " row"
"""How the name of such an index ends: `prices@2 row`."""
_FIRST = 20
_TYPES = {"i": "bigint", "u": "bigint", "f": "double", "b": "boolean"}


def known_rows(value: object) -> dict[str, object] | None:
    """Return the first rows of a frame with their ids and their dataset; None for anything else."""
    if not _is_frame(value) or not _has_row_index(value):
        return None
    frame: Any = value
    first = frame.head(_FIRST)
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        return None
    return {
        "dataset": str(frame.index.name).removesuffix(INDEX),
        "count": len(frame),
        "columns": [
            {"name": name, "type": _TYPES.get(kind.kind, "string")}
            for name, kind in zip(names, frame.dtypes, strict=True)
        ],
        "rids": [int(each) for each in first.index],
        "rows": [[_plain(each) for each in row] for row in first.itertuples(index=False, name=None)],
    }


def _is_frame(value: object) -> bool:
    return any(each.__module__.startswith("pandas.") and each.__name__ == "DataFrame" for each in type(value).__mro__)


def _has_row_index(frame: Any) -> bool:  # noqa: ANN401 - pandas is imported only by cells that use it
    index, columns = frame.index, frame.columns
    is_named = isinstance(index.name, str) and index.name.endswith(INDEX) and "@" in index.name
    return bool(is_named and index.nlevels == columns.nlevels == 1 and index.dtype.kind in "iu")


def _plain(value: object) -> object:
    """Return a value that JSON has; what is missing becomes null, and everything else its text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None if math.isnan(value) else str(value)
    if isinstance(value, int):
        return value
    text = str(value)
    return None if text in ("NaT", "<NA>") else text
