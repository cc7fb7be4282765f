"""The stat interval: mean or median of y at each x, with an interval around it."""

from __future__ import annotations

from typing import cast

from whence.charts.aggregates import words
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation, Several
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training
from whence.model.parameter import Parameter

_LOW_HIGH = {
    "stderr": ("avg(y) - stddev_samp(y) / sqrt(count(y))", "avg(y) + stddev_samp(y) / sqrt(count(y))"),
    "ci": ("avg(y) - 1.96D * stddev_samp(y) / sqrt(count(y))", "avg(y) + 1.96D * stddev_samp(y) / sqrt(count(y))"),
    "stdev": ("avg(y) - stddev_samp(y)", "avg(y) + stddev_samp(y)"),
    "iqr": ("percentile(y, 0.25)", "percentile(y, 0.75)"),
    "range": ("min(y)", "max(y)"),
}
"""SQL for the two ends of each kind of interval."""


class Interval(Stat):
    """Mean or median, with a lower and an upper end."""

    name = "interval"
    title = "the mean of y with its standard error, confidence interval or deviation; or the median with quartiles"
    traits = StatTraits(
        needs=("y",),
        numbers=("y",),
        geom="errorbar",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )
    options = (
        Parameter(
            "extent", "choice", "how far it reaches (ci: 1.96 standard errors)", default="ci", choices=tuple(_LOW_HIGH)
        ),
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Compute the middle and both ends in one group-by."""
        keys = [*given.groups, *(["x"] if "x" in given.kinds else [])]
        extent = cast(str, chosen["extent"])
        low, high = _LOW_HIGH[extent]
        middle, name = ("percentile(y, 0.5)", "median") if extent == "iqr" else ("avg(y)", "mean")
        items = {**{key: key for key in keys}, "y": middle, "lower": low, "upper": high}
        kinds: dict[str, Kind] = {key: given.kinds[key] for key in keys}
        kinds |= dict.fromkeys(("y", "lower", "upper"), "number")
        title = {"y": words(name, given.titles.get("y"))}
        several = Several("intervals", "y", None, "y", chosen) if given.is_raw else None
        where = ["y is not null"]
        return given.derived(items, kinds, where=where, group_by=keys, order=keys, titles=title, several=several)
