"""The stat cumulative: running totals along x."""

from __future__ import annotations

from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.relation import Relation
from whence.charts.stats.ladder import by_steps
from whence.charts.stats.stat import Stat
from whence.charts.stats.traits import StatTraits
from whence.charts.training import Training


class Cumulative(Stat):
    """The sum of y, or the number of rows, up to each x."""

    name = "cumulative"
    title = "the sum of y, or the number of rows, up to each x"
    traits = StatTraits(
        needs=("x",),
        numbers=(),
        geom="line",
        passes_rows_through=False,
        sets_order=False,
        most_marks=None,
    )

    def apply(self, given: Relation, chosen: Chosen, training: Training, path: str) -> Relation:
        """Aggregate the rows at each x first, so that the order of rows with equal x does not matter."""
        added = "sum(y)" if "y" in given.kinds else "count(*)"
        stepped = by_steps(given, {"y": added}, training)
        groups = stepped.groups
        apart = f"partition by {', '.join(groups)} " if groups else ""
        kinds: dict[str, Kind] = {key: stepped.kinds[key] for key in (*groups, "x", "y")}
        items = {key: key for key in (*groups, "x")}
        items["y"] = f"sum(y) over ({apart}order by x rows between unbounded preceding and current row)"
        name = given.titles.get("y") if "y" in given.kinds else "count"
        return stepped.derived(items, kinds, order=[*groups, "x"], titles={"y": f"cumulative {name}"})
