"""Choose which marks are drawn if there are too many: the same pixels or a coarser outline, else the largest."""

from __future__ import annotations

from itertools import groupby
from math import ceil

from whence.charts.compile import Branch
from whence.charts.positions.position import Row, number


def thinned(rows: list[Row], branch: Branch, most: int) -> list[Row]:
    """Return about `most` marks at most, in their order."""
    if len(rows) <= most:
        return rows
    measure, key = ("x", "y") if branch.is_horizontal else ("y", "x")
    # Violins: a coarser outline keeps the width, which the largest marks alone would not.
    if branch.drawn.traits.stands_in_slots:
        return _spaced(rows, (*branch.relation.groups, key), most)
    # Four marks per column draw the same pixels, as the stat m4 does in Spark.
    if branch.drawn.traits.connects and branch.kinds.get(key) in ("number", "time"):
        return _corners(rows, key, measure, branch.relation.groups, max(1, most // 4))
    ranked = sorted(rows, key=lambda row: -abs(number(row.get(measure))))[:most]
    kept = {row["_mark"] for row in ranked}
    return [row for row in rows if row["_mark"] in kept]


def _spaced(rows: list[Row], names: tuple[str, ...], most: int) -> list[Row]:
    """Return every nth mark of each series, and its last one: a coarser outline of the same shape."""
    step, kept = ceil(len(rows) / most), []
    for _, same in groupby(rows, key=lambda row: tuple(row.get(name) for name in names)):
        members = list(same)
        kept += [row for place, row in enumerate(members) if place % step == 0 or place == len(members) - 1]
    return kept


def _corners(rows: list[Row], key: str, measure: str, groups: tuple[str, ...], columns: int) -> list[Row]:
    """Return the first, last, lowest and highest mark of each pixel column, for each series."""
    places = [number(row[key]) for row in rows]
    low, wide = min(places), (max(places) - min(places)) or 1.0

    def column(row: Row) -> tuple[object, ...]:
        return (*(row.get(name) for name in groups), int((number(row[key]) - low) / wide * columns))

    kept = []
    for _, same in groupby(rows, key=column):
        members = list(same)
        ends = [members[0], members[-1]]
        ends += [min(members, key=lambda row: number(row[measure])), max(members, key=lambda row: number(row[measure]))]
        wanted = {row["_mark"] for row in ends}
        kept += [row for row in members if row["_mark"] in wanted]
    return kept
