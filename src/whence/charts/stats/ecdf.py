"""The stat ecdf: the share of rows up to each x."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.ladder import by_steps
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training


class Ecdf(Stat):
    """The empirical distribution function of x."""

    name = "ecdf"
    title = "the share of rows up to each x"
    traits = StatTraits(
        needs=("x",),
        numbers=("x",),
        geom="line",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )

    def default_geom(self, call: Call, kinds: Mapping[str, Kind], path: str) -> Call:
        """Return a line in steps, because the share stays the same up to the next row."""
        return Call("line", {"interpolate": "step-after"}, path)

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Divide a running count by the count of the whole series."""
        stepped = by_steps(given, {"n": "count(*)"}, training)
        groups = stepped.groups
        apart = f"partition by {', '.join(groups)}" if groups else ""
        running = f"sum(n) over ({apart} order by x rows between unbounded preceding and current row)"
        kinds: dict[str, Kind] = {**{key: stepped.kinds[key] for key in (*groups, "x")}, "y": "number"}
        items = {key: key for key in (*groups, "x")}
        items["y"] = f"{running} / sum(n) over ({apart})"
        return stepped.derived(items, kinds, order=[*groups, "x"], titles={"y": "share of rows"})
