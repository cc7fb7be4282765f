"""The geoms radial_line and radial_area: lines and areas bent around a centre, by angle x and radius y."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from whence.charts.edges import round_edges
from whence.charts.geoms.geom import STYLE, Drawing, Geom, Json, Room, Row, styled
from whence.charts.geoms.round import BESIDE, FULL, OUTWARDS, added_up, labels, named, radius_of
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.model.parameter import Parameter

_STEP = math.radians(4)
"""The longest straight piece of a bent line."""
_RINGS = 4
"""At most how many rings of equal value lie below the marks."""
_MOST_NAMES = 18
"""The most names around a circle in the usual size."""
_EIGHTHS = 8
"""How many angles have a name if x goes around by numbers."""
_APART = ("color", "detail")
"""The aesthetics that tell lines apart."""
OPTIONS = (
    Parameter("turn", "number", "how much of x is a full turn, such as 360 or 24; if left open, each x has one angle"),
    Parameter("bent", "flag", "whether lines follow the circle; if left open, for numbers and times but not for names"),
    Parameter("closed", "flag", "whether the last mark is connected with the first", default=True),
)


class RadialLine(Geom):
    """A line for each series around a centre."""

    name = "radial_line"
    title = "a line around a centre for each series, with x as the angle and y as the radius"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=("y",),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=True,
        is_hatched=False,
        connects=True,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )
    options = (*(option for option in STYLE if option.name in ("color", "opacity", "width", "dash")), *OPTIONS)
    fills: ClassVar[bool] = False

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Add up the measure at each name, or count rows. At numbers, each row is a mark."""
        if "y" in kinds and kinds.get("x") != "text":
            return ()
        return added_up(kinds.get("y"), path)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add places around the centre, the pieces of bent lines, and the rings and names below them."""
        if not rows:
            return rows
        circle = _Circle(rows, room, chosen, fills=self.fills)
        series: dict[tuple[object, ...], list[Row]] = {}
        for row in rows:
            series.setdefault(tuple(row.get(name) for name in _APART), []).append(row)
        placed = [each for members in series.values() for each in circle.line(members)]
        return [{**row, "_step": step} for step, row in enumerate([*circle.below(rows[0]), *placed])]

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the rings with their values, the names of x, the shape, and points to be pointed at."""
        shape: Json = {"type": "line", "strokeWidth": 2, "strokeJoin": "round"}
        if self.fills:
            shape |= {"filled": True, "opacity": 0.45}
        ordered: Json = {"order": {"field": "_step", "type": "quantitative"}}
        point = styled({"type": "point", "filled": True, "size": 60}, {"color": chosen.get("color")})
        seen: Json = {
            "opacity": {"condition": {"test": "datum._alone", "value": 1}, "value": 0},
            # Pieces of a line are no marks.
            "size": {"condition": {"test": "isValid(datum._mark)", "value": 60}, "value": 0},
        }
        return [
            *_grid(kinds.get("x", "text")),
            Drawing(styled(shape, chosen), ("color", "detail", "opacity"), {}, fixed=ordered, is_around=True),
            Drawing(point, ("color",), {}, True, fixed=seen, is_around=True),
        ]


class RadialArea(RadialLine):
    """The area between the centre and a line around it."""

    name = "radial_area"
    title = "the area within a line around a centre, with x as the angle and y as the radius"
    traits = RadialLine.traits
    fills = True


class _Circle:
    """The angles and radii of the marks of one panel."""

    def __init__(self, rows: Sequence[Row], room: Room, chosen: Chosen, *, fills: bool) -> None:
        values = [value for row in rows if isinstance(value := row.get("y"), int | float)]
        known = [*values, *room.originals.values()]
        # A selection over the chart keeps the rings of all rows.
        self._low = min([0.0, *known])
        self._high = max([self._low, *known]) or 1.0
        self._turn = float(str(chosen["turn"])) if chosen["turn"] else None
        self._is_closed, self._fills = bool(chosen["closed"]), fills
        self._places = _ordered(rows)
        is_number = all(isinstance(each, int | float) for each in self._places)
        self._is_bent = is_number if chosen["bent"] is None else bool(chosen["bent"])
        self._turn = self._turn if is_number else None

    def angle(self, x: object) -> float:
        """Return the angle of a value of x, clockwise from the top."""
        if self._turn is not None and isinstance(x, int | float):
            return (float(x) % self._turn) / self._turn * FULL
        return self._places[x] / len(self._places) * FULL

    def radius(self, y: float) -> float:
        """Return the share of the radius at which a value stands."""
        return (y - self._low) / (self._high - self._low) if self._high > self._low else 0.0

    def line(self, members: Sequence[Row]) -> Iterator[Row]:
        """Yield the marks of a series with their places, and the pieces between them."""
        ordered = sorted((row for row in members if row.get("x") is not None), key=lambda row: self.angle(row["x"]))
        pairs = list(pairwise(ordered))
        if self._is_closed and len(ordered) > 2:
            pairs.append((ordered[-1], ordered[0]))
        joined = {id(row) for pair in pairs if all(_has_value(row) for row in pair) for row in pair}
        for row in ordered:
            if not _has_value(row):
                continue
            yield self._placed(row, self.angle(row["x"]), self._radius(row)) | {"_alone": id(row) not in joined}
            after = next((other for one, other in pairs if one is row), None)
            if after is not None and _has_value(after):
                yield from self._between(row, after)
                if after is ordered[0]:
                    yield _piece(row, after) | self._at(self.angle(after["x"]), self._radius(after))
            else:
                if self._fills:
                    yield _piece(row, row) | self._at(0.0, 0.0)
                yield _piece(row, row) | {"_across": None, "_up": None}

    def below(self, like: Row) -> Iterator[Row]:
        """Yield the rings of equal value and the names of x, which are no marks."""
        bare = {name: value for name, value in like.items() if not name.startswith("_")}
        edges, names = round_edges(self._low, self._high, _RINGS), self._names()
        # Values stand between two names. Where names are close, the outermost value would lie on one.
        at = FULL / max(len(names), 1) / 2
        farthest = 1.0 if len(names) <= _EIGHTHS else 0.9
        for step in range(edges.count + 1):
            value = edges.start + step * edges.step
            if self._low <= value <= self._high * (1 + 1e-9):
                label = value if self.radius(value) <= farthest else None
                yield {**bare, "_grid": self.radius(value), "_ring": label, "_ring_at": at}
        for name, angle in names:
            yield {**bare, "_label": name, "_at": angle, "_label_radius": BESIDE}

    def _names(self) -> list[tuple[object, float]]:
        if self._turn is not None:
            return [(step * self._turn / _EIGHTHS, step / _EIGHTHS * FULL) for step in range(_EIGHTHS)]
        shown = named(self._places, _MOST_NAMES, is_circle=True)
        return [(x, self.angle(x)) for x in self._places if x in shown]

    def _radius(self, row: Row) -> float:
        return self.radius(float(str(row["y"])))

    def _placed(self, row: Row, angle: float, radius: float) -> Row:
        return {**row, **self._at(angle, radius)}

    def _at(self, angle: float, radius: float) -> Row:
        return {"_across": radius * math.sin(angle), "_up": radius * math.cos(angle)}

    def _between(self, one: Row, other: Row) -> Iterator[Row]:
        """Yield places between two marks, at which both angle and radius change by the same share."""
        start, end = self.angle(one["x"]), self.angle(other["x"])
        wide = (end - start) % FULL
        count = math.ceil(wide / _STEP) if self._is_bent else 1
        first, last = self._radius(one), self._radius(other)
        for step in range(1, count):
            share = step / count
            yield _piece(one, other) | self._at(start + share * wide, first + share * (last - first))


def _piece(one: Row, other: Row) -> Row:
    """Return a row of the same series that is no mark, but is only seen if both of its marks are."""
    kept = {name: value for name, value in one.items() if not name.startswith("_")}
    return {**kept, "_between": [one.get("_mark"), other.get("_mark")]}


def _has_value(row: Row) -> bool:
    return isinstance(row.get("y"), int | float)


def _ordered(rows: Sequence[Row]) -> dict[object, int]:
    """Return the number of each x: by size if they are numbers, else in the order of the marks."""
    seen = list(dict.fromkeys(row["x"] for row in rows if row.get("x") is not None))
    if all(isinstance(each, int | float) for each in seen):
        seen.sort(key=lambda each: float(str(each)))
    return {x: place for place, x in enumerate(seen)}


def _grid(kind: Kind) -> list[Drawing]:
    """Return rings with their values, and the names of x outside of them."""
    quiet: Json = {"type": "arc", "fill": None, "style": "rings", "aria": False}
    scale: Json = {"type": "quantitative", "scale": None, "stack": None}
    ring: Json = {"theta": {"datum": 0, **scale}, "theta2": {"datum": FULL}}
    rings = Drawing(quiet, (), {}, fixed=ring | {"radius": radius_of("_grid"), "radius2": {"field": "_grid"}})
    look: Json = {"fontSize": 9, "align": "left", "dx": 3, "dy": -4}
    values = labels("number", look, field="_ring", at="_ring_at", radius="_grid")
    return [rings, values, labels(kind, OUTWARDS)]
