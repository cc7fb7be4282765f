"""The position dodge: marks at one place stand side by side."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.traits import PositionTraits

SERIES = ("color", "shape", "detail")
"""The aesthetics that can distinguish series. The first one mapped wins."""


class Dodge(Position):
    """Each series gets its own part of the category or bin."""

    name = "dodge"
    title = "marks at one place stand beside each other"
    traits = PositionTraits(piles_up=False, makes_shares=False)

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Within a category, add the series as `_dodge` for Vega-Lite to offset by. A bin is cut into parts."""
        series = next((name for name in SERIES if name in where.kinds), None)
        if series is None:
            return rows
        end = f"{where.key}2"
        # Categories have no numeric width to cut, but Vega-Lite can offset within their band.
        if end not in where.kinds or where.kinds[where.key] == "text":
            return [{**row, "_dodge": row[series]} for row in rows]
        names = sorted({row[series] for row in rows}, key=str)
        parts = {name: place / len(names) for place, name in enumerate(names)}
        placed = []
        for row in rows:
            start, wide = number(row[where.key]), number(row[end]) - number(row[where.key])
            left = start + parts[row[series]] * wide
            placed.append({**row, where.key: left, end: left + wide / len(names)})
        return placed
