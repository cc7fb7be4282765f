"""The position jitter: marks move a little at random, so that equal ones can be distinguished."""

from __future__ import annotations

from typing import cast

import numpy as np

from whence.charts.options import Chosen
from whence.charts.positions.position import Place, Position, Row, number
from whence.charts.positions.traits import PositionTraits
from whence.model.parameter import Parameter

_STEP = 0.02
"""The unit of `amount` on an axis of numbers, as a share of the axis."""


class Jitter(Position):
    """Moves each mark at random, the same way each time for the same seed."""

    name = "jitter"
    title = "marks are moved a little at random, so that equal ones can be told apart"
    traits = PositionTraits(piles_up=False, makes_shares=False)
    options = (
        Parameter(
            "amount",
            "number",
            "how far: the share of a category's width, or of the axis in fiftieths",
            default=0.4,
            least=0,
        ),
        Parameter("seed", "whole", "which way", default=0, least=0),
    )

    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Within a category, add the move as `_jitter`. On an axis of numbers, move by a share of the range."""
        amount = float(cast(float, chosen["amount"]))
        # Seeded, so that marks do not jump when the chart is drawn again.
        moves = np.random.default_rng(cast(int, chosen["seed"])).uniform(-amount, amount, len(rows)).tolist()
        if where.kinds.get(where.key) == "text" or where.key not in where.kinds:
            return [{**row, "_jitter": move} for row, move in zip(rows, moves, strict=True)]
        places = [number(row[where.key]) for row in rows]
        wide = (max(places) - min(places)) * _STEP if places else 0.0
        return [{**row, where.key: place + move * wide} for row, place, move in zip(rows, places, moves, strict=True)]
