"""What a brush selects: marks by number, by ranges along the axes, or by entries of the legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import numpy as np
import pyarrow as pa

from whence.charts.errors import near
from whence.charts.kernels import Ints
from whence.charts.picture import plain
from whence.model.errors import UnknownRow, UserError

_LEGEND = ("color", "shape", "size", "opacity", "facet", "facet_x", "facet_y", "layer", "detail")
"""The columns that can be brushed by value, besides the axes."""


def brushed_marks(table: pa.Table, label: str, marks: Sequence[int] | None, ranges: Mapping[str, object]) -> Ints:
    """Return the marks of a mark table that meet all the conditions, sorted."""
    chosen = np.ones(len(table), dtype=bool)
    if marks is not None:
        wanted = np.unique(np.asarray(list(marks), dtype=np.int64))
        if len(wanted) and not (wanted[0] >= 0 and wanted[-1] < len(table)):
            worst = int(wanted[0] if wanted[0] < 0 else wanted[-1])
            raise UnknownRow(f"{label} has no mark {worst}.", f"Its marks are 0 to {len(table) - 1}.")
        chosen[:] = False
        chosen[wanted] = True
    for name, wish in ranges.items():
        if wish is not None:
            chosen &= _met(table, label, name, wish)
    return np.flatnonzero(chosen)


def _met(table: pa.Table, label: str, name: str, wish: object) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if name not in table.column_names:
        known = [each for each in table.column_names if each in ("x", "y", *_LEGEND)]
        raise UserError(f"The marks of {label} have no {name} to brush.", near(name, known, "They have"))
    values = [plain(each) for each in table.column(name).to_pylist()]
    if isinstance(wish, tuple) and len(wish) == 2 and name in ("x", "y") and not isinstance(wish[0], str):
        low, high = (_number(each) for each in wish)
        if low > high:
            low, high = high, low
        far = f"{name}2"
        ends = [plain(each) for each in table.column(far).to_pylist()] if far in table.column_names else values
        return np.array(
            [_overlaps(first, last, low, high) for first, last in zip(values, ends, strict=True)], dtype=bool
        )
    if isinstance(wish, tuple) and len(wish) == 2 and name in ("x", "y"):
        # Two texts mean all categories between them in alphabetical order.
        first, last = map(str, wish)
        return np.array([each is not None and first <= str(each) <= last for each in values], dtype=bool)
    listed = wish if isinstance(wish, list | set | frozenset | tuple) else [wish]
    wanted = {plain(each) for each in listed}
    return np.array([each in wanted for each in values], dtype=bool)


def _overlaps(first: object, last: object, low: float, high: float) -> bool:
    """Return whether a brush covers part of a mark. Of a mark with a width, touching its edge is not enough."""
    if not isinstance(first, int | float):
        return False
    if not isinstance(last, int | float) or last == first:
        return low <= first <= high
    # A brush without a width, as of a click, takes the mark that it stands in.
    return first < high and last > low if low < high else first <= low < last


def _number(value: object) -> float:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    found = plain(value) if isinstance(value, date | datetime) else value
    if not isinstance(found, int | float):
        raise UserError(f"A brush reaches from a number or a time to another, not {value!r}.")
    return float(found)
