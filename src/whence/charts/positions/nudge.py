"""All marks are moved by the same number of pixels."""

from __future__ import annotations

from whence.charts.option import Chosen, Option
from whence.charts.positions.position import Place, Position, Row
from whence.charts.positions.traits import PositionTraits


class Nudge(Position):
    """Such as a label beside its point."""

    name = "nudge"
    title = "all marks are moved by so many pixels, to the right and down"
    traits = PositionTraits(piles_up=False)
    options = (
        Option("dx", "number", "to the right", default=0),
        Option("dy", "number", "down", default=0),
    )

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """The data stays."""
        return rows

    def mark(self, chosen: Chosen) -> dict[str, object]:
        """Pixels are a property of the mark."""
        return {"xOffset": chosen["dx"], "yOffset": chosen["dy"]}
