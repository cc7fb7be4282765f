"""Where in a sheet something is the case: doubts, edits, texts; among any number of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.caveats import converted_cells
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.rowset import Mask, Rows

Direction = Literal["next", "previous"]
Places = Callable[[SheetLog, Rows], Mask]
"""For rows at some positions, by row and column, whether it is the case."""

CHUNK = 1 << 18


def doubtful_cells(sheet: SheetLog, positions: Rows) -> Mask:
    """In doubt, failed, or shown as another type; a doubtful row counts as its first cell."""
    state, cells = sheet.state, sheet.cells
    found = np.zeros((len(positions), len(state.shown)), dtype=bool)
    for place, column in enumerate(state.columns[each] for each in state.shown):
        found[:, place] = cells.doubts.at(column.id, positions) | converted_cells(sheet, column, positions)
        if column.has_formulas or column.cells:
            found[:, place] |= np.isin(positions, list(cells.whole(column.id).errors))
    if found.shape[1]:
        found[:, 0] |= cells.doubts.rows(positions)
    return found


def cells_with(text: str) -> Places:
    """They show this text somewhere, however it is capitalised."""

    def found(sheet: SheetLog, positions: Rows) -> Mask:
        state = sheet.state
        mask = np.zeros((len(positions), len(state.shown)), dtype=bool)
        for place, column in enumerate(state.shown):
            shown = pc.take(sheet.cells.whole(column).values, pa.array(positions))
            hits = pc.match_substring(_texts(shown), text, ignore_case=True)
            mask[:, place] = pc.fill_null(hits, False).to_numpy(zero_copy_only=False)
        return mask

    return found


def _texts(values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.array([None if each is None else str(each) for each in values.to_pylist()], pa.string())


def counted(total: int, buckets: int, hits: Iterable[Rows]) -> tuple[list[int], list[int]]:
    """Where each of equal stretches of so many rows begins, and how often its rows are hit."""
    edges = np.linspace(0, total, min(buckets, max(total, 1)) + 1).astype(np.int64)
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for rows in hits:
        counts += np.bincount(np.searchsorted(edges, rows, side="right") - 1, minlength=len(counts))
    return edges[:-1].tolist(), counts.tolist()


def doubts(sheet: SheetLog, positions: Rows) -> Iterator[Rows]:
    """The rows of the doubtful cells among these positions, one for each cell."""
    columns = [sheet.state.columns[each] for each in sheet.state.shown]
    if sheet.cells.doubts.is_certain and all(column.is_untouched for column in columns):
        return
    for start in range(0, len(positions), CHUNK):
        yield np.nonzero(doubtful_cells(sheet, positions[start : start + CHUNK]))[0] + start


def edits(sheet: SheetLog, positions: Rows) -> Iterator[Rows]:
    """The same of edited cells; only what was edited is looked at, however many rows there are."""
    state = sheet.state
    for column in (state.columns[each] for each in state.shown):
        own = np.fromiter(column.cells, dtype=np.int64, count=len(column.cells))
        rows = np.unique(np.concatenate([own, *(layer.rows.rows for layer in column.layers)]))
        at = np.sort(state.order.positions(rows))
        at = at[at >= 0]
        if len(positions) == state.order.count:
            yield at
        else:
            places = np.searchsorted(positions, at).clip(max=max(len(positions) - 1, 0))
            yield places[positions[places] == at] if len(positions) else places[:0]


def nearest(
    sheet: SheetLog, positions: Rows, here: tuple[int, int] | None, way: Direction, what: Places
) -> tuple[int, int, bool] | None:
    """The row and column of the nearest such cell in reading order, and whether the search went round the end."""
    width = len(sheet.state.shown)
    beyond = -1 if way == "next" else len(positions) * width
    start = beyond if here is None else here[0] * width + here[1]
    ahead = next(_search(sheet, positions, start, way, what), None)
    place = next(_search(sheet, positions, beyond, way, what), None) if ahead is None else ahead
    return None if place is None else (place // width, place % width, ahead is None)


def _search(sheet: SheetLog, positions: Rows, here: int, way: Direction, what: Places) -> Iterator[int]:
    width, total = len(sheet.state.shown), len(positions)
    if not width:
        return
    if way == "next":
        for start in range((here + 1) // width, total, CHUNK):
            places = np.flatnonzero(what(sheet, positions[start : start + CHUNK])) + start * width
            yield from places[places > here][:1].tolist()
    else:
        for stop in range((here + width - 1) // width, 0, -CHUNK):
            first = max(stop - CHUNK, 0)
            places = np.flatnonzero(what(sheet, positions[first:stop])) + first * width
            yield from places[places < here][-1:].tolist()
