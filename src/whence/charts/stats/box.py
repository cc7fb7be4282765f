"""The stats box and outliers: quartiles and whiskers of y at each x, and the rows beyond them."""

from __future__ import annotations

from typing import cast

from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Several
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

REACH = Parameter("reach", "number", "how many quartile ranges a row may lie beyond the box", default=1.5, least=0)


class Box(Stat):
    """Tukey's box plot. Whiskers end at the outermost rows within `reach` interquartile ranges of the box."""

    name = "box"
    title = "median, quartiles and whiskers of y at each x"
    traits = StatTraits(
        needs=("y",),
        numbers=("y",),
        geom="box",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (REACH,)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Collect quartiles and values of each group in one pass, then search the values for the whiskers."""
        keys = [*given.groups, *(["x"] if "x" in given.kinds else [])]
        # Exact percentiles are slow in Spark: over a minute for ten million rows in twenty groups on busy cores.
        gathered = given.derived(
            {**{key: key for key in keys}, "p": "percentile(y, array(0.25D, 0.5D, 0.75D))", "v": "collect_list(y)"},
            given.kinds,
            where=["y is not null"],
            group_by=keys,
        )
        far = f"{float(cast(float, chosen['reach']))!r}D * (p[2] - p[0])"
        items = {
            **{key: key for key in keys},
            "lower": f"array_min(filter(v, e -> e >= p[0] - {far}))",
            "q1": "p[0]",
            "y": "p[1]",
            "q3": "p[2]",
            "upper": f"array_max(filter(v, e -> e <= p[2] + {far}))",
        }
        numbers: dict[str, Kind] = dict.fromkeys(("lower", "q1", "y", "q3", "upper"), "number")
        kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in keys}, **numbers}
        several = Several("boxes", "y", None, "y", chosen) if given.is_raw else None
        return gathered.derived(items, kinds, order=keys, several=several)


class Outliers(Stat):
    """The rows beyond the whiskers of a box plot."""

    name = "outliers"
    title = "the rows beyond the whiskers of a box plot"
    traits = StatTraits(
        needs=("y",),
        numbers=("y",),
        geom="point",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (REACH,)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Compute the quartiles of each group by a window, and keep the rows that lie too far out."""
        keys = [*given.groups, *(["x"] if "x" in given.kinds else [])]
        apart = f"partition by {', '.join(keys)}" if keys else ""
        items = {key: key for key in given.kinds}
        beside = given.derived(
            {**items, "p": f"percentile(y, array(0.25D, 0.5D, 0.75D)) over ({apart})"},
            given.kinds,
            where=["y is not null"],
        )
        far = f"{float(cast(float, chosen['reach']))!r}D * (p[2] - p[0])"
        where = [f"(y < p[0] - {far} or y > p[2] + {far})"]
        several = Several("points beyond boxes", "y", None, "y", chosen) if given.is_raw else None
        return beside.derived(items, given.kinds, where=where, order=[*keys, "y"], several=several)
