"""The numbers of a report that depend most on guesses: those with the widest bounds in relation to their value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from whence.model.dataset import DatasetRecord
from whence.workspace.cell_bounds import CellBounds, cell_bounds
from whence.workspace.column_widths import cell_shares
from whence.workspace.context import Context

MOST = 10


@dataclass(frozen=True)
class GuessedNumber:
    """A number in doubt, and between which values it lies."""

    record: DatasetRecord
    row: int
    column: str
    bounds: CellBounds
    share: float
    """The width of its bounds as a share of its value."""

    def __str__(self) -> str:
        shown = f"{self.column} in row {self.row} of {self.record.label}"
        return f"{shown}: {self.bounds}, {self.share:.0%} of its value wide"


def most_guessed(context: Context, records: Iterable[DatasetRecord], most: int = MOST) -> list[GuessedNumber]:
    """Return the numbers with the widest known bounds, the widest first. Others than numbers are left out."""
    places = [place for record in dict.fromkeys(records) for place in _widest(context, record, most)]
    places.sort(key=lambda place: -place[0])
    return [
        GuessedNumber(record, row, column, cell_bounds(context, record, row, column), share)
        for share, record, row, column in places[:most]
    ]


def _widest(context: Context, record: DatasetRecord, most: int) -> Iterator[tuple[float, DatasetRecord, int, str]]:
    for column in sorted(context.readers.flags.doubt(record).columns):
        shares = cell_shares(context, record, column)
        for row in np.argsort(-shares, kind="stable")[:most].tolist():
            if shares[row] > 0:
                yield float(shares[row]), record, row, column
