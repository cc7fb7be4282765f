"""Finds the cells of a sheet that are in doubt, were edited or show a text, among any number of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.influence import ROW
from whence.notebook.sheet.caveats import converted_cells, is_converted
from whence.notebook.sheet.content import Copy, Invalid
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetColumn

Direction = Literal["next", "previous"]
Places = Mapping[int, Rows]
"""For each column with such cells, counted from the left, the sorted positions of their rows."""

CHUNK = 1 << 16
"""Rows that a search for a text reads at a time."""
_FEW = 10_000
"""With more edited cells in a column, its errors are read from the whole column."""
_NONE = np.zeros(0, dtype=np.int64)


def doubtful(sheet: SheetLog) -> Places:
    """Return cells that are in doubt, failed or are shown as another type. A row in doubt counts as its first cell."""
    columns = [sheet.state.columns[each] for each in sheet.state.shown]
    found = {place: np.union1d(_in_doubt(sheet, each), _failed(sheet, each)) for place, each in enumerate(columns)}
    if found:
        found[0] = np.union1d(found[0], _rows_in_doubt(sheet))
    return {place: rows for place, rows in found.items() if len(rows)}


def _in_doubt(sheet: SheetLog, column: SheetColumn) -> Rows:
    if column.has_formulas or column.layers or is_converted(sheet, column) or _has_copies(column):
        every = np.arange(sheet.state.order.count, dtype=np.int64)
        return np.flatnonzero(sheet.cells.doubts.at(column.id, every) | converted_cells(sheet, column, every))
    # Only cells that show the data can be in doubt: look at the flags of the data, not at every row of the sheet.
    mask = None if column.base is None else sheet.state.source.flag_masks.masks.get(column.base)
    if mask is None:
        return _NONE
    rows = np.flatnonzero(mask)
    return _positions(sheet, rows[column.coded(rows)[0] == 0])


def _has_copies(column: SheetColumn) -> bool:
    return any(isinstance(entry.content, Copy) for entry in column.cells.values())


def _rows_in_doubt(sheet: SheetLog) -> Rows:
    state = sheet.state
    if ROW not in state.source.flag_masks.masks and all(each.doubtful is None for each in state.sifted):
        return _NONE
    return np.flatnonzero(sheet.cells.doubts.rows(np.arange(state.order.count, dtype=np.int64)))


def _failed(sheet: SheetLog, column: SheetColumn) -> Rows:
    if not column.has_formulas:
        rows = [row for row, entry in column.cells.items() if isinstance(entry.content, Invalid)]
        return _positions(sheet, np.array(rows, dtype=np.int64))
    if column.layers or len(column.cells) > _FEW:
        return np.array(sorted(sheet.cells.column_values(column.id).errors), dtype=np.int64)
    at = _positions(sheet, np.fromiter(column.cells, dtype=np.int64, count=len(column.cells)))
    values = sheet.cells.values(column.id, at)
    return at[[isinstance(each, FormulaError) for each in values]] if len(at) else at


def edited(sheet: SheetLog) -> Places:
    """Return the edited cells, without looking at other rows."""
    found = {}
    for place, column in enumerate(sheet.state.columns[each] for each in sheet.state.shown):
        own = np.fromiter(column.cells, dtype=np.int64, count=len(column.cells))
        rows = np.unique(np.concatenate([own, *(layer.rows.rows for layer in column.layers)]))
        if len(rows):
            found[place] = _positions(sheet, rows)
    return found


def _positions(sheet: SheetLog, rows: Rows) -> Rows:
    """Return the sorted positions of those of these rows that are shown."""
    found = np.sort(sheet.state.order.positions(rows)) if len(rows) else rows
    return found[found >= 0]


def within(places: Places, positions: Rows, total: int) -> Places:
    """Return the same cells, with rows counted among these positions; `total` is how many rows the sheet has."""
    if len(positions) == total:
        return places
    here = {column: np.flatnonzero(np.isin(positions, rows)) for column, rows in places.items()}
    return {column: rows for column, rows in here.items() if len(rows)}


def counted(total: int, buckets: int, places: Places) -> tuple[list[int], list[int]]:
    """Split the rows into equal stretches. Return where each begins, and how many of the cells lie in it."""
    edges = np.linspace(0, total, min(buckets, max(total, 1)) + 1).astype(np.int64)
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for rows in places.values():
        counts += np.diff(np.searchsorted(rows, edges))
    return edges[:-1].tolist(), counts.tolist()


def nearest(places: Places, here: tuple[int, int] | None, way: Direction) -> tuple[int, int, bool] | None:
    """Return row and column of the nearest such cell in reading order, and whether the search wrapped around."""
    pick = min if way == "next" else max
    ahead = None if here is None else pick(_beyond(places, here, way), default=None)
    if ahead is not None:
        return (*ahead, False)
    place = pick(((int(rows[0 if way == "next" else -1]), column) for column, rows in places.items()), default=None)
    return None if place is None else (*place, here is not None)


def _beyond(places: Places, here: tuple[int, int], way: Direction) -> Iterator[tuple[int, int]]:
    """Yield the first such cell of each column after `here`, or the last before it."""
    row, column = here
    for place, rows in places.items():  # in the row of `here`, columns to its right come after it
        if way == "next":
            at = int(np.searchsorted(rows, row, side="left" if place > column else "right"))
        else:
            at = int(np.searchsorted(rows, row, side="right" if place < column else "left")) - 1
        if 0 <= at < len(rows):
            yield int(rows[at]), place


def _showing(sheet: SheetLog, positions: Rows, start: int, text: str) -> Places:
    found = {}
    for place, column in enumerate(sheet.state.columns[each] for each in sheet.state.shown):
        hits = pc.match_substring(texts_of(values_at(sheet, column, positions)), text, ignore_case=True)
        rows = np.flatnonzero(pc.fill_null(hits, False).to_numpy(zero_copy_only=False)) + start
        if len(rows):
            found[place] = rows
    return found


def values_at(sheet: SheetLog, column: SheetColumn, positions: Rows) -> pa.Array:
    """Return what a column shows at these positions. Of a column without edits, only these rows are read."""
    if column.is_untouched and column.base is not None:
        rows = sheet.state.order.take(positions)
        if not len(rows) or int(rows.max()) < sheet.state.source.rows:
            return sheet.state.source.table(rows, [column.base]).column(0).combine_chunks()
    return pc.take(sheet.cells.column_values(column.id).values, pa.array(positions))


def texts_of(values: pa.Array) -> pa.Array:
    """Return the values as texts."""
    try:
        return values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # such as lists, structs, and bytes that are not UTF-8
        return pa.array([None if each is None else str(each) for each in values.to_pylist()], pa.string())


def nearest_text(
    sheet: SheetLog, positions: Rows, text: str, here: tuple[int, int] | None, way: Direction
) -> tuple[int, int, bool] | None:
    """Return the nearest cell that shows a text. Rows are read in chunks from `here` on, until one is found."""
    starts = list(range(0, len(positions), CHUNK))
    begin = 0 if here is None else min(here[0] // CHUNK, max(len(starts) - 1, 0))
    order = _round(len(starts), begin, way) if here is not None else _all(len(starts), way)
    for turn, number in enumerate(order):
        start = starts[number]
        places = _showing(sheet, positions[start : start + CHUNK], start, text)
        is_last = turn > 0 and number == begin and here is not None
        found = _in_stretch(places, here if number == begin else None, way, is_last=is_last)
        if found is not None:
            return (*found, is_last or (here is not None and _went_round(number, begin, way)))
    return None


def _in_stretch(
    places: Places, here: tuple[int, int] | None, way: Direction, *, is_last: bool
) -> tuple[int, int] | None:
    found = nearest(places, None if is_last else here, way)
    return None if found is None or (found[2] and not is_last) else found[:2]


def _all(count: int, way: Direction) -> Iterable[int]:
    return range(count) if way == "next" else range(count - 1, -1, -1)


def _round(count: int, begin: int, way: Direction) -> Iterable[int]:
    """Return the chunks from `begin` on, around the end, and `begin` once more for the cells on the other side."""
    step = 1 if way == "next" else -1
    return ((begin + step * turn) % count for turn in range(count + 1)) if count else ()


def _went_round(number: int, begin: int, way: Direction) -> bool:
    return number < begin if way == "next" else number > begin
