"""All marks are moved by the same number of pixels."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row
from whence.charts.positions.traits import PositionTraits
from whence.model.parameter import Parameter


class Nudge(Position):
    """Such as a label beside its point."""

    name = "nudge"
    title = "all marks are moved by so many pixels, to the right and down"
    traits = PositionTraits(piles_up=False)
    options = (
        Parameter("dx", "number", "to the right", default=0),
        Parameter("dy", "number", "down", default=0),
    )

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """The data stays."""
        return rows

    def mark(self, chosen: Chosen) -> dict[str, object]:
        """Pixels are a property of the mark."""
        return {"xOffset": chosen["dx"], "yOffset": chosen["dy"]}
