"""The position identity: marks stay where their values say."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row
from whence.charts.positions.traits import PositionTraits


class Identity(Position):
    """Moves nothing."""

    name = "identity"
    title = "marks stay where their values say"
    traits = PositionTraits(piles_up=False, makes_shares=False)

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Return the marks unchanged."""
        return rows
