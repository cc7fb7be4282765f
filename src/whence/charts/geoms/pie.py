"""The geom pie: parts of a whole as slices of a circle, or of a ring."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.errors import wrong
from whence.charts.geoms.geom import Drawing, Geom, Room, Row
from whence.charts.geoms.round import (
    BESIDE,
    FULL,
    OUTWARDS,
    ROUND_STYLE,
    added_up,
    hole,
    inner_share,
    labels,
    parts,
    radius,
    round_traits,
    share,
    slices,
)
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen

_LABELLED = 0.04
"""The smallest share of a slice with a label. Labels of smaller neighbours would overlap."""


class Pie(Geom):
    """A slice for each mark, whose angle shows its share. With a hole it is a donut."""

    name = "pie"
    title = "a slice of a circle for each mark, by its share; a donut with `inner`"
    traits = round_traits("color|y")
    options = (*ROUND_STYLE, hole(0.0))

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Add up y, or count rows."""
        if kinds.get("color", "text") != "text":
            what = f"a pie has a slice for each name, and color holds a {kinds['color']}"
            raise wrong(path, what, 'Map {"sql": "string(...)"} to color, or draw bars.')
        return added_up("number" if kinds.get("y") == "number" else None, path)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add the angles of each slice. A selection fills a part of the slice, from the centre."""
        found, inner = parts(rows, room, self.name, None), inner_share(chosen)
        whole = sum(part.original for part in found)
        placed = []
        for part in found:
            start, end = (share(each, whole) for each in (part.before, part.before + part.original))
            label = f"{end - start:.0%}".replace("%", " %") if end - start >= _LABELLED else None
            angles: Row = {"_from": start * FULL, "_to": end * FULL, "_at": (start + end) / 2 * FULL}
            reach = radius(share(part.value, part.original), inner)
            placed.append(
                {**part.row, **angles, "_reach": reach, "_hole": inner, "_label": label, "_label_radius": BESIDE}
            )
        return placed

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the slices, and beside them their shares."""
        return [slices(chosen), labels("text", OUTWARDS)]
