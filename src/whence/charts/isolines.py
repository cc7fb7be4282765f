"""Lines of equal value over a grid: each cell is cut into two triangles, in which the value is a plane.

A plane has one straight line for each level, so the lines are exact: a place lies inside a line just if its own value,
taken from the plane of its triangle, reaches the level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Node = tuple[int, int]
Point = tuple[float, float]
Ring = list[Point]


@dataclass(frozen=True)
class Field:
    """Values at the crossings of a grid: at `x[i], y[j]` stands `values[i, j]`, or NaN where there is none."""

    x: Floats
    y: Floats
    values: Floats

    def rings(self, level: float) -> list[Ring]:
        """Return the closed lines around the places that reach a level, which lie to the left of each line.

        Nothing outside of the grid reaches a level, so a line closes along its edge.
        """
        x, y = (np.concatenate((each[:1], each, each[-1:])) for each in (self.x, self.y))
        values = np.pad(np.where(np.isnan(self.values), -np.inf, self.values), 1, constant_values=-np.inf)
        following = dict(_crossed(values, level))
        places = {edge: _place(edge, x, y, values, level) for edge in following}
        rings = []
        while following:
            edge, after = following.popitem()
            ring = [places[edge]]
            while after in following:
                if places[after] != ring[-1]:
                    ring.append(places[after])
                after = following.pop(after)
            rings.append(ring)
        # What is no wider than a line has no area.
        return [ring for ring in rings if len(ring) > 2]


Edge = tuple[Node, Node]


def _crossed(values: Floats, level: float) -> Iterator[tuple[Edge, Edge]]:
    """Yield, for each triangle that a line crosses, the edge at which it comes in and the one at which it leaves."""
    inside = values >= level
    corners = (inside[:-1, :-1], inside[1:, :-1], inside[1:, 1:], inside[:-1, 1:])
    mixed = np.logical_or.reduce(corners) & ~np.logical_and.reduce(corners)
    for i, j in np.argwhere(mixed).tolist():
        for triangle in (((i, j), (i + 1, j), (i + 1, j + 1)), ((i, j), (i + 1, j + 1), (i, j + 1))):
            edges = list(zip(triangle, (*triangle[1:], triangle[0]), strict=True))
            leaving = [(one, other) for one, other in edges if inside[one] and not inside[other]]
            coming = [(other, one) for one, other in edges if inside[other] and not inside[one]]
            if leaving:
                yield leaving[0], coming[0]


def _place(edge: Edge, x: Floats, y: Floats, values: Floats, level: float) -> Point:
    """Return where the value reaches the level between a place that reaches it and one that does not."""
    (i, j), (k, m) = edge
    low, high = float(values[k, m]), float(values[i, j])
    share = 0.0 if np.isneginf(low) else (high - level) / (high - low)
    return float(x[i] + share * (x[k] - x[i])), float(y[j] + share * (y[m] - y[j]))
