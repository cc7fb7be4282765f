"""Between which values cells lie, as users ask for it: one cell at a time, or as two more columns of a table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from whence.model.dataset import DatasetRecord
from whence.model.schema import range_columns, unique_names
from whence.workspace.context import Context

_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class CellBounds:
    """The least and the greatest value that a cell can have, given what caveats state, and the value that stands there.

    An end that is None is not known, and `why` says why; a `best` of None is a missing value.
    """

    low: object
    best: object
    high: object
    may_be_missing: bool = False
    why: str = ""

    @property
    def width(self) -> float | None:
        """How far apart the ends are: numbers by their difference, dates by days. None if that is not known."""
        if self.low is None or self.high is None:
            return None if self.why or self.best is not None else 0.0
        return _difference(self.low, self.high)

    def __iter__(self) -> Iterator[object]:
        return iter((self.low, self.best, self.high))

    @property
    def ends(self) -> str:
        """The ends in words, such as "between 1 and 90"; empty if they say no more than the value, or nothing is known.

        >>> CellBounds(1, 30, 90).ends, CellBounds(1, 30, None, may_be_missing=True).ends, CellBounds(7, 7, 7).ends
        ('between 1 and 90', 'at least 1, or missing', '')
        """
        also = ", or missing" if self.may_be_missing and self.best is not None else ""
        match self.low is None, self.high is None:
            case True, True:
                return ""
            case True, False:
                return f"at most {self.high}{also}"
            case False, True:
                return f"at least {self.low}{also}"
        if self.low == self.high == self.best and not self.may_be_missing:
            return ""
        return f"between {self.low} and {self.high}{also}"

    def __str__(self) -> str:
        best = "missing" if self.best is None else str(self.best)
        said = self.ends or ("could be anything" if self.low is None and self.high is None and self.why else "")
        return f"{best} ({said})" if said else best


def _difference(low: object, high: object) -> float | None:
    match low, high:
        case (int() | float() | Decimal(), int() | float() | Decimal()):
            return float(high - low)  # type: ignore[operator]  # both ends have the type of the column
        case dt.datetime(), dt.datetime():
            return (high - low) / _DAY
        case dt.date(), dt.date():
            return (high - low) / _DAY
    return 0.0 if low == high else None


def cell_bounds(context: Context, record: DatasetRecord, row: int, column: str) -> CellBounds:
    """Find the bounds of a cell."""
    best = context.store.read(record, row, row + 1, [column]).column(0)[0].as_py()
    flagged = context.readers.flags.table(record, row, row + 1).column(column)[0].as_py()
    if not flagged:
        return CellBounds(best, best, best, may_be_missing=best is None)
    known, place = context.readers.bounds.of(record), record.schema.names.index(column)
    if not known.has(place):
        return CellBounds(None, best, None, may_be_missing=True, why=known.reason(column))
    low, high, missing = (known.table.column(name)[row].as_py() for name in range_columns(place))
    why = known.reason(column) if low is None or high is None else ""
    return CellBounds(low, best, high, may_be_missing=bool(missing) or best is None, why=why)


def with_bounds(context: Context, record: DatasetRecord, table: pa.Table) -> pa.Table:
    """The rows of a dataset, and for each column with doubtful cells the ends of their ranges as `_low` and `_high`.

    An end that is NULL is not known, unless the cell is not in doubt and NULL itself.
    """
    known, flags = context.readers.bounds.of(record), context.readers.flags.current_flags(record)
    names, columns = list(table.column_names), list(table.columns)
    for place, name in enumerate(record.schema.names):
        if name not in flags.masks:
            continue
        value, flagged = table.column(place), pa.array(flags.masks[name])
        for end, stored in zip(("low", "high"), range_columns(place), strict=False):
            unknown = pa.chunked_array([pa.nulls(table.num_rows, value.type)])
            bound = known.table.column(stored) if known.has(place) else unknown
            names.append(f"{name}_{end}")
            columns.append(pa.chunked_array([_where(flagged, bound, value)]))
    return pa.table(columns, names=unique_names(names))


def _where(flagged: pa.Array, bound: pa.ChunkedArray, value: pa.ChunkedArray) -> pa.Array:
    return pc.if_else(flagged, bound.combine_chunks(), value.combine_chunks())
