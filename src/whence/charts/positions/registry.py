"""The registry of positions, one line each."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.operator import Call, find
from whence.charts.positions.dodge import Dodge
from whence.charts.positions.identity import Identity
from whence.charts.positions.jitter import Jitter
from whence.charts.positions.nudge import Nudge
from whence.charts.positions.position import Position
from whence.charts.positions.stack import Fill, Stack
from whence.charts.positions.waterfall import Waterfall

POSITIONS: Mapping[str, Position] = {
    position.name: position for position in (Identity(), Stack(), Fill(), Dodge(), Jitter(), Nudge(), Waterfall())
}

ALIASES = {"shift": "nudge", "normalize": "fill", "none": "identity"}


def find_position(call: Call) -> Position:
    """Return the position that a call names."""
    return find(POSITIONS, ALIASES, call, "position")
