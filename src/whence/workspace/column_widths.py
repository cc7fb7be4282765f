"""How wide the bounds of a column's cells are, in relation to their values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns
from whence.workspace.context import Context

Widths = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ColumnWidth:
    """The widest bounds of the doubtful cells of one column, given what caveats state."""

    column: str
    doubtful: int
    """How many of its cells are in doubt."""
    unknown: int
    """How many of these lack an end."""
    widest: float | None
    """The greatest width, as a share of the value in the cell; None if no cell has one."""
    row: int | None
    """The row of the cell with that width."""
    why: str = ""
    """Why cells lack an end, if some do."""

    def __str__(self) -> str:
        unknown = f"{self.unknown:,} of {self.doubtful:,} doubtful cells have no bounds" if self.unknown else ""
        if self.widest is None:
            return unknown or "no cell with bounds that relate to a value"
        return f"at widest {self.widest:.2%} of the value" + (f"; {unknown}" if unknown else "")


def column_widths(context: Context, record: DatasetRecord) -> list[ColumnWidth]:
    """The widths of the columns with doubtful cells, in the order of the columns."""
    known, flags = context.readers.bounds.of(record), context.readers.flags.current_flags(record)
    found = []
    for name in record.schema.names:
        if name not in flags.masks:
            continue
        rids = np.flatnonzero(flags.masks[name])
        widths = cell_widths(context, record, name)[rids]
        place = record.schema.names.index(name)
        unknown = int(_lacks_end(known.table, place)[rids].sum()) if known.has(place) else len(rids)
        shares = _shares(widths, context.store.take(record, rids, [name]).column(0))
        widest = int(np.argmax(shares)) if len(shares) and shares.max() >= 0 else None
        found.append(
            ColumnWidth(
                column=name,
                doubtful=len(rids),
                unknown=unknown,
                widest=None if widest is None else float(shares[widest]),
                row=None if widest is None else int(rids[widest]),
                why=known.reason(name) if unknown else "",
            )
        )
    return found


def cell_widths(context: Context, record: DatasetRecord, column: str) -> Widths:
    """How far apart the ends of each cell of a column are: 0 without doubt, NaN where that is not known."""
    known, mask = context.readers.bounds.of(record), context.readers.flags.current_flags(record).masks.get(column)
    widths: Widths = np.zeros(record.rows)
    if mask is None:
        return widths
    place = record.schema.names.index(column)
    if not known.has(place):
        widths[mask] = np.nan
        return widths
    low, high = (known.table.column(each) for each in range_columns(place)[:2])
    widths[mask] = _differences(low, high)[mask]
    return widths


def cell_shares(context: Context, record: DatasetRecord, column: str) -> Widths:
    """How far apart the ends of each cell are, as a share of its value; -1 where there is no such number."""
    return _shares(cell_widths(context, record, column), context.store.read(record, 0, record.rows, [column]).column(0))


def _lacks_end(ranges: pa.Table, place: int) -> npt.NDArray[np.bool_]:
    low, high = (ranges.column(each).is_null().to_numpy() for each in range_columns(place)[:2])
    lacks: npt.NDArray[np.bool_] = low | high
    return lacks


def _differences(low: pa.ChunkedArray, high: pa.ChunkedArray) -> Widths:
    """Numbers by their difference, dates by days; NaN where an end is not known."""
    if _is_number(low.type):
        return _floats(high) - _floats(low)
    if pa.types.is_date32(low.type):
        return _floats(high.cast(pa.int32())) - _floats(low.cast(pa.int32()))
    if pa.types.is_timestamp(low.type):
        micros = (each.cast(pa.timestamp("us")).cast(pa.int64()) for each in (low, high))
        least, most = (_floats(each) for each in micros)
        return (most - least) / (24 * 3600 * 1e6)
    same: Widths = np.where(pc.fill_null(pc.equal(low, high), False).to_numpy(), 0.0, np.nan)
    return same


def _shares(widths: Widths, best: pa.ChunkedArray) -> Widths:
    """The width of each cell as a share of its value; -1 where it has none."""
    if not _is_number(best.type):
        return np.full(len(best), -1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = widths / np.abs(_floats(best))
    return np.where(np.isfinite(shares), shares, -1.0)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _floats(column: pa.ChunkedArray) -> Widths:
    floats: Widths = pc.fill_null(column.cast(pa.float64(), safe=False), float("nan")).to_numpy()
    return floats
