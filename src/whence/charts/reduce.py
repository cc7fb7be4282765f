"""Reduce charts with more marks than pixels: squares for points, M4 for lines, a random sample for the rest."""

from __future__ import annotations

from whence.charts.geoms.registry import find_geom
from whence.charts.operator import Call
from whence.charts.relation import Relation
from whence.charts.stats.registry import find_stat


def reduced(
    given: Relation, stats: tuple[Call, ...], geom: Call, rows: int, most: int
) -> tuple[tuple[Call, ...], Call, str]:
    """Return stats and geom that keep the number of marks within `most`, and a note if they had to change."""
    # A stat that aggregates is left alone: `thinned` limits how many of its marks are drawn.
    if rows <= most or not all(find_stat(call).traits.passes_rows_through for call in stats):
        return stats, geom, ""
    x, y = given.kinds.get("x"), given.kinds.get("y")
    path = geom.path
    when_many = find_geom(geom).traits.when_many
    if when_many == "squares" and x in ("number", "time") and y in ("number", "time"):
        note = f"{rows:,} points are more than {most:,}, so they are shown as counts in squares."
        # 1.6 is about the width of a panel over its height (420 by 260).
        across = max(1, int((1.6 * most) ** 0.5))
        squares = {"xbins": across, "ybins": max(1, most // across)}
        return (Call("bin2d", squares, path),), Call("cell", {}, path), note
    if when_many == "columns" and x in ("number", "time") and y == "number":
        note = (
            f"{rows:,} points are more than {most:,}, so each column of pixels shows first, last, lowest and highest."
        )
        # Each column has up to four marks.
        return (Call("m4", {"width": max(1, most // 4)}, path),), geom, note
    note = f"{rows:,} rows are more than {most:,}, so a random sample is shown."
    return (Call("sample", {"n": most}, path), *stats), geom, note
