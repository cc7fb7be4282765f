"""The positions stack and fill: marks at one place stand on each other, as they are or as shares of the whole."""

from __future__ import annotations

from collections import defaultdict

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.traits import PositionTraits


class Stack(Position):
    """Stacks positive values upwards and negative ones downwards from zero."""

    name = "stack"
    title = "marks at one place stand on each other"
    traits = PositionTraits(piles_up=True, makes_shares=False)

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Start each mark where the one before it ended. Marks that already have two ends stay."""
        end = f"{where.measure}2"
        if where.kinds.get(where.measure) != "number" or end in where.kinds:
            return rows
        tops: dict[object, list[float]] = defaultdict(lambda: [0.0, 0.0])
        wholes = self._wholes(rows, where)
        placed = []
        for row in rows:
            key = (row.get(where.key), row.get(f"{where.key}2"))
            value = number(row[where.measure]) / wholes.get(key, 1.0)
            # False and True are the places 0 and 1: one top above zero, one below.
            side = value < 0
            start = tops[key][side]
            tops[key][side] = start + value
            placed.append({**row, where.measure: start + value, end: start})
        return placed

    def _wholes(self, rows: list[Row], where: Place) -> dict[object, float]:
        """Return what values at each place are divided by: nothing here, the total in Fill."""
        return {}


class Fill(Stack):
    """Stacks shares of the total, so that all stacks have the same height."""

    name = "fill"
    title = "marks at one place stand on each other, as shares of the whole"
    traits = PositionTraits(piles_up=True, makes_shares=True)

    def _wholes(self, rows: list[Row], where: Place) -> dict[object, float]:
        wholes: dict[object, float] = defaultdict(float)
        for row in rows:
            wholes[row.get(where.key), row.get(f"{where.key}2")] += abs(number(row[where.measure]))
        return {key: whole or 1.0 for key, whole in wholes.items()}
