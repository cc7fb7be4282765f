"""The position waterfall: each mark begins where the one before it ended, along the axis of keys."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.traits import PositionTraits


class Waterfall(Position):
    """Lays the changes of a sum one after the other."""

    name = "waterfall"
    title = "each mark begins where the one before it ended"
    traits = PositionTraits(piles_up=True, makes_shares=False)

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Start each mark at the sum of all before it. Marks that already have two ends stay."""
        end = f"{where.measure}2"
        if where.kinds.get(where.measure) != "number" or end in where.kinds:
            return rows
        order = {key: place for place, key in enumerate(dict.fromkeys(row.get(where.key) for row in rows))}
        placed, sum_before = {}, 0.0
        # Marks of several series stand at the same key, one after the other.
        for place in sorted(range(len(rows)), key=lambda place: order[rows[place].get(where.key)]):
            start, sum_before = sum_before, sum_before + number(rows[place][where.measure])
            placed[place] = {**rows[place], where.measure: sum_before, end: start}
        return [placed[place] for place in range(len(rows))]
