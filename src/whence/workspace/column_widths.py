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

_Floats = npt.NDArray[np.float64]


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
    for place, name in enumerate(record.schema.names):
        if name not in flags.masks:
            continue
        rids = np.flatnonzero(flags.masks[name])
        if not known.has(place):
            found.append(ColumnWidth(name, len(rids), len(rids), None, None, known.reason(name)))
            continue
        low, high = (known.table.column(each).take(pa.array(rids)) for each in range_columns(place)[:2])
        lacks = ~(low.is_valid().to_numpy() & high.is_valid().to_numpy())
        shares = _shares(low, high, context.store.take(record, rids, [name]).column(0))
        widest = int(np.argmax(shares)) if len(shares) and shares.max() >= 0 else None
        found.append(
            ColumnWidth(
                column=name,
                doubtful=len(rids),
                unknown=int(lacks.sum()),
                widest=None if widest is None else float(shares[widest]),
                row=None if widest is None else int(rids[widest]),
                why=known.reason(name) if lacks.any() else "",
            )
        )
    return found


def _shares(low: pa.ChunkedArray, high: pa.ChunkedArray, best: pa.ChunkedArray) -> _Floats:
    """The width of each cell as a share of its value; -1 where it has none."""
    if not (pa.types.is_integer(best.type) or pa.types.is_floating(best.type) or pa.types.is_decimal(best.type)):
        return np.full(len(best), -1.0)
    least, most, value = (_floats(each) for each in (low, high, best))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = (most - least) / np.abs(value)
    return np.where(np.isfinite(shares), shares, -1.0)


def _floats(column: pa.ChunkedArray) -> _Floats:
    floats: _Floats = pc.fill_null(column.cast(pa.float64(), safe=False), float("nan")).to_numpy()
    return floats
