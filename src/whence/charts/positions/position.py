"""The base class of positions: they move marks in the data of the picture, not in the mark table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from whence.charts.kinds import Kind
from whence.charts.operator import Operator
from whence.charts.options import Chosen
from whence.charts.positions.traits import PositionTraits

Row = dict[str, object]


@dataclass(frozen=True)
class Place:
    """The facts that a position may use: the kinds of the columns, and the axes of keys and of measures."""

    kinds: Mapping[str, Kind]
    """The kinds of the columns. Keys that an axis lists one by one are text there."""
    every: Sequence[Row] = ()
    """The marks of all layers and panels, before any is moved."""
    key: str = "x"
    measure: str = "y"


class Position(Operator, ABC):
    """One way of placing marks."""

    traits: ClassVar[PositionTraits]

    @abstractmethod
    def place(self, rows: list[Row], where: Place, chosen: Chosen) -> list[Row]:
        """Return the marks of one layer in one panel, moved."""

    def mark(self, chosen: Chosen) -> dict[str, object]:
        """Return Vega-Lite properties for all marks."""
        return {}


def number(value: object) -> float:
    """Return a value as a number, 0 if it is none."""
    return float(value) if isinstance(value, int | float) else 0.0
