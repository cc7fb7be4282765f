"""The position dodge: marks at one place stand side by side."""

from __future__ import annotations

from itertools import pairwise

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.traits import PositionTraits

SERIES = ("color", "shape", "detail")
"""The aesthetics that can distinguish series. The first one mapped wins."""
_TAKEN = 0.8
"""The share of the gap between two places that the marks at one of them take."""


class Dodge(Position):
    """Each series gets its own part of the category or bin."""

    name = "dodge"
    title = "marks at one place stand beside each other"
    traits = PositionTraits(piles_up=False, makes_shares=False)

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Within a category, add the series as `_dodge` for Vega-Lite to offset by. A bin is cut into parts.

        Along numbers, marks are moved by a part of the smallest gap between two of them.
        """
        series = next((name for name in SERIES if name in where.kinds), None)
        if series is None:
            return rows
        end = f"{where.key}2"
        # Categories have no numeric width to cut, but Vega-Lite can offset within their band.
        if where.kinds.get(where.key, "text") == "text":
            return [{**row, "_dodge": row[series]} for row in rows]
        if end not in where.kinds:
            return _moved(rows, where, series)
        names = sorted({row[series] for row in rows}, key=str)
        parts = {name: place / len(names) for place, name in enumerate(names)}
        placed = []
        for row in rows:
            start, wide = number(row[where.key]), number(row[end]) - number(row[where.key])
            left = start + parts[row[series]] * wide
            placed.append({**row, where.key: left, end: left + wide / len(names)})
        return placed


def _moved(rows: list[Row], where: Place, series: str) -> list[Row]:
    """Return marks at numbers moved by their series. All layers and panels move alike."""
    names = sorted({row.get(series) for row in where.every}, key=str)
    places = sorted({number(row[where.key]) for row in where.every if row.get(where.key) is not None})
    gap = min((after - before for before, after in pairwise(places)), default=1.0)
    moves = {name: ((place + 0.5) / len(names) - 0.5) * gap * _TAKEN for place, name in enumerate(names)}
    return [
        row
        if row.get(where.key) is None
        else {**row, "_x": row[where.key], where.key: number(row[where.key]) + moves[row.get(series)]}
        for row in rows
    ]
