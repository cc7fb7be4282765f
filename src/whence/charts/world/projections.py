"""Map projections: the formulas of those that charts offer, and the scale at which places fill a panel.

Vega draws with the same formulas. They are here as well, because a selection drawn over a map must not move it: its
scale and centre are those of all marks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""The west, south, east and north end of a part of the world, in degrees."""

WORLD: Box = (-180.0, -58.0, 180.0, 83.7)
"""The inhabited world: without Antarctica, which would take a fifth of the picture."""
_FILLED = 0.88
"""The share of a panel that the places fill, so that points at the edge are whole."""
_SMALLEST = math.radians(1.0)
"""The least that a map shows: at 1:110 million, a smaller part of the world has no shapes."""
_STEPS = 24
"""The places at each edge of a box that are projected: edges are bent, so corners do not tell how far it reaches."""


@dataclass(frozen=True)
class Projection:
    """One way to draw the globe: its name in Vega, its formula, and how far north and south it reaches."""

    name: str
    plane: Callable[[float, float], Point]
    """Function from longitude and latitude in radians to the plane."""
    farthest: float = 90.0

    def shows(self, longitude: object, latitude: object) -> bool:
        """Return whether there is such a place on the map."""
        numbers = isinstance(longitude, int | float) and isinstance(latitude, int | float)
        return numbers and abs(float(str(longitude))) <= 180 and abs(float(str(latitude))) <= self.farthest

    def at(self, place: Point) -> Point:
        """Return where a place in degrees lies in the plane."""
        return self.plane(math.radians(place[0]), math.radians(max(-self.farthest, min(self.farthest, place[1]))))

    def fitted(self, places: Iterable[Point], size: tuple[float, float] | None) -> dict[str, object]:
        """Return the projection of Vega-Lite that shows these places in a panel of so many pixels.

        Without a size it shows them in a panel of any size, whose width and height Vega knows.
        """
        flat = [self.at(each) for each in places]
        (left, right), (low, high) = ((min(each), max(each)) for each in zip(*flat, strict=True))
        wide, tall = max(right - left, _SMALLEST), max(high - low, _SMALLEST)
        x, y = (left + right) / 2, (low + high) / 2
        if size is None:
            scale = f"{_FILLED} * min(width / {wide:.9g}, height / {tall:.9g})"
            translate = f"[width / 2 - {x:.9g} * {scale}, height / 2 + {y:.9g} * {scale}]"
            return {"type": self.name, "scale": {"expr": scale}, "translate": {"expr": translate}}
        times = _FILLED * min(size[0] / wide, size[1] / tall)
        return {
            "type": self.name,
            "scale": round(times, 4),
            "translate": [round(size[0] / 2 - times * x, 3), round(size[1] / 2 + times * y, 3)],
        }


def outline(box: Box) -> list[Point]:
    """Return places along the edges of a part of the world."""
    west, south, east, north = box
    shares = [step / _STEPS for step in range(_STEPS + 1)]
    along = [west + (east - west) * each for each in shares]
    up = [south + (north - south) * each for each in shares]
    level = [(each, end) for each in along for end in (south, north)]
    return [*level, *((end, each) for each in up for end in (west, east))]


def _equal_earth(x: float, y: float) -> Point:
    """Šavrič, Patterson and Jenny 2018: areas as they are, in a pleasing shape."""
    first, second, third, fourth, half = 1.340264, -0.081106, 0.000893, 0.003796, math.sqrt(3) / 2
    bent = math.asin(half * math.sin(y))
    square = bent * bent
    sixth = square**3
    slope = first + 3 * second * square + sixth * (7 * third + 9 * fourth * square)
    return (
        x * math.cos(bent) / (half * slope),
        bent * (first + second * square + sixth * (third + fourth * square)),
    )


def _natural_earth(x: float, y: float) -> Point:
    """Patterson's Natural Earth, as a polynomial (Šavrič et al. 2011)."""
    square = y * y
    fourth = square * square
    return (
        x * (0.8707 - 0.131979 * square + fourth * (-0.013791 + fourth * (0.003971 * square - 0.001529 * fourth))),
        y * (1.007226 + square * (0.015085 + fourth * (-0.044475 + 0.028874 * square - 0.005916 * fourth))),
    )


def _mercator(x: float, y: float) -> Point:
    return x, math.log(math.tan(math.pi / 4 + y / 2))


def _equirectangular(x: float, y: float) -> Point:
    return x, y


PROJECTIONS = {
    each.name: each
    for each in (
        Projection("equalEarth", _equal_earth),
        Projection("naturalEarth1", _natural_earth),
        # A square world: beyond it, the poles would be infinitely far away.
        Projection("mercator", _mercator, 85.05),
        Projection("equirectangular", _equirectangular),
    )
}
"""By name, the default first."""
