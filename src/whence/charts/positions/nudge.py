"""The position nudge: all marks move by the same number of pixels."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row
from whence.charts.positions.traits import PositionTraits
from whence.model.parameter import Parameter


class Nudge(Position):
    """Moves all marks by pixels, such as labels beside their points."""

    name = "nudge"
    title = "all marks are moved by so many pixels, to the right and down"
    traits = PositionTraits(piles_up=False, makes_shares=False)
    options = (
        Parameter("dx", "number", "to the right", default=0),
        Parameter("dy", "number", "down", default=0),
    )

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Return the marks unchanged, because pixels are a property of the drawing."""
        return rows

    def mark(self, chosen: Chosen) -> dict[str, object]:
        """Return the offset in pixels."""
        return {"xOffset": chosen["dx"], "yOffset": chosen["dy"]}
