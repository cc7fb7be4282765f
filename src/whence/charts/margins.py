"""Totals beside a heat map: a layer for its columns and one for its rows, each grouped by one axis only."""

from __future__ import annotations

from whence.charts.errors import wrong
from whence.charts.operator import Call
from whence.charts.relation import Relation
from whence.charts.sql import inner, select

AXES = ("x", "y")


def margin(cells: Relation, geom: Call, axis: str) -> Relation:
    """Return the same measure over the rows of each place along one axis: the mean of a column, not of its cells."""
    grouping, value = cells.grouping, cells.value
    if grouping is None or value is None or value.column != "color":
        raise wrong(
            geom.path,
            "only counts and other functions that colour shows have totals",
            "Name a stat such as count, or leave out totals.",
        )
    other = AXES[1 - AXES.index(axis)]
    keys = {name: sql for name, sql in grouping.keys.items() if name not in (other, f"{other}2")}
    return Relation(
        sql=select({**keys, **grouping.measures}, inner(grouping.source), grouping.where, list(keys.values())),
        kinds={name: kind for name, kind in cells.kinds.items() if name in keys or name in grouping.measures},
        order=tuple(keys),
        value=value,
        titles=cells.titles,
        is_raw=False,
    )
